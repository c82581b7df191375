"""Water line pass: the colour of water over the part of the picture that is below its surface, and the meniscus."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats, Point
from ...level.build.entities.zones import ZONE_FACTS, FaceLook
from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..scene.daylight import Daylight
from ..scene.scene import ZoneAppearance

# m from the eye to the plane whose points are above or below the surface: a lens of 13 cm, so that the line takes a few
# frames to cross the picture. Farther than the near plane, which would cut the surface open.
LENS_DISTANCE = 0.12
MAX_LENS_OFFSET = 2.5 * LENS_DISTANCE  # m from the eye to a corner of the lens, at the widest field of view


def water_at(zones: tuple[ZoneAppearance, ...], eye: Point) -> ZoneAppearance | None:
    """The visible water that the lens of a camera at `eye` (m) can reach into; the last of several."""
    for zone in reversed(zones):
        if ZONE_FACTS[zone.kind].look is not FaceLook.WATER or not zone.visible:
            continue
        angle = zone.heading * RADIANS_PER_HEADING_UNIT
        s, c = math.sin(angle), math.cos(angle)
        x, y, z = (a - b for a, b in zip(eye, zone.centre, strict=True))
        local = (c * x - s * z, y, s * x + c * z)
        if all(abs(a) <= half + MAX_LENS_OFFSET for a, half in zip(local, zone.half_size, strict=True)):
            return zone
    return None


def has_water(zones: tuple[ZoneAppearance, ...]) -> bool:
    """Whether one of the zones is visible water."""
    return any(ZONE_FACTS[zone.kind].look is FaceLook.WATER and zone.visible for zone in zones)


def deep_water(zone: ZoneAppearance, daylight: Daylight) -> Floats:
    """Radiance (3,) of deep water, as deep_water in water_waves.glsl."""
    sun = 0.22 * daylight.sunlight * max(daylight.to_sun[1], 0.0)
    colour = np.asarray(zone.colour or (0.18, 0.5, 0.56)) ** 2.2
    return np.asarray(colour * (0.34 * (daylight.zenith + daylight.horizon) + sun))


class WaterLinePass:
    """Draws over the whole picture while the camera is in water or at its surface; the program is compiled then."""

    def __init__(self, ctx: Any, programs: ShaderCache) -> None:
        self.ctx, self.programs = ctx, programs
        self._array: Any = None
        self._program: Any = None

    def rebuild(self) -> None:
        """Bind the current program at the next use."""
        release_resources(self._array)
        self._array = None

    def draw(self, target: Any, zones: tuple[ZoneAppearance, ...], eye: Point) -> None:
        """Draw for a camera at `eye` (m). zones: where they are in this frame."""
        zone = water_at(zones, eye)
        if zone is None:
            return
        if self._array is None:
            self._program = self.programs.get(
                "post/fullscreen_triangle.vert.glsl", "markers/water_line.frag.glsl", LENS_DISTANCE=LENS_DISTANCE
            )
            self._array = self.ctx.vertex_array(self._program, [])
        angle = zone.heading * RADIANS_PER_HEADING_UNIT
        set_uniforms(
            self._program,
            water_colour=zone.colour,
            water_centre=zone.centre,
            water_half_size=zone.half_size,
            water_rotation=(math.sin(angle), math.cos(angle)),
        )
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.wireframe = False
        target.depth_mask = False
        self._array.render(moderngl.TRIANGLES, vertices=3)
        target.depth_mask = True

    def release(self) -> None:
        self.rebuild()
