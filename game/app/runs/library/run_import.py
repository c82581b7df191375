"""Import of files that are dropped on the window: runs of friends and levels; a sentence for everything else."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from ....core import atomic_files
from ....core.errors import error_reason
from ....core.file_reading import read_at_most
from ....core.user_folders import has_level_suffix
from ....sim.replay import replay_file
from ....sim.replay.replay_file import REPLAY_SUFFIX, Replay, ReplayError
from ...launch.level_lookup import printable_name
from .. import progress
from . import run_library
from .run_library import RunEntry, RunOrigin

if TYPE_CHECKING:
    from ....level import Level

MAX_IMPORT_BYTES = 128 << 20  # of a dropped file; an hour of the largest run takes 64 MB


class ImportKind(Enum):
    """What a file is, and so what is offered."""

    SENTENCE = auto()  # nothing to offer: it was refused, or a task is done
    SAME_LEVEL = auto()  # a run of the level that is played: it is being verified
    OTHER_LEVEL = auto()
    EARLIER_VERSION = auto()  # of a level that is known here
    LEVEL = auto()  # a level file


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of an import: a sentence, the entry of a run, and the path of a level."""

    kind: ImportKind
    sentence: str
    entry: RunEntry | None = None
    level_path: Path | None = None


def import_file(path: Path, level: Level | None) -> ImportResult:
    """Check a file and copy a run into the runs folder. The file itself is never changed. Never raises.

    level: that is played, for comparison.
    """
    name = printable_name(path.name or str(path))[:80]
    try:
        return _import_file(path, name, level)
    except ReplayError as error:
        return ImportResult(ImportKind.SENTENCE, f"{name}: {error}.")
    except (OSError, ValueError, MemoryError) as error:
        reason = error_reason(error) or "out of memory"
        return ImportResult(ImportKind.SENTENCE, f"{name} cannot be read: {reason}.")


def _import_file(path: Path, name: str, level: Level | None) -> ImportResult:
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        return ImportResult(ImportKind.SENTENCE, f"{name} is a folder; drop the files in it.")
    if not stat.S_ISREG(status.st_mode):
        return ImportResult(ImportKind.SENTENCE, f"{name} is not a file.")
    if has_level_suffix(path):
        return ImportResult(ImportKind.LEVEL, f"{name} is a level. Play it?", level_path=path.absolute())
    if status.st_size > MAX_IMPORT_BYTES:
        limit = f"a run can have up to {MAX_IMPORT_BYTES >> 20} MB"
        return ImportResult(ImportKind.SENTENCE, f"{name} is too large ({status.st_size >> 20} MB); {limit}.")
    data = read_at_most(path, MAX_IMPORT_BYTES)
    if len(data) > MAX_IMPORT_BYTES:
        return ImportResult(
            ImportKind.SENTENCE, f"{name} is too large; a run can have up to {MAX_IMPORT_BYTES >> 20} MB."
        )
    record = replay_file.decode_replay(data, path)
    problem = _problem(record)
    if problem:
        return ImportResult(ImportKind.SENTENCE, f"{name} {problem}.")
    entry = _known_entry(path, data) or _add_run(path, data, record)
    return describe_import(entry, level)


def _problem(record: Replay) -> str:
    """Why a readable replay cannot become a run of the library; empty where it can."""
    if not record.ticks:
        return "contains no run: nothing was recorded"
    if record.end_fields is None:
        return f"is cut off after {record.seconds:.1f} s; ask for the file again"
    if not record.is_complete or record.problems:
        return "is damaged; ask for the file again"
    return ""


def _known_entry(path: Path, data: bytes) -> RunEntry | None:
    """The entry of the same file in the library, so that it is not copied twice."""
    for entry in run_library.read_library().values():
        try:
            if entry.path.stat().st_size == len(data) and entry.path.read_bytes() == data:
                return entry
        except OSError:
            continue
    return None


def _add_run(path: Path, data: bytes, record: Replay) -> RunEntry:
    """Copy a run into the runs folder, atomically, and add its entry. OSError where that fails."""
    folder = progress.runs_folder()
    folder.mkdir(parents=True, exist_ok=True)
    # The name that the friend's game gave it would make it a run of the player's own where the index is lost.
    stem = "Friend" if run_library.OWN_NAME.fullmatch(path.name) else path.name.removesuffix(REPLAY_SUFFIX)
    file = run_library.free_file_name(stem)
    entry = run_library.replay_entry(record, file, RunOrigin.FRIEND)
    entry = replace(entry, name=run_library.clean_name(stem) or "Friend")
    atomic_files.write_atomic(folder / file, data)
    problem = run_library.add_entry(entry)
    if problem:
        os.unlink(folder / file)
        raise OSError(problem.rstrip("."))
    return entry


def describe_import(entry: RunEntry, level: Level | None) -> ImportResult:
    """What is offered for a run of the library."""
    hash_ = "" if level is None else progress.cached_level_hash(level)
    if entry.level_hash == hash_:
        return ImportResult(ImportKind.SAME_LEVEL, f"{entry.name or 'Run'}: being verified.", entry)
    same_file = level is not None and progress.file_key(level.path) == entry.level_file
    if same_file or entry.is_earlier_version:
        sentence = f"This run is of an earlier version of {printable_name(entry.level)}. Watch it?"
        return ImportResult(ImportKind.EARLIER_VERSION, sentence, entry)
    return ImportResult(ImportKind.OTHER_LEVEL, f"This run is of {printable_name(entry.level)}. Watch it?", entry)
