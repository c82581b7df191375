"""Commands as processes without the second that a start takes: a server that has loaded the game forks one for each.

A forked command is a process of its own, with its arguments, environment, folder, standard files, signals and exit
status. It shares with the others what an interpreter chooses once, such as the seed of string hashes: a test of equal
output from two runs starts one of them with `start_command`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "run_game.py")
READ_ON_IMPORT = ("WALKER_CACHE", "WALKER_PROFILE", "NUMBA_", "PYGLET_", "PYTHON", "LD_")  # beginnings of names
FLOOR = "format: 1\nspawn: {at: [0, 0, 0], facing: north}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"

Result = subprocess.CompletedProcess[str]


def start_command(arguments: list[str], environment: Mapping[str, str], folder: str | Path, timeout: float) -> Result:
    """Run the command line in a new interpreter."""
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True, text=True, env=environment, cwd=folder, timeout=timeout, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip


def fork_command(arguments: list[str], environment: Mapping[str, str], folder: str | Path, timeout: float) -> Result:
    """Run the command line as `start_command` does, forked where the system and the environment allow it."""
    if not hasattr(os, "fork") or _import_variables(environment) != _import_variables(os.environ):
        return start_command(arguments, environment, folder, timeout)
    return _server().run(arguments, environment, folder, timeout)


def _import_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that take effect on import, when the server has already read them."""
    return {k: v for k, v in environment.items() if k.startswith(READ_ON_IMPORT) and k != "PYTHONPATH"}


@cache
def _server() -> _Server:
    return _Server()


class _Server:
    """The server process, as seen from the tests. It ends when its input ends."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        atexit.register(self._process.communicate)

    def run(self, arguments: list[str], environment: Mapping[str, str], folder: str | Path, timeout: float) -> Result:
        assert self._process.stdin is not None
        with tempfile.TemporaryDirectory() as home:
            files = [Path(home, "out"), Path(home, "err")]
            request = [arguments, dict(environment), str(folder), *map(str, files)]
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            child = self._answer(timeout)
            try:
                status = self._answer(timeout)
            except subprocess.TimeoutExpired:
                os.kill(child, signal.SIGKILL)
                self._answer(timeout)
                raise
            return subprocess.CompletedProcess(arguments, status, *(file.read_text() for file in files))

    def _answer(self, timeout: float) -> int:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], timeout)
        if not ready:
            raise subprocess.TimeoutExpired(self._process.args, timeout)
        line = self._process.stdout.readline()
        assert line, "the fork server has ended"
        return int(line)


def serve() -> None:
    """Fork a child for each line of input; answer with its process number, and its exit status when it has ended."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(*json.loads(line))
        answers.write(f"{child}\n")
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")


def _become(arguments: list[str], environment: dict[str, str], folder: str, out: str, err: str) -> NoReturn:
    """Run the command line in this process and end it: exit functions, flush, status; no module is torn down."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    writing = os.O_WRONLY | os.O_CREAT
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, out, writing), (2, err, writing)):
        file = os.open(name, flags)
        os.dup2(file, number)
        os.close(file)
    sys.argv[:] = [SCRIPT, *arguments]
    status = 1
    try:
        runpy.run_path(SCRIPT, run_name="__main__")
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)


def _load() -> None:
    """Import what the commands import, and load the kernels of a tick."""
    from game.app.commands import command_line  # noqa: F401
    from game.level import load
    from game.physics import Command
    from game.render import Renderer  # noqa: F401
    from game.sim import World

    with tempfile.TemporaryDirectory() as folder:
        level = Path(folder, "floor.yaml")
        level.write_text(FLOOR, encoding="utf-8")
        World(load(level)).step(Command())


if __name__ == "__main__":
    _load()
    gc.freeze()
    serve()
