"""`run_doctor`: what this machine has of what the game needs, a line each, with a cure where it lacks."""

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

GL_TIMEOUT = 30.0
_GL_PROBE = """
from game.render import offscreen_context, suggested_quality
context = offscreen_context()
driver = context.info["GL_RENDERER"]
low = "; no graphics card, so the quality is low" if suggested_quality(driver) == "low" else ""
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
class DoctorLine:
    """What was looked at, what was found, and what to do if that is not good (empty: nothing)."""

    name: str
    result: str
    advice: str = ""

    def __str__(self) -> str:
        text = f"{'ok  ' if not self.advice else 'LACK'} {self.name}: {self.result}"
        return f"{text}; {self.advice}" if self.advice else text


def run_doctor() -> int:
    """Print the lines; 0 where all is there to play, 1 where something is missing."""
    lacking = False
    for look in CHECKS:
        for line in _run_check(look):
            print(line, flush=True)
            lacking = lacking or bool(line.advice)
    print("Something is missing." if lacking else "Everything is there.")
    return 1 if lacking else 0


def _run_check(look: Callable[[], Iterator[DoctorLine]]) -> Iterator[DoctorLine]:
    try:
        yield from look()
    except Exception as error:
        yield DoctorLine(look.__name__, f"the check failed ({type(error).__name__}: {error})", "see the other lines")


def check_python() -> Iterator[DoctorLine]:
    """The interpreter and the system."""
    wanted = game.requires_python()
    old = not suits(platform.python_version(), bounds(wanted))
    yield DoctorLine(
        "python",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        f"Python {wanted} is needed" if old else "",
    )


def check_packages() -> Iterator[DoctorLine]:
    """Each library and its version."""
    for wanted in game.requirements():
        name, limits = named(wanted)
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield DoctorLine(name, "not installed", f'python -m pip install "{wanted}"')
            continue
        yield DoctorLine(name, found, "" if suits(found, limits) else f'python -m pip install "{wanted}"')


Bounds = tuple[tuple[str, str], ...]


def named(requirement: str) -> tuple[str, Bounds]:
    """The name and the bounds of `pyglet>=2.1.15,<3`."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None, requirement
    return found[0], bounds(requirement[found.end() :])


def bounds(text: str) -> Bounds:
    """(">=", "2.1.15"), ("<", "3") of `>=2.1.15,<3`."""
    return tuple((sign, version) for sign, version in re.findall(r"(>=|<)\s*([\w.]+)", text))


def suits(version: str, limits: Bounds) -> bool:
    """Whether a version lies within all bounds."""
    now = version_numbers(version)
    return all(now < version_numbers(limit) if sign == "<" else now >= version_numbers(limit) for sign, limit in limits)


def version_numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: (2, 1, 15) of 2.1.15rc1."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[a-z+-]", version)[0]))


def check_files() -> Iterator[DoctorLine]:
    """The game itself, and what it is to bring with it."""
    lacking = [name for name in ("levels", "assets", "shaders") if not any(game.shipped(name).glob("*"))]
    where = game.shipped("levels").parent
    if lacking:
        yield DoctorLine("game", f"{where} lacks {' and '.join(lacking)}", "install it again")
    else:
        yield DoctorLine("game", f"{game.__version__}, {where}")


def check_display() -> Iterator[DoctorLine]:
    """Whether a window can be expected."""
    why = play.missing_display_reason()
    yield DoctorLine("display", why or "available", "set it, or use sim, shot and check" if why else "")


def check_opengl() -> Iterator[DoctorLine]:
    """Whether OpenGL 3.3 can be had without a window; asked in a process of its own: drivers can crash."""
    probe = _run_probe(_GL_PROBE)
    found = [line[6:] for line in probe.stdout.splitlines() if line.startswith("found ")]
    if found:
        yield DoctorLine("OpenGL", found[-1])
        return
    said = (probe.stderr.strip().splitlines() or [f"status {probe.returncode}"])[-1]
    yield DoctorLine("OpenGL", "not available without a window", said.partition(": ")[2] or said)


def _run_probe(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GL_TIMEOUT,
        env=kernel_compilation.child_environment(),
        check=False,
    )


def check_kernel_cache() -> Iterator[DoctorLine]:
    """Where the compiled physics is kept, and whether it is there."""
    base = user_folders.cache_folder()
    if not kernel_compilation.is_writable(base):
        cure = f"set {user_folders.CACHE_VARIABLE} to another folder"
        yield DoctorLine("kernel cache", f"{base} is not writable", cure)
        return
    from ...physics import prepare
    from ...physics.numerics import jit

    if not jit.CACHED:
        yield DoctorLine("kernel cache", "not used: NUMBA_DISABLE_JIT is set")
    elif prepare.ready():
        yield DoctorLine("kernel cache", f"{jit.CACHE_FOLDER}, ready")
    else:
        yield DoctorLine("kernel cache", f"{jit.CACHE_FOLDER}, empty; the first start fills it (some seconds)")


def check_config_folder() -> Iterator[DoctorLine]:
    """Where the settings are kept."""
    folder = user_folders.config_folder()
    if kernel_compilation.is_writable(folder):
        yield DoctorLine("settings", str(folder))
    else:
        other = f"set {user_folders.CONFIG_VARIABLE} to another folder, or settings are lost at exit"
        yield DoctorLine("settings", f"{folder} is not writable", other)


def check_data_folder() -> Iterator[DoctorLine]:
    """Where progress, replays and the user's own levels are, and what crashes left."""
    folder = user_folders.data_folder()
    if not kernel_compilation.is_writable(folder):
        cure = f"set {user_folders.DATA_VARIABLE} to another folder, or best times are lost at exit"
        yield DoctorLine("progress", f"{folder} is not writable", cure)
        return
    yield DoctorLine("progress", str(folder))
    left = sorted(crash_report.crash_folder().glob("crash-*.zip"), key=lambda path: path.stat().st_mtime)
    if left:
        yield DoctorLine("crashes", f"{len(left)} reported, the last in {left[-1]}")


def check_gamepad() -> Iterator[DoctorLine]:
    """Gamepads that are plugged in; asked in a process of its own, as drivers are."""
    if play.missing_display_reason():
        yield DoctorLine("gamepad", "not checked without a display")
        return
    found = [line[6:] for line in _run_probe(_GAMEPAD_PROBE).stdout.splitlines() if line.startswith("found ")]
    sealed = [path for path in Path("/dev/input").glob("event*") if not os.access(path, os.R_OK)]
    if found:
        yield DoctorLine("gamepad", ", ".join(found))
    elif sealed:
        yield DoctorLine("gamepad", "none readable; if one is connected, join the group `input`")
    else:
        yield DoctorLine("gamepad", "none connected; keyboard and mouse are enough")


def check_sound() -> Iterator[DoctorLine]:
    """What plays sounds; asked in a process of its own: sound libraries talk a lot."""
    if play.missing_display_reason():
        yield DoctorLine("sound", "not checked without a display")
        return
    found = [line[6:] for line in _run_probe(_SOUND_PROBE).stdout.splitlines() if line.startswith("found ")]
    yield DoctorLine(
        "sound", found[-1] if found else "no device or no library (Debian: libopenal1); the game is silent"
    )


CHECKS = (
    check_python,
    check_files,
    check_packages,
    check_display,
    check_opengl,
    check_kernel_cache,
    check_config_folder,
    check_data_folder,
    check_gamepad,
    check_sound,
)
