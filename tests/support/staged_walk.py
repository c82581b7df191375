"""Program that walks while the whole tick becomes compiled: `python -m tests.support.staged_walk calls|run`.

calls: `step`, `run` and `Crowd.step` take turns, until the background compiler has done its work.
run:   one long `run`, during which the marker of the whole tick appears.

Prints as JSON: hashes of the walks, the number of calls of each stage (calls), and the children that it started.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from game.physics import Command, Crowd, TriangleMesh, Walker
from game.physics.character.tick import run as tick_run
from game.physics.numerics import background_compile, staged_kernel
from tests.support.scenes import floor, mesh, wall

CALLS, RUN = 400, 12_000  # ticks that are hashed
TIMEOUT = 120.0  # s


def world() -> TriangleMesh:
    """A room."""
    return mesh(floor(-9, -9, 9, 9, tiles=9), wall(-9, -3, 9, -3, 2), wall(4, -9, 4, 9, 2), floor(-3, 1, 0, 3, y=0.3))


def rows(walker: Walker, count: int) -> Any:
    """Commands of a restless walk."""
    rng = np.random.default_rng(3)
    headings = np.cumsum(rng.integers(-2000, 2000, count)) % 65536
    return walker.commands(forward=np.ones(count), heading=headings, jump=rng.random(count) < 0.02)


def walk_by_calls() -> dict[str, Any]:
    """One tick in each way in turns, until all ways are compiled."""
    room, walkers = world(), [Walker(), Walker(), Walker()]
    commands, crowd = rows(walkers[0], CALLS), Crowd(walkers[2], room)
    state = walkers[0].spawn(room, (0.0, 0.0, 0.0))
    ran, stood = state.row(), np.repeat(state.row(), 3)
    digests, stages = [hashlib.sha256() for _ in walkers], []
    end = time.monotonic() + TIMEOUT
    while len(stages) < CALLS or (not all(stages[-1]) and time.monotonic() < end):
        row = commands[len(stages) % CALLS : len(stages) % CALLS + 1]
        command = Command(forward=1.0, heading=int(row["heading"][0]), jump=bool(row["buttons"][0]))
        state, _ = walkers[0].step(state, command, room)
        ran = walkers[1].run(walkers[1].state(ran[0]), row, room)
        stood = crowd.step(stood, np.repeat(row, 3))
        for digest, after in zip(digests, (state.row(), ran, stood[1:2]), strict=True):
            digest.update(after.tobytes())
        stages.append([walker._run_ticks is tick_run.run_whole_tick for walker in walkers])
        if len(stages) == CALLS:
            hashes = [digest.hexdigest() for digest in digests]
    rest = {digest.hexdigest() for digest in digests}  # the switch comes after the hashed ticks, mostly
    expected = Walker().run(Walker().spawn(room, (0.0, 0.0, 0.0)), commands[np.arange(len(stages)) % CALLS], room)
    same = rest == {hashlib.sha256(expected.tobytes()).hexdigest()}
    return {"hashes": hashes, "same to the end": same, "interpreted": sum(not stage[0] for stage in stages),
            "compiled": stages[-1]}  # fmt: skip


def walk_by_run() -> dict[str, Any]:
    """One run. The marker appears after 0.3 s."""
    room, walker = world(), Walker()
    state = walker.spawn(room, (0.0, 0.0, 0.0))
    kernel, interpreted = tick_run.whole_tick, [0]
    run = kernel.interpreted

    def count(*arguments: Any) -> Any:
        interpreted[0] += arguments[-1] - arguments[-2]
        return run(*arguments)

    kernel.interpreted = count
    threading.Timer(0.3, background_compile.record_compiled, (background_compile.WHOLE,)).start()
    states = walker.run(state, rows(walker, RUN), room)
    return {"hashes": [hashlib.sha256(states.tobytes()).hexdigest()], "interpreted": interpreted[0],
            "compiled": kernel.is_loaded}  # fmt: skip


def main(way: str) -> None:
    """Walk in one of the two ways."""
    staged_kernel.START_SECONDS = 0.1
    assert not background_compile.is_compiled(background_compile.WHOLE)
    started: list[Any] = []
    start = background_compile.BackgroundCompiler._start

    def count_start(self: Any, lock: Any) -> Any:
        started.append(start(self, lock))
        return started[-1]

    background_compile.BackgroundCompiler._start = count_start  # type: ignore[method-assign]
    found = walk_by_calls() if way == "calls" else walk_by_run()
    left = [child.pid for child in started if Path(f"/proc/{child.pid}").exists()]
    print(json.dumps({**found, "children": len(started), "left": left}))


if __name__ == "__main__":
    main(sys.argv[1])
