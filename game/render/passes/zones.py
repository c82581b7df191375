"""Zone passes: faces of water, pads, teleports, checkpoints and kill zones, streaks in currents and gravity zones, and
what the lens sees in water."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats, Point, Vector
from ...level.build.entities.zones import FaceLook, LevelZone, RunRole
from ...level.build.pieces.zones import Current, Gravity
from ..colour_palettes import DEFAULT_PALETTE, marker_colours
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state
from ..scene.daylight import Daylight
from ..scene.scene import PAD_FACE_HEIGHT, Scene
from .frame import Frame

# Water: the colour of water over the part of the picture that is below its surface, and the meniscus

# m from the eye to the plane whose points are above or below the surface: a lens of 13 cm, so that the line takes a few
# frames to cross the picture. Farther than the near plane, which would cut the surface open.
LENS_DISTANCE = 0.12
MAX_LENS_OFFSET = 2.5 * LENS_DISTANCE  # m from the eye to a corner of the lens, at the widest field of view


def water_at(zones: tuple[LevelZone, ...], eye: Point) -> LevelZone | None:
    """The visible water that the lens of a camera at `eye` (m) can reach into; the last of several."""
    for zone in reversed(zones):
        if zone.facts.look is not FaceLook.WATER or not zone.visible:
            continue
        local = zone.axes @ np.subtract(eye, zone.centre)
        if (np.abs(local) <= np.add(zone.half, MAX_LENS_OFFSET)).all():
            return zone
    return None


def has_water(zones: tuple[LevelZone, ...]) -> bool:
    """Whether one of the zones is visible water."""
    return any(zone.facts.look is FaceLook.WATER and zone.visible for zone in zones)


def deep_water(zone: LevelZone, daylight: Daylight) -> Floats:
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
            water_half_size=zone.half,
            water_rotation=(math.sin(angle), math.cos(angle)),
        )
        set_state(self.ctx, frame.target, None, writes_depth=False, blending="premultiplied")
        array.render(moderngl.TRIANGLES, vertices=3)


CHECKPOINT_FRAME_HEIGHT = 0.02  # m above the bottom of the box, which levels put on the ground
GRAVITY_STREAK_SPEED = 0.7  # m/s
MIN_WATER_STREAK_SPEED = 0.1  # m/s
STREAKS_PER_CUBIC_METRE = 0.22
MIN_STREAKS, MAX_STREAKS = 12, 160  # per zone
# Vertex and instance formats; the names are the attributes of markers/zone.vert.glsl and markers/flow_streak.vert.glsl
ZONE_FACE_VERTEX = np.dtype(
    [
        ("in_position", "f4", 3),
        ("in_local_position", "f4", 3),
        ("in_half_size", "f4", 3),
        ("in_normal", "f4", 3),
        ("in_colour_and_kind", "f4", 4),
        ("in_velocity", "f4", 3),
        ("in_rotation", "f4", 2),
    ]
)
STREAK_INSTANCE = np.dtype(
    [
        ("in_centre", "f4", 3),
        ("in_half_size", "f4", 3),
        ("in_rotation", "f4", 2),
        ("in_velocity", "f4", 4),
        ("in_colour_and_seed", "f4", 4),
    ]
)

SECOND_COLOUR = 0x88F9  # GL_SRC1_COLOR: factor of the picture behind, from the second output of the shader
_SIDES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], dtype=np.float64)
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1))


def _vector(zone: LevelZone, name: str) -> Vector:
    """A vector of what the zone does to a body (`LevelZone.physics`); zero for none."""
    found: Vector = dict(zone.physics).get(name, (0.0, 0.0, 0.0))
    return found


def zone_face_vertices(
    zones: tuple[LevelZone, ...], palette: str = DEFAULT_PALETTE, checkpoint: int = -1
) -> npt.NDArray[np.void]:
    """Vertex rows of all visible zone faces, three per triangle, those of water first.

    The faces lie 2 mm inside the box, against z-fighting with walls. palette: of the marker colours. checkpoint: the
    last one reached, by its number among the checkpoints.
    """
    rows: list[tuple[Any, ...]] = []
    colours = marker_colours(palette)
    number = -1
    for zone in zones:
        is_checkpoint, look = zone.facts.role is RunRole.CHECKPOINT, zone.facts.look
        number += is_checkpoint
        if look is None or not zone.visible:
            continue
        rotation = zone.axes.T
        half = np.array(zone.half)
        drawn_half = half - 0.002
        reached = is_checkpoint and number == checkpoint
        colour = (*(zone.colour or colours["checkpoint_reached" if reached else zone.kind]), look.value)
        flow = (float(reached), 0.0, 0.0) if is_checkpoint else _vector(zone, "current")
        for side in _SIDES:
            if side[1] < 0.0 and look is not FaceLook.FRAME:
                continue
            axis = int(np.argmax(np.abs(side)))
            a, b = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            for u, v in _SQUARE:
                local = drawn_half * (side + u * a + v * b)
                if look is FaceLook.SQUARES and side[1] > 0.0:
                    local[1] = -half[1] + PAD_FACE_HEIGHT
                elif look is FaceLook.FRAME and side[1] < 0.0:
                    local[1] = -half[1] + CHECKPOINT_FRAME_HEIGHT
                position = np.array(zone.centre) + rotation @ local
                rows.append((position, local, half, side, colour, flow, rotation[0, [2, 0]]))
    faces = np.array(rows, dtype=ZONE_FACE_VERTEX)
    return faces[np.argsort(faces["in_colour_and_kind"][:, 3] != FaceLook.WATER.value, kind="stable")]


def flow_streak_instances(zones: tuple[LevelZone, ...], palette: str = DEFAULT_PALETTE) -> npt.NDArray[np.void]:
    """Instance rows of the streaks. palette: of the marker colours."""
    rows: list[tuple[Any, ...]] = []
    colours = marker_colours(palette)
    for zone in zones:
        down = _vector(zone, "down")
        is_gravity = any(down)
        velocity = np.array(down if is_gravity else _vector(zone, "current"))
        speed = float(np.linalg.norm(velocity))
        if not zone.visible or speed == 0.0 or (zone.facts.is_water and speed < MIN_WATER_STREAK_SPEED):
            continue
        if is_gravity:
            velocity = velocity / speed * GRAVITY_STREAK_SPEED
        local_velocity = velocity @ zone.axes.T
        count = min(max(int(STREAKS_PER_CUBIC_METRE * 8.0 * float(np.prod(zone.half))), MIN_STREAKS), MAX_STREAKS)
        length = min(0.25 * float(np.linalg.norm(velocity)) + 0.15, 1.2)
        colour = colours[(Gravity if is_gravity else Current).kind]
        angle = zone.heading * RADIANS_PER_HEADING_UNIT
        sine_cosine = (math.sin(angle), math.cos(angle))
        rows += [
            (zone.centre, zone.half, sine_cosine, (*local_velocity, length), (*colour, float(len(rows) + k)))
            for k in range(count)
        ]
    return np.array(rows, dtype=STREAK_INSTANCE)


class ZonePass(RenderPass):
    """Draws the zones of a scene with premultiplied blending and depth test, without depth writes."""

    def __init__(self, context: PassContext, scene: Scene) -> None:
        super().__init__(context)
        self.defines["LENS_DISTANCE"] = LENS_DISTANCE
        self._shown = (DEFAULT_PALETTE, -1, scene.zones)
        rows = zone_face_vertices(scene.zones), flow_streak_instances(scene.zones)
        self._buffers = [self.own(self.ctx.buffer(one.tobytes())) if len(one) else None for one in rows]
        self._face_count, self._streak_count = map(len, rows)
        self._water_count = int((rows[0]["in_colour_and_kind"][:, 3] == FaceLook.WATER.value).sum())

    def draw(self, frame: Frame) -> None:
        """Draw streaks, then faces, so that streaks are visible through water."""
        faces, streaks = self._buffers
        shown = frame.snapshot.hud.palette, frame.snapshot.checkpoint, frame.zones
        if self._shown != shown:
            self._shown = shown
            palette, checkpoint, zones = shown
            rows = zone_face_vertices(zones, palette, checkpoint), flow_streak_instances(zones, palette)
            for buffer, data in zip(self._buffers, rows, strict=True):
                if buffer is not None:
                    buffer.write(data.tobytes())
        set_state(self.ctx, frame.target, writes_depth=False, blending="premultiplied")
        if streaks is not None:
            array = self.array("markers/flow_streak", (streaks, STREAK_INSTANCE, "/i"))
            array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._streak_count)
        if faces is None:
            return
        content, water = (faces, ZONE_FACE_VERTEX), self._water_count
        if water < self._face_count:
            self.array("markers/zone", content).render(
                moderngl.TRIANGLES, vertices=self._face_count - water, first=water
            )
        if water:
            array = self.array("markers/zone", content, fragment="markers/water")
            self.ctx.blend_func = moderngl.ONE, SECOND_COLOUR
            array.render(moderngl.TRIANGLES, vertices=water)
            self.ctx.blend_func = moderngl.ONE, moderngl.ZERO  # with two targets the factor would be an error
