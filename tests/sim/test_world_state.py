"""States of worlds: those of another level are refused in words, those of other versions of a level are not."""

from __future__ import annotations

import copy
import math
import pickle
import struct
from collections.abc import Callable

import numpy as np
import pytest

from game.level import Level, Target, load
from game.physics import Command, TriangleMesh
from game.sim import World
from tests.sim import test_ball_set as thrown
from tests.sim import test_ball_walls as ball_walls
from tests.sim import test_carried_zones as carried
from tests.sim import test_triggers as zones
from tests.sim import test_waiting_movers as waiting
from tests.support.level_builder import exit_at, floor_with_wall, goal_at
from tests.support.scenes import floor

LEVEL = """\
format: 1
name: {name}
spawn: {{at: [0, 0, {z}]}}
pieces:
  - floor: {{from: [-20, -20], to: [20, 20]}}
"""


@pytest.fixture
def make(tmp_path):
    """A function that makes a world of a level file with a name."""

    def make_world(file, name, z=0):
        path = tmp_path / file
        path.write_text(LEVEL.format(name=name, z=z), encoding="utf-8")
        return World(load(path))

    return make_world


def mesh_world():
    return World(TriangleMesh(np.array(floor(-20, -20, 20, 20))), spawn=(0.0, 0.0, 0.0))


def passed_on(state):
    """The state as it reaches another world: as it is, copied, and from another process."""
    return state, copy.deepcopy(state), pickle.loads(pickle.dumps(state))


EAST, AHEAD = 65536 - 16384, Command(forward=1.0)
FALL = Command(forward=1.0, heading=EAST, sprint=True)
PIECES, BALLS, FEET, KEYS, _ = ball_walls.SCENES["two balls"]
TWO = "".join(f"  - ball: {{at: [{x}, {y}, {z}], radius: {radius}}}\n" for x, y, z, radius in BALLS)
LADDER = """
        - box: {from: [-1, 0.2, -2], to: [1, 4, -1.8]}
        - ladder: {at: [0, 0.2, -1.8], height: 3.8}""".strip("\n")
BALL_WALL = ball_walls.LEVEL % (FEET, PIECES + TWO)
TARGETS = (Target((0, 1, -2), 0.5, ""), Target((0, 1, -6), 0.5, ""))
KEPT: dict[str, tuple[Callable[[], Level], Callable[[int], Command], int, int]] = {
    # level, command of each tick, ticks before the state is kept and after it
    "falls": (floor_with_wall, lambda k: FALL, 150, 700),
    "targets": (lambda: floor_with_wall(targets=TARGETS), lambda k: AHEAD, 60, 90),
    "checkpoints and kills": (lambda: load(text=zones.LEVEL), lambda k: AHEAD, 60, 60),
    "thrown balls": (
        lambda: thrown.made("play: {throws: true}", thrown.SOME), lambda k: Command(forward=0.5, use=k > 39), 41, 60
    ),
    "in front of a ball": (lambda: load(text=BALL_WALL), lambda k: Command(**KEYS), 60, 60),
    "held by a ball": (lambda: load(text=BALL_WALL), lambda k: Command(**KEYS), 100, 60),
    "a ladder on a lift": (
        lambda: load(text=carried.LIFT.replace("INSIDE", LADDER)),
        lambda k: Command(forward=float(k % 100 < 80)), 100, 200,
    ),
    "movers that wait": (lambda: load(text=waiting.TEXT), lambda k: AHEAD, 63, 200),
    "a goal and an exit, crouched and in the air": (
        lambda: floor_with_wall(goal=goal_at(0.0, 0.0, -3.0, 1.0), exits=(exit_at((0.0, 0.0, -6.0), 1.5),)),
        lambda k: Command(forward=1.0, crouch=k % 40 < 20, jump=k % 40 == 30), 35, 150,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_a_world_goes_on_from_its_state_as_it_did(name):
    """Also another world; it refuses other bytes, and begins anew as a new one."""
    make_level, command, before, after = KEPT[name]
    level = make_level()
    world, other, begin = World(level), World(level), World(level).state()
    for k in range(before):
        world.step(command(k))
    kept, facts = world.state(), (world.fields(), world.hash())

    def go_on(one):
        return [(one.step(command(k)), one.state()) for k in range(before, before + after)]

    went = go_on(world)
    assert kept != begin
    for one in (world, other):
        one.restore(kept)
        assert (one.state(), (one.fields(), one.hash())) == (kept, facts)
        assert go_on(one) == went
        present = one.state()
        for wrong in (kept[:-1], kept + b"\0", b"", bytes(len(kept)), kept[:200]):
            with pytest.raises(ValueError, match=r"not a saved state|bytes"):
                one.restore(wrong)
            assert one.state() == present
        one.restart()
        assert one.state() == begin


def test_the_state_of_another_level_or_of_a_mesh_is_refused_with_both_names(make):
    first, second, mesh = make("first.yaml", "Cellar"), make("second.yaml", "Attic"), mesh_world()
    second.step(Command(forward=1.0))
    cellar, attic = r"of the level 'Cellar' \(.*first.yaml\)", r"of the level 'Attic' \(.*second"
    for world, other, words in (
        (second, first, f"{cellar}.*{attic}"),
        (mesh, first, f"{cellar}.*this world is of a mesh"),
        (first, mesh, f"of a mesh, and this world is {cellar}"),
    ):
        before = world.state()
        for state in passed_on(other.state()):
            with pytest.raises(ValueError, match=words):
                world.restore(state)
            assert world.state() == before


def test_the_state_of_another_version_of_a_level_is_restored(make):
    saved = make("level.yaml", "Cellar")
    saved.step(Command(forward=1.0))
    state = saved.state()
    others = [
        make("level.yaml", "Cellar"),  # loaded again
        make("level.yaml", "Cellar", z=5),  # edited
        make("level.yaml", "Attic"),  # with another name
        make("copy.yaml", "Cellar"),  # in another file
    ]
    for world in others:
        for value in passed_on(state):
            world.restart()
            world.restore(value)
            assert world.state() == state
    other_mesh = mesh_world()
    other_mesh.restore(mesh_world().state())


def with_movers(*places):
    """A world with a moving platform at each of some places along X."""
    mover = (
        "  - mover: {at: [%d, 0, 0], path: [[0, 0, 0], [0, 1, 0]], of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1]}]}\n"
    )
    return World(load(text=LEVEL.format(name="Movers", z=0) + "".join(mover % x for x in places)))


def test_a_walker_on_a_platform_that_the_level_has_no_more_stands_on_none():
    before = with_movers(9, 0)
    for _ in range(30):
        before.step(Command())
    assert before.walker_state.mover == 1
    world = with_movers(9)
    world.restore(before.state())
    assert world.walker_state.mover == -1
    for _ in range(30):
        world.step(Command())
    assert world.tick == world.walker_state.tick == 60


HOSTILE_FLOATS = (math.nan, math.inf, -1e300, 1e18, 2.0**31, -1.0, 5e-324)
HOSTILE_INTEGERS = (-1, -(2**63), 2**63 - 1, 2**40, 2**31, 7)
HOSTILE = (
    *(struct.pack("<d", value) for value in HOSTILE_FLOATS),
    *(struct.pack("<q", value) for value in HOSTILE_INTEGERS),
)


@pytest.mark.parametrize("name", ["golf/one", "lifts", "ballroom"])
def test_a_state_with_any_field_replaced_is_refused_or_the_world_goes_on(name):
    world = World(load(f"levels/{name}.yaml"))
    for _ in range(10):
        world.step(Command(forward=1.0))
    state = bytes(world.state())
    accepted = 0
    for at in range(0, min(len(state), 1024) - 7, 8):
        for value in HOSTILE:
            try:
                world.restore(state[:at] + value + state[at + 8 :])
            except ValueError:
                continue
            accepted += 1
            world.step(Command(forward=1.0))
            world.restore(world.state())
            assert np.isfinite(world.walker_state.position).all()
    assert accepted > 300
