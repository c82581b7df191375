"""The same commands give the same bits: in a window, headless, alone or in a crowd, stepped or run, JIT or none."""

from __future__ import annotations

import hashlib
import pickle
import random
from itertools import islice
from pathlib import Path

import pytest

from game.level import Spawn, load
from game.physics import Crowd, WalkerSettings, WalkerState
from game.sim import Respawned, Session, World, command_script
from tests.support.jit_comparison import assert_same_output_without_jit
from tests.support.level_builder import exit_at, goal_at
from tools.verify import golden

ROOT = Path(__file__).resolve().parents[3]
SHORT = 400  # ticks without the JIT


@pytest.fixture(scope="module")
def demo():
    return load("demo")


@pytest.fixture(scope="module")
def walk(demo):
    """(commands, hash of all walker states) of the demo's own walk, tick by tick."""
    script = command_script.read_script(ROOT / "levels" / "demo.commands")
    asked = list(islice(script.commands(demo.spawns[0].heading), script.ticks))
    world = World(demo)
    digest = hashlib.sha256()
    for command in asked:
        assert not any(isinstance(event, Respawned) for event in world.step(command))
        digest.update(world.walker_state.to_bytes())
    return asked, digest.hexdigest()


@pytest.mark.jit
def test_a_window_with_odd_frame_times_gives_the_same_bits(demo, walk):
    asked, wanted = walk
    rng = random.Random(8)
    session, digest, now, left = Session(World(demo)), hashlib.sha256(), 0.0, iter(asked)

    class Watch:
        def stepped(self, command, events):
            digest.update(session.world.walker_state.to_bytes())

    session.observers.append(Watch())
    session.advance(now, lambda: None)
    while session.world.tick < len(asked):
        now += rng.choice([1 / 144, 1 / 60, 1 / 23, 0.2, 0.0, rng.random() / 30])
        session.advance(now, lambda: next(left, None))
        session.pose()
    assert digest.hexdigest() == wanted


@pytest.mark.jit
def test_run_gives_the_same_bits_as_step(demo, walk):
    asked, wanted = walk
    world = World(demo)
    states = world.walker.run(world.walker_state, world.walker.commands(asked), demo.mesh)
    assert hashlib.sha256(states.tobytes()).hexdigest() == wanted


@pytest.mark.full
@pytest.mark.jit
def test_a_crowd_gives_each_the_bits_that_it_has_alone(demo, walk):
    """The walk, begun by each a tick after the one before; who has not begun waits: no one notices the others."""
    asked, wanted = walk
    world, size = World(demo), 3
    crowd = Crowd(world.walker, demo.mesh)
    rows = world.walker.commands(asked)
    states = [world.walker_state] * size
    digests = [hashlib.sha256() for _ in range(size)]
    for tick in range(len(rows) + size - 1):
        on = [0 <= tick - k < len(rows) for k in range(size)]
        after = crowd.step(states, rows[[tick - k if on[k] else 0 for k in range(size)]])
        for k in range(size):
            if on[k]:
                states[k] = WalkerState(after[k])
                digests[k].update(states[k].to_bytes())
    assert [digest.hexdigest() for digest in digests] == [wanted] * size


@pytest.mark.full
@pytest.mark.parametrize("name", ["yard", "pit"])
def test_a_scene_has_the_same_bits_without_the_jit(name):
    assert_same_output_without_jit(f"from tools.verify import golden; print(golden.scene_hash({name!r}, {SHORT}))")


@pytest.mark.jit
def test_a_state_kept_at_any_tick_goes_on_bit_for_bit(level_with):
    """Through bytes and through pickle, into another world: on ground, in the air, crouched, at falls, at the goal."""
    level = level_with(
        spawns=(Spawn("start", (17.0, 0.0, 17.0), 99),),
        goal=goal_at(15.0, 0.0, 17.0, 1.0),
        kill_height=-3.0,
        exits=(exit_at((17.0, 0.0, 15.0), 1.5),),
    )
    world = World(level)
    asked = golden.restless(world.walker, 1500, seed=4)
    states, seen, events = [world.state()], set(), [()]
    for command in asked:
        happened = world.step(command)
        events.append(happened)
        states.append(world.state())
        walker = world.walker_state
        seen |= {type(event).__name__ for event in happened}
        seen |= {"crouched"} if walker.crouched else set()
        seen |= set() if walker.grounded else {"air"}
    assert seen >= {"Respawned", "GoalReached", "ExitReached", "crouched", "air"}
    marked = [k for k, happened in enumerate(events) if happened]
    for at in sorted({*marked, *(k - 1 for k in marked), *range(0, 1400, 37)}):
        other = World(level, WalkerSettings())
        other.restore(pickle.loads(pickle.dumps(states[at])))
        walker = pickle.loads(pickle.dumps(other.walker_state))
        assert walker == WalkerState.from_bytes(walker.to_bytes()) == other.walker_state
        for k in range(at, min(at + 60, len(asked))):
            assert other.step(asked[k]) == events[k + 1]
            assert other.state() == states[k + 1], (at, k)
