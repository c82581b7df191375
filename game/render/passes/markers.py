"""Marker passes: billboards for targets (gem), lamps (glow) and exits (arch), the goal, and the flags of golf holes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Vector
from ..colour_palettes import DEFAULT_PALETTE, marker_colours
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state
from ..scene.scene import GOAL_GRID, GOAL_RADII, GOAL_SIDES, GoalAppearance, Scene, in_frames_of_movers
from .frame import Frame

TARGET_KIND, LAMP_KIND, EXIT_KIND = 0.0, 1.0, 2.0
MIN_TARGET_SIZE, MAX_TARGET_SIZE = 0.35, 1.5  # metres: half the size of a target marker
GLOW_RADIUS, MAX_GLOW_RADIUS = 0.6, 1.2  # metres: glow of a lamp of brightness 1; maximum
GOLDEN_RATIO_FRACTION = 0.6180339887  # phase step between markers, turns: no two animate in sync

RING_SEGMENTS = 48
COLUMN_RADIUS = 0.78  # of the reach, in the shader: the column here is so much wider that it is as wide as the reach
CLOTH_COLOUR = (0.62, 0.05, 0.035)  # linear
POLE_HEIGHT, POLE_RADIUS, POLE_SEGMENTS = 2.9, 0.018, 8  # metres
CLOTH_LENGTH, CLOTH_HEIGHT, CLOTH_COLUMNS, CLOTH_ROWS = 1.1, 0.7, 20, 5  # metres; grid cells
POLE_PART, CLOTH_PART = 0.0, 1.0  # mesh parts

# One row per marker; the names are the attributes of markers/marker.vert.glsl. in_mover: as of MOVER_VERTEX.
MARKER_INSTANCE = np.dtype(
    [("in_centre", "f4", 4), ("in_colour_and_kind", "f4", 4), ("in_state", "f4", 2), ("in_mover", "f4")]
)


def pack_markers(scene: Scene, palette: str = DEFAULT_PALETTE) -> npt.NDArray[np.void]:
    """Instance rows of a scene: targets first, in their order, then lamps and exits. palette: of their colours."""
    colours = marker_colours(palette)
    markers: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for target in scene.targets:
        size = min(max(target.radius, MIN_TARGET_SIZE), MAX_TARGET_SIZE) if target.visible else 0.0
        markers.append(((*target.at, size), (*colours["target"], TARGET_KIND)))
    for lamp in scene.lamps:
        if lamp.visible:
            size = min(GLOW_RADIUS * math.sqrt(math.sqrt(lamp.brightness)), MAX_GLOW_RADIUS)
            markers.append(((*lamp.at, size), (*lamp.colour, LAMP_KIND)))
    for exit_ in scene.exits:
        markers.append(((*exit_.at, exit_.radius), (*colours["exit"], EXIT_KIND)))
    rows = np.zeros(len(markers), MARKER_INSTANCE)
    for row, (position, colour_and_kind) in zip(rows, markers, strict=True):
        row["in_centre"], row["in_colour_and_kind"] = position, colour_and_kind
    glows = slice(len(scene.targets), len(markers) - len(scene.exits))
    carriers = np.array([lamp.mover for lamp in scene.lamps if lamp.visible], dtype=np.int32)
    rows["in_centre"][glows, :3] = in_frames_of_movers(rows["in_centre"][glows, :3], carriers, scene.movers)
    rows["in_mover"][glows] = carriers + 1
    rows["in_state"][:, 1] = np.arange(len(markers)) * GOLDEN_RATIO_FRACTION % 1.0
    return rows


class MarkerPass(RenderPass):
    """Draws all markers of a scene in one call, with premultiplied blending and depth test."""

    def __init__(self, context: PassContext, scene: Scene) -> None:
        super().__init__(context)
        self.defines["MOVER"] = 1
        self._scene, self._palette = scene, DEFAULT_PALETTE
        self._instances = pack_markers(scene)
        self._targets = len(scene.targets)
        self._buffer = self.own(self.ctx.buffer(self._instances.tobytes())) if len(self._instances) else None

    def draw(self, frame: Frame) -> None:
        """Draw the markers, those of reached targets as such."""
        if self._buffer is None:
            return
        palette = frame.snapshot.hud.palette
        state = np.zeros(self._targets, np.float32)
        values = np.asarray(frame.snapshot.targets, dtype=np.float32)[: self._targets]
        state[: len(values)] = values
        if palette != self._palette:
            self._palette = palette
            self._instances = pack_markers(self._scene, palette)
            self._buffer.write(self._instances.tobytes())
        if not np.array_equal(state, self._instances["in_state"][: self._targets, 0]):
            self._instances["in_state"][: self._targets, 0] = state
            self._buffer.write(self._instances.tobytes())
        array = self.array("markers/marker", (self._buffer, MARKER_INSTANCE, "/i"))
        set_state(self.ctx, frame.target, writes_depth=False, blending="premultiplied")
        array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(self._instances))


def goal_mesh(rise: Sequence[float]) -> Floats:
    """(n, 4) triangle corners of ring, column and core as unit shapes; the last number is the mesh part, 0 to 2. rise:
    of `GoalAppearance`."""
    square = np.array(((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)), dtype=np.float64)
    points = np.column_stack((np.array(GOAL_GRID), rise))[:, (0, 2, 1)].reshape(len(GOAL_RADII), GOAL_SIDES, 3)
    inner, outer = points[:-1], points[1:]
    quads = (inner, np.roll(inner, -1, 1), np.roll(outer, -1, 1), inner, np.roll(outer, -1, 1), outer)
    ring = np.stack(quads, axis=2).reshape(-1, 3)
    ring = np.column_stack((ring, np.zeros(len(ring))))
    core = np.column_stack((square, np.zeros(6), np.full(6, 2.0)))
    angles = np.arange(RING_SEGMENTS + 1) * (2 * math.pi / RING_SEGMENTS)
    circle = np.column_stack((np.cos(angles), np.sin(angles))) / COLUMN_RADIUS
    column_corners = [
        (*circle[k + dk], 0.0, 1.0, y)
        for k in range(RING_SEGMENTS)
        for dk, y in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1))
    ]
    tube = np.array([(x, y, z, mesh_part) for x, z, _, mesh_part, y in column_corners], dtype=np.float64)
    return np.concatenate((ring, tube, core))


class GoalPass(RenderPass):
    """Draws the goal: a ring on the ground, a column of light and a pulsating core."""

    def __init__(self, context: PassContext, goal: GoalAppearance) -> None:
        super().__init__(context)
        self.goal = goal
        self._buffer = self.own(self.ctx.buffer(goal_mesh(goal.rise).astype("f4").tobytes()))

    def draw(self, frame: Frame) -> None:
        """Draw the goal, a reached one in another colour and shape, of one that waits the dashes only."""
        is_reached, waits = frame.snapshot.goal_reached, frame.snapshot.goal_waits
        colour = marker_colours(frame.snapshot.hud.palette)["goal_reached" if is_reached else "goal"]
        content, at = (self._buffer, "3f 1f", "in_position", "in_mesh_part"), (*self.goal.at, self.goal.radius)
        array = self.array("markers/goal", content, goal_position_radius=at, goal_up=self.goal.up)
        set_uniforms(array.program, colour=colour, reached=float(is_reached), waits=float(waits and not is_reached))
        set_state(self.ctx, frame.target, writes_depth=False, blending="premultiplied")
        array.render(moderngl.TRIANGLES)


def flag_mesh() -> Floats:
    """(n, 7) triangle corners around the base: position, mesh part, normal."""
    rows: list[tuple[float, ...]] = []
    for k in range(POLE_SEGMENTS):
        edge_points = [
            (math.cos(2 * math.pi * (k + d) / POLE_SEGMENTS), math.sin(2 * math.pi * (k + d) / POLE_SEGMENTS))
            for d in (0, 1)
        ]
        for d, y in ((0, 0.0), (1, 0.0), (1, POLE_HEIGHT), (0, 0.0), (1, POLE_HEIGHT), (0, POLE_HEIGHT)):
            x, z = edge_points[d]
            rows.append((POLE_RADIUS * x, y, POLE_RADIUS * z, POLE_PART, x, 0.0, z))
    for column in range(CLOTH_COLUMNS):
        for row in range(CLOTH_ROWS):
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)):
                x = CLOTH_LENGTH * (column + dx) / CLOTH_COLUMNS
                taper = 1.0 - 0.25 * x / CLOTH_LENGTH
                y = POLE_HEIGHT - 0.03 - CLOTH_HEIGHT * (0.5 + taper * ((row + dy) / CLOTH_ROWS - 0.5))
                rows.append((x, y, 0.0, CLOTH_PART, 0.0, 0.0, 1.0))
    return np.array(rows, dtype=np.float64)


class GolfFlagPass(RenderPass):
    """Draws a striped pole and a waving cloth for each hole, lit by sun and sky. feet: base of the poles, metres."""

    def __init__(self, context: PassContext, feet: Sequence[Vector]) -> None:
        super().__init__(context)
        self._feet = np.asarray(feet, dtype=np.float32).reshape(-1, 3)
        self._mesh = self.own(self.ctx.buffer(flag_mesh().astype("f4").tobytes()))
        self._instances = self.own(self.ctx.buffer(self._feet.tobytes())) if len(feet) else None

    def draw(self, frame: Frame) -> None:
        """Draw the flags."""
        if self._instances is None:
            return
        content = (self._mesh, "4f 3f", "in_position", "in_normal"), (self._instances, "3f /i", "in_foot")
        origin = float(self._feet[0, 1])
        array = self.array("level/golf_flag", *content, colour=CLOTH_COLOUR, stripe_origin=origin)
        set_state(self.ctx, frame.target)
        array.render(moderngl.TRIANGLES, instances=len(self._feet))
