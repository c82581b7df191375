"""What the player has done so far: the level played last, best runs and challenges, in one small file.

Every change reads the file anew, changes it and replaces it as a whole, so that a kill at any moment leaves the one
before or the one after it, and two games at once do not forget each other's runs. Levels are told apart by what can be
walked in them (`identity.level_hash`): a sign or a colour changes nothing, a moved wall makes it another level.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core import atomic_files, user_folders
from ..launch.level_lookup import files_digest, level_files

if TYPE_CHECKING:
    from ...level import Level

FILE_NAME = "progress.json"
FORMAT_VERSION = 1
MAX_BYTES = 16 << 20
MAX_LEVELS = 400  # kept; an author makes a new one with each change, and the ones played longest ago go first
MAX_SECONDS = 1e6  # s of a run that is believed
STALE_SECONDS = 3600.0  # s after which a half-written file is one of a game that was killed


@dataclass(frozen=True, slots=True)
class BestRun:
    """The best run of a level from one spawn. `strokes` is None where there is no golf; `splits` are (name, seconds);
    `run` is the replay's file name in `runs_folder()`; `rules` the version of the rules that it was walked by
    (see `identity.rules_version`)."""

    seconds: float
    strokes: int | None = None
    splits: tuple[tuple[str, float], ...] = ()
    run: str = ""
    rules: str = ""
    when: str = ""

    @property
    def score(self) -> tuple[float, float]:
        """What runs are compared by, the lower the better: strokes, then seconds."""
        return float(self.strokes or 0), self.seconds


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """What was done in one level from one spawn."""

    name: str = ""
    used: str = ""  # when last, UTC
    finished: int = 0  # runs that counted
    best: BestRun | None = None
    challenges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelVisit:
    """A level's file as it was when last played: which level that was."""

    hash: str
    files: tuple[str, ...]
    digest: str
    spawn: str
    used: str = ""


@dataclass(frozen=True, slots=True)
class PlayerProgress:
    """All of it. `records` by `hash:spawn`, `visits` by file."""

    last: tuple[str, str] | None = None  # file as `file_key` gives it, and spawn
    visits: dict[str, LevelVisit] = field(default_factory=dict)
    records: dict[str, LevelRecord] = field(default_factory=dict)


def runs_folder() -> Path:
    """Where the replays of best runs are kept."""
    return user_folders.data_folder() / "runs"


# What others ask


def last_played() -> tuple[Path, str] | None:
    """File and spawn of the level played last; None where there is none, or its file has gone."""
    known = read_progress().last
    path = None if known is None else file_path(known[0])
    return None if known is None or path is None else (path, known[1])


def best_seconds(level: Level | Path | str, spawn: str | None = None) -> float | None:
    """Seconds of the best run of a level, or of a level's file as it is now; None where there is none that counts.

    `spawn`: where it began; None is the level's first one, where one gets to from the list of levels.
    """
    found = level_record(level, spawn).best
    return None if found is None else found.seconds


def level_record(level: Level | Path | str, spawn: str | None = None) -> LevelRecord:
    """All that was done in a level (see `best_seconds`); an empty one where nothing was."""
    known = read_progress()
    return known.records.get(_record_key(level, spawn, known), LevelRecord())


# `identity.level_hash` of each shipped level: a visit stays valid when an update changes only the file's texts.
SHIPPED_HASHES = {
    "ballroom.yaml": "66a2733ddce5f4c9", "demo.yaml": "bc6cbf51f20295ff", "escher.yaml": "c5fea60fde3fcfcb",
    "examples/lamps.yaml": "bdd75d343f1fc7c7", "examples/targets.yaml": "2eb88dfd14eea9bb",
    "examples/terrain.yaml": "fd5fa44ed12f3bd5", "golf/one.yaml": "a7bc6a2422854683",
    "golf/three.yaml": "04d676b1f2ea7001", "golf/two.yaml": "3cfc06ed85c58738", "lab.yaml": "cd0697e08f6d39db",
    "lifts.yaml": "17b34bd763f43e72", "museum/corners.yaml": "8eafec6224cd6a3d",
    "museum/corridor.yaml": "9ae2c4498f89f617", "museum/cracks.yaml": "29ca1c6bf290c053",
    "museum/crouch.yaml": "7e3750b2a2e4a8b4", "museum/doorway.yaml": "3b0de07ce52c8502",
    "museum/fall.yaml": "e111937813051d43", "museum/far.yaml": "11b1b58387394e8c",
    "museum/flat.yaml": "422d5a00548fc1b8", "museum/grooves.yaml": "828211f1574e2ed8",
    "museum/hall.yaml": "c9f7aa9fd69c7fc4", "museum/jump.yaml": "2bb699842dc3504c",
    "museum/ledges.yaml": "554793fe269fe793", "museum/ramps.yaml": "999ee3ec99804770",
    "museum/round_rooms.yaml": "60499e1e516cbae7", "museum/same_again.yaml": "c132499c6fd3c80d",
    "museum/slim_gap.yaml": "4233483a1ad97779", "museum/stairs.yaml": "b5513d212a0078c7",
    "museum/tiled_floor.yaml": "7b18ec63b6c1036b", "museum/tiled_wall.yaml": "4c028032e631ea1f",
    "museum/turned.yaml": "bdb2ba7f870ad889", "museum/under_ceiling.yaml": "e9cb2b3765844222",
    "surfaces.yaml": "0649ab54a2b7f0a4", "waters.yaml": "4834f4b869330b30",
}  # fmt: skip


def _record_key(level: Level | Path | str, spawn: str | None, known: PlayerProgress) -> str:
    if not isinstance(level, (Path, str)):
        return record_key(level, level.spawns[0].name if spawn is None else spawn)
    key = file_key(level)
    visit = known.visits.get(key)
    if visit is None:
        return ""
    if visit.hash != SHIPPED_HASHES.get(key.removeprefix("shipped/")) and visit.digest != _files_digest(visit.files):
        return ""
    return f"{visit.hash}:{visit.spawn if spawn is None else spawn}"


_hashes: list[tuple[Any, str]] = []  # of the levels asked for last


def level_hash(level: Level) -> str:
    """`identity.level_hash`, once a level."""
    from ...sim.replay import fingerprint

    for one, known in _hashes:
        if one is level:
            return known
    found = fingerprint.level_hash(level)
    _hashes[:] = [(level, found), *_hashes[:7]]
    return found


def record_key(level: Level, spawn: str) -> str:
    """Of a level and a spawn, in `records`."""
    return f"{level_hash(level)}:{spawn}"


def file_key(path: Path | str) -> str:
    """A level's file by a name that stays: `shipped/NAME`, or the whole path."""
    from ...level.format.file_access import SHIPPED_LEVELS

    whole = Path(path).resolve()
    inside = whole.is_relative_to(SHIPPED_LEVELS.resolve())
    return f"shipped/{whole.relative_to(SHIPPED_LEVELS.resolve()).as_posix()}" if inside else str(whole)


def file_path(key: str) -> Path | None:
    """The file of a `file_key`; None where there is none."""
    from ...level.format.file_access import SHIPPED_LEVELS

    path = SHIPPED_LEVELS / key.removeprefix("shipped/") if key.startswith("shipped/") else Path(key)
    with contextlib.suppress(OSError, ValueError):
        return path if path.is_file() else None
    return None


# What is written down


def record_visit(level: Level, spawn: str) -> str:
    """This level is played now, from this spawn. A sentence for the player where that cannot be kept, else nothing."""
    path = getattr(level, "path", None)
    if path is None:
        return ""
    files = tuple(file_key(one) for one in level_files(level))
    now = _timestamp()
    visit = LevelVisit(level_hash(level), files, _files_digest(files), level.spawns[0].name, now)
    key, of = file_key(path), record_key(level, spawn)

    remove_stale_files(user_folders.data_folder())

    def note(known: PlayerProgress) -> PlayerProgress:
        mine = replace(known.records.get(of, LevelRecord()), name=level.name, used=now)
        return PlayerProgress((key, spawn), {**known.visits, key: visit}, {**known.records, of: mine})

    return update_progress(note)


def record_finish(
    level: Level, spawn: str, run: BestRun, challenges: tuple[str, ...] = ()
) -> tuple[BestRun | None, tuple[str, ...], str]:
    """A run that counts: it becomes the best where it is, and its challenges are kept.

    The best run before it, the challenges that are new, and a sentence where it could not be kept.
    """
    of, now = record_key(level, spawn), _timestamp()
    before: list[LevelRecord] = []

    def note(known: PlayerProgress) -> PlayerProgress:
        old = known.records.get(of, LevelRecord())
        before[:] = [old]
        better = old.best is None or run.score < old.best.score
        mine = replace(
            old,
            name=level.name,
            used=now,
            finished=old.finished + 1,
            best=replace(run, when=now) if better else old.best,
            challenges=tuple(dict.fromkeys((*old.challenges, *challenges))),
        )
        return replace(known, records={**known.records, of: mine})

    problem = update_progress(note)
    fresh = tuple(name for name in challenges if name not in before[0].challenges)
    return before[0].best, fresh, problem


def remove_stale_files(where: Path) -> None:
    """Away with what a killed game had half written; nobody can be writing that any more."""
    with contextlib.suppress(OSError):
        for path in where.glob(".*.part"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()


# The file

_lock = threading.RLock()
_read: tuple[Path, tuple[int, int, int], PlayerProgress] | None = None
_notes: list[str] = []


def read_progress() -> PlayerProgress:
    """What is in the file now; what cannot be read of it is left out. Never raises for a bad file."""
    try:
        return _read_file(user_folders.data_folder() / FILE_NAME)
    except OSError:
        return PlayerProgress()


def _read_file(path: Path) -> PlayerProgress:
    """OSError for a file that is there and cannot be opened: it must not be written over."""
    global _read
    with _lock:
        try:
            mark = _file_mark(path)
            if _read is not None and _read[:2] == (path, mark):
                return _read[2]
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return PlayerProgress()
        known, wrong = parse_progress(data)
        if wrong:
            kept = path.with_name(path.name + ".damaged")
            with contextlib.suppress(OSError):
                atomic_files.write_atomic(kept, data[:MAX_BYTES])
            _notes.append(f"The progress file was damaged ({wrong}) and was saved as {kept}.")
        _read = path, mark, known
        return known


def take_notes() -> list[str]:
    """Sentences for the player about what was found damaged since this was asked for last."""
    with _lock:
        found = list(dict.fromkeys(_notes))
        _notes.clear()
    return found


def update_progress(what: Callable[[PlayerProgress], PlayerProgress]) -> str:
    """Read the file, change it and replace it; a sentence for the player where that fails, else nothing."""
    path = user_folders.data_folder() / FILE_NAME
    with _lock:
        try:
            known = _drop_oldest(what(_read_file(path)))
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_files.write_atomic(path, encode_progress(known))
        except OSError as error:
            return f"Your progress cannot be saved in {path.parent}: {(error.strerror or str(error)).lower()}."
    return ""


def encode_progress(known: PlayerProgress) -> bytes:
    """The file's bytes."""
    fields = {
        "format": FORMAT_VERSION,
        "last": None if known.last is None else list(known.last),
        "visits": {key: asdict(visit) for key, visit in known.visits.items()},
        "records": {key: asdict(mine) for key, mine in known.records.items()},
    }
    return (json.dumps(fields, indent=1) + "\n").encode()


def parse_progress(data: bytes) -> tuple[PlayerProgress, str]:
    """What can be read of a file's bytes, and what is wrong with them (nothing where all is well)."""
    try:
        values = json.loads(data.decode("utf-8")) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return PlayerProgress(), "not a progress file"
    version = values.get("format")
    wrong = (
        []
        if version == FORMAT_VERSION
        else [f"format {str(version)[:20]}, but this version reads format {FORMAT_VERSION}"]
    )

    def each(name: str, made: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        found = values.get(name, {})
        if not isinstance(found, dict):
            wrong.append(f"{name} is not a table")
            return {}
        good: dict[str, Any] = {}
        for key, value in found.items():
            try:
                good[key] = made(value)
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                wrong.append(f"{name}: {key[:60]}")
        return good

    visits, records = each("visits", _parse_visit), each("records", _parse_record)
    latest = values.get("last")
    if latest is not None and not (isinstance(latest, list) and len(latest) == 2 and all(map(_parse_text, latest))):
        wrong.append("last")
        latest = None
    return PlayerProgress(None if latest is None else (latest[0], latest[1]), visits, records), "; ".join(wrong[:3])


def _parse_visit(value: dict[str, Any]) -> LevelVisit:
    texts = _parse_texts(value["hash"], value["digest"], value["spawn"], value["used"])
    return LevelVisit(texts[0], _parse_texts(*value["files"]), *texts[1:])


def _parse_record(value: dict[str, Any]) -> LevelRecord:
    name, used = _parse_texts(value["name"], value["used"])
    known = value["best"]
    mine = None if known is None else _parse_best(known)
    return LevelRecord(name, used, max(0, int(value["finished"])), mine, _parse_texts(*value["challenges"]))


def _parse_best(value: dict[str, Any]) -> BestRun:
    strokes = value["strokes"]
    run, rules, when = _parse_texts(value["run"], value["rules"], value["when"])
    splits = tuple((_parse_texts(name)[0], _parse_seconds(at)) for name, at in value["splits"])
    if Path(run).name != run:
        raise ValueError("a run must be a file name")
    return BestRun(
        _parse_seconds(value["seconds"]), None if strokes is None else max(0, int(strokes)), splits, run, rules, when
    )


def _parse_seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= MAX_SECONDS:
        raise ValueError("not a time in seconds")
    return float(value)


def _parse_text(value: Any) -> bool:
    return isinstance(value, str)


def _parse_texts(*values: Any) -> tuple[str, ...]:
    if not all(map(_parse_text, values)):
        raise ValueError("not a text")
    return values


def _drop_oldest(known: PlayerProgress) -> PlayerProgress:
    """Without the levels used longest ago, where there are very many."""
    return replace(known, visits=_newest_entries(known.visits), records=_newest_entries(known.records))


def _newest_entries(table: dict[str, Any]) -> dict[str, Any]:
    kept = set(sorted(table, key=lambda key: table[key].used)[-MAX_LEVELS:])
    return {key: entry for key, entry in table.items() if key in kept}


def _files_digest(files: tuple[str, ...]) -> str:
    return files_digest([file_path(key) or Path(key) for key in files])


def _file_mark(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
