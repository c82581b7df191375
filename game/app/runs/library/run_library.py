"""Run library: the player's finished runs, with level, time, and why a run does not count.

The replay files are in `progress.runs_folder()`, and their index is `runs.json` beside that folder. It is replaced
atomically at each change. Where it is damaged or missing, it is made anew from the files that the game has named; files
of other names in the folder are left alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import time
from collections import Counter
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core import atomic_files, user_folders
from ....core.errors import error_reason
from ....core.file_reading import REPLAY_SUFFIX, read_at_most
from ....sim.replay import fingerprint, replay_file
from ....sim.replay.replay_file import Replay, ReplayError
from ....sim.trial import read_track
from ...launch.level_lookup import UserError, printable_name
from ...launch.shared_files import SharedFile
from .. import progress

if TYPE_CHECKING:
    from ....level import Level

INDEX_NAME = "runs.json"
FORMAT_VERSION = 1
FIRST_RULES = 3  # of the runs in the first index, which has no rules; this version cannot read their files
MAX_INDEX_BYTES = 16 << 20
MAX_RUNS_PER_LEVEL = 50  # the best ones are kept in addition
MAX_LIBRARY_BYTES = 512 << 20  # of all files; above it the oldest runs go first
MAX_READ_BYTES = 128 << 20  # of a file that the player names; an hour of the largest run takes 64 MB
MAX_RUN_FILES = 1000
PRACTICE_REMARK = "practice run: "  # in the end of a replay file, before the reason
OWN_NAME = re.compile(r"[0-9a-f]{16}-\d{8}-\d{6}(-\d+)?" + re.escape(REPLAY_SUFFIX))


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A recorded run. `file`: its name in the runs folder, or the path of a file elsewhere; `level_file`: as of
    `progress.file_key`; `when`: UTC; `reason`: why it is a practice run, empty where it counts; `rules`: of its
    simulation."""

    file: str
    level: str
    level_file: str
    level_hash: str
    spawn: str
    seconds: float
    strokes: int | None = None
    when: str = ""
    reason: str = ""
    rules: int = fingerprint.RULES_VERSION

    @property
    def path(self) -> Path:
        return progress.runs_folder() / self.file

    @property
    def record_key(self) -> str:
        """Key of its level and spawn, as of `progress.record_key`."""
        return f"{self.level_hash}:{self.spawn}"

    @property
    def is_earlier_version(self) -> bool:
        """Whether the level has another geometry now, or the game other rules. False where that is not known."""
        current = progress.current_level_hash(self.level_file)
        return self.rules != fingerprint.RULES_VERSION or (bool(current) and current != self.level_hash)


Library = dict[str, RunEntry]  # by file name


# The index


def index_path() -> Path:
    return _INDEX.path


def read_library() -> Library:
    """The entries of the index; invalid ones are left out. Never raises."""
    return _INDEX.read()


def take_notes() -> list[str]:
    """Sentences for the player about a damaged index, found since the last call."""
    return _INDEX.take_notes()


def parse_index(data: bytes) -> tuple[Library, str]:
    """The valid entries of an index, and a description of what is invalid (empty if all is valid). Friends' runs, which
    the first index lists too, are left out."""
    values = user_folders.decode_object(data, MAX_INDEX_BYTES)
    if values is None or not {"format", "runs"} <= values.keys():
        return {}, "not a list of runs"
    entries = values["runs"]
    problem = "" if values["format"] == FORMAT_VERSION and isinstance(entries, list) else "format"
    library: Library = {}
    for value in entries if isinstance(entries, list) else ():
        try:
            value = {"origin": "own", "rules": FIRST_RULES, **value}
            if value["origin"] == "own":
                entry = _parse_entry(value)
                library[entry.file] = entry
        except (KeyError, TypeError, ValueError, OverflowError):
            problem = problem or "an entry"
    return library, problem


def _parse_entry(value: dict[str, Any]) -> RunEntry:
    entry = RunEntry(**{each.name: value[each.name] for each in fields(RunEntry)})
    names = ("file", "level", "level_file", "level_hash", "spawn", "when", "reason")
    if not all(isinstance(getattr(entry, name), str) for name in names) or not _is_run_file(entry.file):
        raise ValueError("not a run")
    if isinstance(entry.seconds, (bool, str)) or not 0.0 <= float(entry.seconds) <= progress.MAX_SECONDS:
        raise ValueError("not a time")
    strokes = None if entry.strokes is None else min(max(0, int(entry.strokes)), progress.MAX_STROKES)
    return replace(entry, seconds=float(entry.seconds), strokes=strokes, rules=int(entry.rules))


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


def update_library(new: Library, gone: set[str] | None = None) -> str:
    """Add entries to the index and remove those of these files; a sentence for the player where that fails."""
    return _INDEX.update(
        lambda present: {name: entry for name, entry in {**present, **new}.items() if name not in (gone or ())}
    )


_INDEX: SharedFile[Library] = SharedFile(
    INDEX_NAME, MAX_INDEX_BYTES, "The list of runs", "The list of runs", dict, parse_index, encode_index
)


# The player's runs


def end_remark(void_reason: str) -> str:
    """The remark with which the replay file of a finished run ends: whether it is a practice run, and why."""
    return f"{PRACTICE_REMARK}{void_reason}" if void_reason else "the end of the level"


def keep_run(
    level: Level, spawn: str, data: bytes, seconds: float, strokes: int | None, void_reason: str
) -> tuple[str, str]:
    """Write a finished run and its entry: its file name, and a sentence for the player where that fails."""
    folder = progress.runs_folder()
    hash_ = progress.cached_level_hash(level)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _free_file_name(folder, hash_)
        atomic_files.write_atomic(folder / file, data)
    except OSError as error:
        return "", f"The run cannot be saved in the folder {folder.name}: {error_reason(error)}."
    entry = RunEntry(
        file, level.name, progress.file_key(level.path), hash_, spawn, seconds, strokes,
        datetime.now(UTC).isoformat(timespec="seconds"), void_reason,
    )  # fmt: skip
    return file, update_library({file: entry})


def _free_file_name(folder: Path, level_hash: str) -> str:
    """A new file name for a run of a level, which no other process takes. It matches OWN_NAME."""
    stem = level_hash + time.strftime("-%Y%m%d-%H%M%S-") + str(os.getpid())
    for number in range(MAX_RUN_FILES):
        name = f"{stem}{f'{number:03}' if number else ''}{REPLAY_SUFFIX}"
        if not (folder / name).exists():
            return name
    raise OSError("no free file name is left")


def best_files() -> set[str]:
    return {record.best.run for record in progress.read_progress().records.values() if record.best is not None}


def delete_run(entry: RunEntry) -> str:
    """Delete the file and the entry of a run. A sentence where that fails."""
    try:
        entry.path.unlink(missing_ok=True)
    except OSError as error:
        return f"{entry.file} cannot be deleted: {error_reason(error)}."
    return update_library({}, {entry.file})


def remove_old_runs() -> set[str]:
    """Remove the oldest runs beyond the limits; their file names. Never the best run of a level, or one of the first
    index: the player may have named it there, to keep it."""
    library = read_library()
    kept = best_files() | {entry.file for entry in library.values() if entry.rules <= FIRST_RULES}
    kept_first = sorted(library.values(), key=lambda entry: (entry.file in kept, entry.when, entry.file), reverse=True)
    counts: Counter[str] = Counter()
    total = 0
    removed = set()
    for entry in kept_first:
        with contextlib.suppress(OSError):
            size = entry.path.stat().st_size
            if entry.file not in kept:
                counts[entry.level_file] += 1
                if counts[entry.level_file] > MAX_RUNS_PER_LEVEL or total + size > MAX_LIBRARY_BYTES:
                    entry.path.unlink()
                    removed.add(entry.file)
                    continue
            total += size
    if removed:
        update_library({}, removed)
    return removed


def scan_folder() -> None:
    """Bring the index up to date with the folder: remove entries without a file, and what a killed game has left; add
    the runs without an entry where the index is damaged or missing."""
    folder = progress.runs_folder()
    library = read_library()
    atomic_files.remove_partial_files(folder, time.time())
    try:
        files = {path.name for path in folder.glob(f"*{REPLAY_SUFFIX}") if path.is_file()}
    except OSError:
        return
    found = {}
    if not _is_index_whole():
        for name in filter(OWN_NAME.fullmatch, files - library.keys()):
            record = read_run(folder / name)
            if record is not None and record.ticks:
                found[name] = replay_entry(record, name)
    gone = library.keys() - files
    if found or gone:
        update_library(found, gone)


def _is_index_whole() -> bool:
    """Whether there is an index, all of which is valid."""
    try:
        return not parse_index(read_at_most(index_path(), MAX_INDEX_BYTES))[1]
    except OSError:
        return False


# Replay files


def read_run(path: Path) -> Replay | None:
    """The replay in a file; None where it cannot be read."""
    try:
        return replay_file.read_replay(path)
    except (OSError, ValueError):
        return None


def replay_entry(replay: Replay, file: str) -> RunEntry:
    """The entry of a run from its replay: it counts unless the game called it a practice run, or it is damaged."""
    part = next(part for part in replay.parts if part.blocks)
    level = part.level
    seconds = replay.seconds
    with contextlib.suppress(ReplayError):
        if len(replay.parts) == 1 and not any(block.restarts.any() for block in part.blocks):
            seconds = read_track(replay).seconds
    key = f"shipped/{level['file']}" if level.get("shipped") else str(level.get("file", ""))
    when = ""
    with contextlib.suppress(OSError):
        when = datetime.fromtimestamp(replay.path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    remark = str((replay.end_fields or {}).get("reason", ""))
    reason = remark.removeprefix(PRACTICE_REMARK) if remark.startswith(PRACTICE_REMARK) else ""
    if not replay.is_complete:
        reason = "its file is damaged"
    return RunEntry(
        file, str(level["name"]), key, str(level.get("hash", "")), str(part.head.get("spawn", "")), seconds, None,
        when, reason, rules=fingerprint.rules_version(part.head["made"].get("rules")) or 0,
    )  # fmt: skip


def named_run(path: Path) -> RunEntry:
    """The run in a file that the player names or drops on the window. UserError, a sentence, where there is none."""
    name = printable_name(path.name or str(path))[:80]
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UserError(f"{name} is not a file.")
        data = read_at_most(path, MAX_READ_BYTES)
        if len(data) > MAX_READ_BYTES:
            raise UserError(f"{name} is too large; a run can have up to {MAX_READ_BYTES >> 20} MB.")
        record = replay_file.decode_replay(data, path)
    except ReplayError as error:
        raise UserError(f"{name}: {error}.") from None
    except (OSError, ValueError, MemoryError) as error:
        raise UserError(f"{name} cannot be read: {error_reason(error) or 'out of memory'}.") from None
    if not record.ticks:
        raise UserError(f"{name} contains no run: nothing was recorded.")
    if not record.is_complete:
        raise UserError(f"{name} is cut off after {record.seconds:.1f} s; ask for the file again.")
    return replay_entry(record, str(path.absolute()))
