"""`doctor`: check this computer for what the game needs, one line each, with a cure where something is missing."""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from ... import __version__, requirements, requires_python, shipped
from ...core import user_folders
from ...core.jobs import Jobs, Worker, failure_reason
from ..launch.display_check import missing_display_reason
from ..launch.kernel_compilation import is_writable
from ..launch.requirements import installed_version, parse_bounds, parse_requirement, satisfies
from .frame import Result, add_json

SUMMARY = "check what this computer has and lacks"
HELP = """\
Check what the game needs on this computer, one line each: Python, packages, display, OpenGL, folders,
gamepads and sound. Where something is missing, the line says what to do.

exit status: 0 everything is there; 1 something is missing"""

PROBE_SECONDS = 30.0  # for a probe in a process of its own
OPTIONAL_PACKAGES = {
    "imageio-ffmpeg": "movies as mp4",
    "plotly": "plots as HTML",
    "DracoPy": "glTF models with Draco",
    "trimesh": "meshes from and to trimesh",
    "distributed": "fuzz --scheduler",
}
FOLDERS: dict[str, tuple[Callable[[], Path], str, str]] = {  # the folder, its variable, and what is lost without it
    "kernel cache": (user_folders.cache_folder, user_folders.CACHE_VARIABLE, ""),
    "settings": (user_folders.config_folder, user_folders.CONFIG_VARIABLE, ", or settings are lost at exit"),
    "progress": (user_folders.data_folder, user_folders.DATA_VARIABLE, ", or best times are lost at exit"),
}
PROBE = Worker("probe", 0)

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class DoctorLine:
    """Name of a check, its result, and advice where something is missing (else empty)."""

    name: str
    result: str
    advice: str = ""

    def __str__(self) -> str:
        text = f"{'ok  ' if not self.advice else 'FAIL'} {self.name}: {self.result}"
        return f"{text}; {self.advice}" if self.advice else text


def add_options(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace) -> Result:
    """Print a line for each check; 0 where nothing is missing, else 1."""
    lines: list[DoctorLine] = []
    for check in CHECKS:
        try:
            for line in check():
                print(line, flush=True)
                lines.append(line)
        except Exception as error:
            reason = f"the check failed ({type(error).__name__}: {error})"
            lines.append(DoctorLine(check.__name__, reason, "see the other lines"))
            print(lines[-1], flush=True)
    checks = [{"ok": not line.advice, **asdict(line)} for line in lines]
    is_missing = any(line.advice for line in lines)
    conclusion = "Something is missing." if is_missing else "Everything is there."
    return Result(int(is_missing), [conclusion], lambda: {"checks": checks})


def check_python() -> Iterator[DoctorLine]:
    """The interpreter and the system."""
    required = requires_python()
    is_old = not satisfies(platform.python_version(), parse_bounds(required))
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield DoctorLine("python", found, f"Python {required} is needed" if is_old else "")


def check_files() -> Iterator[DoctorLine]:
    """The game, and the folders that are installed with it."""
    missing = [name for name in ("levels", "assets", "shaders") if not any(shipped(name).glob("*"))]
    folder = shipped("levels").parent
    if missing:
        yield DoctorLine("game", f"{folder} lacks {' and '.join(missing)}", "install it again")
    else:
        yield DoctorLine("game", f"{__version__}, {folder}")


def check_packages() -> Iterator[DoctorLine]:
    """Each required package and its version."""
    for requirement in requirements():
        name, bounds = parse_requirement(requirement)
        version = installed_version(name)
        is_good = version is not None and satisfies(version, bounds)
        yield DoctorLine(name, version or "not installed", "" if is_good else f'python -m pip install "{requirement}"')


def check_optional_packages() -> Iterator[DoctorLine]:
    """Each optional package: its version, or what it is for and how to install it. None of them has to be there."""
    for name, use in OPTIONAL_PACKAGES.items():
        version = installed_version(name)
        cure = f"not installed; for {use}: python -m pip install {name}"
        yield DoctorLine(name, cure if version is None else f"{version}, for {use}")


def check_display() -> Iterator[DoctorLine]:
    """A display for the window."""
    reason = missing_display_reason()
    yield DoctorLine("display", reason or "available", "set it, or use sim, shot and check" if reason else "")


def _probe(function: Callable[[], Found]) -> Found:
    """The result of a function in a process of its own, because drivers can crash, and print much. Raises its error."""
    with Jobs() as jobs:
        job = jobs.process(PROBE, function)
        jobs.finish_one(job, PROBE_SECONDS)
        if not job.done():
            raise TimeoutError(f"no answer after {PROBE_SECONDS:.0f} s")
        return job.result()


def find_opengl() -> str:
    from ...render import offscreen_context, suggested_quality

    context = offscreen_context()
    driver = context.info["GL_RENDERER"]
    low = "; no graphics card, so the quality is low" if suggested_quality(driver) == "low" else ""
    return f"{driver} | {context.info['GL_VERSION']}{low}"


def find_gamepads() -> list[str]:
    from pyglet.input import get_controllers

    return [pad.name for pad in get_controllers()]


def find_sound() -> str:
    from ..audio.sound_player import audio_driver_name

    return audio_driver_name()


def check_opengl() -> Iterator[DoctorLine]:
    """OpenGL 3.3 without a window."""
    try:
        yield DoctorLine("OpenGL", _probe(find_opengl))
    except Exception as error:
        yield DoctorLine("OpenGL", "not available without a window", failure_reason(error))


def check_folders() -> Iterator[DoctorLine]:
    """The folders of the compiled physics, of settings, and of progress, replays and own levels."""
    for name, (find_folder, variable, loss) in FOLDERS.items():
        folder = find_folder()
        advice = "" if is_writable(folder) else f"set {variable} to another folder{loss}"
        yield DoctorLine(name, f"{folder} is not writable" if advice else str(folder), advice)


def check_kernel_compiler() -> Iterator[DoctorLine]:
    """Lines about what makes the physics compile slowly or at every start; none where all is well."""
    from ...physics.numerics import kernel_cache, numba_parts

    reason = numba_parts.plain_reason()
    if reason is not None:
        yield DoctorLine("kernel compiler", f"plain Numba, which compiles longer and ticks slower, because {reason}")
    else:
        yield DoctorLine("shipped kernels", kernel_cache.shipped_status())


def check_crashes() -> Iterator[DoctorLine]:
    """The crash reports that were written."""
    from ..launch import crash_report

    reports = sorted(crash_report.crash_folder().glob("crash-*.zip"), key=lambda path: path.stat().st_mtime)
    if reports:
        yield DoctorLine("crashes", f"{len(reports)} reported, the last in {reports[-1]}")


def check_devices() -> Iterator[DoctorLine]:
    """Connected gamepads and the sound driver. Their libraries need a display: without one there is no line."""
    if missing_display_reason():
        return
    gamepads, driver = list[str](), ""
    with contextlib.suppress(Exception):  # no /dev/input, or a library that fails
        gamepads = _probe(find_gamepads)
    with contextlib.suppress(Exception):
        driver = _probe(find_sound)
    cure = "none connected; keyboard and mouse are enough"
    if not all(os.access(path, os.R_OK) for path in Path("/dev/input").glob("event*")):
        cure = "none readable; if one is connected, join the group `input`"
    yield DoctorLine("gamepad", ", ".join(gamepads) or cure)
    yield DoctorLine("sound", driver or "no device or no library (Debian: libopenal1); the game is silent")


def check_sound_files() -> Iterator[DoctorLine]:
    """The sounds of the game that cannot be read."""
    from ..audio.sound_bank import SoundBank
    from ..audio.sound_player import SOUND_FOLDER

    bank = SoundBank(SOUND_FOLDER)
    bank.load(lambda *_: None, filtered=False)
    if bank.problems:
        yield DoctorLine("sound files", "; ".join(bank.problems), "install the game again")


CHECKS = (
    check_python,
    check_files,
    check_packages,
    check_display,
    check_opengl,
    check_folders,
    check_kernel_compiler,
    check_crashes,
    check_devices,
    check_sound_files,
    check_optional_packages,
)
