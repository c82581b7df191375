"""`diff`: the first tick and field in which two walks differ, and a picture of both paths."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ... import COMMAND
from ..launch import standard_output
from ..launch.level_lookup import UserError, level_files, printable_name, printable_text
from ..launch.output_check import refuse_input
from ..launch.progress_line import shown_progress
from ..launch.world_setup import ensure_compiled, load_ready_level, make_world, read_script
from .argument_types import add_output_option

if TYPE_CHECKING:
    from ...level import Level
    from ...reports.walk_diff import FreshWalk, ReplayWalk, WalkComparison, WalkSource
    from ...sim import Replay
    from ...sim.replay.replay_file import ReplayPart

SAME_STATUS = 0
DIFFERENT_STATUS = 1
UNREADABLE_STATUS = 2
REPLAY_SUFFIX = ".replay"
MAX_SHOWN_FIELDS = 8
SUMMARY = "compare two walks and name the first difference"
HELP = f"""\
Compare two walks tick by tick, bit by bit, and name the first tick that differs and its fields with both values.

  {COMMAND} diff a.replay b.replay                        two replays of one level
  {COMMAND} diff old.yaml new.yaml --commands FILE        one walk in two versions of a level
  {COMMAND} diff walk.replay                              recorded states and a fresh walk
  {COMMAND} diff walk.replay new.yaml                     the same in another version of the level

-o draws both paths on the plan of the level, and the place of the first difference, as .png.

exit status: 0 the walks are the same; 1 they differ; 2 a file cannot be read or compared"""


@dataclass(slots=True)
class _Inputs:
    """Pairs of walks to compare, one after the other, and notes for the reader."""

    pairs: list[Callable[[], tuple[WalkSource, WalkSource]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a replay file or a level")
    parser.add_argument(
        "b", nargs="?", metavar="B", help="another replay or level; default: a fresh walk of the replay"
    )
    parser.add_argument(
        "--commands", type=Path, metavar="FILE", help="commands file to walk in both levels (docs/commands.md)"
    )
    add_output_option(parser, "picture of both paths, as .png")
    standard_output.add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Compare the walks, print the difference, draw the picture; the exit status."""
    from ...core.errors import ReportError
    from ...drawing.plot_sheet import check_plot_output
    from ..runs.library.replay_levels import COPY_FOLDER

    try:
        if options.output is not None:
            check_plot_output(options.output, (".png",))
            refuse_input(options.output, _named_files(options))
        with tempfile.TemporaryDirectory(prefix=COPY_FOLDER) as scratch:
            inputs = _read_inputs(options, Path(scratch))
            comparison = _compare(inputs)
            if options.output is not None:
                _save_picture(comparison, options.output)
    except ReportError as error:
        raise UserError(printable_name(str(error)), UNREADABLE_STATUS) from None
    status = SAME_STATUS if comparison.difference is None else DIFFERENT_STATUS
    with standard_output.text_output(options.json):
        for line in _describe(comparison, inputs.notes):
            print(printable_text(line))
        if options.output is not None:
            print(f"picture: {printable_name(str(options.output))}")
    if options.json:
        from ...reports.walk_diff import diff_fields

        fields = diff_fields(comparison, status, inputs.notes, _command_texts(comparison), options.output)
        standard_output.print_document("diff", fields)
    return status


def _named_files(options: argparse.Namespace) -> list[str | Path | None]:
    """The files that the arguments name: replays and commands as paths, levels as names."""
    names = (name for name in (options.a, options.b) if name is not None)
    return [options.commands, *(Path(name) if name.lower().endswith(REPLAY_SUFFIX) else name for name in names)]


def _read_inputs(options: argparse.Namespace, scratch: Path) -> _Inputs:
    """The walks that the arguments name. UserError for arguments that do not go together."""
    from ...reports.walk_files import TABLE_SUFFIXES

    names = [name for name in (options.a, options.b) if name is not None]
    replays = [name for name in names if name.lower().endswith(REPLAY_SUFFIX)]
    for name in names:
        if Path(name).suffix.lower() in TABLE_SUFFIXES:
            raise UserError(
                f"{printable_name(name)}: diff compares replays or levels, not tables. Record the walk as a replay: "
                f"{COMMAND} record LEVEL --commands FILE -o walk.replay"
            )
    if options.commands is not None and replays:
        raise UserError("--commands needs two levels; a replay has its own commands")
    if not replays:
        if options.commands is not None and len(names) < 2:
            words = " ".join(printable_name(str(word)) for word in (names[0], "NEW --commands", options.commands))
            raise UserError(f"the second level is missing: {COMMAND} diff {words}")
        if options.commands is None:
            raise UserError(f"two levels need one walk: {COMMAND} diff OLD NEW --commands FILE")
        return _level_inputs(names, options.commands)
    from .replay import load_replay

    ensure_compiled()
    records = [load_replay(Path(name)) for name in replays]
    for record in records:
        if not record.ticks:
            raise UserError(f"{record.path}: the replay has no ticks to compare", UNREADABLE_STATUS)
    if len(records) == 2:
        return _two_replays(*records)
    level = next((name for name in names if name not in replays), None)
    return _replay_and_walk(records[0], level, scratch)


def _level_inputs(names: list[str], commands: Path) -> _Inputs:
    """One walk in two levels."""
    from ...reports.walk_diff import FreshWalk, SourceName
    from ...sim.tick_input import TickInput

    script = read_script(commands)
    levels = [load_ready_level(name) for name in names]
    is_one_name = levels[0].path.name == levels[1].path.name

    def walk(level: Level) -> FreshWalk:
        world = make_world(level)
        inputs = map(TickInput, islice(script.commands(world.start.heading), script.ticks))
        name = f"{commands.name} in {level.path if is_one_name else level.path.name}"
        return FreshWalk(SourceName(name, str(level.path), level.name, str(level.path)), world, inputs)

    notes = [note for level in levels for note in _missing_notes(level)]
    return _Inputs([lambda: (walk(levels[0]), walk(levels[1]))], notes)


def _missing_notes(level: Level) -> list[str]:
    """A note for a level of which parts are left out because of errors."""
    from ..runs.library.replay_levels import missing_parts_note

    note = missing_parts_note(level)
    return [note] if note else []


def _two_replays(first: Replay, second: Replay) -> _Inputs:
    """Two replays of one level, part by part."""
    one, other = first.parts[0], second.parts[0]
    is_one_level = (
        one.level["name"] == other.level["name"] or Path(one.level["file"]).name == Path(other.level["file"]).name
    )
    if not is_one_level:
        raise UserError(
            f"{first.path.name} was recorded in {one.level['name']}, {second.path.name} in {other.level['name']}: "
            "compare walks of one level"
        )
    parts = list(zip(_full_parts(first), _full_parts(second), strict=False))
    inputs = _Inputs([lambda a=a, b=b: (_recorded(first, a), _recorded(second, b)) for a, b in parts])  # type: ignore[misc]
    inputs.notes += _file_notes(first) + _file_notes(second)
    if one.level["hash"] != other.level["hash"]:
        inputs.notes.append(f"the level differs: hash {one.level['hash']} in A, {other.level['hash']} in B")
    if len(_full_parts(first)) != len(_full_parts(second)):
        inputs.notes.append("one replay visits more levels than the other; those are not compared")
    return inputs


def _replay_and_walk(record: Replay, level_name: str | None, scratch: Path) -> _Inputs:
    """The recorded states of a replay and a fresh walk of its commands."""
    from ...reports.walk_diff import SourceName, walk_again
    from ...sim.replay import fingerprint
    from ..runs.library.replay_levels import ReplayLevels, is_stored_copy, parts_in_level

    levels = ReplayLevels(record, level_name, False, scratch)
    parts = _full_parts(record)
    if level_name is not None:
        parts = parts_in_level(record, parts, levels.level(parts[0]), "name a version of that level, or none")

    def pair(part: ReplayPart) -> tuple[WalkSource, WalkSource]:
        level = levels.level(part)
        inputs.notes += [note for note in levels.notes if note not in inputs.notes]
        if fingerprint.level_hash(level) != part.level["hash"]:
            changed = f"the level {part.level['name']} has changed since the recording"
            other = f"{level.path.name} is another version of the level than that of the recording"
            inputs.notes.append(changed if level_name is None else other)
        inputs.notes += _missing_notes(level)
        is_stored = is_stored_copy(level.path)
        file, level_file = (str(record.path), "") if is_stored else (str(level.path), str(level.path))
        where = f"{level.path.name}, as stored in the replay" if is_stored else level.path.name
        name = SourceName(f"fresh walk in {where}", file, level.name, level_file)
        return _recorded(record, part), walk_again(name, part, level)

    inputs = _Inputs([lambda part=part: pair(part) for part in parts], _file_notes(record))  # type: ignore[misc]
    return inputs


def _full_parts(record: Replay) -> list[ReplayPart]:
    return [part for part in record.parts if part.chunks]


def _recorded(record: Replay, part: ReplayPart) -> ReplayWalk:
    """The recorded states of a part, with the level of the recording where it can be found."""
    from ...reports.walk_diff import ReplayWalk, SourceName
    from ...sim.replay import fingerprint
    from ..runs.library.replay_levels import StoredLevels, find_level_file

    def find_level() -> Level | None:
        try:
            level = StoredLevels(record).level(part)
        except UserError:
            return None
        return level if fingerprint.level_hash(level) == part.level["hash"] else None

    level_file = find_level_file(part, record.path) or ""
    name = SourceName(record.path.name, str(record.path), str(part.level["name"]), str(level_file))
    return ReplayWalk(name, part, find_level)


def _file_notes(record: Replay) -> list[str]:
    """Damage of a replay file, and other versions."""
    from ...sim.replay import verifier
    from ..runs import replay_messages

    notes = [replay_messages.replay_defect_message(defect, record) for defect in record.problems]
    notes += [replay_messages.verify_note_message(note) for note in verifier.version_notes(record)]
    return [f"{record.path.name}: {note}" for note in notes]


def _compare(inputs: _Inputs) -> WalkComparison:
    """The first pair that differs, else the last one, with all ticks that match."""
    from ...reports.walk_diff import compare_walks

    matching = 0
    for make_pair in inputs.pairs:
        comparison = compare_walks(*make_pair())
        comparison.matching += matching
        matching = comparison.matching
        if comparison.difference is not None:
            break
    return comparison


def _save_picture(comparison: WalkComparison, output: Path) -> None:
    """Draw both paths. A replay without its level is drawn on the plan of the other walk."""
    from ...drawing.canvas import save_canvas
    from ...reports.walk_diff import draw_comparison

    levels = [comparison.a.level, comparison.b.level]
    for level in levels:
        refuse_input(output, () if level is None else level_files(level))
    known = next((level for level in reversed(levels) if level is not None), None)
    if known is None:
        raise UserError(f"{output}: there is no level to draw the picture on; leave out -o", UNREADABLE_STATUS)
    with shown_progress("drawing the picture"):
        save_canvas(draw_comparison(comparison, levels[0] or known, levels[1] or known), output)


def _describe(comparison: WalkComparison, notes: list[str]) -> list[str]:
    """Lines about both walks, the notes, and the difference."""
    from ..runs.replay_messages import field_text

    lines = []
    for letter, source, walk in zip("AB", (comparison.a, comparison.b), comparison.walks, strict=True):
        kind = "recorded" if source.is_recorded else "simulated"
        lines.append(f"{letter}: {source.name.text}, {len(walk.table.tick) - 1} ticks, {kind}, {source.name.level}")
    lines += [f"note: {note}" for note in notes]
    difference = comparison.difference
    if difference is None:
        return [*lines, f"the walks are the same: {comparison.matching} ticks, bit for bit"]
    seconds = difference.tick / comparison.a.ticks_per_second
    where = f"at tick {difference.tick} ({seconds:.2f} s)" if difference.tick else "before the first tick"
    texts = _command_texts(comparison)
    command = texts[0] if texts[0] == texts[1] else f"A {texts[0] or 'none'}, B {texts[1] or 'none'}"
    lines.append(f"first difference {where}, {difference.kind}" + (f"; command: {command}" if command else ""))
    for item in difference.fields[:MAX_SHOWN_FIELDS]:
        lines.append(f"  {field_text(item.name)}: A {item.recorded}, B {item.now}")
    if len(difference.fields) > MAX_SHOWN_FIELDS:
        lines.append(f"  and {len(difference.fields) - MAX_SHOWN_FIELDS} more fields (--json lists all)")
    if difference.text:
        lines.append(difference.text)
    furthest, apart = comparison.furthest
    if not apart:
        return lines
    length = f"{apart:.3f} m" if apart >= 0.01 else f"{apart * 1e3:.3g} mm"
    return [*lines, f"furthest apart: {length} " + (f"at tick {furthest}" if furthest else "at the start")]


def _command_texts(comparison: WalkComparison) -> tuple[str, str]:
    """The commands of the first tick that differs, as texts; empty where there is none."""
    from ..runs.replay_messages import command_text

    if comparison.difference is None:
        return "", ""
    first, second = ("" if command is None else command_text(command) for command in comparison.difference.commands)
    return first, second
