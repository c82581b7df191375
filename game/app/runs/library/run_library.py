"""Run library: every finished run and every run of a friend, with its level, time, state and name.

The replay files are in `progress.runs_folder()`. The index `runs.json` beside that folder keeps what a replay file does
not hold. An entry is written before its file, so a file without an entry was put there by the player: it is a friend's.
The index is replaced atomically at each change. Where it is damaged or missing, it is made anew from the files.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core import atomic_files, user_folders
from ....core.errors import error_reason
from ....core.file_reading import read_at_most
from ....sim.replay.replay_file import REPLAY_SUFFIX, Replay, ReplayError
from ....sim.trial import read_track
from ....text.graphemes import clean_text
from ...launch.shared_files import SharedFile
from .. import progress

if TYPE_CHECKING:
    from ....level import Level

INDEX_NAME = "runs.json"
FORMAT_VERSION = 1
DELETED_FOLDER = "deleted"  # in the runs folder
MAX_INDEX_BYTES = 16 << 20
MAX_RUNS_PER_LEVEL = 50  # of the player's runs without a name; the best ones are kept in addition
MAX_LIBRARY_BYTES = 512 << 20  # of all files; above it the oldest runs without a name go first
MAX_DELETED_FILES = 50  # the newest are kept
MAX_NAME_LENGTH = 40
PRACTICE_REMARK = "practice run: "  # in the end of a replay file, before the reason
OWN_NAME = re.compile(r"[0-9a-f]{16}-\d{8}-\d{6}(-\d+)?" + re.escape(REPLAY_SUFFIX))


class RunOrigin(StrEnum):
    """Whose run it is. The values stand in the index."""

    OWN = "own"
    FRIEND = "friend"


class RunStatus(StrEnum):
    """What is known about a run. The values stand in the index."""

    PENDING = "pending"  # not verified yet
    VERIFIED = "verified"
    PRACTICE = "practice"  # flown, rewound, or another reason why it does not count
    UNVERIFIED = "unverified"  # the simulation on this machine leads elsewhere


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run in the library. `level_file`: as of `progress.file_key`; `when`: UTC; `name`: given by the player or the
    name of a friend's file; `reason`: why it is practice or unverified."""

    file: str
    level: str
    level_file: str
    level_hash: str
    spawn: str
    seconds: float
    strokes: int | None = None
    when: str = ""
    origin: str = RunOrigin.OWN
    status: str = RunStatus.PENDING
    reason: str = ""
    name: str = ""

    @property
    def path(self) -> Path:
        return progress.runs_folder() / self.file

    @property
    def is_earlier_version(self) -> bool:
        """Whether the level has another geometry now. False where that is not known."""
        current = progress.current_level_hash(self.level_file)
        return bool(current) and current != self.level_hash


Library = dict[str, RunEntry]  # by file name


def index_path() -> Path:
    return _INDEX.path


def read_library() -> Library:
    """The entries of the index; invalid ones are left out. Never raises."""
    return _INDEX.read()


def take_notes() -> list[str]:
    """Sentences for the player about a damaged index, found since the last call."""
    return _INDEX.take_notes()


def parse_index(data: bytes) -> tuple[Library, str]:
    """The valid entries of an index, and a description of what is invalid (empty if all is valid)."""
    values = user_folders.decode_object(data, MAX_INDEX_BYTES)
    if values is None or not {"format", "runs"} <= values.keys():
        return {}, "not a list of runs"
    entries = values["runs"]
    problem = "" if values["format"] == FORMAT_VERSION and isinstance(entries, list) else "format"
    library: Library = {}
    for value in entries if isinstance(entries, list) else ():
        try:
            entry = _parse_entry(value)
        except (KeyError, TypeError, ValueError, OverflowError):
            problem = problem or "an entry"
        else:
            library[entry.file] = entry
    return library, problem


def _parse_entry(value: dict[str, Any]) -> RunEntry:
    entry = RunEntry(**value)
    texts = [getattr(entry, name) for name in ("file", "level", "level_file", "level_hash", "spawn", "when", "name")]
    if not all(isinstance(text, str) for text in (*texts, entry.reason)) or not _is_run_file(entry.file):
        raise ValueError("not a run")
    if isinstance(entry.seconds, (bool, str)) or not 0.0 <= float(entry.seconds) <= progress.MAX_SECONDS:
        raise ValueError("not a time")
    strokes = None if entry.strokes is None else min(max(0, int(entry.strokes)), progress.MAX_STROKES)
    origin = RunOrigin(entry.origin)
    status = RunStatus(entry.status)
    return replace(entry, origin=origin, status=status, seconds=float(entry.seconds), strokes=strokes)


def _is_run_file(name: str) -> bool:
    """Whether this can be the name of a file in the runs folder."""
    if Path(name).name != name or not name.endswith(REPLAY_SUFFIX) or "\0" in name:
        return False
    with contextlib.suppress(ValueError):  # of characters that no file name has
        return bool(os.fsencode(name))
    return False


def encode_index(library: Library) -> bytes:
    return json.dumps(
        {"format": FORMAT_VERSION, "runs": [asdict(entry) for entry in library.values()]}, indent=1
    ).encode()


def update_library(change: Callable[[Library], Library]) -> str:
    """Read the index, change it and replace it; a sentence for the player where that fails, else an empty string."""
    return _INDEX.update(lambda library: change(dict(library)))


_INDEX: SharedFile[Library] = SharedFile(
    INDEX_NAME, MAX_INDEX_BYTES, "The list of runs", "The list of runs", dict, parse_index, encode_index
)


# Entries


def replay_entry(replay: Replay, file: str, origin: RunOrigin, when: str = "") -> RunEntry:
    part = next(part for part in replay.parts if part.chunks)
    level = part.level
    seconds = replay.seconds
    with contextlib.suppress(ReplayError):
        if len(replay.parts) == 1 and not any(chunk.restarts.any() for chunk in part.chunks):
            seconds = read_track(replay).seconds
    key = f"shipped/{level['file']}" if level.get("shipped") else str(level.get("file", ""))
    spawn = str(part.head.get("spawn", ""))
    name = str(level["name"])
    hash_ = str(level.get("hash", ""))
    return RunEntry(file, name, key, hash_, spawn, seconds, None, when or _now(), origin)


def own_entry(level: Level, spawn: str, file: str, seconds: float, strokes: int | None, void_reason: str) -> RunEntry:
    """The entry of a run that has just been finished."""
    status = RunStatus.PRACTICE if void_reason else RunStatus.PENDING
    key = progress.file_key(level.path)
    hash_ = progress.cached_level_hash(level)
    return RunEntry(file, level.name, key, hash_, spawn, seconds, strokes, _now(), RunOrigin.OWN, status, void_reason)


def add_entry(entry: RunEntry) -> str:
    """Add an entry; call it before its file is written. A sentence where that fails."""
    return update_library(lambda library: {**library, entry.file: entry})


def change_entry(file: str, **fields: Any) -> str:
    """Change fields of an entry, if it exists. A sentence where that fails."""
    if file not in read_library():
        return ""
    return update_library(
        lambda library: {**library, file: replace(library[file], **fields)} if file in library else library
    )


def clean_name(text: str) -> str:
    """A name as it is kept: printable, without spaces at its ends, at most MAX_NAME_LENGTH characters."""
    return clean_text(" ".join(clean_text(text, len(text)).split()), MAX_NAME_LENGTH).strip()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


# Files


def scan_folder(read_run: Callable[[Path], Replay | None]) -> list[Path]:
    """Bring the index up to date with the folder: add files without an entry, remove entries without a file, and remove
    what a killed copy left. Returns the files that hold no run."""
    folder = progress.runs_folder()
    had_index = _is_index_whole()
    library = read_library()
    atomic_files.remove_partial_files(folder, time.time())
    try:
        files = {path.name: path for path in folder.glob(f"*{REPLAY_SUFFIX}") if path.is_file()}
    except OSError:
        return []
    best = best_files()
    found: list[RunEntry] = []
    unreadable = []
    for name in sorted(files.keys() - library.keys()):
        record = read_run(files[name])
        if record is None or not record.ticks:
            unreadable.append(files[name])
            continue
        is_own = name in best or (not had_index and OWN_NAME.fullmatch(name) is not None)
        when = datetime.fromtimestamp(files[name].stat().st_mtime, UTC).isoformat(timespec="seconds")
        entry = replay_entry(record, name, RunOrigin.OWN if is_own else RunOrigin.FRIEND, when)
        if not is_own:
            entry = replace(entry, name=clean_name(files[name].stem))
        if name in best:
            entry = replace(entry, status=RunStatus.VERIFIED)
        elif reason := practice_reason(record, is_own):
            entry = replace(entry, status=RunStatus.PRACTICE, reason=reason)
        found.append(entry)
    gone = {name for name, entry in library.items() if name not in files and not _is_fresh(entry)}
    if found or gone:
        new = {entry.file: entry for entry in found}
        update_library(lambda present: new | {name: entry for name, entry in present.items() if name not in gone})
    return unreadable


def _is_index_whole() -> bool:
    """Whether there is an index, all of which is valid. Else a file without an entry may be a run of the player."""
    try:
        return not parse_index(read_at_most(index_path(), MAX_INDEX_BYTES))[1]
    except OSError:
        return False


def end_remark(void_reason: str) -> str:
    """The remark with which a replay file of a finished run ends: whether it is a practice run, and why."""
    return f"{PRACTICE_REMARK}{void_reason}" if void_reason else "the end of the level"


def practice_reason(record: Replay, is_own: bool) -> str:
    """Why a recorded run does not count: its file is damaged, or the player's own game called it a practice run."""
    if not record.is_complete or record.problems:
        return "its file is damaged"
    if not is_own:
        return ""
    remark = str((record.end_fields or {}).get("reason", ""))
    return remark.removeprefix(PRACTICE_REMARK) if remark.startswith(PRACTICE_REMARK) else ""


def _is_fresh(entry: RunEntry) -> bool:
    """Whether the file of an entry may still be on its way to disk."""
    try:
        return (datetime.now(UTC) - datetime.fromisoformat(entry.when)).total_seconds() < 60.0
    except (ValueError, TypeError):
        return False


def best_files() -> set[str]:
    return {record.best.run for record in progress.read_progress().records.values() if record.best is not None}


def delete_run(file: str) -> str:
    """Move a run into the folder of deleted runs. A sentence where that fails."""
    source = progress.runs_folder() / file
    target = progress.runs_folder() / DELETED_FOLDER / file
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
        os.utime(target)
    except OSError as error:
        return f"{file} cannot be deleted: {error_reason(error)}."
    with contextlib.suppress(OSError):
        old = sorted(target.parent.glob(f"*{REPLAY_SUFFIX}"), key=os.path.getmtime)[:-MAX_DELETED_FILES]
        for path in old:
            path.unlink()
    return update_library(lambda library: {name: entry for name, entry in library.items() if name != file})


def restore_run(entry: RunEntry) -> str:
    """Bring a deleted run back. A sentence where that fails."""
    try:
        os.replace(progress.runs_folder() / DELETED_FOLDER / entry.file, entry.path)
    except OSError as error:
        return f"{entry.file} cannot be restored: {error_reason(error)}."
    return add_entry(entry)


def remove_old_runs() -> list[str]:
    """Remove the oldest of the player's runs beyond the limits; their file names.

    Never the best run of a level, a run with a name, a run of a friend, or one that is not verified yet.
    """
    best = best_files()
    library = read_library()
    sizes: dict[str, int] = {}
    for name, entry in library.items():
        with contextlib.suppress(OSError):
            sizes[name] = entry.path.stat().st_size
    newest = sorted(library.values(), key=lambda entry: (entry.when, entry.file), reverse=True)
    counts: dict[str, int] = {}
    total = 0
    removed = []
    kept_bytes = sum(sizes.get(entry.file, 0) for entry in newest if not _is_removable(entry, best))
    for entry in newest:
        if not _is_removable(entry, best):
            continue
        counts[entry.level_file] = counts.get(entry.level_file, 0) + 1
        total += sizes.get(entry.file, 0)
        if counts[entry.level_file] > MAX_RUNS_PER_LEVEL or (total + kept_bytes > MAX_LIBRARY_BYTES and total > 0):
            total -= sizes.get(entry.file, 0)
            removed.append(entry.file)
    for name in removed:
        with contextlib.suppress(OSError):
            (progress.runs_folder() / name).unlink()
    if removed:
        update_library(lambda present: {name: entry for name, entry in present.items() if name not in removed})
    return removed


def _is_removable(entry: RunEntry, best: set[str]) -> bool:
    is_own = entry.origin == RunOrigin.OWN and entry.status != RunStatus.PENDING
    return is_own and not entry.name and entry.file not in best


def free_file_name(stem: str) -> str:
    """A free name in the runs folder for a copy of a file of this name."""
    safe = re.sub(r"[^\w .()-]+", "-", unicodedata.normalize("NFC", stem)).strip(" .-")[:60] or "run"
    folder = progress.runs_folder()
    for number in range(1, 1000):
        name = f"{safe}{'' if number == 1 else f' {number}'}{REPLAY_SUFFIX}"
        if not (folder / name).exists() and name not in read_library():
            return name
    return f"{safe} {time.time_ns()}{REPLAY_SUFFIX}"
