"""Crowds with threads in child processes, and copies of them."""

import copy
import os
import pickle

import numpy as np
import pytest

from game.physics import Crowd, TriangleMesh, Walker
from game.sim import World
from tests.support.child_processes import run_python
from tests.support.scenes import box, floor
from tests.support.threads import CHILD_SECONDS, ask_in_process, step_crowd, step_world

METHODS = [
    pytest.param("fork", marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")),
    pytest.param("forkserver", marks=[pytest.mark.full, pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")]),
    pytest.param("spawn", marks=pytest.mark.full),
]
WALKERS = 400  # several batches for each thread
FORK_WHILE_COMPILING = """
import os, signal, threading
from numba.core.compiler_lock import global_compiler_lock
from game import physics

compiling, forking = threading.Event(), threading.Event()

def compile_until_the_fork():
    with global_compiler_lock:
        compiling.set()
        forking.wait()

threading.Thread(target=compile_until_the_fork).start()
compiling.wait()
os.register_at_fork(before=forking.set)
child = os.fork()
if child == 0:
    signal.alarm(60)  # ends a child that waits for ever
    with global_compiler_lock:
        os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture
def crowd():
    mesh = TriangleMesh(np.array([*floor(-30, -30, 30, 30, tiles=8), *box(-2, 0, -3, 2, 1, -2)]))
    return Crowd(Walker(), mesh, threads=3)


@pytest.fixture
def states(crowd):
    places = [crowd.walker.spawn(crowd.mesh, (0.1 * k - 20.0, 0.0, 0.05 * k)).row() for k in range(WALKERS)]
    return np.concatenate(places)


@pytest.fixture
def rows(crowd):
    return crowd.walker.commands(forward=np.ones(WALKERS), heading=np.arange(WALKERS) * 100)


@pytest.mark.parametrize("method", METHODS)
def test_a_child_process_steps_the_crowd_that_its_parent_has_stepped(method, crowd, states, rows):
    here = step_crowd(crowd, states, rows)
    assert ask_in_process(method, step_crowd, crowd, states, rows) == here
    assert step_crowd(crowd, states, rows) == here  # and the parent's threads go on


@pytest.mark.parametrize("method", METHODS)
def test_a_child_process_steps_the_world_that_its_parent_has_stepped(method):
    world = World(TriangleMesh(np.array(floor(-30, -30, 30, 30))), spawn=(0.0, 0.0, 0.0))
    step_world(world, 1)
    there = ask_in_process(method, step_world, world, 5)
    assert step_world(world, 5) == there


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda crowd: pickle.loads(pickle.dumps(crowd))])
def test_a_copy_of_a_crowd_has_its_own_threads(copied, crowd, states, rows):
    before = step_crowd(crowd, states, rows)
    other = copied(crowd)
    assert other.threads == 3
    assert other.walker.settings == crowd.walker.settings
    del crowd
    assert step_crowd(other, states, rows) == before


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_waits_for_a_kernel_that_another_thread_compiles():
    assert run_python(FORK_WHILE_COMPILING, seconds=CHILD_SECONDS) == "7\n"


AT_THE_END = """
import threading
import numpy as np
from game.physics import Command, Crowd, TriangleMesh, Walker
from game.physics.prepare import compile_whole

compile_whole()
mesh, walker = TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]]), Walker()
states = [walker.spawn(mesh, feet=(0, 0, 0))] * 400
crowd = Crowd(walker, mesh, threads=2)
expected = crowd.step(states, [Command(forward=1.0)] * 400)

def work():
    threading.main_thread().join()
    print(np.array_equal(crowd.step(states, [Command(forward=1.0)] * 400), expected))

threading.Thread(target=work).start()
"""


def test_a_crowd_steps_while_the_program_ends():
    """Python starts no threads then."""
    assert run_python(AT_THE_END, seconds=CHILD_SECONDS) == "True\n"
