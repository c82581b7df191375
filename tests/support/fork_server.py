"""Commands as processes without the second that a start takes: a server that has loaded the game forks one for each.

A forked command is a process of its own, with its arguments, environment, folder, standard files, signals and exit
status. It shares with the others what an interpreter chooses once, such as the seed of string hashes: a test of equal
output from two runs starts one of them with `start_command`.
"""

from __future__ import annotations

import atexit
import contextlib
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
READ_ON_IMPORT = ("WALKER_CACHE", "NUMBA_", "PYGLET_", "PYTHON", "LD_")  # beginnings of names
START_SECONDS = 120.0  # in which the server imports everything
FLOOR = "format: 1\nspawn: {at: [0, 0, 0], facing: north}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"

Result = subprocess.CompletedProcess[str]


def start_command(arguments: list[str], environment: Mapping[str, str], folder: str | Path, timeout: float) -> Result:
    """Run the command line in a new interpreter."""
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True, text=True, env=environment, cwd=folder, timeout=timeout, stdin=subprocess.DEVNULL,
        check=False, preexec_fn=IN_CHILD,
    )  # fmt: skip


def reset_signals() -> None:
    """Python's own handlers for the signals that end a command: `nohup` and some shells ignore them in all children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


IN_CHILD = reset_signals if os.name == "posix" else None  # for subprocess.Popen(preexec_fn=...)


def fork_command(arguments: list[str], environment: Mapping[str, str], folder: str | Path, timeout: float) -> Result:
    """Run the command line as `start_command` does, forked where the system and the environment allow it."""
    if not can_fork(environment):
        return start_command(arguments, environment, folder, timeout)
    with tempfile.TemporaryDirectory() as home:
        out, err = Path(home, "out"), Path(home, "err")
        process = ForkedProcess(arguments, environment, folder, out, err)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout)
            raise
        return subprocess.CompletedProcess(arguments, status, out.read_text(), err.read_text())


def can_fork(environment: Mapping[str, str]) -> bool:
    """True if the system has fork, and the environment has no variable that had to be set before the imports."""
    return hasattr(os, "fork") and _import_variables(environment) == _import_variables(os.environ)


def _import_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that take effect on import, when the server has already read them."""
    return {k: v for k, v in environment.items() if k.startswith(READ_ON_IMPORT) and k != "PYTHONPATH"}


class ForkedProcess:
    """A command as a child of the server, with the methods of `subprocess.Popen` that the tests use.

    The server has one child at a time: the next one is started when this one has ended.
    """

    def __init__(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        folder: str | Path,
        out: Path,
        err: Path,
        script: str = SCRIPT,
    ) -> None:
        """script: the program that takes the arguments."""
        self.args, self._server = arguments, _start_server()
        self.returncode: int | None = None
        request = [script, arguments, dict(environment), str(folder), str(out), str(err)]
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(request).encode() + b"\n")
        self.pid = self._answer(START_SECONDS)

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0.0)
        return self.returncode

    def wait(self, timeout: float) -> int:
        if self.returncode is None:
            self.returncode = self._answer(timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def cpu_seconds(self) -> float:
        """Seconds of a processor that the process has used; 0 where the system does not tell."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _answer(self, timeout: float) -> int:
        assert self._server.stdout is not None
        ready, _, _ = select.select([self._server.stdout], [], [], timeout)
        if not ready:
            raise subprocess.TimeoutExpired(self.args, timeout)
        line = self._server.stdout.readline()
        assert line, "the fork server has ended"
        return int(line)


@cache
def _start_server() -> subprocess.Popen[bytes]:
    """The server process of this test process. It ends when its input ends."""
    server = subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    atexit.register(server.communicate)
    return server


def serve() -> None:
    """Fork a child for each line of input; answer with its process number, and its exit status when it has ended."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(*json.loads(line))
        answers.write(f"{child}\n")
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")


def _become(
    script: str, arguments: list[str], environment: dict[str, str], folder: str, out: str, err: str
) -> NoReturn:
    """Run a program in this process and end it: exit functions, flush, status; no module is torn down."""
    reset_signals()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    writing = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, out, writing), (2, err, writing)):
        file = os.open(name, flags)
        os.dup2(file, number)
        os.close(file)
    sys.argv[:] = [script, *arguments]
    status = 1
    try:
        runpy.run_path(script, run_name="__main__")
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
