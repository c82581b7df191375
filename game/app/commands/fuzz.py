"""`fuzz`: long random walks through levels, with a check of every tick."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ...core.time_format import format_count
from ..launch.level_lookup import UserError, describe_missing_parts, load_level, missing_parts, printable_text
from ..launch.progress_line import shown_progress
from ..launch.world_setup import ensure_compiled, print_status
from .frame import Result, add_json, add_output, add_processes, number_type, parse_level

if TYPE_CHECKING:
    from ...fuzz.shards import LevelCopy
    from ...level import Level

HELD_STATUS, FAILED_STATUS = 0, 1
MAX_TICKS = 10**11
MAX_SEED = 2**31 - 1
PREFABS_FOLDER = "prefabs"  # of pieces for the level editor, which are no levels to play
RESULT_FILE = "fuzz.json"
_MODEL_LEVEL = "format: 1\nspawn: {{at: [0, 0, 0]}}\npieces:\n  - model: {{file: {file}}}\n"

SUMMARY = "walk at random through levels, and check every tick"
HELP = f"""\
Walk at random through levels and models, and check every tick with code that shares nothing with the walker: walls
that were crossed, gaps that are too small, places where the walker is stuck or trembles (docs/fuzz.md).

The walks run on all processors of this machine, or with --scheduler on the workers of a Dask scheduler. The results are
the same to the bit, however many there are.

exit status: {HELD_STATUS} all checks held
             {FAILED_STATUS} a walk failed a check, or parts of a level are left out because of errors in it
             2 a level, an option or the folder cannot be used
             4 the run stopped before its end: a worker, a process or the scheduler is gone"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "levels",
        type=parse_level,
        nargs="+",
        metavar="LEVEL",
        help="a level file, the name of a shipped level (such as demo), a model (.glb, .gltf, .obj, .map), or a folder "
        "of levels",
    )
    parser.add_argument(
        "--ticks",
        type=number_type(int, 1, MAX_TICKS, "number of ticks"),
        default=1_000_000,
        metavar="N",
        help="ticks of all levels and bodies together (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=number_type(int, 0, MAX_SEED, "seed"), default=1, metavar="S", help="of the walks (default: 1)"
    )
    add_processes(parser, "number of processes (default: one for each processor)")
    parser.add_argument(
        "--body",
        action="append",
        metavar="NAME",
        help="body that walks: `level`, which is the level's own (the default), or a preset (docs/level_format.md); "
        "repeat it for several",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://10.0.0.5:8786"
    )
    text = "new folder for the result as JSON, with a replay of the first failure of each kind"
    add_output(parser, text, metavar="FOLDER")
    add_json(parser)


def run(options: argparse.Namespace) -> Result:
    """Run the walks and report."""
    from ...core.jobs import processor_count
    from ...fuzz import shards
    from ...reports.documents import format_document

    bodies = list(dict.fromkeys(options.body or [shards.LEVEL_BODY]))
    for body in bodies:
        if body not in shards.BODY_NAMES:
            raise UserError(f"--body is one of {', '.join(shards.BODY_NAMES)}, not {printable_text(body)}")
    if options.n and options.scheduler:
        raise UserError("-n is for this machine, and with --scheduler others do the work; leave one of them out")
    levels = _read_levels(options.levels)
    folder = options.output
    if folder is not None:
        folder.mkdir(exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"{folder}: the folder is not empty; name a new one")
    work = shards.make_shards(levels, bodies, options.seed, options.ticks)
    if options.scheduler:
        print_status(f"connecting to the scheduler at {printable_text(options.scheduler)}")
    else:
        ensure_compiled(ticks=sum(shard.ticks for shard in work))
    with shown_progress("walking") as progress:
        if options.scheduler:
            reports = shards.run_on_scheduler(work, options.scheduler, progress)
        else:
            reports = shards.run_in_processes(work, options.n or processor_count(), progress)
    rows, replays = shards.fuzz_rows(work, reports, levels if folder is not None else {})
    failures = sum(sum(row["failures"].values()) for row in rows)
    left_out = {copy.name: len(missing) for copy, level in levels.items() if (missing := missing_parts(level))}
    status = FAILED_STATUS if failures or left_out else HELD_STATUS
    fields = {
        "levels": [{"name": one.name, "digest": one.digest, "left_out": left_out.get(one.name, 0)} for one in levels],
        "bodies": bodies,
        "seed": options.seed,
        "ticks": options.ticks,
        "conditions": shards.run_conditions(),
        "walks": rows,
        "failures": failures,
    }
    if folder is not None:
        _write_files(folder, {**replays, RESULT_FILE: format_document("fuzz", {"status": status, **fields}).encode()})
    width = max(24, *(len(row["level"]) for row in rows))
    lines = [line for row in rows for line in row_lines(row, width)]
    verdict = f"{format_count(failures, 'tick')} failed a check" if failures else "all checks held"
    dropped = f"; parts of {format_count(len(left_out), 'level')} are left out" if left_out else ""
    lines.append(f"{format_count(sum(row['ticks'] for row in rows), 'tick')}: {verdict}{dropped}")
    lines += [f"watch the first: walker replay {folder / name} --show" for name in list(replays)[:1]]
    return Result(status, lines, lambda: fields)


def _read_levels(names: Sequence[str]) -> dict[LevelCopy, Level]:
    """The levels of paths, shipped names, models and folders. Parts that are left out because of errors are named on
    standard error. UserError where a level cannot be read, or where a folder has none."""
    from ...fuzz.shards import copy_level
    from ...level import LevelError, load
    from ...level.models.model_reader import MODEL_EXTENSIONS
    from ...testing.level_files import select_levels

    selection = select_levels(names)
    for folder in selection.missing:
        raise UserError(f"{folder}: no level in this folder")
    given = {Path(name) for name in names}
    paths = [path for path in selection.paths if Path(path) in given or Path(path).parent.name != PREFABS_FOLDER]
    counts = Counter(Path(path).name for path in paths)
    levels: dict[LevelCopy, Level] = {}
    for path in paths:
        text = None
        if Path(path).suffix.lower() in MODEL_EXTENSIONS:
            if not Path(path).is_file():
                raise UserError(f"{path}: no such file")
            text = _MODEL_LEVEL.format(file=json.dumps(Path(path).name))
        try:
            level = load_level(path) if text is None else load(text=text, base=f"{path}.yaml")
        except LevelError as error:
            raise UserError("\n".join(finding.render() for finding in error.findings)) from None
        name = Path(path).name if counts[Path(path).name] == 1 else Path(path).as_posix()
        if missing := describe_missing_parts(name, level):
            print_status(printable_text(f"failed: {missing}"))
        levels.setdefault(copy_level(level, name, text), level)
    return levels


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths in a folder."""
    from ...core.atomic_files import write_atomic

    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_atomic(folder / name, data)


def row_lines(row: Mapping[str, Any], width: int = 24) -> list[str]:
    """One line about the walks of a body in a level, whose name takes `width` columns, and one for each kind that
    failed, about its first failure: measure, place, command, and replay."""
    from ...core.angles import DEGREES_PER_HEADING_UNIT
    from ...fuzz.failures import describe_failure_measure
    from ...physics import Command
    from ..runs.replay_messages import command_text

    gap = ""
    if row["worst_gap"] is not None:
        limit = f"(must be over {100.0 * row['gap_limit']:.3f} %)"
        gap = f"  least gap {100.0 * row['worst_gap']:.3f} % of the radii {limit}"
    count = sum(row["failures"].values())
    others = f"{row['lost']} put back, {row['left']} left the level"
    ticks = format_count(row["ticks"], "tick")
    lines = [f"{row['level']:{width}} {row['body']:8} {ticks:>15}{gap}  {count or 'nothing'} failed; {others}"]
    for kind, first in row["first"].items():
        command = first["command"]
        heading = round(command["heading"] / DEGREES_PER_HEADING_UNIT)
        keys = dict.fromkeys(command["keys"], True)
        measure = describe_failure_measure(first["value"], first["bound"], first["unit"])
        parts = [
            f"  {row['level']} {row['body']}, {kind}{measure and f': {measure}'}",
            f"at ({', '.join(f'{value:.2f}' for value in first['position'])})",
            command_text(Command(command["forward"], command["strafe"], heading, **keys)),
        ]
        parts += [f"first of {row['failures'][kind]}"] if row["failures"][kind] > 1 else []
        parts += [PurePosixPath(first["replay"]).name] if first["replay"] else []
        lines.append("; ".join(parts))
    return lines
