"""Zones as they look: water, pads, teleports, checkpoints, kills as faces; currents and other gravities as streaks."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.programs import ShaderCache
from ..scene.scene import Scene, ZoneAppearance

HEADING_UNITS_PER_TURN = 65536  # heading units to the turn
ZONE_KIND_CODES = {"water": 0.0, "pad": 1.0, "teleport": 2.0, "checkpoint": 3.0, "kill": 4.0}
# as the screen shows them; water has its own
ZONE_COLOURS = {
    "pad": (1.0, 0.72, 0.28), "teleport": (0.62, 0.50, 1.0), "checkpoint": (0.45, 0.95, 0.60),
    "kill": (1.0, 0.32, 0.18), "current": (0.93, 0.97, 1.0), "gravity": (0.80, 0.72, 1.0),
}  # fmt: skip
GRAVITY_STREAK_SPEED = 0.7  # m/s of the streaks in a zone of another gravity
STREAKS_PER_CUBIC_METRE = 0.22  # streaks a cubic metre
MIN_STREAKS, MAX_STREAKS = 12, 160  # of a zone
ZONE_FACE_VERTEX = np.dtype([("in_position", "f4", 3), ("in_local_position", "f4", 3), ("in_half_size", "f4", 3), ("in_normal", "f4", 3),
                 ("in_colour_and_kind", "f4", 4), ("in_velocity", "f4", 3)])  # fmt: skip
STREAK_INSTANCE = np.dtype([("in_centre", "f4", 3), ("in_half_size", "f4", 3), ("in_rotation", "f4", 2), ("in_velocity", "f4", 4),
                   ("in_colour_and_seed", "f4", 4)])  # fmt: skip

_SIDES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], dtype=np.float64)
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1))


def _heading_rotation(heading: int) -> npt.NDArray[np.float64]:
    """Of the box's own directions to the world's."""
    angle = 2.0 * math.pi * heading / HEADING_UNITS_PER_TURN
    s, c = math.sin(angle), math.cos(angle)
    return np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))


def zone_face_vertices(zones: tuple[ZoneAppearance, ...]) -> npt.NDArray[np.void]:
    """The corners of all faces to draw, three a triangle; water's sinks out of its walls by a millimetre."""
    rows: list[tuple[Any, ...]] = []
    for zone in zones:
        if zone.kind not in ZONE_KIND_CODES or not zone.visible:
            continue
        turn = _heading_rotation(zone.heading)
        half = np.array(zone.half_size)
        shown = half - 0.002
        colour = (*(zone.colour if zone.kind == "water" else ZONE_COLOURS[zone.kind]), ZONE_KIND_CODES[zone.kind])
        for side in _SIDES:
            if side[1] < 0.0 or (zone.kind == "checkpoint" and side[1] != 0.0):
                continue
            axis = int(np.argmax(np.abs(side)))
            a, b = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            for u, v in _SQUARE:
                local = shown * (side + u * a + v * b)
                if zone.kind == "pad" and side[1] > 0.0:
                    local[1] = -half[1] + zone.plate
                rows.append((np.array(zone.centre) + turn @ local, local, half, side, colour, zone.flow))
    return np.array(rows, dtype=ZONE_FACE_VERTEX)


def flow_streak_instances(zones: tuple[ZoneAppearance, ...]) -> npt.NDArray[np.void]:
    """One row a streak."""
    rows: list[tuple[Any, ...]] = []
    for zone in zones:
        if zone.kind not in ("current", "gravity", "water") or not zone.visible:
            continue
        way = np.array(zone.flow if zone.kind != "gravity" else zone.down, dtype=np.float64)
        size = float(np.linalg.norm(way))
        if size == 0.0 or (zone.kind == "water" and size < 0.1):
            continue
        if zone.kind == "gravity":
            way = way / size * GRAVITY_STREAK_SPEED
        own = way @ _heading_rotation(zone.heading)
        count = min(max(int(STREAKS_PER_CUBIC_METRE * 8.0 * float(np.prod(zone.half_size))), MIN_STREAKS), MAX_STREAKS)
        length = min(0.25 * float(np.linalg.norm(way)) + 0.15, 1.2)
        colour = ZONE_COLOURS.get(zone.kind, ZONE_COLOURS["current"])
        angle = 2.0 * math.pi * zone.heading / HEADING_UNITS_PER_TURN
        turn = (math.sin(angle), math.cos(angle))
        rows += [
            (zone.centre, zone.half_size, turn, (*own, length), (*colour, float(len(rows) + k))) for k in range(count)
        ]
    return np.array(rows, dtype=STREAK_INSTANCE)


class ZonePass:
    """Draws the zones of a scene into the bound framebuffer, behind what is before them, over what is behind."""

    def __init__(self, ctx: Any, scene: Scene, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED_DEPTH": 1} if reversed_depth else {}
        self._faces, self._streaks = zone_face_vertices(scene.zones), flow_streak_instances(scene.zones)
        self._buffers = [ctx.buffer(rows.tobytes()) if len(rows) else None for rows in (self._faces, self._streaks)]
        self._arrays: list[Any] = [None, None]
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the present programs to the buffers."""
        recipes = (("zone", "3f 3f 3f 3f 4f 3f", ZONE_FACE_VERTEX), ("flow_streak", "3f 3f 2f 4f 4f /i", STREAK_INSTANCE))
        for at, (name, layout, row) in enumerate(recipes):
            if self._arrays[at] is not None:
                self._arrays[at].release()
            self._arrays[at] = None
            if self._buffers[at] is not None:
                program = self.programs.get(
                    f"markers/{name}.vert.glsl", f"markers/{name}.frag.glsl", **self.defines
                )
                self._arrays[at] = self.ctx.vertex_array(program, [(self._buffers[at], layout, *(row.names or ()))])

    def draw(self, target: Any) -> None:
        """Streaks first: what drifts under water is seen through it."""
        faces, streaks = self._arrays
        if faces is None and streaks is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.depth_func = ">="
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        target.depth_mask = False
        if streaks is not None:
            streaks.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(self._streaks))
        if faces is not None:
            faces.render(moderngl.TRIANGLES)
        target.depth_mask = True

    def release(self) -> None:
        for thing in (*self._arrays, *self._buffers):
            if thing is not None:
                thing.release()
