"""`doctor`: what this machine has of what the game needs, a line each, with a cure where it lacks."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import game

from ...core import user_folders
from ..launch import crash_report, kernel_compilation
from . import play

# The oldest version that does, and the first that does not any more: as in pyproject.toml.
PACKAGES: dict[str, tuple[str, str]] = {
    "pyglet": ("2.1.15", "3"),
    "moderngl": ("5.10", "6"),
    "pyrr": ("0.10.3", ""),
    "numpy": ("1.26", ""),
    "numba": ("0.61", ""),
    "PyYAML": ("6.0", ""),
    "pillow": ("10.1", ""),
    "platformdirs": ("4.0", ""),
    "trimesh": ("5", "6"),
}
OLDEST_PYTHON = (3, 11)
GL_SECONDS = 30.0
_GL_PROBE = """
from game.render import offscreen_context, suggested_quality
context = offscreen_context()
driver = context.info["GL_RENDERER"]
low = "; no graphics card draws, so quality is low" if suggested_quality(driver) == "low" else ""
print("found", driver, "|", context.info["GL_VERSION"] + low)
"""
_SOUND_PROBE = """
from game.app.audio.sound_player import driver
if driver():
    print("found", driver())
"""


_GAMEPAD_PROBE = """
import pyglet
from pyglet.input import get_controllers
for pad in get_controllers():
    print("found", pad.name)
"""


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at, what was found, and what to do if that is not good (empty: nothing)."""

    name: str
    found: str
    cure: str = ""

    def __str__(self) -> str:
        text = f"{'ok  ' if not self.cure else 'LACK'} {self.name}: {self.found}"
        return f"{text}; {self.cure}" if self.cure else text


def doctor() -> int:
    """Print the lines; 0 where all is there to play, 1 where something is missing."""
    lacking = False
    for look in LOOKS:
        for line in _guarded(look):
            print(line, flush=True)
            lacking = lacking or bool(line.cure)
    print("Something is missing for the whole game." if lacking else "All is there.")
    return 1 if lacking else 0


def _guarded(look: Callable[[], Iterator[Line]]) -> Iterator[Line]:
    try:
        yield from look()
    except Exception as error:
        yield Line(look.__name__, f"looking failed ({type(error).__name__}: {error})", "see the other lines")


def python() -> Iterator[Line]:
    """The interpreter and the system."""
    old = sys.version_info < OLDEST_PYTHON
    yield Line(
        "python",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "Python 3.11 or newer is needed" if old else "",
    )


def packages() -> Iterator[Line]:
    """Each library and its version."""
    for name, (least, below) in PACKAGES.items():
        wanted = f"{name}>={least}" + (f",<{below}" if below else "")
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Line(name, "not installed", f'python -m pip install "{wanted}"')
            continue
        good = numbers(least) <= numbers(found) and (not below or numbers(found) < numbers(below))
        yield Line(name, found, "" if good else f'python -m pip install "{wanted}"')


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: (2, 1, 15) of 2.1.15rc1."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[a-z+-]", version)[0]))


def files() -> Iterator[Line]:
    """The game itself, and what it is to bring with it."""
    lacking = [name for name in ("levels", "assets", "shaders") if not any(game.shipped(name).glob("*"))]
    where = game.shipped("levels").parent
    if lacking:
        yield Line("game", f"{where} lacks {' and '.join(lacking)}", "install it again")
    else:
        yield Line("game", f"{game.__version__}, {where}")


def display() -> Iterator[Line]:
    """Whether a window can be expected."""
    why = play.missing_display()
    yield Line("display", why or "there is one", "set it, or use sim, shot and check" if why else "")


def drawing() -> Iterator[Line]:
    """Whether OpenGL 3.3 can be had without a window; asked in a process of its own: drivers can crash."""
    probe = _probe(_GL_PROBE)
    found = [line[6:] for line in probe.stdout.splitlines() if line.startswith("found ")]
    if found:
        yield Line("OpenGL", found[-1])
        return
    said = (probe.stderr.strip().splitlines() or [f"status {probe.returncode}"])[-1]
    yield Line("OpenGL", "none without a window", said.partition(": ")[2] or said)


def _probe(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GL_SECONDS,
        env=kernel_compilation.child_environment(),
        check=False,
    )


def cache() -> Iterator[Line]:
    """Where the compiled physics is kept, and whether it is there."""
    base = user_folders.cache()
    if not kernel_compilation.writable(base):
        cure = f"set {user_folders.CACHE_VARIABLE} to another folder"
        yield Line("kernel cache", f"{base} cannot be written", cure)
        return
    from ...physics import prepare
    from ...physics.numerics import jit

    if not jit.CACHED:
        yield Line("kernel cache", "not used: NUMBA_DISABLE_JIT is set")
    elif prepare.ready():
        yield Line("kernel cache", f"{jit.CACHE_FOLDER}, prepared")
    else:
        yield Line("kernel cache", f"{jit.CACHE_FOLDER}, empty; the first start fills it in some seconds")


def config() -> Iterator[Line]:
    """Where the settings are kept."""
    folder = user_folders.config()
    if kernel_compilation.writable(folder):
        yield Line("settings", str(folder))
    else:
        other = f"set {user_folders.CONFIG_VARIABLE} to another folder, or they last only until the end"
        yield Line("settings", f"{folder} cannot be written", other)


def kept() -> Iterator[Line]:
    """Where progress, replays and the user's own levels are, and what crashes left."""
    folder = user_folders.data()
    if not kernel_compilation.writable(folder):
        cure = f"set {user_folders.DATA_VARIABLE} to another folder, or best times last only until the end"
        yield Line("progress", f"{folder} cannot be written", cure)
        return
    yield Line("progress", str(folder))
    left = sorted(crash_report.folder().glob("crash-*.zip"), key=lambda path: path.stat().st_mtime)
    if left:
        yield Line("crashes", f"{len(left)} told, the last in {left[-1]}")


def gamepad() -> Iterator[Line]:
    """Gamepads that are plugged in; asked in a process of its own, as drivers are."""
    if play.missing_display():
        yield Line("gamepad", "not looked for without a display")
        return
    found = [line[6:] for line in _probe(_GAMEPAD_PROBE).stdout.splitlines() if line.startswith("found ")]
    sealed = [path for path in Path("/dev/input").glob("event*") if not os.access(path, os.R_OK)]
    if found:
        yield Line("gamepad", ", ".join(found))
    elif sealed:
        yield Line("gamepad", "none that may be read; where one is plugged in, join the group `input`")
    else:
        yield Line("gamepad", "none is plugged in: keys and mouse do all")


def sound() -> Iterator[Line]:
    """What plays sounds; asked in a process of its own: sound libraries talk a lot."""
    if play.missing_display():
        yield Line("sound", "not looked for without a display")
        return
    found = [line[6:] for line in _probe(_SOUND_PROBE).stdout.splitlines() if line.startswith("found ")]
    yield Line("sound", found[-1] if found else "no device, or no library for it (Debian: libopenal1): silence")


LOOKS = (python, files, packages, display, drawing, cache, config, kept, gamepad, sound)
