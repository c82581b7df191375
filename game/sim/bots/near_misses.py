"""Near misses: obstacles that keep the walker out of ground by little.

The search continues with a body that is slightly slimmer, lower or better at climbing. Where only that body passes, the
obstacle is measured.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.walker_settings import SETTING_RANGES, WalkerSettings
from ...physics import Ellipsoid, TriangleMesh
from ...physics.character.state import States
from ..batched_world import BatchedWorld
from ..world import World
from . import moves
from .finding_data import FindingKind
from .moves import BotWalk
from .nearby_points import nearby_pairs
from .places import Points, feet_of, feet_positions
from .reachability import UnreachedRegion, supporting_triangles
from .search import BotSearch
from .standable_cells import StandableCells

SLIM_RADIUS_FACTOR = 0.75  # of the radii of the slim body
HEIGHT_REDUCTION = 0.15  # m
MIN_VARIANT_HEIGHT = 0.1  # m of the low body, crouched
EXTRA_JUMP_HEIGHT = 0.25  # m
CLIMB_STEP_FRACTION = 0.75  # of the step height that a jump onto a ledge gains: 1.30 m for the usual body
EXTRA_SLOPE = 3.0  # degrees
START_DISTANCE = 5.0  # m around the unreached ground within which the variant bodies start
MAX_STARTS = 160
MAX_VARIANT_TICKS = 120_000  # for one body and one region
SIDE_HEADINGS = 16  # of the slim body's side steps from each place
MAX_SLANT = 40  # degrees from the direction of motion in which a gap is measured
SLANT_STEP = 5  # degrees
PRESS_TICKS = 30  # that the walk keeps pressing against the obstacle


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An obstacle: kind (narrow, low, steep or step), measured and required value (m or degrees), position (m), its
    triangles, the walk up to it from a spawn, and a place of the search on that walk.
    """

    kind: FindingKind
    measured: float
    required: float
    at: tuple[float, float, float]
    triangles: tuple[int, ...]
    walk: BotWalk
    place: int
    beyond: tuple[float, float, float]  # position that the variant body reached


def walker_variants(settings: WalkerSettings) -> dict[FindingKind, WalkerSettings]:
    """Variants of the walker, each slightly better at one thing."""
    rx, ry, rz = settings.radii
    least = SETTING_RANGES["radii"].low
    highest = SETTING_RANGES["jump_height"].high
    slim_radii = max(SLIM_RADIUS_FACTOR * rx, least), ry, max(SLIM_RADIUS_FACTOR * rz, least)
    low = max(settings.crouch_height - HEIGHT_REDUCTION, min(settings.crouch_height, MIN_VARIANT_HEIGHT))
    return {
        FindingKind.NARROW: replace(settings, radii=slim_radii),
        FindingKind.LOW: replace(settings, crouch_height=low),
        FindingKind.STEEP: replace(settings, max_slope=min(settings.max_slope + EXTRA_SLOPE, 89.0)),
        FindingKind.STEP: replace(settings, jump_height=min(settings.jump_height + EXTRA_JUMP_HEIGHT, highest)),
    }


def find_near_miss(
    search: BotSearch, cells: StandableCells, region: UnreachedRegion, is_intended: bool
) -> NearMiss | None:
    """The near miss that explains an unreached region, or None; wanted: the region looks as if it should be reached."""
    feet = cells.feet[region.cells]
    starts = _start_places(search, feet)
    if not starts:
        return None
    for kind, settings in walker_variants(search.settings).items():
        if kind == FindingKind.STEP and not is_intended:
            continue  # the top of a wall or of a crate is no near miss
        try:
            world = World(search.level, settings, search.batched.world.start.name)
        except ValueError:
            continue  # no room at the spawn
        variant = BotSearch(BatchedWorld(search.level, search.batched.crowd.threads, world, ignores_balls=True))
        for place in starts:
            variant.add_start(search.state_at(place))
        for label in search.places.place_of:
            variant.places.place_of.setdefault(label, 0)
        for key in search.places.place_by_cell:
            variant.places.place_by_cell.setdefault(key, 0)
        count = len(variant.places)
        for start in range(count if kind == FindingKind.NARROW else 0):
            for heading in range(0, moves.FULL_TURN, moves.FULL_TURN // SIDE_HEADINGS):
                variant.queue_move(start, moves.SIDESTEP, heading)  # slides along walls until it fits into a gap
        variant.run(MAX_VARIANT_TICKS)
        search.ticks += variant.ticks
        region_keys = set(cells.key[region.cells].tolist())
        arrived = [k for k in range(count, len(variant.places)) if variant.places.labels[k].cell in region_keys]
        if arrived:
            first = min(arrived, key=lambda k: (variant.places.clock(k), k))
            near_miss = _find_obstacle(kind, search, variant, starts, first, region_keys)
            if near_miss is not None:
                return near_miss
    return None


def _start_places(search: BotSearch, feet: Points) -> list[int]:
    """Reached places around some cells, nearest first."""
    numbers = sorted(search.places.place_by_cell.values())
    reached = search.places.feet()[numbers]
    low, high = feet.min(axis=0) - START_DISTANCE, feet.max(axis=0) + START_DISTANCE
    in_range = np.flatnonzero(((reached >= low) & (reached <= high)).all(axis=1))
    if not len(in_range):
        return []
    candidates = reached[in_range]
    nearest = np.full(len(in_range), np.inf)  # distance, where it is less than START_DISTANCE
    for i, j in nearby_pairs(feet, candidates, START_DISTANCE):
        np.minimum.at(nearest, j, np.linalg.norm(candidates[j] - feet[i], axis=1))
    order = np.argsort(nearest, kind="stable")
    chosen = in_range[order[nearest[order] < START_DISTANCE]]
    if len(chosen) > MAX_STARTS:
        chosen = np.concatenate(
            [chosen[: MAX_STARTS // 2], chosen[MAX_STARTS // 2 :: max(1, 2 * len(chosen) // MAX_STARTS)]]
        )
    return [numbers[k] for k in chosen.tolist()]


def _find_obstacle(
    kind: FindingKind, search: BotSearch, variant: BotSearch, starts: Sequence[int], arrived: int, region_keys: set[int]
) -> NearMiss | None:
    """The obstacle on the variant body's walk that stops the walker, measured."""
    walk = variant.walk_to(arrived)
    start = variant.places.start_places[arrived]
    place = starts[start]
    states = variant.walk_states(variant.state_at(start), moves.walk_command_rows(walk)).states
    if not len(states):
        return None
    ground = float(feet_of(variant.places.floats[[start]])[0, 1])
    measurement = _measure_obstacle(kind, search, states, ground)
    if measurement is None:
        return None
    row, measured, required, triangles = measurement
    feet, end = feet_positions(states)[[row, -1]]
    walk_to_obstacle = moves.merge_equal_steps([*search.walk_to(place), *_first_ticks(walk, row + 1 + PRESS_TICKS)])
    (x, y, z), (to_x, to_y, to_z) = feet.tolist(), end.tolist()
    return NearMiss(kind, measured, required, (x, y, z), triangles, walk_to_obstacle, place, (to_x, to_y, to_z))


def _first_ticks(walk: BotWalk, ticks: int) -> list[moves.HeldKeys]:
    """The first ticks of a walk; the last keys are held on where it is shorter."""
    steps = []
    remaining = ticks
    for step in walk:
        steps.append(replace(step, ticks=min(step.ticks, remaining)))
        remaining -= steps[-1].ticks
        if not remaining:
            return steps
    return [*steps, replace(walk[-1], ticks=remaining)]


def _measure_obstacle(
    kind: FindingKind, search: BotSearch, states: States, start: float
) -> tuple[int, float, float, tuple[int, ...]] | None:
    """(row, measured value, required value, triangles) of an obstacle. start: height of the feet before the walk."""
    settings = search.settings
    mesh = search.mesh
    feet = feet_positions(states)
    if kind in (FindingKind.NARROW, FindingKind.LOW):
        rx, ry, rz = settings.radii
        tall = ry if kind == FindingKind.NARROW else settings.crouch_height / 2.0
        return _tightest_fit(kind, mesh, settings, states, feet, (rx, tall, rz))
    ground = np.flatnonzero(states["grounded"])
    if not len(ground):
        return None
    if kind == FindingKind.STEEP:
        normal = states["ground_normal"][ground, 1]
        slope = np.degrees(np.arccos(np.clip(normal, -1.0, 1.0)))
        over = np.flatnonzero((slope > settings.max_slope) & (slope < settings.max_slope + EXTRA_SLOPE + 0.1))
        if not len(over):
            return None
        row = int(ground[over[0]])
        steepest = float(slope[over].max())
        return row, steepest, settings.max_slope, _supported_rows(search, feet[row])
    rise = np.diff(feet[ground, 1], prepend=start)  # a jump may leave the ground in the first tick
    best = int(np.argmax(rise))
    row = int(ground[best])
    return (
        row,
        float(rise[best]),
        settings.jump_height + CLIMB_STEP_FRACTION * settings.step_height,
        _supported_rows(search, feet[row]),
    )


def _supported_rows(search: BotSearch, feet: Points) -> tuple[int, ...]:
    triangle = supporting_triangles(search, feet[None])[0]
    return (int(triangle),) if triangle >= 0 else ()


def _tightest_fit(
    kind: FindingKind,
    mesh: TriangleMesh,
    settings: WalkerSettings,
    states: States,
    feet: Points,
    radii: tuple[float, float, float],
) -> tuple[int, float, float, tuple[int, ...]] | None:
    """(row of the first overlap, smallest width or height, required one, triangles) where the walker would not fit."""
    centre = feet + np.array((0.0, radii[1] * 1.005 + 0.02, 0.0))
    yaw = states["heading"] * (2.0 * np.pi / moves.FULL_TURN)
    body = Ellipsoid(radii)
    hits = mesh.overlap_many(body, centre, yaw)
    first = next((k for k, triangles in enumerate(hits) if len(triangles)), None)
    if first is None:
        return None
    rows = [k for k, triangles in enumerate(hits) if len(triangles)]
    motion = states["position"][rows[-1]] - states["position"][max(rows[0] - 5, 0)]
    distance = float(np.hypot(motion[0], motion[2]))
    if distance < 1e-6:
        return None
    if kind == FindingKind.LOW:
        up = mesh.raycast_many(feet[rows] + (0.0, 0.05, 0.0), (0.0, 1.0, 0.0))
        clear = np.where(up.triangle >= 0, up.distance + 0.05, np.inf)
        k = int(np.argmin(clear))
        if not np.isfinite(clear[k]):
            return None
        return rows[k], float(clear[k]), settings.crouch_height * (1.0 + settings.skin), (int(up.triangle[k]),)
    required = 2.0 * settings.radii[2] * (1.0 + settings.skin)
    across = math.atan2(-motion[0], motion[2])
    best: tuple[float, int, tuple[int, ...]] = (np.inf, rows[0], ())
    for height, turn in itertools.product((0.35, 0.8, 1.3), range(-MAX_SLANT, MAX_SLANT + 1, SLANT_STEP)):
        origin = feet[rows] + (0.0, height, 0.0)
        angle = across + math.radians(turn)
        side = np.array((math.cos(angle), 0.0, math.sin(angle)))
        left, right = mesh.raycast_many(origin, side), mesh.raycast_many(origin, -side)
        width = np.where((left.triangle >= 0) & (right.triangle >= 0), left.distance + right.distance, np.inf)
        k = int(np.argmin(width))
        if width[k] < best[0]:
            best = float(width[k]), rows[k], (int(left.triangle[k]), int(right.triangle[k]))
    if not np.isfinite(best[0]):
        return rows[0], float("nan"), required, tuple(map(int, hits[rows[0]][:2]))
    return (best[1], best[0], required, best[2]) if best[0] < required else None
