"""What is left where the game fails by a mistake of its own: one file to send, and one sentence.

The file is a zip in the user's data folder: the trace, what was running on what, the settings, the level's own files,
and the last half minute as a replay, so that whoever gets it can walk into the same mistake.
"""

from __future__ import annotations

import io
import json
import platform
import sys
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import game as whole

from ...core import user_folders
from .state_report import state_report

if TYPE_CHECKING:
    from ..game import Game

CRASH_STATUS = 70  # of a process that ends so: EX_SOFTWARE of sysexits.h
MAX_REPORTS = 10  # files; the oldest beyond that are removed
MAX_LEVEL_BYTES = 8 << 20  # of one file of a level
PROJECT_ROOT = Path(whole.__file__).resolve().parent.parent


def crash_folder() -> Path:
    """Where they are kept."""
    return user_folders.data_folder() / "crashes"


def write_crash_report(
    error: BaseException,
    arguments: Sequence[str] = (),
    game: Game | None = None,
    what: str = "The game crashed",
) -> str:
    """Write the file and give the sentence about it, which begins with `what`. Raises nothing: what cannot be had is
    left out."""
    return _told(f"{what} ({summarise_exception(error)}).", lambda: build_zip(error, arguments, game))


def leave_fatal(name: str, trace: str) -> str:
    """The same for the trace that a fatal signal left in a file of that name in an earlier run."""

    def made() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
            held.writestr(name, trace)
            held.writestr("about.json", _as_json({**_describe_run(()), "fatal_trace": name}))
        return out.getvalue()

    return _told("The game crashed the last time that it ran.", made)


def _told(said: str, made: Callable[[], bytes]) -> str:
    try:
        path = _write_report(made())
    except Exception as problem:
        return f"{said} No crash report could be written ({problem})."
    return f"{said} A crash report is saved in {path}; please send it and say what you did."


def summarise_exception(error: BaseException) -> str:
    """What it is, and where: `ValueError: no such thing, game/app/display/hud_builder.py:12`."""
    text = " ".join(str(error).split())[:160]
    name = type(error).__name__ + (f": {text}" if text else "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _project_path(frame.filename)]
    return f"{name}, {_project_path(frames[-1].filename)}:{frames[-1].lineno}" if frames else name


def _project_path(file: str) -> str:
    """A file of the game, from its root; else nothing."""
    path = Path(file)
    inside = path.is_absolute() and path.is_relative_to(PROJECT_ROOT / "game")
    return path.relative_to(PROJECT_ROOT).as_posix() if inside else ""


def build_zip(error: BaseException, arguments: Sequence[str], game: Game | None) -> bytes:
    """The zip. `game` is what was being played, if anything was."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
        failed: list[str] = []
        for name, content in _zip_entries(error, arguments, game, failed):
            held.writestr(name, content)
        if failed:
            held.writestr("left-out.txt", "\n".join(failed) + "\n")
    return out.getvalue()


def _zip_entries(
    error: BaseException, arguments: Sequence[str], game: Game | None, failed: list[str]
) -> Iterator[tuple[str, bytes | str]]:
    def tried(name: str, make: Callable[[], bytes | str]) -> Iterator[tuple[str, bytes | str]]:
        try:
            yield name, make()
        except Exception as problem:  # whatever is broken, the rest still helps
            failed.append(f"{name}: {type(problem).__name__}: {problem}")

    yield from tried("trace.txt", lambda: "".join(traceback.format_exception(error)))
    yield from tried("about.json", lambda: _as_json(_describe_run(arguments)))
    if game is None:
        return
    yield from tried("settings.json", lambda: _as_json(asdict(game.settings)))
    yield from tried("state.json", lambda: state_report(game))
    yield from tried("last-seconds.replay", lambda: _session_replay(game))
    for path in dict.fromkeys(path for path in game.level.files if path.is_file()):
        yield from tried(f"level/{path.name}", lambda path=path: _read_text(path))  # type: ignore[misc]


def _as_json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, indent=1, default=str) + "\n"


def _describe_run(arguments: Sequence[str]) -> dict[str, Any]:
    from importlib import metadata

    from ...sim.replay import fingerprint
    from ..commands.doctor import named

    versions: dict[str, str] = {}
    for name, _ in map(named, whole.requirements()):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "when": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "arguments": list(arguments),
        "made_with": fingerprint.component_versions(),
        "versions": versions,
        "system": platform.platform(),
        "python": sys.version,
    }


def _session_replay(game: Game) -> bytes:
    """The session's last half minute, up to the tick that failed."""
    from ...sim import World

    session = game.session
    if session is None or session.rewind_buffer is None:
        raise LookupError("nothing was played yet")
    written = io.BytesIO()
    world = World(session.world.level, session.world.settings)
    if not session.rewind_buffer.write_replay(world, written.write, "before the game stopped"):
        raise LookupError("no ticks were recorded")
    return written.getvalue()


def _read_text(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(MAX_LEVEL_BYTES)


def _write_report(data: bytes) -> Path:
    from ...core import atomic_files

    where = crash_folder()
    where.mkdir(parents=True, exist_ok=True)
    stem = time.strftime("crash-%Y-%m-%d-%H%M%S")
    taken = {path.name for path in where.glob("crash-*.zip")}
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.zip" for number in range(1, len(taken) + 2))
    path = where / next(name for name in names if name not in taken)
    atomic_files.write_atomic(path, data)
    for old in sorted(where.glob("crash-*.zip"), key=lambda held: held.stat().st_mtime)[:-MAX_REPORTS]:
        old.unlink(missing_ok=True)
    return path
