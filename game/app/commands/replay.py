"""`replay`: simulate a replay file again and compare every tick, or show it in a window."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import error_reason
from ..launch.level_lookup import UserError, printable_name, printable_text
from ..launch.world_setup import ensure_compiled
from ..runs.library.replay_levels import ReplayLevels, parts_in_level
from .frame import QUALITIES, TABLE_SUFFIXES, Result, add_json, add_need, add_output, add_size, parse_level, parse_path

if TYPE_CHECKING:
    from ...sim import Divergence, Replay, VerifyResult

VERIFIED_STATUS = 0
DIVERGED_STATUS = 1
TRUNCATED_STATUS = 3

SUMMARY = "verify a replay file tick by tick, or watch it"
HELP = """\
Simulate a replay file again and compare every tick, bit by bit, with the recorded one. The first tick
that differs is printed, with both values of each field. --show plays the replay in a window: Space pauses,
Left and Right skip five seconds, V changes the camera, F1 lists the keys, Esc opens a menu.

-o writes the recorded states without simulating, one row per tick, as `sim -o` does: .npz, .csv or .jsonl.

exit status: 0 every tick is as recorded (with -o: every tick is written)
             1 a tick differs
             2 the file is no replay, is damaged or cannot be read, or the output of -o cannot be written
             3 every tick in the file is as recorded, but it is cut off or was not closed"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `replay`."""
    parser.add_argument("file", type=parse_path, metavar="FILE", help="a replay file")
    levels = parser.add_mutually_exclusive_group()
    levels.add_argument("--level", type=parse_level, metavar="LEVEL", help="use this level instead of the recorded one")
    levels.add_argument("--as-recorded", action="store_true", help="use the level text stored in the replay")
    add_output(parser, "write the recorded states to a file", TABLE_SUFFIXES)
    add_json(parser)
    parser.add_argument("--show", action="store_true", help="play the replay in a window")
    add_size(parser, "with --show: window size")
    parser.add_argument("--quality", choices=QUALITIES, help="with --show: graphics quality for this session only")
    add_output(parser, "with --show: write the final state to FILE, as JSON", option="--report")
    for option in ("--size", "--quality", "--report"):
        add_need(parser, option, "--show")


def run(options: argparse.Namespace) -> Result:
    """Verify the replay, show it, or write its states."""
    if options.show and (options.json or options.output is not None):
        raise UserError("--show does not work with --json and -o")
    record = load_replay(options.file)
    lines = describe_replay(record)
    verdict = None
    with tempfile.TemporaryDirectory(prefix="walker-") as scratch:
        levels = ReplayLevels(record, options.level, options.as_recorded, Path(scratch))
        if options.level is not None and options.output is None:
            level = levels.level(record.parts[0])
            parts_in_level(record, record.parts, level, "name a version of that level, or leave out --level")
        if options.show:
            from .replay_game import show_replay

            print(*map(printable_text, lines), sep="\n", flush=True)
            return Result(show_replay(record, levels, options))
        if options.output is not None:
            lines.append(_write_states(record, options.output))
        else:
            verdict = _verify_replay(record, levels)
    from ..runs.replay_messages import divergence_lines, verify_note_message

    notes = [*levels.notes, *map(verify_note_message, verdict.notes if verdict is not None else ())]
    lines += [f"note: {note}" for note in notes]
    status = VERIFIED_STATUS if record.is_complete else TRUNCATED_STATUS
    if verdict is not None:
        count = f"{verdict.ticks} of {record.ticks} ticks match the recording"
        if verdict.divergence is not None:
            status = DIVERGED_STATUS
            lines += [*divergence_lines(verdict.divergence), count]
        else:
            lines.append(f"verified: {count}, bit for bit")
    return Result(status, lines, lambda: replay_fields(record, verdict, notes, options.output))


def _write_states(record: Replay, output: Path) -> str:
    """Write the recorded states as a table; a line about it."""
    from ...sim import headless_run
    from ...sim.replay.walk_table import join_tables

    if not record.ticks:
        raise UserError(f"{record.path}: the replay has no ticks to write")
    table = join_tables([block.table for part in record.parts for block in part.blocks])
    headless_run.save_walk(table, output)
    return f"written: {len(table.tick)} ticks in {output}"


def _verify_replay(record: Replay, levels: ReplayLevels) -> VerifyResult:
    """Simulate the replay again. UserError where that is not possible."""
    from ...sim import ReplayError, verify

    ensure_compiled(ticks=record.ticks)
    try:
        return verify(record, levels.level)
    except ReplayError as error:
        raise UserError(f"{record.path}: {error}") from None


def load_replay(path: Path) -> Replay:
    """Read a replay file; UserError where it cannot be read."""
    from ...sim.replay import replay_file

    try:
        return replay_file.read_replay(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: {error_reason(error)}") from None


def describe_replay(record: Replay) -> list[str]:
    """Lines with the length, the levels and the version of a replay, and whether it is cut off."""
    from ..runs.replay_messages import cut_off_message

    head = record.parts[0].head
    names = " > ".join(printable_name(str(part.level["name"])) for part in record.parts)
    note = f", {printable_name(str(head.get('note')))}" if head.get("note") else ""
    version = printable_name(str(head["made"].get("game")))
    lines = [f"replay: {record.ticks} ticks ({record.seconds:.1f} s) in {names}, recorded by version {version}{note}"]
    return lines if record.is_complete else [*lines, f"file: {cut_off_message(record)}"]


# ---- JSON document


def replay_fields(
    record: Replay, verdict: VerifyResult | None, notes: list[str], output: Path | None
) -> dict[str, object]:
    """Fields of the document (schemas/replay.json). verdict: None where nothing was simulated."""
    head = record.parts[0].head
    return {
        "file": str(record.path),
        "ticks": record.ticks,
        "seconds": record.seconds,
        "is_complete": record.is_complete,
        "levels": [
            {
                **{name: str(part.level[name]) for name in ("name", "file", "hash")},
                "ticks": sum(len(block.commands) for block in part.blocks),
            }
            for part in record.parts
        ],
        "recorded_by": str(head["made"].get("game")),
        "note": str(head.get("note") or ""),
        "notes": notes,
        "matching_ticks": None if verdict is None else verdict.ticks,
        "divergence": None if verdict is None or verdict.divergence is None else divergence_fields(verdict.divergence),
        "output": None if output is None else str(output),
    }


def divergence_fields(divergence: Divergence) -> dict[str, object]:
    """The first tick that differs."""
    from ..runs.replay_messages import command_text

    command = divergence.command
    return {
        "tick": divergence.tick,
        "seconds": divergence.seconds,
        "level": divergence.level,
        "command": None if command is None else command_text(command, divergence.restarted),
        "differences": [
            {"field": difference.name, "recorded": difference.recorded, "now": difference.now}
            for difference in divergence.differences
        ],
    }
