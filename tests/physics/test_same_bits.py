"""The same bits by every route: `run`, step after step, in a crowd, after pickling, and without the JIT."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from game.fuzz.random_walks import wander
from game.physics import (
    Box,
    Capsule,
    Crowd,
    Ellipsoid,
    Environment,
    Motion,
    Mover,
    Movers,
    Sphere,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
    point_in_polygon,
    slim,
)
from game.physics.character.command import command_of_row
from tests.physics.balls import test_balls, test_coincident_balls
from tests.physics.character import test_climb_out as bank
from tests.physics.character import test_push_along_ground as push
from tests.physics.character.test_platform_riding import park
from tests.physics.character.test_safe_place import CRAWL, crawl_walk
from tests.physics.environment import test_carried_zones as carried
from tests.physics.environment.test_zones import HALL
from tests.physics.query.test_shapes import KINDS, many
from tests.support import shapes
from tests.support.child_processes import run_python
from tests.support.scenes import BODIES, box, floor, heading, mesh, stairs, wall

SCENE = floor(-6, -8, 6, 6, tiles=3) + stairs(0.18, 0.3, 8, 3) + box(2, 0, 0, 3, 0.35, 2) + wall(-3, 6, -3, -8, 3)


class Walk(NamedTuple):
    """A walk; clock: of the movers at its first tick; events: what happens on the way."""

    walker: Walker
    level: TriangleMesh
    start: WalkerState
    rows: Any
    around: Environment = Environment()
    clock: int = 0
    events: tuple[str, ...] = ()

    def run(self, around: Environment | None = None, clock: int | None = None) -> bytes:
        """The states, by a walker of its own."""
        clock, walker = self.clock if clock is None else clock, Walker(self.walker.settings)
        return walker.run(self.start, self.rows, self.level, around=around or self.around, clock=clock).tobytes()


def in_a_room(settings: WalkerSettings) -> Walk:
    walker, level = Walker(settings), mesh(SCENE)
    return Walk(walker, level, walker.spawn(level, (0, 0, 3), 100), wander(walker, 250, seed=7), events=("turn cut",))


def among_movers() -> Walk:
    (level, around), walker, rng = park(60), Walker(), np.random.default_rng(3)
    start = walker.spawn(level, (-5.0, 0.1, -5.0), around=around, clock=7)
    rows = walker.commands(
        forward=rng.uniform(-1, 1, 200), heading=rng.integers(0, 65536, 200), jump=rng.random(200) < 0.1
    )
    return Walk(walker, level, start, rows, around, 7, ("jumped", "landed"))


def in_zones(feet: tuple[float, float, float], *events: str) -> Walk:
    zones = [
        Zone((4, -1, 0), (3, 6, 4), down=(1, 0, 0)),
        Zone((-5, -4, 0), (3, 2, 6), water=True, current=(0, 0.2, 1)),
        Zone((0, -6, 4), (1, 0.3, 1), launch=(0, 9, 2)),
    ]
    walker, rng, n = Walker(), np.random.default_rng(7), 160
    rows = walker.commands(
        forward=rng.uniform(-1, 1, n), strafe=rng.uniform(-1, 1, n), heading=rng.integers(0, 65536, n),
        pitch=rng.integers(-16000, 16000, n), jump=rng.random(n) < 0.1,
    )  # fmt: skip
    return Walk(walker, HALL, walker.spawn(HALL, feet), rows, Environment(Zones(zones)), events=events)


def in_carried_zones() -> Walk:
    zones = [
        Zone((0, 5, 0), (5, 3, 4), 3000, water=True, mover=0),
        Zone((1, 5, 1), (2, 2, 2), current=(0, 2.0, 1.0), mover=0),
        Zone((0, 2, -8), (9, 9, 2), down=(0, 0, -1)),
    ]
    spun = Motion(((0, 0, 0), (4, 2, 0)), seconds=3.0, pause=0.3, spin=40.0)
    walker, around = Walker(), carried.environment(zones, spun, (1.0, 0.0, 2.0))
    start = walker.spawn(carried.FAR_FLOOR, (0.0, 4.0, 0.0))
    return Walk(walker, carried.FAR_FLOOR, start, walker.commands(carried.commands(200)), around, 17, ("swims",))


def pushed_up_stairs() -> Walk:
    walker = Walker(WalkerSettings(radii=BODIES["slim"], ticks_per_second=30))
    level, around = mesh(push.FLOOR, push.FLIGHTS["stairs"]), Environment(movers=Movers([push.panel(4.0)], 30))
    rows = walker.commands(heading=np.full(57, heading(20)))
    return Walk(walker, level, walker.spawn(level, (0, 0, 0), heading(20), around=around), rows, around, 0, ("pushed",))


def in_a_crawl_space() -> Walk:
    scene, _, returns = crawl_walk(0)
    rows = scene.walker.commands(scene.commands[: returns[0] + 60])
    return Walk(scene.walker, CRAWL, scene.start, rows, scene.around, 0, ("crushed",))


def out_of_the_water() -> Walk:
    walker, level, view = Walker(), mesh(bank.BED, bank.bank(0.5)), heading(25)
    rows = walker.commands(forward=np.ones(150), heading=view)
    return Walk(walker, level, walker.spawn(level, (0, -1.44, -1), view), rows, bank.POOL, 0, ("swims", "climbs"))


WALKS: dict[str, Callable[[], Walk]] = {
    "a room": lambda: in_a_room(WalkerSettings()),
    "a room, a slim body at 30 ticks": lambda: in_a_room(slim(ticks_per_second=30)),
    "movers": among_movers,
    "a zone of gravity": lambda: in_zones((3, -6, 1), "gravity turned"),
    "water": lambda: in_zones((-4, -6, 0), "swims"),
    "a launch pad": lambda: in_zones((0, -6, 4), "launched"),
    "zones on a mover": in_carried_zones,
    "stairs and a wall that pushes": pushed_up_stairs,
    "a crawl space and a press": in_a_crawl_space,
    "out of the water": out_of_the_water,
}


@pytest.mark.parametrize("name", WALKS)
def test_run_step_and_crowd_give_the_same_bits_and_change_nothing_else(name: str) -> None:
    walk = WALKS[name]()
    walker, level, start, rows, around, clock, events = walk
    before, states = start.to_bytes(), walker.run(start, rows, level, around=around, clock=clock)
    traced, traces = walker.run(start, rows, level, True, around=around, clock=clock)
    assert states.tobytes() == traced.tobytes() == walk.run(pickle.loads(pickle.dumps(around)))
    assert not clock or walk.run(clock=clock + 63) != states.tobytes()
    assert set(events) <= {event for trace in traces for event in trace.events}
    crowd, herd, one = Crowd(walker, level, 1, around=around), [start] * 3, start
    for k, row in enumerate(rows):
        one, _ = walker.step(one, command_of_row(row), level, around, clock + k)
        herd = crowd.step(herd, rows[[k, k, k]], clock=clock + k)
        assert one.to_bytes() == states[k].tobytes() == herd[2].tobytes()
    assert start.to_bytes() == before
    assert (one.tick, WalkerState.from_bytes(one.to_bytes())) == (len(rows), one)
    half = len(rows) // 2
    rest = walker.run(walker.state(states[half - 1]), rows[half:], level, around=around, clock=clock + half)
    assert rest.tobytes() == states[half:].tobytes()


def poses() -> Iterable[Any]:
    """Places of a platform with all its ways of moving, and of one that spins."""
    triangle = TriangleMesh(np.eye(3).reshape(1, 3, 3))
    path = Motion(((0, 0, 0), (1, 2, 5), (7, 1, 3)), 3.3, 0.7, True, True, (1, 2, 3), 77.0, 13.7, 0.3)
    movers = Movers([Mover(triangle, (1, 2, 3), path), Mover(triangle, motion=Motion(spin=-41.3))])
    return [movers.poses(tick) for tick in np.linspace(0, 99999, 500)]


def columns(hits: Any) -> list[Any]:
    return [getattr(hits, name) for name in hits.__slots__]


def mesh_queries() -> Iterable[Any]:
    """Arrays of a mesh, and answers for an ellipsoid in it."""
    random = np.random.default_rng(9)
    ragged, even = shapes.soup(random, 80, spread=4.0, size=2.0), np.round(random.normal(size=(80, 3, 3)) * 2)
    made = TriangleMesh(np.concatenate([ragged, even]))
    yield from (value for value in columns(made) if isinstance(value, np.ndarray))
    place, way, yaw = random.uniform(-5, 5, (80, 3)), random.normal(size=(80, 3)) * 3, random.uniform(-4, 4, 80)
    body = Ellipsoid((0.35, 0.9, 0.12))
    for hits in (made.sweep_many(body, place, yaw, way), made.raycast_many(place, way), made.closest_many(place)):
        yield from columns(hits)
    yield from made.overlap_many(body, place, yaw)


def shape_queries() -> Iterable[Any]:
    """Answers for shapes against each other and against a mesh."""
    random = np.random.default_rng(6)
    made = TriangleMesh(shapes.soup(random, 40, spread=2.0, size=2.0))
    some: list[Sphere | Capsule | Box] = [many(kind, random, 24) for kind in KINDS]
    way = random.normal(size=(24, 3))
    yield made.raycast_any_many(way, -way)
    for a in some:
        for b in some:
            yield from (a.overlaps_many(b), *columns(a.gap_many(b)), *columns(a.sweep_many(3.0 * way, b)))
        yield from (*columns(made.sweep_many(a, displacement=way)), *made.overlap_many(a))
        yield a.raycast_many(4.0 * way, -way).distance
    for hits in [*made.raycast_all_many(way, -way), made.ground_below_many(way, steepest=40.0)]:
        yield from columns(hits)
    yield point_in_polygon(np.round(way[:, :2], 1), np.round(random.normal(size=(9, 2)), 1))


OTHERS: dict[str, Callable[[], Iterable[Any]]] = {
    "balls": test_balls.chaos,
    "balls at one point": test_coincident_balls.parting,
    "poses": poses,
    "shape queries": shape_queries,
    "mesh queries": mesh_queries,
}


def bits(name: str) -> str:
    """Hash of all that a walk or one of OTHERS gives."""
    found = [WALKS[name]().run()] if name in WALKS else OTHERS[name]()
    return hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in found)).hexdigest()


QUICK = [*WALKS, *list(OTHERS)[:-1]]
SLOW = pytest.param("mesh queries", marks=pytest.mark.full)


def bits_of_the_other_way(names: list[str]) -> dict[str, str]:
    """`bits` of a process without the JIT; of one with it if this one has none. A warning is an error there."""
    code = f"import json; from {__name__} import bits; print(json.dumps({{name: bits(name) for name in {names}}}))"
    switch = str(int(not numba.config.DISABLE_JIT))
    return json.loads(run_python(code, seconds=900.0, NUMBA_DISABLE_JIT=switch, PYTHONWARNINGS="error"))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def quick() -> dict[str, str]:
    return bits_of_the_other_way(QUICK)


@pytest.mark.parametrize("name", [*QUICK, SLOW])
def test_the_same_bits_without_the_jit(name: str, quick: dict[str, str]) -> None:
    assert bits(name) == (quick if name in quick else bits_of_the_other_way([name]))[name]
