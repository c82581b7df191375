"""Water line pass: the colour of water over the part of the picture that is below its surface, and the meniscus."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats, Point
from ...level.build.entities.zones import ZONE_FACTS, FaceLook
from ..gl.context import set_state
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass
from ..scene.daylight import Daylight
from ..scene.scene import ZoneAppearance
from .frame import Frame

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


class WaterLinePass(RenderPass):
    """Draws over the whole picture while the camera is in water or at its surface; the program is compiled then."""

    def __init__(self, context: PassContext) -> None:
        super().__init__(context, {"LENS_DISTANCE": LENS_DISTANCE})

    def draw(self, frame: Frame) -> None:
        """Draw for the camera of the frame."""
        zone = water_at(frame.zones, frame.snapshot.view.eye)
        if zone is None:
            return
        array = self.array("post/fullscreen_triangle", fragment="markers/water_line")
        angle = zone.heading * RADIANS_PER_HEADING_UNIT
        set_uniforms(
            array.program,
            water_colour=zone.colour,
            water_centre=zone.centre,
            water_half_size=zone.half_size,
            water_rotation=(math.sin(angle), math.cos(angle)),
        )
        set_state(self.ctx, frame.target, None, writes_depth=False, blending="premultiplied")
        array.render(moderngl.TRIANGLES, vertices=3)
