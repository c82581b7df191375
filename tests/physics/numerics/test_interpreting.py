"""Kernels that run in Python for a while: the same bits, nothing is compiled, and later all is as before."""

import subprocess
import sys

import numba.core.event
import pytest
from numba.core.dispatcher import Dispatcher

from game.level import load
from game.physics import Command
from game.physics.character.tick import run
from game.physics.numerics import jit
from game.sim import World

pytestmark = pytest.mark.skipif(not jit.CACHED, reason="without the JIT nothing is compiled")


def kernels():
    """The kernels in the modules of the package, by module and name."""
    modules = [(name, module) for name, module in sys.modules.items() if name.startswith("ellipsoid_walker.")]
    found = {}
    for module_name, module in modules:
        found |= {(module_name, name): k for name, k in vars(module).items() if isinstance(k, Dispatcher)}
    return found


class Compiled(numba.core.event.Listener):
    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


def walk():
    """State rows of a short walk in a level that is loaded for it, and what a ray hits."""
    level = load("levels/surfaces.yaml")
    world = World(level)
    states = []
    for tick in range(60):
        world.step(Command(forward=1.0, jump=tick % 20 == 5, heading=tick * 300))
        states.append(world.walker_state)
    return states, level.mesh.raycast(world.walker_state.feet, (0.3, 0.5, -1.0))


def test_interpreted_kernels_compile_nothing_give_the_same_bits_and_come_back(monkeypatch):
    expected, before, listener = walk(), kernels(), Compiled()
    assert len(before) > 500
    monkeypatch.setattr(run.whole_tick, "is_due", lambda *_, **__: False)  # it was loaded by the first walk
    monkeypatch.setattr(run.whole_tick, "is_loaded", False)
    with numba.core.event.install_listener("numba:compile", listener):
        jit.interpret()
        try:
            assert kernels() == {}
            assert not isinstance(jit.kernel(lambda: 0), Dispatcher), "nor is a kernel of a module imported meanwhile"
            assert walk() == expected
        finally:
            jit.use_compiled()
    assert listener.names == []
    assert kernels() == before


LOAD = """
import json
from game.physics.numerics import jit, kernel_cache
jit.interpret()
import game.sim
jit.load_kept(*jit.READY)
loaded = {function.__qualname__ for function, kernel in jit._interpreted.items() if kernel.overloads}
files = [kernel_cache.record_file(jit.CACHE_FOLDER, part) for part in jit.READY]
records = [json.loads(kernel_cache.read_file(file))["used"] for file in files]
wanted = {name for record in records for _, name, *_ in record}
print(len(wanted) > 20, wanted == loaded)
"""


@pytest.mark.full
def test_the_kernels_of_play_are_loaded_while_they_run_in_python():
    """Else the first frame after the switch loads them, which takes half a second."""
    assert jit.ready()
    done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
