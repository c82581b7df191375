"""Outlines for low vision: thick lines along ledges and steps, around goal, targets and checkpoints, and around
hazards: kill zones, wind, launch pads and moving platforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.vectors import Colour, Floats, ranges
from ...level.build.entities.zones import Outline, RunRole
from ...level.build.pieces.zones import Pad
from ...physics import TriangleMesh
from ...render.colour_palettes import marker_colours
from ...render.overlay_layers import Overlay, OverlayLines
from ...render.scene.scene import carry_zones

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...level import Level
    from ...level.build.entities.zones import LevelZone
    from ...sim import World

LINE_WIDTH = 3.0  # pixels at a height of 720: the coloured line
CASING_WIDTH = 6.5  # pixels at a height of 720: the black line under it
DEPTH_BIAS = 0.010  # of the distance: both sides of a wide line on a wall that is seen at a flat angle
LEDGE_FADE = 32.0  # m at which lines have half their opacity: there are many ledges
MARKER_FADE = 400.0  # m: there are few markers
OCCLUDED_OPACITY = 0.35  # of goal and targets behind walls
WALKABLE_COSINE = math.cos(math.radians(50.0))  # of the normal to the vertical: steeper faces have no ledges
MIN_DROP = 0.10  # m below a ledge: the floor beside a lower one is seen as going on
REACH = 0.06  # m beside an edge at which the drop is probed
MIN_WIDTH = 0.15  # m of ground that a ledge has: rails and beams have no outlines
PIECE_LENGTH = 1.0  # m, longest piece of an edge that is probed at once
MIN_PIECE = 0.10  # m, shorter edges (of round shapes) are not outlined
MAX_PIECES = 60_000  # probed in one level, the longest first
TARGET_SIZE = 0.45  # m: half a diamond
BEAM_HEIGHT = 7.0  # m: beam over the goal
POST_HEIGHT = 0.9  # m: posts of a checkpoint
RING_SIDES = 24


def ledge_segments(mesh: TriangleMesh, any_up: bool = False) -> Floats:
    """Edges (n, 2, 3) of walkable faces beside which the ground falls by MIN_DROP or more, in pieces.

    Beside the middle of each piece, rays look for a wall, for ground below, and for ground to stand on at the other
    side; a piece with neither of the first two and with the last is a ledge. any_up: faces of every direction count,
    each with its own normal as up, for levels with gravity zones.
    """
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    normals = mesh.triangles12[:, 9:]
    kept = np.ones(len(corners), np.bool_) if any_up else normals[:, 1] > WALKABLE_COSINE
    corners, normals = corners[kept], normals[kept]
    ups = normals if any_up else np.broadcast_to((0.0, 1.0, 0.0), normals.shape)
    starts = corners.reshape(-1, 3)
    ends = np.roll(corners, -1, axis=1).reshape(-1, 3)
    normals, ups = np.repeat(normals, 3, axis=0), np.repeat(ups, 3, axis=0)
    lengths = np.linalg.norm(ends - starts, axis=1)
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > MIN_PIECE]
    counts = np.ceil(lengths[order] / PIECE_LENGTH).astype(np.int64)
    edge, number = (each[:MAX_PIECES] for each in ranges(0, counts))
    order, share = order[edge], counts[edge]
    step = (ends - starts)[order] / share[:, None]
    first = starts[order] + number[:, None] * step
    outward = np.cross(step, normals[order])
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-12)
    middle = first + 0.5 * step
    up = ups[order]
    found: Floats = np.stack((first, first + step), axis=1)[_is_ledge(mesh, middle, outward, up)]
    return found


def _is_ledge(mesh: TriangleMesh, middle: Floats, outward: Floats, up: Floats) -> Any:
    """Whether (n,) there is room to stand beside these points (n, 3), and on the other side neither wall nor ground."""
    if not len(middle):
        return np.zeros(0, np.bool_)
    above = middle + 0.03 * up
    wall = mesh.raycast_many(above - 0.02 * outward, outward, REACH + 0.02).triangle >= 0
    ground = mesh.raycast_many(above + REACH * outward, -up, MIN_DROP + 0.03).triangle >= 0
    stand = mesh.raycast_many(above - MIN_WIDTH * outward, -up, MIN_DROP + 0.03).triangle >= 0
    return stand & ~(wall | ground)


def _cross_segments(zone: LevelZone) -> Floats:
    """Both diagonals of the top of a zone's box: a second shape for what kills."""
    top = [edge for edge in zone.edges if edge[0, 1] == edge[1, 1] == zone.centre[1] + zone.half[1]]
    points = np.unique(np.round(np.concatenate(top), 6), axis=0) if top else np.zeros((0, 3))
    return np.array([(points[0], points[3]), (points[1], points[2])]) if len(points) == 4 else np.zeros((0, 2, 3))


def _frame_segments(zone: LevelZone, height: float) -> Floats:
    """The bottom edges of a zone's box, and posts of `height` (m) at its corners."""
    low = zone.centre[1] - zone.half[1]
    edges = zone.edges
    bottom = edges[(edges[:, :, 1] < low + 1e-6).all(axis=1)]
    posts = edges[edges[:, 0, 1] != edges[:, 1, 1]].copy()
    posts[:, 1] = posts[:, 0] + (posts[:, 1] - posts[:, 0]) * min(1.0, 0.5 * height / max(zone.half[1], 1e-6))
    lifted: Floats = np.concatenate((bottom, posts)) + np.array((0.0, 0.03, 0.0))
    return lifted


def _goal_segments(at: Sequence[float], radius: float) -> Floats:
    """Ring around the goal and a beam above it."""
    angles = np.arange(RING_SIDES + 1) * (math.tau / RING_SIDES)
    ring = np.array(at) + np.stack(
        (radius * np.cos(angles), np.full_like(angles, 0.05), radius * np.sin(angles)), axis=1
    )
    beam = np.array([(at, (at[0], at[1] + BEAM_HEIGHT, at[2]))])
    return np.concatenate((np.stack((ring[:-1], ring[1:]), axis=1), beam))


def _diamond_segments(at: Sequence[float]) -> Floats:
    """The edges of an octahedron around a target."""
    tips = [np.array(at) + TARGET_SIZE * np.array(way) for way in ((0, 1.5, 0), (0, -1.5, 0))]
    ring = [np.array(at) + TARGET_SIZE * np.array(way) for way in ((1, 0, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1))]
    pairs = [(tip, corner) for tip in tips for corner in ring]
    return np.array([*pairs, *((ring[k], ring[(k + 1) % 4]) for k in range(4))])


def _with_casing(segments: Floats, colour: Colour, fade: float, occluded: float = 0.0) -> tuple[OverlayLines, ...]:
    """Lines of a colour on wider black ones, so that they are readable on bright and on dark surfaces."""
    if not len(segments):
        return ()
    return (
        OverlayLines(segments, (0.0, 0.0, 0.0, 0.85), CASING_WIDTH, 0.0, fade, DEPTH_BIAS),
        OverlayLines(segments, (*colour, 1.0), LINE_WIDTH, occluded, fade, DEPTH_BIAS),
    )


class Outlines:
    """The outlines of one level at a time. Ledges are found in a thread; until then the other outlines are drawn."""

    def __init__(self) -> None:
        self._level: Level | None = None
        self._state: tuple[Any, ...] = ()
        self._ledges: tuple[OverlayLines, ...] = ()
        self._markers: tuple[OverlayLines, ...] = ()
        self._mover_edges: list[Floats] = []
        self._movers: tuple[OverlayLines, ...] = ()
        self._poses: Any = None
        self._ledge_search: Future[Floats] | None = None

    def overlay(self, world: World, palette: str, jobs: Jobs, poses: Any = None) -> Overlay:
        """The outlines of the level in the present state of the world. poses: of the movers (K, 3, 4)."""
        level = world.level
        if level is not self._level:
            self._level = level
            self._state = ()
            self._ledges = ()
            self._mover_edges = [_sharp_edges(item.drawn) for item in level.movers]
            any_up = any(zone.acts_by("down") for zone in level.all_zones)
            self._ledge_search = jobs.thread("outlines", ledge_segments, level.mesh, any_up)
        search = self._ledge_search
        found = search.result() if search is not None and search.done() else None
        state = (
            palette,
            found is None,
            world.goal_tick >= 0,
            world.checkpoint,
            tuple(world.reached_targets),
        )
        if state != self._state:
            if found is not None and self._state[:2] != state[:2]:
                self._ledges = _with_casing(found, marker_colours(palette)["ledge"], LEDGE_FADE)
            self._markers = _marker_lines(world, palette)
            self._state = state
            self._poses = None
        if poses is not None and (self._poses is None or not np.array_equal(poses, self._poses)):
            self._movers = _mover_lines(self._mover_edges, poses, palette)
            self._poses = np.array(poses)
            self._movers += _zone_lines(world, palette, poses)
        return Overlay(lines=(*self._ledges, *self._markers, *(self._movers if poses is not None else ())))


def _marker_lines(world: World, palette: str) -> tuple[OverlayLines, ...]:
    """Outlines of goal, targets, checkpoints and hazards."""
    level = world.level
    colours = marker_colours(palette)
    lines: list[OverlayLines] = []
    if level.goal is not None:
        colour = colours["goal_reached" if world.goal_tick >= 0 else "goal"]
        lines += _with_casing(_goal_segments(level.goal.at, level.goal.radius), colour, MARKER_FADE, OCCLUDED_OPACITY)
    for target, reached in zip(level.targets, world.reached_targets, strict=True):
        if target.visible and not reached:
            lines += _with_casing(_diamond_segments(target.at), colours["target"], MARKER_FADE, OCCLUDED_OPACITY)
    lines += _zone_lines(world, palette)
    return tuple(lines)


def _zone_lines(world: World, palette: str, poses: Any = None) -> tuple[OverlayLines, ...]:
    """Outlines of the zones that stay; with poses (K, 3, 4), of those that movers carry."""
    lines: list[OverlayLines] = []
    colours = marker_colours(palette)
    number = -1
    for zone in carry_zones(world.level.all_zones, world.level.movers, poses):
        outline = zone.facts.outline
        number += zone.facts.role is RunRole.CHECKPOINT
        if (zone.mover >= 0) != (poses is not None):
            continue
        if outline is Outline.CROSSED_BOX:
            segments = np.concatenate((zone.edges, _cross_segments(zone)))
            lines += _with_casing(segments, colours[zone.kind], MARKER_FADE)
        elif zone.visible and outline is Outline.BOX:
            lines += _with_casing(zone.edges, colours[zone.kind], MARKER_FADE)
        elif zone.visible and outline is Outline.FRAME:
            reached = number == world.checkpoint
            colour = colours["checkpoint_reached" if reached else zone.kind]
            lines += _with_casing(_frame_segments(zone, 0.0 if reached else POST_HEIGHT), colour, MARKER_FADE)
    return tuple(lines)


def _mover_lines(edges: Sequence[Floats], poses: Any, palette: str) -> tuple[OverlayLines, ...]:
    """Outlines of the moving platforms at their poses (K, 3, 4)."""
    placed = [own @ pose[:, :3].T + pose[:, 3] for own, pose in zip(edges, poses, strict=False) if len(own)]
    if not placed:
        return ()
    return _with_casing(np.concatenate(placed), marker_colours(palette)[Pad.kind], MARKER_FADE)


def _sharp_edges(triangles: Floats) -> Floats:
    """Edges (n, 2, 3) of triangles (m, 3, 3) at which two faces meet at more than 30 degrees, or which bound one."""
    if not len(triangles):
        return np.zeros((0, 2, 3))
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    found: dict[tuple[Any, ...], list[int]] = {}
    for index, corners in enumerate(np.round(triangles, 4).tolist()):
        for k in range(3):
            ends = sorted((tuple(corners[k]), tuple(corners[(k + 1) % 3])))
            found.setdefault(tuple(ends), []).append(index)
    sharp = [
        ends
        for ends, faces in found.items()
        if len(faces) == 1 or float((normals[faces] @ normals[faces[0]]).min()) < math.cos(math.radians(30.0))
    ]
    return np.array(sharp, dtype=np.float64).reshape(-1, 2, 3)
