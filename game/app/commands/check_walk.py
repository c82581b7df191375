"""`check --walk`: bots walk a level; what they meet is told, with a walk and a picture of each that can be kept."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..launch import world_setup
from ..launch.level_lookup import UserError

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...sim.bots.exploration import ExplorationStage, LevelExploration
    from ...sim.bots.finding_data import BotFinding
    from ...sim.bots.walk_findings import BotReport
    from ..maps.bot_finding_messages import BotFindingWriter

COMPILE_TICKS = 200_000  # ticks: from here on the whole tick is worth compiling
TERMINAL_INTERVAL, LOG_INTERVAL = 0.2, 10.0  # seconds between two lines about how far it is: on a terminal, elsewhere
CELLS_PER_SQUARE_METRE = 4.0  # places on a square metre of ground that a map looks at
COMPILE_CELLS = 60_000  # such places: from here on, too, the whole tick is worth compiling
STAGE_LABELS = {  # by the names of ExplorationStage, which is not loaded before the bots are
    "FINDING_GROUND": "finding standable ground",
    "EXPLORING": "exploring",
    "JUMPING": "jumping",
    "WANDERING": "wandering",
    "FINDING_TRAPS": "looking for ways out",
    "CONFIRMING": "confirming findings",
    "DONE": "done",
}
MAX_LINE_WIDTH = 100  # columns of a terminal's line that are used


class BotProgressLine:
    """How far the bots are, on standard error: one line that renews itself, or a line now and then."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self._next = 0.0
        self._stage = ""

    def __call__(self, stage: ExplorationStage, part: float, places: int) -> None:
        label = STAGE_LABELS[stage.name]
        now = time.monotonic()
        if now < self._next and (self.is_terminal or label == self._stage):
            return
        if now < self._next and label == STAGE_LABELS["DONE"]:
            return
        self._next = now + (TERMINAL_INTERVAL if self.is_terminal else LOG_INTERVAL)
        self._stage = label
        line = f"{part * 100:3.0f} %  {label}, {places} places found"
        if self.is_terminal:
            print(f"\r\x1b[2K{line[:MAX_LINE_WIDTH]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def clear_line(self) -> None:
        """Leave the terminal's line empty."""
        if self.is_terminal:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


def run_bots(level: Level, folder: Path | None) -> BotReport | None:
    """Let bots walk a level, print what they met, and keep walks and pictures in a folder. None where the level has
    no room to begin. Ctrl-C ends the walking; what was found so far is told."""
    world_setup.ensure_compiled(ticks=COMPILE_TICKS)
    from ...sim.bots.exploration import LevelExploration

    progress = BotProgressLine()
    try:
        walking = LevelExploration(level, progress=progress)
    except ValueError as error:
        print(f"not explored: {error}")
        return None
    _explore_with_progress(walking)
    from ...sim.bots.walk_findings import report_exploration

    walked = report_exploration(walking)
    progress.clear_line()
    if walking.broken_off:
        print("interrupted: results so far", file=sys.stderr, flush=True)
    from ..maps.bot_finding_messages import BotFindingWriter

    writer = BotFindingWriter(level)
    for number, told in enumerate(walked.findings, start=1):
        print(writer.finding(told).render())
        if folder is not None:
            print(f"        see {_write_finding_files(writer, walked, told, number, folder)}")
    for line in summarise_walk(walked, walking.broken_off):
        print(line)
    if folder is None and any(told.commands for told in walked.findings):
        print("-o FOLDER saves a commands file and a picture of each of these")
    return walked


def _explore_with_progress(walking: LevelExploration) -> None:
    try:
        walking.explore()
    except KeyboardInterrupt:
        walking.broken_off = True


def summarise_walk(walked: BotReport, broken_off: bool = False) -> list[str]:
    """What there is to say beside the findings."""
    from ...sim.bots.search import TargetKind
    from ..maps.bot_finding_messages import target_name

    lines = [f"{count} more like these ({kind}) not shown" for kind, count in walked.omitted.items()]
    for mark, ticks in walked.target_ticks:
        if ticks is not None:
            name = f"spawn '{mark.name}'" if mark.kind == TargetKind.SPAWN else target_name(mark)
            lines.append(f"{name}: reached in {ticks / 60:.1f} s at best")
    stood = "there is almost no ground to stand on"
    if len(walked.visited_mask) and walked.standable_cells is not None:
        side = walked.standable_cells.side
        share = f"{walked.visited_mask.mean() * 100:.0f} % of {len(walked.visited_mask) * side * side:.0f} m2 of ground"
        stood = f"the bots reached {share}"
    if walked.standable_cells is not None:  # not broken off before the ground was looked at
        lines.append(f"explored: {walked.ticks} ticks in {walked.attempt_count} tries; {stood}")
    if not walked.is_complete and not broken_off:
        lines.append("the level is too large to explore fully: unreachable places are not reported")
    return lines


def _write_finding_files(
    writer: BotFindingWriter, walked: BotReport, told: BotFinding, number: int, folder: Path
) -> str:
    """Write a finding's walk and picture; their names."""
    from ...core import atomic_files
    from ..maps import map_sheet
    from ..maps.top_down_map import encode_png

    stem = f"{number:02d}-{told.kind}"
    names = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if told.commands:
            path = folder / f"{stem}.commands"
            atomic_files.write_atomic(path, writer.commands_file(told).encode())
            names.append(str(path))
        picture = folder / f"{stem}.png"
        atomic_files.write_atomic(picture, encode_png(map_sheet.draw_finding_detail(writer.level, walked, told)))
        names.append(str(picture))
    except OSError as error:
        raise UserError(f"{folder}: {(error.strerror or str(error)).lower()}", 1) from None
    return " and ".join(names)


def _estimate_cell_count(level: Level) -> float:
    """About how many places of a level will be looked at for whether one can stand there."""
    a, b, c = level.triangles[..., ::2].swapaxes(0, 1)
    across, along = b - a, c - a
    double = abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum()
    return CELLS_PER_SQUARE_METRE * float(double) / 2.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes for walking and drawing."""
    parser.add_argument("--walk", action="store_true", help="let bots explore the level and report problems")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="with --walk: save a commands file and a picture of each finding",
    )
    parser.add_argument("--map", type=Path, metavar="FILE", help="draw a map of the level, as a .png")


def check_options(options: argparse.Namespace) -> None:
    """UserError for what does not go together."""
    if options.output is not None and not options.walk:
        raise UserError("-o needs --walk")
    if options.map is not None and options.map.suffix.lower() != ".png":
        raise UserError(f"{options.map}: the map must be a .png")
    if options.map is not None and len(options.levels) > 1:
        raise UserError("--map takes one level only")


def run_walk_and_map(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
    """The findings of the bots, printed, where --walk asks for them; and the map, where --map does."""
    if not (options.walk or options.map is not None) or any(one.severity == "fatal" for one in findings):
        return []
    from ...level import load

    level = load(name)
    walked = None
    if options.walk:
        folder = options.output
        if folder is not None and len(options.levels) > 1:
            folder = folder / level.path.stem
        walked = run_bots(level, folder)
    if options.map is not None:
        from ...core import atomic_files
        from ..maps import map_sheet
        from ..maps.top_down_map import encode_png

        if walked is None:
            world_setup.ensure_compiled(ticks=COMPILE_TICKS if _estimate_cell_count(level) > COMPILE_CELLS else 0)
        atomic_files.write_atomic(options.map, encode_png(map_sheet.draw_map_sheet(level, walked)))
        print(f"map: {options.map}")
    if walked is None:
        return []
    from ..maps.bot_finding_messages import BotFindingWriter

    writer = BotFindingWriter(level)
    return [writer.finding(told) for told in walked.findings]
