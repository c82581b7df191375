"""Crash report: a zip file in the user's data folder, and one sentence that names it.

The zip holds the traceback, versions and system, the settings, the files of the level, and the last half minute of
play as a replay, so that the reader can reproduce the error.
"""

from __future__ import annotations

import io
import json
import platform
import sys
import time
import traceback
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core import user_folders
from ...core.file_reading import read_at_most
from .requirements import installed_versions

if TYPE_CHECKING:
    from ..game import Game

CRASH_STATUS = 70  # exit status after a crash: EX_SOFTWARE of sysexits.h
CRASH_REPLAY_SECONDS = 30.0  # s of play that a report replays
MAX_REPORTS = 10  # files that are kept; older ones are removed
MAX_LEVEL_BYTES = 8 << 20  # bytes of one level file that go into the zip
PACKAGE_FOLDER = Path(__file__).resolve().parents[2]


def crash_folder() -> Path:
    return user_folders.data_folder() / "crashes"


def write_crash_report(
    error: BaseException,
    arguments: Sequence[str] = (),
    game: Game | None = None,
    what: str = "The game crashed",
) -> str:
    """Write the zip file; the sentence for the user, which begins with `what`. Raises nothing."""
    return _save_report(f"{what} ({summarise_exception(error)}).", lambda: build_zip(error, arguments, game))


def write_fatal_report(name: str, trace: str) -> str:
    """Write the zip file of a fatal signal in an earlier run, from its trace file `name`; the sentence for the user."""

    def entries() -> Iterator[tuple[str, str]]:
        yield name, trace
        yield "about.json", _as_json({**_describe_run(()), "fatal_trace": name})

    return _save_report("The game crashed the last time that it ran.", lambda: _zip(entries()))


def _save_report(sentence: str, build: Callable[[], bytes]) -> str:
    try:
        path = _write_report(build())
    except Exception as problem:
        return f"{sentence} No crash report could be written ({problem})."
    return f"{sentence} A crash report is saved in {path}; please send it and say what you did."


def summarise_exception(error: BaseException) -> str:
    """Type, message and place of an error: `ValueError: no such thing, game/app/modes/hud_builder.py:12`."""
    text = " ".join(str(error).split())[:160]
    name = type(error).__name__ + (f": {text}" if text else "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _project_path(frame.filename)]
    return f"{name}, {_project_path(frames[-1].filename)}:{frames[-1].lineno}" if frames else name


def _project_path(file: str) -> str:
    """Path of a file of the game, relative to the project; empty for other files."""
    path = Path(file)
    inside = path.is_absolute() and path.is_relative_to(PACKAGE_FOLDER)
    return path.relative_to(PACKAGE_FOLDER.parent).as_posix() if inside else ""


def build_zip(error: BaseException, arguments: Sequence[str], game: Game | None) -> bytes:
    """The bytes of the zip file. `game`: the running game, if there is one."""
    return _zip(_zip_entries(error, arguments, game))


def _zip(entries: Iterable[tuple[str, bytes | str]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def _zip_entries(
    error: BaseException, arguments: Sequence[str], game: Game | None
) -> Iterator[tuple[str, bytes | str]]:
    """Name and content of each file in the zip; the last one names those that cannot be made."""
    failed: list[str] = []

    def entry(name: str, make: Callable[[], bytes | str]) -> Iterator[tuple[str, bytes | str]]:
        try:
            yield name, make()
        except Exception as problem:  # the other files still help
            failed.append(f"{name}: {type(problem).__name__}: {problem}")

    yield from entry("trace.txt", lambda: "".join(traceback.format_exception(error)))
    yield from entry("about.json", lambda: _as_json(_describe_run(arguments)))
    if game is not None:
        yield from entry("settings.json", lambda: _as_json(asdict(game.settings)))
        yield from entry("state.json", lambda: state_report(game))
        yield from entry("last-seconds.replay", lambda: _session_replay(game))
        for path in dict.fromkeys(path for path in game.level.files if path.is_file()):
            yield from entry(f"level/{path.name}", lambda path=path: _read_text(path))  # type: ignore[misc]
    if failed:
        yield "left-out.txt", "\n".join(failed) + "\n"


def _as_json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, indent=1, default=str) + "\n"


def _describe_run(arguments: Sequence[str]) -> dict[str, Any]:
    from ...sim.replay import fingerprint

    return {
        "when": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "arguments": list(arguments),
        "made_with": fingerprint.component_versions(),
        "versions": installed_versions(),
        "system": platform.platform(),
        "python": sys.version,
    }


def _session_replay(game: Game) -> bytes:
    """Replay of the last half minute of the session, up to the tick that failed."""
    session = game.session
    if session is None or not session.history:
        raise LookupError("nothing was played yet")
    history = session.history
    first = history.end - round(CRASH_REPLAY_SECONDS / session.tick_seconds)
    return history.data(max(first, history.first), note="before the game stopped")


def state_report(game: Game) -> str:
    """JSON text with mode, level, view and settings, and the walker's state where a world is played."""
    fields: dict[str, Any] = {
        "mode": game.mode,
        "level": game.level.name,
        "frames": game.clock.frame_count,
        "view_heading": game.input.view.yaw,
        "view_pitch": game.input.view.pitch,
        "settings": asdict(game.settings),
        "held": sorted(game.input.held.active),
    }
    if game.session is not None:
        world = game.session.world
        state = game.session.world.walker_state
        fields |= {
            "tick": world.tick,
            "goal_tick": world.goal_tick,
            "feet": state.feet,
            "velocity": state.velocity,
            "heading": state.heading,
            "radii": state.radii,
            "grounded": state.grounded,
            "dropped_seconds": game.session.dropped_seconds,
        }
    return json.dumps(fields, indent=1) + "\n"


def _read_text(path: Path) -> bytes:
    return read_at_most(path, MAX_LEVEL_BYTES)[:MAX_LEVEL_BYTES]


def _write_report(data: bytes) -> Path:
    from ...core import atomic_files

    folder = crash_folder()
    folder.mkdir(parents=True, exist_ok=True)
    stem = time.strftime("crash-%Y-%m-%d-%H%M%S")
    used_names = {path.name for path in folder.glob("crash-*.zip")}
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.zip" for number in range(1, len(used_names) + 2))
    path = folder / next(name for name in names if name not in used_names)
    atomic_files.write_atomic(path, data)
    for old in sorted(folder.glob("crash-*.zip"), key=lambda report: report.stat().st_mtime)[:-MAX_REPORTS]:
        old.unlink(missing_ok=True)
    return path
