"""`plot`: draw walks on the plan of their level, with speed and height over time."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ... import COMMAND
from ...core.time_format import format_count
from ...core.user_folders import has_level_suffix
from ..launch.level_lookup import UserError, level_files, printable_text
from ..launch.progress_line import shown_progress
from ..launch.world_setup import ensure_compiled, load_ready_level, make_world, print_status, read_script
from .frame import LEVEL_HELP, Result, add_output, number_type, parse_level, parse_path, refuse_inputs

if TYPE_CHECKING:
    from ...drawing.heat_map import DrawnWalk
    from ...level import Level
    from ...sim import Replay
    from ...sim.replay.replay_file import ReplayPart
    from ..runs.library.replay_levels import DrawnLevel

MAX_CROWD = 1000
CROWD_SECONDS = 30  # of each walk
FIRST_SEED = 1 << 12  # of the bots
SUMMARY = "draw walks on the plan of a level, with speed and height"
HELP = f"""\
Draw walks on the plan of their level, with speed and height over time. A walk is a replay, a commands file
(--commands), or one of a crowd (--crowd). A replay names its level itself.

-o walk.png draws a picture. -o walk.html writes a page that turns with the mouse and opens without a network (needs
plotly: python -m pip install plotly); it shows no heat map.

--heat draws the time that the walks spent at each place instead of their paths. --crowd N lets N bots press
random keys for {CROWD_SECONDS} seconds each, from the spawn, and draws their heat map. Each run gives the same picture.

examples:
  {COMMAND} plot walk.replay -o walk.png
  {COMMAND} plot demo --commands levels/demo.commands -o demo.png
  {COMMAND} plot lifts --crowd 100 -o crowd.png

exit status: 0 the plot is written; 2 a file cannot be read"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", type=parse_level, nargs="+", metavar="LEVEL|REPLAY", help=f"{LEVEL_HELP}; or a replay"
    )
    add_output(parser, "picture: .png or .html", (".png", ".html"), required=True)
    text = "walk of a commands file; repeatable"
    parser.add_argument("--commands", action="append", default=[], type=parse_path, metavar="FILE", help=text)
    parser.add_argument("--heat", action="store_true", help="draw the time at each place instead of the paths")
    parser.add_argument(
        "--crowd", type=number_type(int, 1, MAX_CROWD), metavar="N", help="let N bots press random keys"
    )


def run(options: argparse.Namespace) -> Result:
    """Read the walks, draw them, write the picture."""
    from ...core.file_reading import REPLAY_SUFFIX
    from ...drawing.plot_sheet import save_plot
    from ..runs.library.replay_levels import missing_parts_note

    files = [Path(name) for name in options.inputs if name.lower().endswith(REPLAY_SUFFIX)]
    levels = [name for name in options.inputs if not name.lower().endswith(REPLAY_SUFFIX)]
    for name in levels:
        if Path(name).suffix and not (has_level_suffix(name) or Path(name).is_dir()):
            raise UserError(f"{name}: plot draws replays (.replay) on a level (.yaml), not files of this kind")
    if len(levels) > 1:
        raise UserError(f"a plot shows one level, not {len(levels)}: {', '.join(levels)}")
    heat = options.heat or options.crowd is not None
    if heat and options.output.suffix.lower() == ".html":
        raise UserError(f"{options.output}: a heat map is a .png; leave out --heat and --crowd for a page")
    drawn, walks = _read_walks(levels, files)
    refuse_inputs(options, drawn.files)
    walks = _add_simulated_walks(options, drawn.level, walks)
    for note in filter(None, (missing_parts_note(drawn.level), drawn.note)):
        print_status(f"note: {note}")
    with shown_progress("drawing the plot"):
        save_plot(drawn.level, walks, options.output, heat, drawn.note)
    return Result(lines=[f"{options.output}: {format_count(len(walks), 'walk')} in {drawn.level.name}"])


def _read_walks(levels: list[str], files: list[Path]) -> tuple[DrawnLevel, list[DrawnWalk]]:
    """The level that the arguments name, or that of the first replay, and the walks in files."""
    from ...drawing.heat_map import walk_of_part
    from ..runs.library.replay_levels import DrawnLevel, level_of_replay
    from .replay import load_replay

    replays = [load_replay(path) for path in files]
    if levels:
        level = load_ready_level(levels[0])
        drawn = DrawnLevel(level, "", level_files(level))
    else:
        drawn = level_of_replay(replays[0])
        ensure_compiled()
    return drawn, [
        walk_of_part(replay.path.name, part) for replay in replays for part in _drawn_parts(replay, drawn.level)
    ]


def _drawn_parts(replay: Replay, level: Level) -> list[ReplayPart]:
    """The parts of a replay in a level. UserError where there is none."""
    from ..runs.library.replay_levels import parts_in_level

    parts = [part for part in replay.parts if part.blocks]
    if not parts:
        raise UserError(f"{replay.path}: the replay has no ticks to draw")
    own = parts_in_level(replay, parts, level, "plot it alone")
    if len(own) < len(parts):
        print_status(printable_text(f"note: {replay.path.name} visits other levels too; they are left out"))
    return own


def _add_simulated_walks(options: argparse.Namespace, level: Level, walks: list[DrawnWalk]) -> list[DrawnWalk]:
    """The walks, and those of commands files and the crowd, simulated. UserError where there is nothing to draw."""
    from ...drawing.heat_map import DrawnWalk
    from ...sim import headless_run

    for path in options.commands:
        result = headless_run.run_walk(make_world(level), read_script(path))
        walks.append(DrawnWalk(path.name, result, result.ticks_per_second))
    with shown_progress("walking the bots"):
        walks += [_random_walk(level, number) for number in range(options.crowd or 0)]
    walks = [walk for walk in walks if len(walk.table.tick)]
    if not walks:
        raise UserError("nothing to plot: name a replay, or use --commands FILE or --crowd N")
    return walks


def _random_walk(level: Level, number: int) -> DrawnWalk:
    """The walk of one bot of a crowd, which begins at the spawn."""
    from ...drawing.heat_map import DrawnWalk
    from ...sim.replay.walk_table import WalkRecorder, WalkTable
    from ...testing.walks import plan_bot_walk, random_walk_steps

    ticks = round(CROWD_SECONDS * level.player.ticks_per_second)
    plan = plan_bot_walk(level, None, random_walk_steps(FIRST_SEED + number, ticks))
    walk = WalkRecorder(plan.world, ticks)
    for _ in range(ticks):
        walk.stepped(next(plan.inputs).step(plan.world))
    table = WalkTable(*walk.table.columns(slice(1, None)))
    return DrawnWalk(f"bot {number + 1}", table, plan.world.settings.ticks_per_second)
