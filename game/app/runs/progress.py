"""Progress file: the level played last, best runs and challenges.

Each change reads the file, changes it and replaces it atomically, so that a killed game leaves a whole file, and two
games at once keep each other's runs. `fingerprint.level_hash` identifies a level by its geometry and rules: a new sign
or colour changes nothing, a moved wall makes it another level.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ... import shipped
from ...core import atomic_files, user_folders
from ..launch.level_lookup import files_digest, rule_files
from ..launch.shared_files import SharedFile

if TYPE_CHECKING:
    from ...level import Level

FILE_NAME = "progress.json"
FORMAT_VERSION = 1
MAX_BYTES = 16 << 20
MAX_LEVELS = 400  # entries that are kept; each change of an own level adds one, the oldest are dropped
MAX_SECONDS = 1e6  # s; a longer run is not valid
MAX_STROKES = 1_000_000


@dataclass(frozen=True, slots=True)
class BestRun:
    """The best run of a level from one spawn. `strokes`: None without golf; `splits`: (name, seconds); `run`: file name
    of the replay in `runs_folder()`; `rules`: version of the rules (see `fingerprint.rules_version`)."""

    seconds: float
    strokes: int | None = None
    splits: tuple[tuple[str, float], ...] = ()
    run: str = ""
    rules: str = ""
    when: str = ""

    @property
    def score(self) -> tuple[float, float]:
        """Strokes and seconds; the lower pair is the better run."""
        return float(self.strokes or 0), self.seconds


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """Record of one level from one spawn."""

    name: str = ""
    used: str = ""  # time of the last visit, UTC
    finished: int = 0  # number of runs that reached the end, also without time
    best: BestRun | None = None
    challenges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelVisit:
    """The level that a file held when it was last played."""

    hash: str
    files: tuple[str, ...]
    digest: str
    spawn: str
    used: str = ""


@dataclass(frozen=True, slots=True)
class PlayerProgress:
    """Content of the progress file. Keys: `hash:spawn` of `records`, `file_key` of `visits`."""

    last: tuple[str, str] | None = None  # `file_key` and spawn
    visits: dict[str, LevelVisit] = field(default_factory=dict)
    records: dict[str, LevelRecord] = field(default_factory=dict)


def runs_folder() -> Path:
    return user_folders.data_folder() / "runs"


# Queries


def last_played() -> tuple[Path, str] | None:
    """File and spawn of the level played last; None where there is none, or its file is gone."""
    last = read_progress().last
    path = None if last is None else file_path(last[0])
    return None if last is None or path is None else (path, last[1])


def level_record(level: Level | Path | str, spawn: str | None = None) -> LevelRecord:
    """Record of a level, or of the level that a file holds now; an empty one where there is none.

    spawn: None is the first spawn of the level, at which the list of levels starts.
    """
    progress = read_progress()
    return progress.records.get(_record_key(level, spawn, progress), LevelRecord())


def is_won(path: Path) -> bool:
    """Whether the level of a file was finished, also in an earlier version of it."""
    progress = read_progress()
    visit = progress.visits.get(file_key(path))
    name = "" if visit is None else progress.records.get(f"{visit.hash}:{visit.spawn}", LevelRecord()).name
    return bool(name) and any(one.name == name and one.finished > 0 for one in progress.records.values())


# `fingerprint.level_hash` of each shipped level: a visit stays valid when an update of the game changes only texts.
SHIPPED_HASHES: dict[str, str] = json.loads((shipped("levels") / "hashes.json").read_text(encoding="utf-8"))


def current_level_hash(key: str) -> str:
    """Hash of the level in the file of a `file_key`; empty where it is not known."""
    name = key.removeprefix("shipped/")
    if name != key:
        return SHIPPED_HASHES.get(name, "")
    visit = read_progress().visits.get(key)
    return visit.hash if visit is not None and visit.digest == _files_digest(visit.files) else ""


def _record_key(level: Level | Path | str, spawn: str | None, progress: PlayerProgress) -> str:
    if not isinstance(level, (Path, str)):
        return record_key(level, level.spawns[0].name if spawn is None else spawn)
    key = file_key(level)
    visit = progress.visits.get(key)
    if visit is None:
        return ""
    if visit.hash != SHIPPED_HASHES.get(key.removeprefix("shipped/")) and visit.digest != _files_digest(visit.files):
        return ""
    return f"{visit.hash}:{visit.spawn if spawn is None else spawn}"


_hashes: WeakKeyDictionary[Level, str] = WeakKeyDictionary()


def cached_level_hash(level: Level) -> str:
    """`fingerprint.level_hash`, computed once per level."""
    from ...sim.replay import fingerprint

    hash_ = _hashes.get(level)
    if hash_ is None:
        hash_ = _hashes[level] = fingerprint.level_hash(level)
    return hash_


def record_key(level: Level, spawn: str) -> str:
    return f"{cached_level_hash(level)}:{spawn}"


def file_key(path: Path | str) -> str:
    """Permanent name of a level file: `shipped/NAME`, or the absolute path."""
    from ...level.format.file_access import SHIPPED_LEVELS

    absolute = Path(path).resolve()
    shipped = SHIPPED_LEVELS.resolve()
    is_shipped = absolute.is_relative_to(shipped)
    return f"shipped/{absolute.relative_to(shipped).as_posix()}" if is_shipped else str(absolute)


def file_path(key: str) -> Path | None:
    """The file of a `file_key`; None where it does not exist."""
    from ...level.format.file_access import SHIPPED_LEVELS

    path = SHIPPED_LEVELS / key.removeprefix("shipped/") if key.startswith("shipped/") else Path(key)
    with contextlib.suppress(OSError, ValueError):
        return path if path.is_file() else None
    return None


# Changes


def record_visit(level: Level, spawn: str) -> str:
    """Record that a level is played from a spawn. A sentence for the player where that fails, else an empty string."""
    files = tuple(file_key(one) for one in rule_files(level))
    now = _timestamp()
    visit = LevelVisit(cached_level_hash(level), files, _files_digest(files), level.spawns[0].name, now)
    visit_key = file_key(level.path)
    key = record_key(level, spawn)
    atomic_files.remove_partial_files(user_folders.data_folder(), time.time())

    def add_visit(progress: PlayerProgress) -> PlayerProgress:
        record = replace(progress.records.get(key, LevelRecord()), name=level.name, used=now)
        visits = {**progress.visits, visit_key: visit}
        records = {**progress.records, key: record}
        return PlayerProgress((visit_key, spawn), visits, records)

    return update_progress(add_visit)


def record_finish(
    level: Level, spawn: str, run: BestRun | None, challenges: tuple[str, ...] = ()
) -> tuple[LevelRecord, str]:
    """Record that a run has reached the end: its challenges, and the run itself where it is the best one. None: it has
    no time.

    Returns the record before it, and a sentence where saving failed.
    """
    key = record_key(level, spawn)
    now = _timestamp()
    before = LevelRecord()

    def add_run(progress: PlayerProgress) -> PlayerProgress:
        nonlocal before
        before = progress.records.get(key, LevelRecord())
        is_best = run is not None and (before.best is None or run.score < before.best.score)
        record = replace(
            before,
            name=level.name,
            used=now,
            finished=before.finished + 1,
            best=replace(run, when=now) if run is not None and is_best else before.best,
            challenges=tuple(dict.fromkeys((*before.challenges, *challenges))),
        )
        return replace(progress, records={**progress.records, key: record})

    problem = update_progress(add_run)
    return before, problem


# The file


def read_progress() -> PlayerProgress:
    """Read the file; invalid entries are left out. Never raises for a damaged file."""
    return _FILE.read()


def take_notes() -> list[str]:
    """Sentences for the player about damaged files, found since the last call."""
    return _FILE.take_notes()


def update_progress(change: Callable[[PlayerProgress], PlayerProgress]) -> str:
    """Read the file, change it and replace it; a sentence for the player where that fails, else an empty string."""
    return _FILE.update(lambda progress: _drop_oldest(change(progress)))


def encode_progress(progress: PlayerProgress) -> bytes:
    fields = {
        "format": FORMAT_VERSION,
        "last": None if progress.last is None else list(progress.last),
        "visits": {key: asdict(visit) for key, visit in progress.visits.items()},
        "records": {key: asdict(record) for key, record in progress.records.items()},
    }
    return (json.dumps(fields, indent=1) + "\n").encode()


def parse_progress(data: bytes) -> tuple[PlayerProgress, str]:
    """The valid content of a file, and a description of what is invalid (empty if all is valid)."""
    values = user_folders.decode_object(data, MAX_BYTES)
    if values is None:
        return PlayerProgress(), "not a progress file"
    version = values.get("format")
    errors = []
    if version != FORMAT_VERSION:
        errors.append(f"format {str(version)[:20]}, but this version reads format {FORMAT_VERSION}")

    def parse_table(name: str, parse: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        table = values.get(name, {})
        if not isinstance(table, dict):
            errors.append(f"{name} is not a table")
            return {}
        parsed: dict[str, Any] = {}
        for key, value in table.items():
            try:
                parsed[key] = parse(value)
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                errors.append(f"{name}: {key[:60]}")
        return parsed

    visits = parse_table("visits", _parse_visit)
    records = parse_table("records", _parse_record)
    latest = values.get("last")
    if latest is not None and not (isinstance(latest, list) and len(latest) == 2 and all(map(_is_text, latest))):
        errors.append("last")
        latest = None
    return PlayerProgress(None if latest is None else (latest[0], latest[1]), visits, records), "; ".join(errors[:3])


def _parse_visit(value: dict[str, Any]) -> LevelVisit:
    texts = _parse_texts(value["hash"], value["digest"], value["spawn"], value["used"])
    return LevelVisit(texts[0], _parse_texts(*value["files"]), *texts[1:])


def _parse_record(value: dict[str, Any]) -> LevelRecord:
    name, used = _parse_texts(value["name"], value["used"])
    best = None if value["best"] is None else _parse_best(value["best"])
    return LevelRecord(name, used, max(0, int(value["finished"])), best, _parse_texts(*value["challenges"]))


def _parse_best(value: dict[str, Any]) -> BestRun:
    strokes = value["strokes"]
    run, rules, when = _parse_texts(value["run"], value["rules"], value["when"])
    splits = tuple((_parse_texts(name)[0], _parse_seconds(at)) for name, at in value["splits"])
    if Path(run).name != run:
        raise ValueError("a run must be a file name")
    return BestRun(
        _parse_seconds(value["seconds"]),
        None if strokes is None else min(max(0, int(strokes)), MAX_STROKES),
        splits,
        run,
        rules,
        when,
    )


def _parse_seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= MAX_SECONDS:
        raise ValueError("not a time in seconds")
    return float(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _parse_texts(*values: Any) -> tuple[str, ...]:
    if not all(map(_is_text, values)):
        raise ValueError("not a text")
    return values


def _drop_oldest(progress: PlayerProgress) -> PlayerProgress:
    """The progress with the MAX_LEVELS entries that were used last."""
    return replace(progress, visits=_newest_entries(progress.visits), records=_newest_entries(progress.records))


def _newest_entries(table: dict[str, Any]) -> dict[str, Any]:
    newest = set(sorted(table, key=lambda key: table[key].used)[-MAX_LEVELS:])
    return {key: entry for key, entry in table.items() if key in newest}


def _files_digest(files: tuple[str, ...]) -> str:
    return files_digest([file_path(key) or Path(key) for key in files])


def _timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


_FILE = SharedFile(
    FILE_NAME, MAX_BYTES, "The progress file", "Your progress", PlayerProgress, parse_progress, encode_progress
)
