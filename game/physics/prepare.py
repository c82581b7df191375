"""Compile the kernels ahead, with progress: `python -m game.physics.prepare` prints `done/total name` lines.

Meant for a child process (compiling holds the interpreter's lock): the parent shows the progress, and finds the
compiled code in the kernel cache afterwards. The mesh's kernels compile in a second process beside the walker's.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from game.physics.jit import CACHE_FOLDER, CACHED

TOTAL = {"walker": 88, "mesh": 45}  # functions compiled, about: progress needs no more
READY = "ready"  # file in the cache folder: everything here is compiled


def ready() -> bool:
    """Whether the kernels need no compiling: cached, or the JIT is off."""
    return bool(numba.config.DISABLE_JIT) or (CACHED and (CACHE_FOLDER / READY).exists())


def _walker() -> None:
    from game.physics.settings import WalkerSettings
    from game.physics.state import WIDTH
    from game.physics.tick import run_ticks
    from game.physics.work import allocate

    numbers, ticks = WalkerSettings().rows()
    floats = np.zeros((2, WIDTH))
    work = allocate(4)
    nodes, links, triangles = np.zeros((0, 6)), np.zeros((0, 2), np.int32), np.zeros((0, 12))
    for array in (nodes, links, triangles):
        array.setflags(write=False)  # as a TriangleMesh's are: it is part of their type
    run_ticks(
        nodes,
        links,
        triangles,
        work[-1],
        work[:-1],
        numbers,
        ticks,
        floats,
        floats.view(np.int64),
        np.zeros((0, 2)),
        np.zeros((0, 2), np.int64),
        0,
    )


def _mesh() -> None:
    from game.physics.mesh import TriangleMesh
    from game.physics.queries import Ellipsoid

    square = np.array([[[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, 1], [0, 0, 1]]], dtype=np.float64)
    mesh = TriangleMesh(square)
    mesh.sweep(Ellipsoid((0.1, 0.1, 0.1)), (0.2, 1.0, 0.2), 0.0, (0.0, 0.1, 0.0))
    mesh.closest((0.2, 1.0, 0.2))


PARTS: dict[str, Callable[[], None]] = {"walker": _walker, "mesh": _mesh}


def compile_part(part: str, report: Callable[[int, str], None]) -> None:
    """Compile one part here and now; `report` is called with a count and a name after each function."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        done = 0

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            self.done += 1
            report(self.done, event.data["dispatcher"].py_func.__name__)

    with event.install_listener("numba:compile", Listener()):
        PARTS[part]()


def main(arguments: list[str]) -> int:
    """All parts, the mesh's in a process of its own; or the one part named."""
    if arguments:
        compile_part(arguments[0], lambda done, name: print(f"{done} {name}", flush=True))
        return 0
    total = sum(TOTAL.values())
    counts = dict.fromkeys(TOTAL, 0)
    lock = threading.Lock()

    def report(part: str, done: int, name: str) -> None:
        with lock:
            counts[part] = min(done, TOTAL[part])
            print(f"{sum(counts.values())}/{total} {name}", flush=True)

    with subprocess.Popen(
        [sys.executable, "-m", "game.physics.prepare", "mesh"], stdout=subprocess.PIPE, text=True
    ) as child:

        def listen() -> None:
            assert child.stdout is not None
            for line in child.stdout:
                done, name = line.split()
                report("mesh", int(done), name)

        listener = threading.Thread(target=listen)
        listener.start()
        compile_part("walker", lambda done, name: report("walker", done, name))
        listener.join()
    if child.returncode != 0:
        return 1
    if CACHED:
        (CACHE_FOLDER / READY).write_bytes(b"")
    print(f"{total}/{total} ready", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
