"""`physics`, `level` and `sim` work where NumPy, Numba and PyYAML are the only other packages, as the README says."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from game.core import user_folders
from tests.packaging.conftest import ROOT
from tests.support.until import SECONDS

PROGRAM = """
import sys

ALLOWED = {"numpy", "numba", "llvmlite", "yaml", "_yaml", "ellipsoid_walker", *sys.stdlib_module_names}
refused = set()


class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ALLOWED:
            refused.add(name)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Bare())
import pkgutil
from ellipsoid_walker.level import check, load
from ellipsoid_walker.physics import Command, Ellipsoid, TriangleMesh, Walker
from ellipsoid_walker.sim import History, Session, World, headless_run, verify
import ellipsoid_walker.physics.prepare

level = load("demo")
assert not [finding for finding in check("demo") if finding.severity == "error"]
world = World(level)
for _ in range(5):
    world.step(Command(forward=1.0))
mesh = TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]])
assert mesh.sweep(Ellipsoid((0.3, 0.9, 0.3)), (0, 2, 0), 0.0, (0, -2, 0)).fraction > 0.5
assert Walker().spawn(mesh, feet=(0, 0, 0)).grounded
assert "platformdirs" in refused
from ellipsoid_walker.physics.numerics.jit import CACHE_FOLDER
print(CACHE_FOLDER)
"""


@pytest.mark.full
def test_nothing_but_numpy_numba_and_yaml_is_needed(tmp_path):
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    env = {**os.environ, **home, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    for name in (user_folders.CACHE_VARIABLE, "XDG_CACHE_HOME"):
        env.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path)), "compiled kernels are kept in the user's cache folder"


@pytest.mark.full
def test_the_physics_imports_in_little_more_time_than_numba():
    """At most 0.2 s where numba takes 0.3 s: the processor times of alternating runs, so that load changes both."""
    pytest.importorskip("resource")
    code = "import resource, {}; used = resource.getrusage(resource.RUSAGE_SELF); print(used.ru_utime + used.ru_stime)"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "0"}
    seconds = {"numba": [], "ellipsoid_walker.physics": []}
    for _ in range(4):
        for name, times in seconds.items():
            call = [sys.executable, "-c", code.format(name)]
            done = subprocess.run(call, env=env, capture_output=True, text=True, timeout=SECONDS, check=True)
            times.append(float(done.stdout))
    numba, physics = (min(times[1:]) for times in seconds.values())
    assert physics - numba < 0.2 / 0.3 * numba
