"""`diff`: the first tick and field in which two walks differ, and a picture of both paths."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ... import COMMAND
from ...core.file_reading import REPLAY_SUFFIX
from ..launch.level_lookup import UserError, level_files
from ..launch.progress_line import shown_progress
from ..launch.world_setup import ensure_compiled, load_ready_level, make_world, read_script
from .frame import Result, add_commands, add_json, add_output, parse_level, refuse_inputs

if TYPE_CHECKING:
    from ...level import Level
    from ...reports.walk_diff import ComparedWalk, WalkComparison
    from ...sim import Replay
    from ...sim.replay.replay_file import ReplayPart

    Pair: TypeAlias = tuple[ComparedWalk, ComparedWalk]

SAME_STATUS = 0
DIFFERENT_STATUS = 1
MAX_SHOWN_FIELDS = 8
SUMMARY = "compare two walks and name the first difference"
HELP = f"""\
Compare two walks tick by tick, bit by bit, and name the first tick that differs and its fields with both values.

  {COMMAND} diff a.replay b.replay                        two replays of one level
  {COMMAND} diff old.yaml new.yaml --commands FILE        one walk in two versions of a level

`{COMMAND} replay FILE` compares a replay with a fresh walk of its commands.

-o draws both paths on the plan of the level, and the place of the first difference, as .png.

exit status: 0 the walks are the same; 1 they differ; 2 a file cannot be read or compared"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", type=parse_level, metavar="A", help="a replay file or a level")
    parser.add_argument("b", type=parse_level, metavar="B", help="another replay, or another level")
    add_commands(parser, "commands file to walk in both levels")
    add_output(parser, "picture of both paths, as .png", (".png",))
    add_json(parser)


def run(options: argparse.Namespace) -> Result:
    """Compare the walks and draw the picture."""
    from ...reports.walk_diff import compare_walks, diff_fields
    from ...sim import ReplayError
    from ..runs.replay_messages import command_text

    notes: list[str] = []
    matching = 0
    try:
        for a, b in _read_walks(options, notes):
            comparison = compare_walks(a, b)
            matching = comparison.matching = comparison.matching + matching
            if comparison.difference is not None:
                break
    except ReplayError as error:
        raise UserError(str(error)) from None
    if options.output is not None:
        _save_picture(comparison, options)
    difference = comparison.difference
    first, second = (None, None) if difference is None else difference.commands
    commands = command_text(first) if first else "", command_text(second) if second else ""
    status = SAME_STATUS if difference is None else DIFFERENT_STATUS
    lines = [*_describe(comparison, notes, commands), *([f"picture: {options.output}"] if options.output else [])]
    return Result(status, lines, lambda: diff_fields(comparison, notes, commands, options.output))


def _read_walks(options: argparse.Namespace, notes: list[str]) -> Iterator[Pair]:
    """Pairs of walks to compare, one after the other: at least one. notes: those for the reader are added.

    UserError for arguments that do not go together.
    """
    from ...level import find_level

    names = [options.a, options.b]
    replays = [name for name in names if name.lower().endswith(REPLAY_SUFFIX)]
    if replays and options.commands is not None:
        raise UserError("--commands needs two levels; a replay has its own commands")
    if len(replays) == 1:
        for name in names:
            if not os.path.exists(find_level(name)):
                raise UserError(f"{name}: no such file")
        raise UserError(
            f"a replay is compared with a replay; to walk it again in a level: {COMMAND} replay FILE --level LEVEL"
        )
    if not replays:
        if options.commands is None:
            raise UserError(f"two levels need one walk: {COMMAND} diff OLD NEW --commands FILE")
        yield _two_levels(names, options.commands, notes)
        return
    from .replay import load_replay

    ensure_compiled()
    records = [load_replay(Path(name)) for name in replays]
    for record in records:
        if not record.ticks:
            raise UserError(f"{record.path}: the replay has no ticks to compare")
        notes += _file_notes(record)
    yield from _two_replays(records[0], records[1], notes)


def _two_levels(names: list[str], commands: Path, notes: list[str]) -> Pair:
    """One walk in two levels."""
    from ...reports.walk_diff import fresh_walk
    from ...sim.tick_input import TickInput
    from ..runs.library.replay_levels import missing_parts_note

    script = read_script(commands)
    levels = [load_ready_level(name) for name in names]
    is_one_name = levels[0].path.name == levels[1].path.name
    notes += filter(None, map(missing_parts_note, levels))

    def walk(level: Level) -> ComparedWalk:
        world = make_world(level)
        inputs = map(TickInput, islice(script.commands(world.start.heading), script.ticks))
        return fresh_walk(f"{commands.name} in {level.path if is_one_name else level.path.name}", world, level, inputs)

    return walk(levels[0]), walk(levels[1])


def _two_replays(first: Replay, second: Replay, notes: list[str]) -> Iterator[Pair]:
    """Two replays of one level, part by part."""
    one, other = first.parts[0].level, second.parts[0].level
    if one["name"] != other["name"] and Path(one["file"]).name != Path(other["file"]).name:
        raise UserError(
            f"{first.path.name} was recorded in {one['name']}, {second.path.name} in {other['name']}: "
            "compare walks of one level"
        )
    if one["hash"] != other["hash"]:
        notes.append(f"the level differs: hash {one['hash']} in A, {other['hash']} in B")
    parts, others = ([part for part in record.parts if part.blocks] for record in (first, second))
    if len(parts) != len(others):
        notes.append("one replay visits more levels than the other; those are not compared")
    for a, b in zip(parts, others, strict=False):
        yield _recorded(first, a), _recorded(second, b)


def _recorded(record: Replay, part: ReplayPart) -> ComparedWalk:
    """The recorded states of a part, with the level of the recording where it can be found."""
    from ...reports.walk_diff import recorded_walk
    from ...sim.replay import fingerprint
    from ..runs.library.replay_levels import StoredLevels

    def find_level() -> Level | None:
        try:
            level = StoredLevels(record).level(part)
        except UserError:
            return None
        return level if fingerprint.level_hash(level) == part.level["hash"] else None

    return recorded_walk(record.path.name, part, find_level)


def _file_notes(record: Replay) -> list[str]:
    """Whether a replay file is cut off, and other versions."""
    from ...sim.replay import verifier
    from ..runs import replay_messages

    notes = [] if record.is_complete else [replay_messages.cut_off_message(record)]
    notes += [replay_messages.verify_note_message(note) for note in verifier.version_notes(record)]
    return [f"{record.path.name}: {note}" for note in notes]


def _save_picture(comparison: WalkComparison, options: argparse.Namespace) -> None:
    """Draw both paths. A replay without its level is drawn on the plan of the other walk."""
    from ...drawing.canvas import save_canvas
    from ...reports.walk_diff import draw_comparison

    levels = [comparison.a.find_level(), comparison.b.find_level()]
    known = [level for level in levels if level is not None]
    for level in known:
        refuse_inputs(options, level_files(level))
    if not known:
        raise UserError(f"{options.output}: there is no level to draw the picture on; leave out -o")
    with shown_progress("drawing the picture"):
        save_canvas(draw_comparison(comparison, levels[0] or known[-1], levels[1] or known[-1]), options.output)


def _describe(comparison: WalkComparison, notes: list[str], commands: tuple[str, str]) -> list[str]:
    """Lines about both walks, the notes, and the difference."""
    from ..runs.replay_messages import field_text

    lines = []
    for letter, source, walk in zip("AB", (comparison.a, comparison.b), comparison.walks, strict=True):
        kind = "recorded" if source.is_recorded else "simulated"
        lines.append(f"{letter}: {source.name}, {len(walk.table.tick) - 1} ticks, {kind}, {source.level_name}")
    lines += [f"note: {note}" for note in notes]
    difference = comparison.difference
    if difference is None:
        return [*lines, f"the walks are the same: {comparison.matching} ticks, bit for bit"]
    seconds = difference.tick / comparison.a.ticks_per_second
    where = f"at tick {difference.tick} ({seconds:.2f} s)" if difference.tick else "before the first tick"
    a, b = commands
    command = a if a == b else f"A {a or 'none'}, B {b or 'none'}"
    lines.append(f"first difference {where}, {difference.kind}" + (f"; command: {command}" if command else ""))
    for item in difference.fields[:MAX_SHOWN_FIELDS]:
        lines.append(f"  {field_text(item.name)}: A {item.recorded}, B {item.now}")
    if len(difference.fields) > MAX_SHOWN_FIELDS:
        lines.append(f"  and {len(difference.fields) - MAX_SHOWN_FIELDS} more fields (--json lists all)")
    return [*lines, *filter(None, [difference.text])]
