"""Worlds in threads: each thread has its own, on a level that all share; a thread that enters another's is refused."""

import contextlib
import copy
import hashlib
import os
import pickle
import random
import signal
import threading
from pathlib import Path

import pytest

from game.core.errors import WalkerError
from game.level import load
from game.physics import Command, Walker
from game.sim import History, Session, World, describe_tick, verify
from game.sim.command_script import parse_script
from game.sim.exclusive_access import ConcurrentAccessError
from game.sim.headless_run import run_walk
from game.sim.replay.replay_file import ReplayWriter, decode_replay
from tests.support.threads import ask_in_process, run_in_threads

THREADS = 8
INTERRUPTS = 300
TICKS, FULL_TICKS = 24, 100_000 // THREADS  # of each thread; the latter with --full
LEVEL = """\
format: 1
name: Shared
spawn: {at: [0, 0, 6], facing: north}
goal: {at: [0, 0, -14], radius: 1}
play: {throws: true}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - box: {from: [-2, 0, -4], to: [2, 0.3, 0]}
  - water: {from: [4, 0, -4], to: [8, 2, 0]}
  - checkpoint: {from: [-2, 0, 3], to: [2, 2, 5], name: The middle}
  - ball: {at: [0.5, 1, 4]}
  - target: {at: [0, 1, 4], radius: 0.5}
  - mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 1, 0]], seconds: 1, of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}
"""


def play(level, number, ticks):
    """Digest of a recorded session of random commands, its reports, a rewind, the verification and a scripted walk."""
    rng, digest = random.Random(number), hashlib.sha256()
    world = World(level)
    session = Session(world)
    session.history = history = History(world)
    for k in range(ticks):
        if rng.random() < 0.01:
            session.restart()
        before = world.walker_state
        command = Command(rng.uniform(0.0, 1.0), 0.0, rng.randrange(-4000, 4000), jump=k % 9 == 0, use=k % 7 == 0)
        events = session.tick(command)
        if k % 8 == 0:
            digest.update(repr(describe_tick(world, before, command, events).surfaces).encode())
        digest.update(world.hash().encode())
    data = history.data()
    history.seek(len(history) // 2)
    digest.update(world.state())
    result = verify(decode_replay(data, Path("here")), lambda part: level)
    assert (result.ticks, result.divergence) == (ticks, None)
    script = parse_script(f"{min(ticks, 60)} forward 1 jump\n")
    digest.update(run_walk(World(level), script).hash.encode())
    return digest.hexdigest()


@pytest.mark.parametrize("ticks", [TICKS, pytest.param(FULL_TICKS, marks=pytest.mark.full)])
def test_worlds_in_threads_on_one_level_get_the_same_bits(ticks):
    alone = load(text=LEVEL)
    expected = [play(alone, number, ticks) for number in range(THREADS)]
    shared, found = load(text=LEVEL), {}  # its mesh and environment are made by the threads
    run_in_threads(THREADS, lambda number: found.setdefault(number, play(shared, number, ticks)))
    assert [found[number] for number in range(THREADS)] == expected


class Gate:
    """A call that waits inside until `open` is set, and says when it is there. Only the first caller waits."""

    def __init__(self):
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, *_):
        if not self.reached.is_set():
            self.reached.set()
            self.open.wait()
        return True

    @contextlib.contextmanager
    def held_by(self, call):
        """Context in which another thread is inside `call`, which comes to this gate."""

        def run():
            call()
            self.reached.set()  # even if the call never came here: the test fails then, and does not wait

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.reached.wait()
        try:
            yield
        finally:
            self.open.set()
            thread.join()


class SlowWalker(Walker):
    """Walker whose steps wait at a gate."""

    def __init__(self, settings, gate):
        super().__init__(settings)
        self.gate = gate

    def step(self, *arguments):
        self.gate()
        return super().step(*arguments)


def refuses(call, *arguments):
    with pytest.raises(ConcurrentAccessError, match="for each thread") as caught:
        call(*arguments)
    return isinstance(caught.value, (RuntimeError, WalkerError))


def test_a_world_refuses_a_thread_that_enters_while_another_steps_it():
    level, command, gate = load(text=LEVEL), Command(forward=1.0), Gate()
    expected, world = World(level), World(level)
    expected.step(command)
    before = world.state()
    world.walker = SlowWalker(world.settings, gate)
    with gate.held_by(lambda: world.step(command)):
        assert refuses(world.step, command)
        assert refuses(world.restore, before)
        assert refuses(world.continue_from, expected, expected.safe_state)
        assert refuses(pickle.dumps, world)
        assert refuses(copy.copy, world)
        for call in (world.state, world.hash, world.fields, world.restart, world.return_to_checkpoint):
            assert refuses(call)
        copied = pickle.loads(pickle.dumps(expected))
        assert copied.hash() == expected.hash()
    assert world.state() == expected.state()
    world.restore(before)
    world.step(command)
    assert world.state() == expected.state()


def after_a_restart(world, command):
    """What a child process finds: the refusals of an interrupted world, and its state after a restart and a tick."""
    world.walker = Walker(world.settings)
    for call in (world.state, world.fields, world.return_to_checkpoint):
        with pytest.raises(ConcurrentAccessError, match="when the process forked"):
            call()
    world.restart()
    world.step(command)
    return world.state()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_child_restarts_a_world_that_a_thread_was_stepping_at_the_fork():
    command, gate = Command(forward=1.0), Gate()
    expected, world = World(load(text=LEVEL)), World(load(text=LEVEL))
    expected.step(command)
    world.walker = SlowWalker(world.settings, gate)
    with gate.held_by(lambda: world.step(command)):
        assert ask_in_process("fork", after_a_restart, world, command) == expected.state()
        assert refuses(world.restart)
    assert world.state() == expected.state()


def test_sessions_and_histories_refuse_as_worlds_do():
    world, command, gate = World(load(text=LEVEL)), Command(forward=1.0), Gate()
    session, history = Session(world), History(world)
    session.history = history
    for _ in range(60):
        session.tick(command)
    with gate.held_by(lambda: session.advance(0.0, gate) or session.advance(1.0, lambda: gate() and None)):
        for call in (session.restart, session.return_to_checkpoint, session.reset_interpolation):
            assert refuses(call)
        assert refuses(session.tick, command)
        assert refuses(session.advance, 2.0, lambda: command)
    session.tick(command)

    gate, waits = Gate(), []
    history.writers.append(ReplayWriter(lambda data: waits and gate()))
    waits.append(True)
    with gate.held_by(history.flush):
        for call in (history.flush, history.restarted, history.returned, history.data):
            assert refuses(call)
        for call in (history.seek, history.state, history.cut, history.command):
            assert refuses(call, 3)
        assert refuses(history.step, command)
        assert refuses(history.run, [command])
        assert refuses(history.prepare, 3, gate)
        assert refuses(history.columns, 0, 3)
    assert history.seek(29)


def test_a_refused_or_failed_call_changes_nothing():
    level, command = load(text=LEVEL), Command(forward=1.0)
    world, expected, done = World(level), World(level), []
    with pytest.raises(ValueError, match="command"):
        world.step("forward")

    def work(number):
        for _ in range(40):
            with contextlib.suppress(ConcurrentAccessError):
                world.step(command)
                done.append(number)

    run_in_threads(THREADS, work)
    for _ in done:
        expected.step(command)
    assert world.tick == len(done) > 0
    assert world.state() == expected.state()


class Interrupt(BaseException):
    """What a signal handler raises."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer here")
def test_an_exception_of_a_signal_handler_leaves_a_world_free_for_other_threads():
    """As with Ctrl-C. The handler runs between any two instructions after which Python looks for signals."""
    world = World(load(text=LEVEL))

    def interrupt(*_):
        raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    caught = 0
    try:
        for k in range(INTERRUPTS):
            with contextlib.suppress(Interrupt):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 1e-5 + 1e-7 * k)
                    while True:
                        world.state()
                except Interrupt:
                    caught += 1
            run_in_threads(1, lambda _: world.state())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert caught == INTERRUPTS
