"""Many ticks in one call: the bits of single ones, where it stops, and what it refuses."""

import os
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.physics import Command, Walker
from game.physics import rules as physics_rules
from game.physics.character.command import command_of_row
from game.physics.environment.motion import MAX_CLOCK
from game.sim import CheckpointReached, GoalReached, Respawned, World
from game.sim import world as world_module
from tests.gym.test_same_bits import ROUGH

LEVELS = Path(__file__).parents[2] / "levels"
WALKS = 30  # random walks in each level, each from a place near something that counts
TICKS = 60
FLOOR = "format: 1\nspawn: {at: [0, 0, 8], facing: north}\npieces:\n  - floor: {from: [-20, -20], to: [20, 20]}\n"
LINE = FLOOR + (
    "  - checkpoint: {from: [-2, 0, 3], to: [2, 2, 5], name: first}\n"
    "  - kill: {from: [-2, 0, -4], to: [2, 2, -3]}\n"
    "goal: {at: [0, 0, 0], radius: 1}\n"
)


@cache
def level(name):
    return load(text=ROUGH) if name == "rough" else load(LEVELS / f"{name}.yaml")


def places(level, random):
    """Positions of a body near exits, targets, the goal and zones."""
    found = [(each.at, each.radius) for each in (*level.exits, *level.targets)]
    found += [] if level.goal is None else [(level.goal.at, level.goal.radius)]
    found += [(zone.centre, max(zone.half)) for zone in level.all_zones]
    found = found or [(level.spawns[0].feet, 1.0)]
    for _ in range(WALKS):
        at, reach = found[random.integers(len(found))]
        x, y, z = (np.array(at) + random.uniform(-reach - 2.0, reach + 2.0, 3)).tolist()
        yield x, y + level.player.radii[1], z


def random_rows(walker, random):
    """Command rows of a walk that turns now and then."""
    headings = np.repeat(random.integers(65536, size=TICKS // 20 + 1), 20)[:TICKS]
    held = random.random((3, TICKS)) < 0.3
    return walker.commands(forward=1.0, heading=headings, jump=held[0], sprint=held[1], crouch=held[2])


def facts(world):
    """What a run leaves behind beside the state."""
    return world.fields(), world.trace.bits, len(world.trace.contacts), world.platform_turn


@pytest.mark.parametrize("name", ["demo", "rough", "museum/hall", "surfaces", "waters", "escher", "lifts", "golf/one"])
def test_a_run_has_the_bits_of_steps(name):
    stepped, run = World(level(name)), World(level(name))
    random, happened = np.random.default_rng(5), set()
    for position in places(stepped.level, random):
        rows = random_rows(stepped.walker, random)
        for world in (stepped, run):
            world.walker_state = world.walker_state.replace(position=position)
        events, expected = [], b""
        for row in rows:
            events += stepped.step(command_of_row(row))
            expected += stepped.walker_state.to_bytes()
        states, found = run.run(rows)
        assert (states.tobytes(), found) == (expected, events)
        assert (run.state(), facts(run)) == (stepped.state(), facts(stepped))
        happened |= {type(event) for event in events}
    assert happened or name == "golf/one"


def test_a_run_stops_after_the_tick_of_an_event():
    whole, stopped, stepped = (World(load(text=LINE)) for _ in range(3))
    _, events = whole.run([Command(forward=1.0)] * 200)
    kinds = [type(event) for event in events]
    assert kinds == [CheckpointReached, GoalReached, Respawned]
    for kind, event in zip(kinds, events, strict=True):
        states, found = stopped.run([Command(forward=1.0)] * 200, lambda event, kind=kind: isinstance(event, kind))
        assert found == [event]
        for _ in range(len(states)):
            stepped.step(Command(forward=1.0))
        assert stopped.tick == stepped.tick == event.tick
        assert stopped.state() == stepped.state()
        assert states[-1].tobytes() == stopped.walker_state.to_bytes()


@pytest.mark.parametrize("name", ["demo", "ballroom"])
def test_rows_that_are_refused_change_nothing(name):
    world = World(level(name))
    before = world.state()
    rows = world.walker.commands(forward=np.ones(1000))
    rows["forward"][500] = np.nan
    with pytest.raises(ValueError, match="forward of row 500 must be a finite number"):
        world.run(rows)
    with pytest.raises(ValueError, match=r"commands\[1\] must be a Command, not 7"):
        world.run([Command(), 7])
    with pytest.raises(ValueError, match="until"):
        world.run([Command()], until=7)
    assert world.state() == before


def test_a_clock_at_its_end_is_refused_before_the_first_tick():
    world = World(load(text=LINE))
    world.tick = MAX_CLOCK - 2
    before = world.state()
    with pytest.raises(ValueError, match=f"clock must be at most {MAX_CLOCK}, not {MAX_CLOCK + 1}"):
        world.run([Command()] * 4)
    assert world.state() == before
    world.run([Command()] * 3)
    with pytest.raises(ValueError, match="clock must be at most"):
        world.step(Command())


@pytest.mark.parametrize("name", ["rough", "ballroom"])
def test_an_interrupted_run_changes_nothing(name, monkeypatch):
    world, again = World(level(name)), World(level(name))
    commands = [Command(forward=1.0, use=k % 7 == 0) for k in range(400)]
    world.run(commands[:30])
    before, fields = world.state(), world.fields()
    owner, part, calls = (world_module, "run_rows", 1) if name == "rough" else (World, "step", 70)
    method = getattr(owner, part)

    def interrupted(self, *arguments):
        nonlocal calls
        calls -= 1
        if calls < 0:
            raise KeyboardInterrupt
        return method(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(owner, part, interrupted)
        with pytest.raises(KeyboardInterrupt):
            world.run(commands[30:])
    assert (world.state(), world.fields()) == (before, fields)
    world.run(commands[30:])
    again.run(commands)
    assert world.state() == again.state()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_child_that_is_forked_in_the_middle_of_a_run_goes_on_as_its_parent_does():
    world, alone, ends, child = World(load(text=LINE)), World(load(text=LINE)), os.pipe(), -1
    alone.run([Command(forward=1.0)] * 300)

    def fork_at_the_goal(event):
        nonlocal child
        if isinstance(event, GoalReached):
            child = os.fork()

    try:
        world.run([Command(forward=1.0)] * 300, fork_at_the_goal)
    finally:
        if child == 0:
            os.write(ends[1], world.hash().encode())
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(ends[0], 100).decode() == world.hash() == alone.hash()
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("name", ["rough", "ballroom", "golf/one"])
def test_a_world_over_read_only_buffers_goes_on(name):
    """Pickled out of band, as shared memory is used: the buffers that come back cannot be written to."""
    world, buffers = World(level(name)), []
    commands = [Command(forward=1.0, use=k % 9 == 0) for k in range(60)]
    world.run(commands)
    data = pickle.dumps(world, protocol=5, buffer_callback=buffers.append)
    again = pickle.loads(data, buffers=[bytes(buffer.raw()) for buffer in buffers])
    assert not again.mesh.triangles12.flags.writeable
    for one in (world, again):
        one.step(Command(strafe=1.0))
        one.run(commands)
    assert again.state() == world.state()
    again.restore(world.state())
    for one in (world, again):
        one.restart()
        one.step(Command(forward=1.0))
    assert again.state() == world.state()


def test_rules_in_python_have_the_bits_of_the_kernel(monkeypatch):
    """Before the whole tick is compiled, the rules run in Python."""
    worlds, random = [World(level("rough")), World(level("rough"))], np.random.default_rng(7)
    present, interpreted = physics_rules.apply_rules(), physics_rules._interpreted_rules
    for position in places(worlds[0].level, random):
        results, rows = [], random_rows(worlds[0].walker, random)
        for world, kernel in zip(worlds, (present, interpreted), strict=True):
            monkeypatch.setattr(physics_rules, "apply_rules", lambda kernel=kernel: kernel)
            world.walker_state = world.walker_state.replace(position=position)
            states, events = world.run(rows)
            results.append((states.tobytes(), events, world.state()))
        assert results[0] == results[1]


@pytest.mark.parametrize("change", [lambda world: world.step(Command()), World.restart])
@pytest.mark.parametrize("ball", ["", "  - ball: {at: [9, 0.3, 9], radius: 0.2}\n"])
def test_until_must_not_change_the_world(change, ball):
    text = "format: 1\nspawn: {at: [0, 0, 8], facing: north}\npieces:\n  - floor: {from: [-20, -20], to: [20, 20]}\n"
    world = World(load(text=text + "  - target: {at: [0, 1, 6], radius: 0.5}\n" + ball))
    before = world.state()
    with pytest.raises(ValueError, match="until must not change the world"):
        world.run([Command(forward=1.0)] * 60, until=lambda event: change(world))
    assert world.state() == before


class Backwards(Walker):
    """A walker that goes back where it is told to go ahead."""

    def step(self, state, command, *place):
        return super().step(state, Command(-command.forward, heading=command.heading), *place)


def test_a_walker_of_another_class_walks_by_its_own_step():
    worlds = [World(load("demo")) for _ in range(2)]
    for world in worlds:
        world.walker = Backwards(world.settings)
    worlds[0].run([Command(forward=1.0)] * 40)
    for _ in range(40):
        worlds[1].step(Command(forward=1.0))
    assert worlds[0].state() == worlds[1].state()
    assert worlds[0].walker_state.position[2] > World(load("demo")).walker_state.position[2] + 0.5
