"""`doctor`: check this computer for what the game needs, one line each, with a cure where something is missing."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ... import __version__, requirements, requires_python, shipped
from ...core import user_folders
from ..launch import kernel_compilation, standard_output
from ..launch.child_process import child_environment
from ..launch.display_check import missing_display_reason
from ..launch.requirements import parse_bounds, parse_requirement, satisfies

SUMMARY = "check what this computer has and lacks"
HELP = """\
Check what the game needs on this computer, one line each: Python, packages, display, OpenGL, folders,
gamepads and sound. Where something is missing, the line says what to do.

exit status: 0 everything is there; 1 something is missing"""

GL_TIMEOUT = 30.0  # s for a probe in a process of its own
OPTIONAL_PACKAGES = {
    "pyarrow": "tables as Parquet",
    "plotly": "plots as HTML",
    "DracoPy": "glTF models with Draco",
    "trimesh": "meshes from and to trimesh",
    "distributed": "fuzz --scheduler",
}
_PACKAGE = __name__.partition(".")[0]
_GL_PROBE = f"""
from {_PACKAGE}.render import offscreen_context, suggested_quality
context = offscreen_context()
driver = context.info["GL_RENDERER"]
low = "; no graphics card, so the quality is low" if suggested_quality(driver) == "low" else ""
print("found", driver, "|", context.info["GL_VERSION"] + low)
"""
_SOUND_PROBE = f"""
from {_PACKAGE}.app.audio.sound_player import audio_driver_name
if audio_driver_name():
    print("found", audio_driver_name())
"""
_GAMEPAD_PROBE = """
import pyglet
from pyglet.input import get_controllers
for pad in get_controllers():
    print("found", pad.name)
"""


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
    standard_output.add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print a line for each check; 0 where nothing is missing, else 1."""
    lines: list[DoctorLine] = []
    with standard_output.text_output(options.json):
        for check in CHECKS:
            for line in _run_check(check):
                print(line, flush=True)
                lines.append(line)
        is_missing = any(line.advice for line in lines)
        print("Something is missing." if is_missing else "Everything is there.")
    if options.json:
        checks = [
            {"name": line.name, "ok": not line.advice, "result": line.result, "advice": line.advice} for line in lines
        ]
        standard_output.print_document("doctor", {"status": int(is_missing), "checks": checks})
    return int(is_missing)


def _run_check(check: Callable[[], Iterator[DoctorLine]]) -> Iterator[DoctorLine]:
    try:
        yield from check()
    except Exception as error:
        yield DoctorLine(check.__name__, f"the check failed ({type(error).__name__}: {error})", "see the other lines")


def check_python() -> Iterator[DoctorLine]:
    """The interpreter and the system."""
    required = requires_python()
    is_old = not satisfies(platform.python_version(), parse_bounds(required))
    yield DoctorLine(
        "python",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        f"Python {required} is needed" if is_old else "",
    )


def check_packages() -> Iterator[DoctorLine]:
    """Each required package and its version."""
    from importlib import metadata

    for requirement in requirements():
        name, bounds = parse_requirement(requirement)
        advice = f'python -m pip install "{requirement}"'
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield DoctorLine(name, "not installed", advice)
        else:
            yield DoctorLine(name, version, "" if satisfies(version, bounds) else advice)


def check_files() -> Iterator[DoctorLine]:
    """The game, and the folders that are installed with it."""
    missing = [name for name in ("levels", "assets", "shaders") if not any(shipped(name).glob("*"))]
    folder = shipped("levels").parent
    if missing:
        yield DoctorLine("game", f"{folder} lacks {' and '.join(missing)}", "install it again")
    else:
        yield DoctorLine("game", f"{__version__}, {folder}")


def check_display() -> Iterator[DoctorLine]:
    """A display for the window."""
    reason = missing_display_reason()
    yield DoctorLine("display", reason or "available", "set it, or use sim, shot and check" if reason else "")


def check_opengl() -> Iterator[DoctorLine]:
    """OpenGL 3.3 without a window. The probe runs in a process of its own, because a driver can crash."""
    probe = _run_probe(_GL_PROBE)
    contexts = _found_lines(probe)
    if contexts:
        yield DoctorLine("OpenGL", contexts[-1])
        return
    error = (probe.stderr.strip().splitlines() or [f"status {probe.returncode}"])[-1]
    yield DoctorLine("OpenGL", "not available without a window", error.partition(": ")[2] or error)


def _run_probe(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GL_TIMEOUT,
        env=child_environment(),
        check=False,
    )


def _found_lines(probe: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.removeprefix("found ") for line in probe.stdout.splitlines() if line.startswith("found ")]


def check_kernel_cache() -> Iterator[DoctorLine]:
    """The folder of the compiled physics, and whether it is filled."""
    refused = _refused_folder("kernel cache", user_folders.cache_folder(), user_folders.CACHE_VARIABLE)
    if refused:
        yield refused
        return
    from ...physics import prepare
    from ...physics.numerics import jit

    if not jit.CACHED:
        yield DoctorLine("kernel cache", "not used: NUMBA_DISABLE_JIT is set")
    elif prepare.ready():
        yield DoctorLine("kernel cache", f"{jit.CACHE_FOLDER}, ready")
    else:
        yield DoctorLine("kernel cache", f"{jit.CACHE_FOLDER}, incomplete; the first start of the game fills it")


def check_kernel_compiler() -> Iterator[DoctorLine]:
    """Whether this package's compiler compiles the physics, and the compiled kernels in the package."""
    from ...physics.numerics import numba_parts

    reason = numba_parts.plain_reason()
    if reason is not None:
        yield DoctorLine("kernel compiler", f"plain Numba, which compiles longer and ticks slower, because {reason}")
        yield DoctorLine("shipped kernels", "not used: plain Numba compiles the physics")
        return
    from ...physics.numerics import kernel_cache

    yield DoctorLine("kernel compiler", "of this package")
    yield DoctorLine("shipped kernels", kernel_cache.shipped_status())


def check_config_folder() -> Iterator[DoctorLine]:
    folder, loss = user_folders.config_folder(), ", or settings are lost at exit"
    yield _refused_folder("settings", folder, user_folders.CONFIG_VARIABLE, loss) or DoctorLine("settings", str(folder))


def _refused_folder(name: str, folder: Path, variable: str, loss: str = "") -> DoctorLine | None:
    if kernel_compilation.is_writable(folder):
        return None
    return DoctorLine(name, f"{folder} is not writable", f"set {variable} to another folder{loss}")


def check_data_folder() -> Iterator[DoctorLine]:
    """The folder of progress, replays and own levels, and the number of crash reports in it."""
    from ..launch import crash_report

    folder, loss = user_folders.data_folder(), ", or best times are lost at exit"
    refused = _refused_folder("progress", folder, user_folders.DATA_VARIABLE, loss)
    yield refused or DoctorLine("progress", str(folder))
    if refused:
        return
    reports = sorted(crash_report.crash_folder().glob("crash-*.zip"), key=lambda path: path.stat().st_mtime)
    if reports:
        yield DoctorLine("crashes", f"{len(reports)} reported, the last in {reports[-1]}")


def check_gamepad() -> Iterator[DoctorLine]:
    """Connected gamepads. The probe runs in a process of its own, because a driver can crash."""
    if missing_display_reason():
        yield DoctorLine("gamepad", "not checked without a display")
        return
    gamepads = _found_lines(_run_probe(_GAMEPAD_PROBE))
    unreadable = [path for path in Path("/dev/input").glob("event*") if not os.access(path, os.R_OK)]
    if gamepads:
        yield DoctorLine("gamepad", ", ".join(gamepads))
    elif unreadable:
        yield DoctorLine("gamepad", "none readable; if one is connected, join the group `input`")
    else:
        yield DoctorLine("gamepad", "none connected; keyboard and mouse are enough")


def check_sound() -> Iterator[DoctorLine]:
    """The sound driver. The probe runs in a process of its own, because sound libraries print much."""
    if missing_display_reason():
        yield DoctorLine("sound", "not checked without a display")
        return
    drivers = _found_lines(_run_probe(_SOUND_PROBE))
    yield DoctorLine(
        "sound", drivers[-1] if drivers else "no device or no library (Debian: libopenal1); the game is silent"
    )


def check_sound_files() -> Iterator[DoctorLine]:
    from ..audio.sound_bank import SoundBank
    from ..audio.sound_player import SOUND_FOLDER

    bank = SoundBank(SOUND_FOLDER)
    bank.load(lambda *_: None, filtered=False)
    cure = "install the game again" if bank.problems else ""
    yield DoctorLine("sound files", "; ".join(bank.problems) or "all can be played", cure)


def check_movies() -> Iterator[DoctorLine]:
    """The formats of movies, and the encoder of mp4, which is optional."""
    from ...video import MovieError, find_ffmpeg

    try:
        yield DoctorLine("movies", f"mp4 and WebP; {find_ffmpeg()}")
    except MovieError:
        yield DoctorLine("movies", "WebP; for mp4: python -m pip install imageio-ffmpeg")


def check_optional_packages() -> Iterator[DoctorLine]:
    """A line for each optional package: its version, or what it is for and how to install it."""
    from importlib import metadata

    for package, use in OPTIONAL_PACKAGES.items():
        try:
            yield DoctorLine(package, f"{metadata.version(package)}, for {use}")
        except metadata.PackageNotFoundError:
            yield DoctorLine(package, f"not installed; for {use}: python -m pip install {package}")


CHECKS = (
    check_python,
    check_files,
    check_packages,
    check_display,
    check_opengl,
    check_kernel_cache,
    check_kernel_compiler,
    check_config_folder,
    check_data_folder,
    check_gamepad,
    check_sound,
    check_sound_files,
    check_movies,
    check_optional_packages,
)
