"""The verbs `record` and `replay`: a walk into a replay file, and a replay file walked again."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..launch import level_lookup
from ..launch.level_lookup import UserError, harmless
from ..launch.world_setup import MISSED, make_world, read_script, ready, ready_level

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import Replay
    from ...sim.replay.replay_file import Part

VERIFIED, DIVERGED, UNREADABLE, NOT_WHOLE = 0, 1, 2, 3


def record(options: argparse.Namespace) -> int:
    """Walk a commands file through a level and keep what came of it."""
    from ...core import atomic_files
    from ...sim import Recorder, headless_run

    output: Path = options.output
    if output.exists():
        raise UserError(f"{output}: this is there already, and records are never written over; choose another name")
    script = read_script(options.commands)
    world = make_world(ready_level(options.level))
    written = bytearray()
    recorder = Recorder(world, written.extend)
    result = headless_run.run(world, script, options.ticks, recorder=recorder)
    recorder.close("the commands' end")
    atomic_files.write(output, bytes(written))
    for line in result.summary():
        print(line)
    return MISSED if result.goal == "goal: missed" else 0


def replay(options: argparse.Namespace) -> int:
    """Walk a replay file again and compare each tick with it; or show it in a window."""
    record = read(options.file)
    with tempfile.TemporaryDirectory(prefix="walker-") as scratch:
        shelf = Shelf(record, options.level, options.as_recorded, Path(scratch))
        for line in described(record):
            print(line)
        if options.show:
            from . import replay_viewer

            return replay_viewer.show(record, shelf, options)
        return verified(record, shelf)


def read(path: Path) -> Replay:
    """The replay in a file; UserError where there is none to be had."""
    from ...sim import ReplayError
    from ...sim.replay import replay_file

    try:
        return replay_file.read(path)
    except ReplayError as error:
        raise UserError(f"{harmless(str(path))}: {error}", UNREADABLE) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{harmless(str(path))}: {why.lower()}", UNREADABLE) from None


def described(record: Replay) -> list[str]:
    """What a replay is, and what is wrong with its file."""
    made = record.parts[0].head
    names = " > ".join(harmless(str(part.level["name"])) for part in record.parts)
    note = f", {harmless(str(made.get('note')))}" if made.get("note") else ""
    version = harmless(str(made["made"].get("game")))
    lines = [f"replay: {record.ticks} ticks ({record.seconds:.1f} s) in {names}, recorded by version {version}{note}"]
    return lines + [f"file: {trouble}" for trouble in record.troubles]


def verified(record: Replay, shelf: Shelf) -> int:
    """Walk it again and say whether it came out the same."""
    from ...sim import ReplayError, verify

    ready(ticks=record.ticks)
    try:
        verdict = verify(record, shelf.level)
    except ReplayError as error:
        raise UserError(f"{harmless(str(record.path))}: {error}", UNREADABLE) from None
    for note in [*shelf.notes, *verdict.notes]:
        print(f"note: {harmless(note)}")
    if verdict.divergence is not None:
        for line in verdict.divergence.lines():
            print(harmless(line))
        print(f"{verdict.ticks} of {record.ticks} ticks came out as recorded")
        return DIVERGED
    print(f"verified: {verdict.ticks} of {record.ticks} ticks came out as recorded, to the last bit")
    return VERIFIED if record.whole else NOT_WHOLE


class Shelf:
    """Finds the level of each part of a replay: the one that was asked for, the one recorded in, or the text of it
    that the replay carries."""

    def __init__(self, record: Replay, wanted: str | None, as_recorded: bool, scratch: Path) -> None:
        self.record, self.wanted, self.as_recorded, self.scratch = record, wanted, as_recorded, scratch
        self.notes: list[str] = []
        self._known: dict[int, Level] = {}

    def level(self, part: Part) -> Level:
        """The level; UserError where it is none, or cannot be found."""
        if part.number not in self._known:
            self._known[part.number] = self._find(part)
        return self._known[part.number]

    def _find(self, part: Part) -> Level:
        if self.wanted is not None:
            return level_lookup.load(self.wanted)
        name = harmless(str(part.level["name"]))
        if not self.as_recorded:
            path = where(part, self.record.path)
            if path is not None:
                return level_lookup.load(str(path))
        if part.level_text is None:
            raise UserError(
                f"the level {name} is not where it was ({harmless(part.level['file'])}) and the replay does not carry "
                "it; --level names another file",
                UNREADABLE,
            )
        if not self.as_recorded:
            self.notes.append(f"the level {name} is not where it was; the text of it in the replay is used")
        path = self.scratch / f"{part.number}" / (Path(part.level["file"]).name or "level.yaml")
        path.parent.mkdir()
        path.write_bytes(part.level_text)
        return level_lookup.load(str(path))


def where(part: Part, beside: Path) -> Path | None:
    """The file of a part's level: shipped, or where it was, or beside the replay."""
    from ...level.format.source import LEVELS

    file = Path(str(part.level["file"]))
    if not file.name:
        return None
    if part.level["shipped"]:
        path = LEVELS / file
        return path if path.is_file() and path.resolve().is_relative_to(LEVELS) else None
    return next((path for path in (file, beside.parent / file.name) if path.is_file()), None)

