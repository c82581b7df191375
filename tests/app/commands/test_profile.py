"""`sim --profile`: where the time of a tick goes.

The whole tick with laps in it takes as long to compile as all other tests of the command line together. So the laps
are compiled here on their own, and the command walks in Python on the compiled kernels under the tick, which count.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace

import pytest

from game.app.commands import sim
from game.level import load
from game.physics import Walker, prepare
from game.physics.character import profile
from game.physics.character.layout import profile_counter
from game.physics.character.scratch import allocate_scratch
from game.physics.numerics import jit
from game.sim import World, command_script
from game.sim.replay.verifier import command_of
from tests.support import compiled_kernels

LAPS = f"""
import numpy as np
import {profile.__name__} as profile
import {profile_counter.__name__} as at
from {jit.__name__} import kernel
from {allocate_scratch.__module__} import allocate_scratch

@kernel
def lapped(w, phase, what, number):
    profile.start_profile(w)
    profile.end_phase(w, phase)
    profile.add_to_count(w, what, number)
    profile.add_to_count(w, what, np.int32(1))

work = allocate_scratch(4)
work.counters[:] = -7
lapped(work, at.GROUND_MOVE, at.SWEEPS, 3)
counted = work.counters.tolist()
assert counted[at.GROUND_MOVE] > 0, counted
assert counted[at.SWEEPS] == 4, counted
assert counted[at.REPEATED_TICKS] == counted[at.WRITE_STATE] == 0, counted
assert counted[0] == -7
"""
IN_PYTHON = f"""
import time
import {prepare.__name__} as prepare
prepare.compile_whole = lambda: None
profile._read_cycle_counter = time.perf_counter_ns  # Python has no other door to the processor's counter
"""


LIFT = """\
format: 1
spawn: {at: [0, 0.2, 0], facing: north}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - mover: {name: lift, path: [[0, 0, 0], [0, 3, 0]], seconds: 4, of: [box: {from: [-2, 0, -2], to: [2, 0.2, 2]}]}
"""


def test_the_walk_that_is_taken_apart_rides_lifts(monkeypatch, tmp_path):
    path = tmp_path / "lift.yaml"
    path.write_text(LIFT, encoding="utf-8")
    world, seen, run = World(load(path)), [], Walker.run

    def watched(*arguments, **named):
        seen.append(run(*arguments, **named))
        return seen[-1]

    monkeypatch.setattr(Walker, "run", watched)
    monkeypatch.setattr(profile, "read_profile", lambda counters: ({"walk": 1}, {}))
    rows = command_script.parse_script("120").rows(world.walker, world.start.heading, None)
    assert sim.profile_walk(world, rows)[0].startswith("120 ticks, ")
    for row in rows:
        world.step(command_of(row))
    assert world.walker.state(seen[-1][-1]) == world.walker_state
    assert world.walker_state.feet[1] > 0.5


@pytest.mark.full
def test_sim_profile_says_where_the_time_goes(monkeypatch, environment, level_file, tmp_path):
    called = []
    run = lambda call, env, check: called.append((call, env)) or Namespace(returncode=17)  # noqa: E731
    monkeypatch.setattr(sim.subprocess, "run", run)
    walk = tmp_path / "walk.commands"
    walk.write_text("10\n120 forward 1\n", encoding="utf-8")
    asked = Namespace(level=str(level_file), commands=walk, ticks=120)
    assert sim._profile(asked, command_script.read_script(walk)) == 17
    ((call, env),) = called
    assert env[profile.PROFILE_VARIABLE] == "1"
    monkeypatch.undo()

    cache = tmp_path / "cache"
    compiled_kernels.first_stage(cache)
    own = {**environment, profile.PROFILE_VARIABLE: "1", jit.CACHE_VARIABLE: str(cache), "NUMBA_DISABLE_JIT": "0"}
    assert call[:2] == [sys.executable, "-c"]
    script = tmp_path / "start.py"  # kernels that are cached need a file
    script.write_text(LAPS + IN_PYTHON + call[2], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), *call[3:]], env=own, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("120 ticks, ")
    shares = [float(line.split()[-1].rstrip("%")) for line in lines if line.endswith("%")]
    assert len(shares) == 9
    assert abs(sum(shares) - 100.0) < 1.0
    numbers = {line.split("  ")[1].strip(): float(line.split()[-3]) for line in lines[1:] if line.endswith("per tick")}
    assert numbers["contact searches"] >= 1.0
    assert numbers["candidate triangles"] >= 1.0
    assert numbers["sweeps"] > 0.0
