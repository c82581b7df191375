"""World of a mesh without a level file, and the environment of a level given to a walker."""

import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.physics import (
    Command,
    Environment,
    EnvironmentWarning,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
)
from game.sim import History, Respawned, Session, World
from game.sim.command_script import parse_script
from game.sim.headless_run import GoalOutcome, run_walk
from game.sim.replay.tick_report import describe_tick
from tests.support.scenes import box, floor

LEVELS = Path(__file__).resolve().parents[2] / "levels"
MESH = TriangleMesh(floor(-6, -6, 6, 6) + box(-1, 0, -5, 1, 3, -4))
GAP = TriangleMesh(floor(-9, -9, 9, 9) + box(-5, 0, -5, -0.1, 5, 5) + box(0.1, 0, -5, 5, 5, 5))
LIFT = Environment(movers=Movers([Mover(MESH, (0.0, -4.0, 0.0), Motion(((0, 0, 0), (0, 2, 0))), "lift")]))


@pytest.fixture(scope="module")
def lifts():
    return load(LEVELS / "lifts.yaml")


def walked(walker, level, ticks, **around):
    """Feet after some ticks of forward from the first spawn."""
    spawn = level.spawns[0]
    state = walker.spawn(level.mesh, spawn.feet, spawn.heading, **around)
    rows = walker.commands(forward=np.ones(ticks), heading=spawn.heading)
    return walker.state(walker.run(state, rows, level.mesh, **around)[-1])


def test_a_walker_with_the_environment_stops_at_the_door_as_the_world_does(lifts):
    world = World(lifts)
    for _ in range(180):
        world.step(Command(forward=1.0, heading=world.start.heading))
    assert world.walker_state.feet[2] == pytest.approx(-6.25, abs=0.01)
    assert walked(Walker(), lifts, 180, around=lifts.environment) == world.walker_state
    assert world.environment is lifts.environment
    with pytest.warns(EnvironmentWarning):
        assert walked(Walker(), lifts, 180).feet[2] == pytest.approx(-7.87, abs=0.01)  # through the door


def test_a_walker_on_the_mesh_of_such_a_level_says_so_once(lifts):
    walker, spawn = Walker(), lifts.spawns[0]
    words = r"a level with 9 movers, .* ignores them: pass around=level.environment, or walk in World\(level\)"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        state = walker.spawn(lifts.mesh, spawn.feet)
        for _ in range(3):
            state, _ = walker.step(state, Command(), lifts.mesh)
            walker.step(state, Command(), MESH)
            walker.run(state, [Command()], lifts.mesh)
    assert [Path(warning.filename).name for warning in caught] == [Path(__file__).name]
    assert caught[0].category is EnvironmentWarning
    assert re.search(words, str(caught[0].message))


def test_a_world_of_a_mesh_walks_as_the_walker_does():
    world = World(MESH, spawn=(0.0, 0.1, 3.0), heading=65536 + 300)
    assert (world.start.feet, world.start.heading, world.has_level_file) == ((0.0, 0.1, 3.0), 300, False)
    assert world.mesh is MESH
    walker = Walker()
    state = walker.spawn(MESH, (0.0, 0.1, 3.0), 300)
    for tick in range(200):
        command = Command(forward=1.0, jump=tick % 50 == 7, heading=300)
        world.step(command)
        state, _ = walker.step(state, command, MESH)
        assert world.walker_state == state
    report = describe_tick(world, state, Command(forward=1.0), ())
    assert "mesh" in {surface.piece for surface in report.surfaces}
    triangles = np.array(floor(-6, -6, 6, 6) + box(-1, 0, -5, 1, 3, -4), float)
    assert np.array_equal(np.sort(world.level.triangles, axis=1), np.sort(triangles, axis=1))  # in the caller's order
    assert World(pickle.loads(pickle.dumps(MESH)), spawn=np.array((0, 1, 3))).level.kill_height == -20.0


def test_whoever_falls_off_a_mesh_comes_back():
    world = World(MESH, spawn=(0, 0, 5))
    events = [event for _ in range(400) for event in world.step(Command(forward=1.0, heading=32768))]
    assert isinstance(events[0], Respawned)
    assert events[0].reason == "fell"
    assert events[0].heading == 0
    again = World(MESH, spawn=(0, 0, 5))
    again.restore(world.state())
    assert again.hash() == world.hash()
    again.restart()
    assert again.walker_state == World(MESH, spawn=(0, 0, 5)).walker_state
    assert World(TriangleMesh([]), spawn=(0, 7, 0)).level.kill_height == -13.0


def test_a_world_of_a_mesh_has_sessions_walks_rewind_and_platforms():
    session = Session(World(MESH, spawn=(0, 0, 3)))
    session.tick(Command(forward=1.0))
    walk = run_walk(World(MESH, spawn=(0, 0, 3)), parse_script("30 forward 1\n"))
    assert walk.goal == GoalOutcome.NONE
    assert walk.feet[-1, 2] < 2.0
    world = World(MESH, spawn=(0, 0, 3))
    history = History(world)
    history.step(Command())
    assert history.seek(0)
    coated = TriangleMesh(floor(-6, -6, 6, 6), [0, 1], [Material(), Material(friction=0.2)], surface_names=["a", "b"])
    assert [surface.friction for surface in World(coated, spawn=(0, 0, 0)).level.surfaces] == [1.0, 0.2]
    world = World(TriangleMesh(floor(20, 20, 21, 21)), spawn=(0, -3.9, 3), around=LIFT)
    before = world.walker_state
    for _ in range(60):
        before = world.walker_state
        world.step(Command())
    assert world.walker_state.feet[1] > -3.7
    assert world.walker_state.mover == 0
    assert describe_tick(world, before, Command(), ()).surfaces[0].piece == "lift"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda lifts: World(MESH), r"spawn must be the feet \(x, y, z\) in a world of a mesh, not None"),
        (lambda lifts: World(MESH, spawn="start"), r"spawn must be the feet \(x, y, z\) .*, not 'start'"),
        (lambda lifts: World(GAP, spawn=(0, 0, 0)), "spawn 'start': no room for the walker"),
        (lambda lifts: World(MESH, spawn=(0, 0, 3), around=lifts), r"around must be .*pass level.environment"),
        (lambda lifts: World(lifts.mesh, spawn=(0, 0, 3)), r"a level with 9 movers: pass the level, World\(level\)"),
        (lambda lifts: World(lifts, spawn=(0, 0, 3)), r"spawn must be the name of .*, not \(0, 0, 3\)"),
        (lambda lifts: World(lifts, heading=3), "heading is for World"),
        (lambda lifts: World(lifts, around=LIFT), "around is for World"),
        (lambda lifts: World(lifts, spawn="nowhere"), "no spawn is called 'nowhere'"),
        (
            lambda lifts: World("demo"),
            r"level must be a Level or a TriangleMesh, not 'demo'; "
            r"load it: World\(load\(path\)\), with `load` from ellipsoid_walker\.level$",
        ),
        (lambda lifts: World(Path("demo.yaml")), "load it"),
        (lambda lifts: World(np.zeros((2, 3, 3))), r"wrap triangles: World\(TriangleMesh\(array\), spawn"),
    ],
)
def test_wrong_arguments_are_refused_by_name(lifts, make, words):
    with pytest.raises(ValueError, match=words):
        make(lifts)
