"""Properties of every tick in random scenes (tests/support/referee): the bounds of docs/limits.md, seeded."""

import dataclasses
import math

import numpy as np
import pytest

from game.fuzz.random_walks import wander
from game.level import Spawn
from game.level.build.entities.zones import LevelZone
from game.physics import Command, Walker, WalkerSettings
from game.sim import World
from game.sim.level_rules import up_and_north_at
from tests.support.level_builder import build_level
from tests.support.referee.random_scenes import KINDS, TURNED_TOLERANCE, command, random_scene
from tests.support.referee.scene_shapes import curbs, flight, ground, pyramid
from tests.support.scenes import floor, mesh, wall

pytestmark = pytest.mark.jit
SCENES = {"movers": 48, "flight": 48, "turned": 40, "pool": 12, "rough": 48}
USUAL = 32
BROKE_A_BOUND = {  # seeds of scenes of which a tick broke a bound once
    "slots": [576],
    "double walls": [20, 21, 285, 1923, 3253],
    "louvres": [29, 656, 1562, 4474],
    "flight": [53303],
    "narrow flight": [20409, 21808, 50840, 500013, 500865],
    "terraces": [23682, 64211, 92279, 320779],
    "voxels": [25070, 25415, 300278],
    "rubble": [20209, 121459],
    "tilted platforms": [1430],
    "turned": [110055, 110560, 112326, 112450],
    "fast walls": [110057, 111888],
    "helices": [110073],
}
MOVES = 24  # swept moves in a tick that ends in a corner
EDITS = {60: {"velocity": np.array((2.0, 4.0, -1.0))}, 140: {"velocity": np.array((0.0, 0.0, -5.0))}}
SIDES = [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, -1, 0)]


@pytest.mark.parametrize("part", [6, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", KINDS)
def test_every_tick_of_random_scenes_is_within_the_bounds(kind, part):
    """part: 1 of how many of the scenes."""
    broken, walked, count = [], 0, SCENES.get(kind, USUAL) // part
    for seed in range(count):
        scene = random_scene(kind, seed)
        if scene is not None:
            walked += 1
            _, breaches = scene.breaches()
            broken += [f"{kind} {seed}: {breach}" for breach in breaches[:1]]
    assert not broken, "\n".join(broken)
    assert walked >= count / 2, f"{count - walked} of {count} scenes have no room for their start"


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, seeds in BROKE_A_BOUND.items() for seed in seeds])
def test_a_scene_that_broke_a_bound_once_keeps_it(kind, seed):
    scene = random_scene(kind, seed)
    assert scene is not None
    assert scene.breaches()[1] == []


@pytest.mark.parametrize("seed", [110055, 112326])
def test_a_turned_walk_that_differs_is_a_breach(seed):
    """One unit of the heading in one tick: rounding does not explain it."""
    scene = random_scene("turned", seed)
    rows = scene.straight.rows.copy()
    rows["heading"][7] += 1
    other = dataclasses.replace(scene, straight=dataclasses.replace(scene.straight, rows=rows))
    assert [(breach.tick, breach.kind) for breach in other.breaches()[1]] == [(7, "turned")]


def stairs(random):
    return flight(random, False)[0]


@pytest.mark.each_once
@pytest.mark.parametrize("up", SIDES)
@pytest.mark.parametrize("build", [stairs, pyramid, curbs])
def test_a_world_turned_with_its_gravity_gives_the_same_walk(up, build):
    """World in a gravity zone: spawn, step, `replace` of the state, `state` and `restore` give the straight world's
    walk, turned."""
    random = np.random.default_rng([7, *(c % 3 for c in up)])
    triangles = np.array(ground() + build(random), np.float64)
    down = LevelZone("gravity", (0.0, 0.0, 0.0), (90.0, 90.0, 90.0), physics=(("down", tuple(-float(c) for c in up)),))
    zones = build_level(triangles, all_zones=(down,)).zones
    above, north = (np.array(v) for v in up_and_north_at(zones, (0.0, 0.0, 0.0), 0.9))
    turn = np.stack((np.cross(north, above), above, -north), axis=1)
    feet = np.array((0.0, 0.0, 4.0))
    one = World(build_level(triangles, spawns=(Spawn("start", tuple(feet.tolist()), 0),), kill_height=-1e3))
    place = Spawn("start", tuple((turn @ feet).tolist()), 0)
    two = World(build_level(triangles @ turn.T, spawns=(place,), kill_height=-1e3, all_zones=(down,)))
    rows = wander(one.walker, 300, int(random.integers(1 << 30)))
    walks = [], []
    for world, frame, walk in zip((one, two), (np.eye(3), turn), walks, strict=True):
        for k, row in enumerate(rows):
            if k in EDITS:
                edited = {name: frame @ value for name, value in EDITS[k].items()}
                world.walker_state = world.walker_state.replace(**edited)
            if k == 200:
                saved = world.state()
                world.step(Command(jump=True))
                world.restore(saved)
            world.step(command(row))
            walk.append(np.array(world.walker_state.position) @ frame)
    off = np.linalg.norm(np.subtract(*walks), axis=1)
    assert off.max() <= TURNED_TOLERANCE, int(np.argmax(off > TURNED_TOLERANCE))


@pytest.mark.parametrize("speed", [1e2, 1e3, 1e4])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 60.0])
def test_a_tick_into_a_corner_makes_few_moves(speed, degrees):
    """However fast the body is, its tick ends where two walls stop it."""
    world = mesh(floor(-9, -9, 9, 9), wall(-9, -3, 9, -3, 4), wall(3, -9, 3, 9, 4))
    walker = Walker(WalkerSettings())
    state = walker.spawn(world, (2.0, 0.0, -2.5))
    a = math.radians(degrees)
    fast = state.replace(velocity=(speed * math.sin(a), 0.0, -speed * math.cos(a)))
    _, trace = walker.step(fast, Command(forward=1.0), world)
    assert 0 < len(trace.slides) <= MOVES
