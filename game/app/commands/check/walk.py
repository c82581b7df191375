"""`check --walk` and `--map`: bots explore a level; findings, commands files, pictures and the map sheet."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.errors import error_reason
from ....core.time_format import format_count
from ...launch import world_setup
from ...launch.level_lookup import UserError
from ...launch.progress_line import ProgressLine, shown_progress
from ..frame import add_need, add_output, add_processes

if TYPE_CHECKING:
    from ....level import Finding, Level
    from ....reports.bot_finding_messages import BotFindingWriter
    from ....sim.bots.exploration import GoalAnswer
    from ....sim.bots.walk_findings import BotFinding, BotReport

COMPILE_TICKS = 200_000  # ticks of an exploration, for which compiling the whole tick pays
CELLS_PER_SQUARE_METRE = 4.0  # cells of ground that a map tests
COMPILE_CELLS = 60_000  # cells above which compiling the whole tick pays


class Explorations:
    """Explorations of several levels by other processes, while this one reports those that are done."""

    def __init__(self, names: Sequence[str], processes: int) -> None:
        """names: of the levels, as `take` asks for them."""
        from ....core.jobs import map_in_processes

        self._names = list(dict.fromkeys(names))
        self._results = map_in_processes(explore_name, self._names, processes)
        self._done: dict[str, BotReport | str | Exception] = {}

    def close(self) -> None:
        """Stop what still runs."""
        self._results.close()

    def take(self, name: str) -> BotReport | str:
        """The report on a level, once it is there; why it was not explored where it was not. Raises what ended it."""
        line = ProgressLine(waits=True)
        while name not in self._done:
            other = self._names[len(self._done)]
            try:
                self._done[other] = next(self._results)
            except (BrokenProcessPool, StopIteration):  # no process is left for the others either
                self._done[other] = "its process was killed; is there enough memory?"
            if line.is_due():
                line.show(f"{len(self._done)} of {format_count(len(self._names), 'level')}")
        line.clear()
        report = self._done[name]
        if isinstance(report, Exception):
            raise report
        return report


def explore_name(name: str) -> BotReport | str | Exception:
    """The report of the bots on a level, in a process of its own; why they cannot start; or the error that ended it."""
    from ....level import load
    from ....sim.bots.exploration import LevelExploration
    from ....sim.bots.walk_findings import report_exploration

    try:
        level = load(name)
    except Exception:  # the check of the level names the error
        return "it cannot be read"
    try:
        exploration = LevelExploration(level, threads=1)
    except ValueError as error:
        return str(error)
    try:
        exploration.explore()
        return report_exploration(exploration)
    except Exception as error:
        return error


@contextlib.contextmanager
def open_explorations(options: argparse.Namespace, names: Sequence[str]) -> Iterator[Explorations | None]:
    """The explorations of all levels; None where this process explores them itself."""
    if (options.n or 1) == 1 or len(names) == 1:
        yield None
        return
    world_setup.ensure_compiled(ticks=COMPILE_TICKS)
    with contextlib.closing(Explorations(names, options.n)) as explorations:
        yield explorations


def run_walk(
    name: str, level: Level, options: argparse.Namespace, findings: Sequence[Finding], explorations: Explorations | None
) -> tuple[BotReport | None, list[Finding]]:
    """Let bots explore a level for --walk and print what they find: their report, None where they cannot start, and the
    findings. findings: of the level, before; where one is about the goal itself, the bots tell no other reason."""
    report = _explore(level) if explorations is None else explorations.take(name)
    if isinstance(report, str):
        print(f"not explored: {report}")
        return None, []
    if any(one.where == "goal" for one in findings):
        report = replace(report, findings=tuple(one for one in report.findings if not _is_about_goal(one)))
    folder = options.output
    if folder is not None and len(options.levels) > 1:
        folder = folder / level.path.stem
    return report, _print_report(level, report, folder)


def _is_about_goal(found: BotFinding) -> bool:
    """Whether a finding is about the way to the goal alone."""
    from ....sim.bots.search import TargetKind
    from ....sim.bots.walk_findings import TargetDetails

    details = found.details
    targets = [details.target] if isinstance(details, TargetDetails) else getattr(details, "targets", ())
    return {target.kind for target in targets} == {TargetKind.GOAL}


def _explore(level: Level) -> BotReport | str:
    """The report on a level, also where Ctrl-C ended the exploration; why the bots cannot start."""
    world_setup.ensure_compiled(ticks=COMPILE_TICKS)
    from ....sim.bots.exploration import LevelExploration
    from ....sim.bots.walk_findings import report_exploration

    with shown_progress("exploring") as show:
        try:
            exploration = LevelExploration(level, progress=lambda stage, fraction, places: show(fraction))
        except ValueError as error:
            return str(error)
        try:
            exploration.explore()
        except KeyboardInterrupt:
            exploration.is_interrupted = True
        report = report_exploration(exploration)
    if exploration.is_interrupted:
        print("interrupted: results so far", file=sys.stderr, flush=True)
    return report


def _print_report(level: Level, report: BotReport, folder: Path | None) -> list[Finding]:
    """Print the findings of the bots, which are returned; save a commands file and a picture of each in a folder."""
    from ....reports.bot_finding_messages import BotFindingWriter

    writer = BotFindingWriter(level)
    findings = [writer.finding(found) for found in report.findings]
    for number, (found, finding) in enumerate(zip(report.findings, findings, strict=True), start=1):
        print(finding.render())
        if folder is not None:
            print(f"        see {_write_finding_files(writer, report, found, number, folder)}")
    for line in summarise_walk(level, report):
        print(line)
    if folder is None and any(found.commands for found in report.findings):
        print("-o FOLDER saves a commands file and a picture of each of these")
    return findings


def summarise_walk(level: Level, report: BotReport) -> list[str]:
    """Lines beside the findings: omitted ones, the goal, best times to targets, and the ground that was reached."""
    from ....reports.bot_finding_messages import target_name
    from ....sim.bots.search import TargetKind

    lines = [f"{count} more like these ({kind}) not shown" for kind, count in report.omitted.items()]
    for answer in report.goal_answers:
        lines += _describe_goal(level, report, answer)
    for mark, ticks in report.target_ticks:
        if mark.kind != TargetKind.GOAL and ticks is not None:
            name = f"spawn '{mark.name}'" if mark.kind == TargetKind.SPAWN else target_name(mark)
            lines.append(f"{name}: reached in {ticks / 60:.1f} s at best")
        elif mark.kind == TargetKind.TARGET and level.balls:  # else a finding says so
            lines.append(f"{target_name(mark)}: not reached on foot")
    body = level.player
    coverage = f"no ground was found where a crouching body, {2.0 * max(body.radii[::2]):g} m wide and "
    coverage += f"{body.crouch_height:g} m high, rests with gravity straight down"
    if report.standable_cells is None:
        coverage = "the ground was not looked for yet"
    elif len(report.visited_mask):
        area = len(report.visited_mask) * report.standable_cells.side**2
        coverage = f"the bots reached {report.visited_mask.mean() * 100:.0f} % of {area:.0f} m2 of ground"
    lines.append(f"explored: {report.ticks} ticks in {report.attempt_count} tries; {coverage}")
    if report.unfinished:
        lines.append(f"the search was not finished: {report.unfinished}; what follows from it is not known: pits, ")
        lines[-1] += "unreached ground, and a goal, targets, exits and spawns that nobody reaches"
    return lines


def _describe_goal(level: Level, report: BotReport, answer: GoalAnswer) -> list[str]:
    """The line about the goal from one spawn: the best time to it and what the walk uses, or how near the bots came.
    None where a finding says the same."""
    from ....sim.bots.walk_findings import OrderDetails
    from ....sim.bots.ways import crossings

    start = f"from spawn '{answer.spawn}': " if answer.spawn else ""
    is_first = answer is report.goal_answers[0]
    if is_first and report.solution is None and any(isinstance(one.details, OrderDetails) for one in report.findings):
        return []
    if answer.ticks is not None:
        line = f"{start}the goal can be reached: {answer.ticks / 60:.1f} s at best"
        solution = report.solution if is_first else None
        if solution is not None and (names := crossings(level, report.path_to_goal)):
            line += f", by way of {', '.join(dict.fromkeys(names))}"
        if level.goal is not None and level.goal.after and (solution is None or solution.missing):
            line = f"{start}the bots come to the goal in {answer.ticks / 60:.1f} s at best, but it waits for "
            line += f"{level.goal.after} that they did not all reach before"
        return [line]
    if answer.is_reached:
        return [f"{start}the goal can be reached"]
    if any(found.kind == "goal" for found in report.findings) and is_first:
        return []
    return [f"{start}the bots did not reach the goal: the nearest place reached is {answer.distance:.1f} m away"]


def _write_finding_files(
    writer: BotFindingWriter, report: BotReport, found: BotFinding, number: int, folder: Path
) -> str:
    """Write the commands file and the picture of a finding; their names."""
    from ....core import atomic_files
    from ....drawing.canvas import save_canvas
    from ....drawing.map_sheet import draw_finding_detail

    stem = f"{number:02d}-{found.kind}"
    names = []
    try:
        folder.mkdir(parents=True, exist_ok=True)  # of several levels: a folder in the folder
        if found.commands:
            path = folder / f"{stem}.commands"
            atomic_files.write_atomic(path, writer.commands_file(found).encode())
            names.append(str(path))
        picture = folder / f"{stem}.png"
        finding = writer.finding(found)
        text = str(finding).removeprefix(f"{finding.file}:")
        save_canvas(draw_finding_detail(writer.level, report, found, text), picture)
        names.append(str(picture))
    except OSError as error:
        raise UserError(f"{folder}: {error_reason(error)}") from None
    return " and ".join(names)


def _estimate_cell_count(level: Level) -> float:
    """Estimate of the number of cells that a map tests: horizontal area of the triangles (m2) times cells per m2."""
    a, b, c = level.triangles[..., ::2].swapaxes(0, 1)
    across, along = b - a, c - a
    doubled_area = abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum()
    return CELLS_PER_SQUARE_METRE * float(doubled_area) / 2.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check --walk` and `--map`."""
    parser.add_argument("--walk", action="store_true", help="let bots explore the level and report problems")
    text = "with --walk: save a commands file and a picture of each finding in this folder, which is created"
    add_output(parser, text, metavar="FOLDER")
    add_processes(parser, "with --walk: number of processes, which explore several levels at once (default: 1)")
    for option in ("-o", "-n"):
        add_need(parser, option, "--walk")
    add_output(parser, "draw a map of the level, as a .png", (".png",), option="--map")


def check_options(options: argparse.Namespace) -> None:
    """UserError for options that do not go together."""
    if (options.n or 1) > 1 and options.fix:
        raise UserError("--fix changes levels while others explore them; run --fix first, then --walk")
    if options.map is not None and len(options.levels) > 1:
        raise UserError("--map takes one level only")


def draw_map(level: Level, report: BotReport | None, findings: Sequence[Finding], path: Path) -> None:
    """Draw the map for --map, with what the bots found."""
    from ....drawing.canvas import save_canvas
    from ....drawing.map_sheet import draw_map_sheet

    if report is None:
        world_setup.ensure_compiled(ticks=COMPILE_TICKS if _estimate_cell_count(level) > COMPILE_CELLS else 0)
    with shown_progress("drawing the map"):
        save_canvas(draw_map_sheet(level, report, findings), path)
    print(f"map: {path}")
