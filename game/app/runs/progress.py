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

if TYPE_CHECKING:
    from ...level import Level

FILE = "progress.json"
FORMAT = 1
MAX_BYTES = 16 << 20
MOST_LEVELS = 400  # kept; an author makes a new one with each change, and the ones played longest ago go first
LONGEST = 1e6  # s of a run that is believed
LEFT_OVER = 3600.0  # s after which a half-written file is one of a game that was killed


@dataclass(frozen=True, slots=True)
class Best:
    """The best run of a level from one spawn. `strokes` is None where there is no golf; `splits` are (name, seconds);
    `run` is the replay's file name in `runs_folder()`; `rules` the hash of the rules that it was walked by."""

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
class Record:
    """What was done in one level from one spawn."""

    name: str = ""
    used: str = ""  # when last, UTC
    finished: int = 0  # runs that counted
    best: Best | None = None
    challenges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Visit:
    """A level's file as it was when last played: which level that was."""

    hash: str
    files: tuple[str, ...]
    digest: str
    spawn: str
    used: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """All of it. `records` by `hash:spawn`, `visits` by file."""

    last: tuple[str, str] | None = None  # file as `file_key` gives it, and spawn
    visits: dict[str, Visit] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)


def runs_folder() -> Path:
    """Where the replays of best runs are kept."""
    return user_folders.data() / "runs"


# What others ask


def last() -> tuple[Path, str] | None:
    """File and spawn of the level played last; None where there is none, or its file has gone."""
    known = read().last
    path = None if known is None else file_path(known[0])
    return None if known is None or path is None else (path, known[1])


def best(level: Level | Path | str, spawn: str | None = None) -> float | None:
    """Seconds of the best run of a level, or of a level's file as it is now; None where there is none that counts.

    `spawn`: where it began; None is the level's first one, where one gets to from the list of levels.
    """
    found = record(level, spawn).best
    return None if found is None else found.seconds


def record(level: Level | Path | str, spawn: str | None = None) -> Record:
    """All that was done in a level (see `best`); an empty one where nothing was."""
    known = read()
    return known.records.get(_key(level, spawn, known), Record())


def _key(level: Level | Path | str, spawn: str | None, known: Progress) -> str:
    if not isinstance(level, (Path, str)):
        return key_of(level, level.spawns[0].name if spawn is None else spawn)
    visit = known.visits.get(file_key(level))
    if visit is None or visit.digest != _digest(visit.files):
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


def key_of(level: Level, spawn: str) -> str:
    """Of a level and a spawn, in `records`."""
    return f"{level_hash(level)}:{spawn}"


def file_key(path: Path | str) -> str:
    """A level's file by a name that stays: `shipped/NAME`, or the whole path."""
    from ...level.format.source import LEVELS

    whole = Path(path).resolve()
    inside = whole.is_relative_to(LEVELS.resolve())
    return f"shipped/{whole.relative_to(LEVELS.resolve()).as_posix()}" if inside else str(whole)


def file_path(key: str) -> Path | None:
    """The file of a `file_key`; None where there is none."""
    from ...level.format.source import LEVELS

    path = LEVELS / key.removeprefix("shipped/") if key.startswith("shipped/") else Path(key)
    with contextlib.suppress(OSError, ValueError):
        return path if path.is_file() else None
    return None


# What is written down


def visited(level: Level, spawn: str) -> str:
    """This level is played now, from this spawn. A sentence for the player where that cannot be kept, else nothing."""
    from ..hot_reload.level_worker import files_of

    path = getattr(level, "path", None)
    if path is None:
        return ""
    files = tuple(file_key(one) for one in files_of(level))
    now = _now()
    visit = Visit(level_hash(level), files, _digest(files), level.spawns[0].name, now)
    key, of = file_key(path), key_of(level, spawn)

    sweep(user_folders.data())

    def note(known: Progress) -> Progress:
        mine = replace(known.records.get(of, Record()), name=level.name, used=now)
        return Progress((key, spawn), {**known.visits, key: visit}, {**known.records, of: mine})

    return change(note)


def finished(
    level: Level, spawn: str, run: Best, challenges: tuple[str, ...] = ()
) -> tuple[Best | None, tuple[str, ...], str]:
    """A run that counts: it becomes the best where it is, and its challenges are kept.

    The best run before it, the challenges that are new, and a sentence where it could not be kept.
    """
    of, now = key_of(level, spawn), _now()
    before: list[Record] = []

    def note(known: Progress) -> Progress:
        old = known.records.get(of, Record())
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

    problem = change(note)
    fresh = tuple(name for name in challenges if name not in before[0].challenges)
    return before[0].best, fresh, problem


def sweep(where: Path) -> None:
    """Away with what a killed game had half written; nobody can be writing that any more."""
    with contextlib.suppress(OSError):
        for path in where.glob(".*.part"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > LEFT_OVER:
                    path.unlink()


# The file

_lock = threading.RLock()
_read: tuple[Path, tuple[int, int, int], Progress] | None = None
_notes: list[str] = []


def read() -> Progress:
    """What is in the file now; what cannot be read of it is left out. Never raises for a bad file."""
    try:
        return _load(user_folders.data() / FILE)
    except OSError:
        return Progress()


def _load(path: Path) -> Progress:
    """OSError for a file that is there and cannot be opened: it must not be written over."""
    global _read
    with _lock:
        try:
            mark = _mark(path)
            if _read is not None and _read[:2] == (path, mark):
                return _read[2]
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return Progress()
        known, wrong = parse(data)
        if wrong:
            kept = path.with_name(path.name + ".damaged")
            with contextlib.suppress(OSError):
                atomic_files.write(kept, data[:MAX_BYTES])
            _notes.append(f"The file of your progress was damaged ({wrong}) and is kept as {kept}.")
        _read = path, mark, known
        return known


def notes() -> list[str]:
    """Sentences for the player about what was found damaged since this was asked for last."""
    with _lock:
        found = list(dict.fromkeys(_notes))
        _notes.clear()
    return found


def change(what: Callable[[Progress], Progress]) -> str:
    """Read the file, change it and replace it; a sentence for the player where that fails, else nothing."""
    path = user_folders.data() / FILE
    with _lock:
        try:
            known = _trimmed(what(_load(path)))
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_files.write(path, encode(known))
        except OSError as error:
            return f"Your progress cannot be saved in {path.parent}: {(error.strerror or str(error)).lower()}."
    return ""


def encode(known: Progress) -> bytes:
    """The file's bytes."""
    fields = {
        "format": FORMAT,
        "last": None if known.last is None else list(known.last),
        "visits": {key: asdict(visit) for key, visit in known.visits.items()},
        "records": {key: asdict(mine) for key, mine in known.records.items()},
    }
    return (json.dumps(fields, indent=1) + "\n").encode()


def parse(data: bytes) -> tuple[Progress, str]:
    """What can be read of a file's bytes, and what is wrong with them (nothing where all is well)."""
    try:
        values = json.loads(data.decode("utf-8")) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return Progress(), "not a progress file"
    version = values.get("format")
    wrong = [] if version == FORMAT else [f"it is of format {str(version)[:20]}, this version knows {FORMAT}"]

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

    visits, records = each("visits", _visit), each("records", _record)
    latest = values.get("last")
    if latest is not None and not (isinstance(latest, list) and len(latest) == 2 and all(map(_text, latest))):
        wrong.append("last")
        latest = None
    return Progress(None if latest is None else (latest[0], latest[1]), visits, records), "; ".join(wrong[:3])


def _visit(value: dict[str, Any]) -> Visit:
    texts = _texts(value["hash"], value["digest"], value["spawn"], value["used"])
    return Visit(texts[0], _texts(*value["files"]), *texts[1:])


def _record(value: dict[str, Any]) -> Record:
    name, used = _texts(value["name"], value["used"])
    known = value["best"]
    mine = None if known is None else _best(known)
    return Record(name, used, max(0, int(value["finished"])), mine, _texts(*value["challenges"]))


def _best(value: dict[str, Any]) -> Best:
    strokes = value["strokes"]
    run, rules, when = _texts(value["run"], value["rules"], value["when"])
    splits = tuple((_texts(name)[0], _seconds(at)) for name, at in value["splits"])
    if Path(run).name != run:
        raise ValueError("a run is the name of a file")
    return Best(_seconds(value["seconds"]), None if strokes is None else max(0, int(strokes)), splits, run, rules, when)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= LONGEST:
        raise ValueError("these are no seconds")
    return float(value)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(*values: Any) -> tuple[str, ...]:
    if not all(map(_text, values)):
        raise ValueError("this is no text")
    return values


def _trimmed(known: Progress) -> Progress:
    """Without the levels used longest ago, where there are very many."""
    return replace(known, visits=_newest(known.visits), records=_newest(known.records))


def _newest(table: dict[str, Any]) -> dict[str, Any]:
    kept = set(sorted(table, key=lambda key: table[key].used)[-MOST_LEVELS:])
    return {key: entry for key, entry in table.items() if key in kept}


def _digest(files: tuple[str, ...]) -> str:
    from ..hot_reload.level_worker import digest_of

    return digest_of([file_path(key) or Path(key) for key in files])


def _mark(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
