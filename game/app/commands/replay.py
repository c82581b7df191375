"""The verbs `run_record` and `run_replay`: a walk into a replay file, and a replay file walked again."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..launch import level_lookup
from ..launch.level_lookup import UserError, printable_name
from ..launch.world_setup import GOAL_MISSED_STATUS, ensure_compiled, load_ready_level, make_world, read_script

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import Replay
    from ...sim.replay.replay_file import ReplayPart

VERIFIED_STATUS, DIVERGED_STATUS, UNREADABLE_STATUS, TRUNCATED_STATUS = 0, 1, 2, 3


def run_record(options: argparse.Namespace) -> int:
    """Walk a commands file through a level and keep what came of it."""
    from ...core import atomic_files
    from ...sim import Recorder, headless_run
    from ..runs.walk_summary import summarise_headless_walk

    output: Path = options.output
    if output.exists():
        raise UserError(f"{output}: the file exists already and is not overwritten; choose another name")
    script = read_script(options.commands)
    world = make_world(load_ready_level(options.level))
    written = bytearray()
    recorder = Recorder(world, written.extend)
    result = headless_run.run_walk(world, script, options.ticks, recorder=recorder)
    recorder.close("the commands' end")
    atomic_files.write_atomic(output, bytes(written))
    for line in summarise_headless_walk(result):
        print(line)
    return GOAL_MISSED_STATUS if result.goal == headless_run.GoalOutcome.MISSED else 0


def run_replay(options: argparse.Namespace) -> int:
    """Walk a replay file again and compare each tick with it; or show it in a window."""
    record = load_replay(options.file)
    with tempfile.TemporaryDirectory(prefix="walker-") as scratch:
        shelf = ReplayLevels(record, options.level, options.as_recorded, Path(scratch))
        for line in describe_replay(record):
            print(line)
        if options.show:
            from . import replay_viewer

            return replay_viewer.show_replay(record, shelf, options)
        return verify_replay(record, shelf)


def load_replay(path: Path) -> Replay:
    """The replay in a file; UserError where there is none to be had."""
    from ...sim import ReplayError
    from ...sim.replay import replay_file

    try:
        return replay_file.read_replay(path)
    except ReplayError as error:
        raise UserError(f"{printable_name(str(path))}: {error}", UNREADABLE_STATUS) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{printable_name(str(path))}: {why.lower()}", UNREADABLE_STATUS) from None


def describe_replay(record: Replay) -> list[str]:
    """What a replay is, and what is wrong with its file."""
    from ..runs.replay_messages import replay_defect_message

    made = record.parts[0].head
    names = " > ".join(printable_name(str(part.level["name"])) for part in record.parts)
    note = f", {printable_name(str(made.get('note')))}" if made.get("note") else ""
    version = printable_name(str(made["made"].get("game")))
    lines = [f"replay: {record.ticks} ticks ({record.seconds:.1f} s) in {names}, recorded by version {version}{note}"]
    return lines + [f"file: {replay_defect_message(defect, record)}" for defect in record.problems]


def verify_replay(record: Replay, shelf: ReplayLevels) -> int:
    """Walk it again and say whether it came out the same."""
    from ...sim import ReplayError, verify
    from ..runs.replay_messages import divergence_lines, verify_note_message

    ensure_compiled(ticks=record.ticks)
    try:
        verdict = verify(record, shelf.level)
    except ReplayError as error:
        raise UserError(f"{printable_name(str(record.path))}: {error}", UNREADABLE_STATUS) from None
    for note in [*shelf.notes, *map(verify_note_message, verdict.notes)]:
        print(f"note: {printable_name(note)}")
    if verdict.divergence is not None:
        for line in divergence_lines(verdict.divergence):
            print(printable_name(line))
        print(f"{verdict.ticks} of {record.ticks} ticks match the recording")
        return DIVERGED_STATUS
    print(f"verified: {verdict.ticks} of {record.ticks} ticks match the recording, bit for bit")
    return VERIFIED_STATUS if record.is_complete else TRUNCATED_STATUS


class ReplayLevels:
    """Finds the level of each part of a replay: the one that was asked for, the one recorded in, or the text of it
    that the replay carries."""

    def __init__(self, record: Replay, wanted: str | None, as_recorded: bool, scratch: Path) -> None:
        self.record, self.requested_level, self.as_recorded, self.scratch = record, wanted, as_recorded, scratch
        self.notes: list[str] = []
        self._loaded: dict[int, Level] = {}

    def level(self, part: ReplayPart) -> Level:
        """The level; UserError where it is none, or cannot be found."""
        if part.number not in self._loaded:
            self._loaded[part.number] = self._find(part)
        return self._loaded[part.number]

    def _find(self, part: ReplayPart) -> Level:
        if self.requested_level is not None:
            return level_lookup.load_level(self.requested_level)
        name = printable_name(str(part.level["name"]))
        if not self.as_recorded:
            path = find_level_file(part, self.record.path)
            if path is not None:
                return level_lookup.load_level(str(path))
        if part.level_text is None:
            raise UserError(
                f"the level {name} was not found ({printable_name(part.level['file'])}) and is not stored in the "
                "replay; use --level",
                UNREADABLE_STATUS,
            )
        if not self.as_recorded:
            self.notes.append(f"the level {name} was not found; using the level stored in the replay")
        path = self.scratch / f"{part.number}" / (Path(part.level["file"]).name or "level.yaml")
        path.parent.mkdir()
        path.write_bytes(part.level_text)
        return level_lookup.load_level(str(path))


def find_level_file(part: ReplayPart, beside: Path) -> Path | None:
    """The file of a part's level: shipped, or where it was, or beside the replay."""
    from ...level.format.file_access import SHIPPED_LEVELS

    file = Path(str(part.level["file"]))
    if not file.name:
        return None
    if part.level["shipped"]:
        path = SHIPPED_LEVELS / file
        return path if path.is_file() and path.resolve().is_relative_to(SHIPPED_LEVELS) else None
    return next((path for path in (file, beside.parent / file.name) if path.is_file()), None)
