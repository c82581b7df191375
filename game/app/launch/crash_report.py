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
from .state_report import report

if TYPE_CHECKING:
    from ..game import Game

STATUS = 70  # of a process that ends so: EX_SOFTWARE of sysexits.h
KEPT = 10  # files; the oldest beyond that are removed
MOST_BYTES = 8 << 20  # of one file of a level
ROOT = Path(whole.__file__).resolve().parent.parent


def folder() -> Path:
    """Where they are kept."""
    return user_folders.data() / "crashes"


def leave(error: BaseException, arguments: Sequence[str] = (), game: Game | None = None) -> str:
    """Write the file and give the sentence about it. Raises nothing: what cannot be had is left out."""
    said = f"The game stopped by a mistake of its own ({brief(error)})."
    try:
        path = _write(bundle(error, arguments, game))
    except Exception as problem:
        return f"{said} No report of it could be written ({problem})."
    return f"{said} What helps to find it is in {path}; please send that, with a word on what you did."


def brief(error: BaseException) -> str:
    """What it is, and where: `ValueError: no such thing, game/app/display/hud_builder.py:12`."""
    text = " ".join(str(error).split())[:160]
    name = type(error).__name__ + (f": {text}" if text else "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _own(frame.filename)]
    return f"{name}, {_own(frames[-1].filename)}:{frames[-1].lineno}" if frames else name


def _own(file: str) -> str:
    """A file of the game, from its root; else nothing."""
    path = Path(file)
    inside = path.is_absolute() and path.is_relative_to(ROOT / "game")
    return path.relative_to(ROOT).as_posix() if inside else ""


def bundle(error: BaseException, arguments: Sequence[str], game: Game | None) -> bytes:
    """The zip. `game` is what was being played, if anything was."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
        failed: list[str] = []
        for name, content in _contents(error, arguments, game, failed):
            held.writestr(name, content)
        if failed:
            held.writestr("left-out.txt", "\n".join(failed) + "\n")
    return out.getvalue()


def _contents(
    error: BaseException, arguments: Sequence[str], game: Game | None, failed: list[str]
) -> Iterator[tuple[str, bytes | str]]:
    def tried(name: str, make: Callable[[], bytes | str]) -> Iterator[tuple[str, bytes | str]]:
        try:
            yield name, make()
        except Exception as problem:  # whatever is broken, the rest still helps
            failed.append(f"{name}: {type(problem).__name__}: {problem}")

    yield from tried("trace.txt", lambda: "".join(traceback.format_exception(error)))
    yield from tried("about.json", lambda: _json(_about(arguments)))
    if game is None:
        return
    yield from tried("settings.json", lambda: _json(asdict(game.settings)))
    yield from tried("state.json", lambda: report(game))
    yield from tried("last-seconds.replay", lambda: _last_seconds(game))
    for path in dict.fromkeys(path for path in game.level.files if path.is_file()):
        yield from tried(f"level/{path.name}", lambda path=path: _text(path))  # type: ignore[misc]


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, indent=1, default=str) + "\n"


def _about(arguments: Sequence[str]) -> dict[str, Any]:
    from importlib import metadata

    from ...sim.replay import fingerprint
    from ..commands.doctor import PACKAGES

    versions: dict[str, str] = {}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "when": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "arguments": list(arguments),
        "made_with": fingerprint.made_with(),
        "versions": versions,
        "system": platform.platform(),
        "python": sys.version,
    }


def _last_seconds(game: Game) -> bytes:
    """The session's last half minute, up to the tick that failed."""
    from ...sim import World

    session = game.session
    if session is None or session.ring is None:
        raise LookupError("nothing had been walked")
    written = io.BytesIO()
    world = World(session.world.level, session.world.settings)
    if not session.ring.write(world, written.write, "before the game stopped"):
        raise LookupError("no tick was made")
    return written.getvalue()


def _text(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(MOST_BYTES)


def _write(data: bytes) -> Path:
    from ...core import atomic_files

    where = folder()
    where.mkdir(parents=True, exist_ok=True)
    stem = time.strftime("crash-%Y-%m-%d-%H%M%S")
    taken = {path.name for path in where.glob("crash-*.zip")}
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.zip" for number in range(1, len(taken) + 2))
    path = where / next(name for name in names if name not in taken)
    atomic_files.write(path, data)
    for old in sorted(where.glob("crash-*.zip"), key=lambda held: held.stat().st_mtime)[:-KEPT]:
        old.unlink(missing_ok=True)
    return path
