"""Triangles kept over ticks change no result: the search of a kept list against all triangles, and walks byte for byte.

The reference of a walk has a new walker for each tick, so that no list is used again.
"""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Crowd, Environment, Motion, Mover, Movers, TriangleMesh, Walker, batch
from game.physics.character.body_frame import set_body_shape
from game.physics.character.broad_phase import find_reachable, find_triangles, write_candidate_box
from game.physics.character.rows import body, candidate, counter, kept
from game.physics.character.scratch import allocate_kept_lists, allocate_scratch, clear_kept_lists
from game.physics.environment.environment import MeshArrays, mesh_arrays
from tests.physics.character.test_random_walks import room, terrain
from tests.support.scenes import box, floor, mesh

pytestmark = pytest.mark.jit  # too many ticks without it

search = getattr(find_triangles, "py_func", find_triangles)
TICKS = 120


def _scattered(seed: int, count: int) -> TriangleMesh:
    """Triangles of all sizes in a cube of 8 m."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([0.05, 0.4, 6.0], (count, 1, 1), p=[0.6, 0.3, 0.1])
    return TriangleMesh(rng.uniform(-4, 4, (count, 1, 3)) + sizes * rng.uniform(-1, 1, (count, 3, 3)))


def _box_path(rng: np.random.Generator, count: int) -> np.ndarray:
    """Boxes (count, 6) of a walk with turns, leaps, pauses and boxes that grow for one tick."""
    step = np.repeat(rng.normal(0, 0.05, (count // 8 + 1, 3)), 8, 0)[:count]
    step[rng.random(count) < 0.1] = 0.0
    leaps = rng.random(count) < 0.03
    step[leaps] = rng.uniform(-3, 3, (int(leaps.sum()), 3))
    centre = np.cumsum(step, 0)
    half = np.array([0.46, 1.2, 0.46]) * np.where(
        rng.random((count, 1)) < 0.05, 3.0, rng.uniform(0.98, 1.02, (count, 1))
    )
    return np.concatenate([centre - half, centre + half], 1)


@pytest.mark.parametrize(
    ("seed", "count", "capacity", "room_for"),
    [(0, 60, 128, 256), (1, 300, 128, 256), (2, 300, 20, 400), (3, 300, 11, 12), (4, 0, 128, 256)],
)
def test_a_kept_list_finds_what_brute_force_finds(seed, count, capacity, room_for):
    level = _scattered(seed, count)
    arrays = MeshArrays(*mesh_arrays(level))
    corners = level.triangles12[:, :9].reshape(-1, 3, 3)
    low, high = corners.min(1), corners.max(1)
    lists, out = allocate_kept_lists(2, capacity), np.zeros(room_for, np.int32)
    rng = np.random.default_rng(seed)
    lists_seen = set()
    for x0, y0, z0, x1, y1, z1 in _box_path(rng, 250).tolist():
        expected = np.flatnonzero((low <= (x1, y1, z1)).all(1) & (high >= (x0, y0, z0)).all(1))
        found = search(arrays, len(level.nodes), out, lists, 1, (x0, y0, z0, x1, y1, z1))
        assert found == len(expected)
        assert out[: min(found, room_for)].tolist() == expected[:room_for].tolist()
        lists_seen.add(lists[1, kept.HEADER, kept.COVERED_BOX])
        if rng.random() < 0.02:
            clear_kept_lists(lists)
    assert (lists[0] == allocate_kept_lists(1, capacity)[0]).all(), "the list of another walker was written"
    if capacity == 128:
        assert 3 < len(lists_seen) < 80, "lists are made, and last for several boxes"


@pytest.mark.parametrize("seed", range(12))
def test_reachable_candidates_are_all_that_the_body_can_touch_and_no_far_ones(seed):
    """The first triangles are tiny, and lie just within reach of a point of the path; the others lie anywhere."""
    rng = np.random.default_rng(seed)
    near, count, reach = 60, 120, 1.015
    w = allocate_scratch(count)
    w.counters[counter.CANDIDATES] = count
    radii = np.array([(0.35, 0.9, 0.35), (0.5, 0.9, 0.12), (0.12, 0.6, 0.5)][seed % 3])
    set_body_shape(w, int(rng.integers(65536)), *radii)
    w.body[body.OFFSET : body.OFFSET + 3] = rng.uniform(-0.3, 0.3, 3)
    d = rng.uniform(-0.5, 0.5, 3) * (seed % 4 > 0)
    path = w.body[body.OFFSET : body.OFFSET + 3] + np.linspace(0.0, 1.0, near)[:, None] * d
    direction = rng.normal(size=(near, 3))
    x, y, z = (direction / np.linalg.norm(direction, axis=1)[:, None] * radii * reach * (1.0 - 1e-6)).T
    s, c = w.body[body.SIN_HEADING], w.body[body.COS_HEADING]
    on_border = path + np.stack([c * x + s * z, y, c * z - s * x], 1)
    corners = rng.uniform(-1.6, 1.6, (count, 1, 3)) + rng.uniform(-0.3, 0.3, (count, 3, 3))
    corners[:near] = on_border[:, None] + rng.uniform(-1e-8, 1e-8, (near, 3, 3))
    w.candidates[:, candidate.CORNERS : candidate.CORNERS + 9] = corners.reshape(count, 9)
    for i in range(count):
        write_candidate_box(w, i)
    found = w.reachable[: find_reachable(w, *d, reach)].tolist()
    assert found[:near] == list(range(near))
    outside = np.maximum(corners.min(1) - path.max(0), path.min(0) - corners.max(1)).max(1)
    far = set(np.flatnonzero(outside > reach * radii.max()).tolist())
    assert far
    assert not far & set(found)


def _rows(walker: Walker, seed: int) -> np.ndarray:
    """Commands of a walk that turns, crouches, jumps and sprints."""
    rng = np.random.default_rng(seed)
    heading = (np.cumsum(rng.integers(-900, 901, TICKS)) + np.repeat(rng.integers(0, 65536, TICKS // 40), 40)) % 65536
    flags = {name: rng.random(TICKS) < 0.05 for name in ("jump", "crouch", "sprint")}
    return walker.commands(forward=rng.choice([1.0, 1.0, 0.0, -1.0], TICKS), heading=heading, **flags)


def _spawned(level: TriangleMesh, walker: Walker, seed: int, around: Environment | None = None) -> object:
    """A state on free ground of a level."""
    rng = np.random.default_rng(seed)
    for _ in range(200):
        x, z = rng.uniform(-3.5, 3.5, 2)
        try:
            return walker.spawn(level, (x, rng.uniform(0.0, 1.0), z), around=around)
        except ValueError:
            continue
    raise AssertionError("no room in this level")


def _without_lists(start: object, rows: np.ndarray, level: TriangleMesh, around: Environment | None = None) -> object:
    """States of a walk in which no list is older than its tick: each tick is that of a new walker."""
    states = []
    for tick in range(len(rows)):
        states.append(Walker().run(start, rows[tick : tick + 1], level, around=around, clock=tick)[0])
        start = Walker().state(states[-1])
    return np.array(states)


def _lifts() -> Environment:
    """Two movers in the way of the walks."""
    slab = mesh(box(-1, -0.2, -1, 1, 0, 1))
    return Environment(
        movers=Movers(
            [
                Mover(slab, (1.0, 0.1, 1.0), Motion(path=((0, 0, 0), (0, 1.5, 0)), seconds=1.0)),
                Mover(slab, (-2.0, 0.3, -1.0), Motion(spin=90.0)),
            ]
        )
    )


LEVELS = {"room": room(1), "terrain": terrain(2), "floor": mesh(floor(-9, -9, 9, 9, tiles=30))}


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("moving", [False, True])
def test_a_walk_has_the_same_bytes_with_and_without_lists(name, moving):
    level, around = LEVELS[name], _lifts() if moving else None
    keeping = Walker()
    start = _spawned(level, keeping, 5, around)
    rows = _rows(keeping, 5)
    expected = _without_lists(start, rows, level, around)
    assert keeping.run(start, rows, level, around=around).tobytes() == expected.tobytes()
    rng = np.random.default_rng(7)
    for tick in [*range(TICKS), *rng.integers(1, TICKS, 40).tolist()]:  # in order, then restored at random
        before = start if tick == 0 else keeping.state(expected[tick - 1])
        after = keeping.run(before, rows[tick : tick + 1], level, around=around, clock=tick)
        assert after.tobytes() == expected[tick].tobytes(), tick


def test_walkers_and_meshes_in_turns_on_one_walker_have_the_bytes_of_their_own():
    walker, rng = Walker(), np.random.default_rng(3)
    lanes = []
    for seed, name in enumerate(["room", "terrain", "terrain", "floor"]):
        start, rows = _spawned(LEVELS[name], walker, seed), _rows(walker, seed)
        expected = _without_lists(start, rows, LEVELS[name])
        lanes.append([LEVELS[name], start, rows, expected, 0])
    for _ in range(200):
        lane = lanes[rng.integers(len(lanes))]
        level, state, rows, expected, tick = lane
        count = min(int(rng.integers(1, 4)), TICKS - tick)
        if count == 0:
            continue
        after = walker.run(state, rows[tick : tick + count], level)
        assert after.tobytes() == expected[tick : tick + count].tobytes()
        lane[1], lane[4] = walker.state(after[-1]), tick + count


def test_a_crowd_in_any_order_has_the_bytes_of_each_walker_alone():
    """Also where the crowd has more walkers than lists."""
    level, walker, ticks = LEVELS["room"], Walker(), 12
    starts = [_spawned(level, walker, seed) for seed in range(5)]
    rows = np.stack([_rows(walker, seed)[:ticks] for seed in range(5)])
    expected = [_without_lists(start, own, level) for start, own in zip(starts, rows, strict=True)]
    for copies in (1, batch.MAX_KEPT_LISTS // 5 + 1):
        crowd, rng = Crowd(walker, level, threads=1), np.random.default_rng(0)
        states, many = np.tile(np.concatenate([start.row() for start in starts]), copies), np.tile(rows, (copies, 1))
        for tick in range(ticks):
            order = rng.permutation(len(states)) if tick % 3 == 0 else np.arange(len(states))
            states = crowd.step(states[order], many[order, tick])[np.argsort(order)]
            assert states.tobytes() == np.tile(np.stack([own[tick] for own in expected]), copies).tobytes()
