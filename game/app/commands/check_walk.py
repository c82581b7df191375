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
    from ...sim.bots.exploration import Walking
    from ...sim.bots.walk_findings import Told, Walked

ENOUGH = 200_000  # ticks: from here on the whole tick is worth compiling
OFTEN, SELDOM = 0.2, 10.0  # seconds between two lines about how far it is: on a terminal, elsewhere
PER_SQUARE_METRE = 4.0  # places on a square metre of ground that a map looks at
MANY = 60_000  # such places: from here on, too, the whole tick is worth compiling
WIDEST = 100  # columns of a terminal's line that are used


class Progress:
    """How far the bots are, on standard error: one line that renews itself, or a line now and then."""

    def __init__(self) -> None:
        self.alone = sys.stderr.isatty()
        self._next = 0.0
        self._stage = ""

    def __call__(self, stage: str, part: float, places: int) -> None:
        now = time.monotonic()
        if now < self._next and (self.alone or stage == self._stage):
            return
        if now < self._next and stage in ("done",):
            return
        self._next = now + (OFTEN if self.alone else SELDOM)
        self._stage = stage
        line = f"{part * 100:3.0f} %  {stage}, {places} places found"
        if self.alone:
            print(f"\r\x1b[2K{line[:WIDEST]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the terminal's line empty."""
        if self.alone:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


def walk(level: Level, folder: Path | None) -> Walked | None:
    """Let bots walk a level, print what they met, and keep walks and pictures in a folder. None where the level has
    no room to begin. Ctrl-C ends the walking; what was found so far is told."""
    world_setup.ready(ticks=ENOUGH)
    from ...sim.bots.exploration import Walking

    progress = Progress()
    try:
        walking = Walking(level, progress=progress)
    except ValueError as error:
        print(f"not walked: {error}")
        return None
    _explore(walking)
    from ...sim.bots.walk_findings import judged

    walked = judged(walking)
    progress.end()
    if walking.broken_off:
        print("broken off: this is what was found so far", file=sys.stderr, flush=True)
    for number, told in enumerate(walked.told, start=1):
        print(told.finding.render())
        if folder is not None:
            print(f"        shown by {_keep(level, walked, told, number, folder)}")
    for line in summary(walked, walking.broken_off):
        print(line)
    if folder is None and any(told.commands for told in walked.told):
        print("-o FOLDER keeps a walk and a picture of each of these")
    return walked


def _explore(walking: Walking) -> None:
    try:
        walking.explore()
    except KeyboardInterrupt:
        walking.broken_off = True


def summary(walked: Walked, broken_off: bool = False) -> list[str]:
    """What there is to say beside the findings."""
    lines = [f"{count} more like these ({kind}) not shown" for kind, count in walked.more.items()]
    for mark, ticks in walked.marks:
        if ticks is not None:
            name = f"spawn '{mark.name}'" if mark.kind == "spawn" else mark.name
            lines.append(f"{name}: reached in {ticks / 60:.1f} s by the best try")
    stood = "there is hardly any ground to stand on"
    if len(walked.seen) and walked.spots is not None:
        side = walked.spots.side
        share = f"{walked.seen.mean() * 100:.0f} % of {len(walked.seen) * side * side:.0f} m2 of ground"
        stood = f"somebody stood on {share}"
    if walked.spots is not None:  # not broken off before the ground was looked at
        lines.append(f"walked: {walked.ticks} ticks in {walked.tries} tries; {stood}")
    if not walked.whole and not broken_off:
        lines.append("it is too large to be tried everywhere: nothing is said about what was not reached")
    return lines


def _keep(level: Level, walked: Walked, told: Told, number: int, folder: Path) -> str:
    """Write a finding's walk and picture; their names."""
    from ...core import atomic_files
    from ..maps import map_sheet
    from ..maps.top_down_map import png

    stem = f"{number:02d}-{told.kind}"
    names = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if told.commands:
            path = folder / f"{stem}.commands"
            atomic_files.write(path, told.commands.encode())
            names.append(str(path))
        picture = folder / f"{stem}.png"
        atomic_files.write(picture, png(map_sheet.place(level, walked, told)))
        names.append(str(picture))
    except OSError as error:
        raise UserError(f"{folder}: {(error.strerror or str(error)).lower()}", 1) from None
    return " and ".join(names)


def _spots(level: Level) -> float:
    """About how many places of a level will be looked at for whether one can stand there."""
    a, b, c = level.triangles[..., ::2].swapaxes(0, 1)
    across, along = b - a, c - a
    double = abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum()
    return PER_SQUARE_METRE * float(double) / 2.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes for walking and drawing."""
    parser.add_argument("--walk", action="store_true", help="let bots walk the level and tell what they meet")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="with --walk: keep a walk and a picture of each finding"
    )
    parser.add_argument("--map", type=Path, metavar="FILE", help="draw the level from above, as a .png")


def check_options(options: argparse.Namespace) -> None:
    """UserError for what does not go together."""
    if options.output is not None and not options.walk:
        raise UserError("-o keeps what --walk finds; give --walk too")
    if options.map is not None and options.map.suffix.lower() != ".png":
        raise UserError(f"{options.map}: the map is drawn as a .png")
    if options.map is not None and len(options.levels) > 1:
        raise UserError("--map draws one level; name one")


def further(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
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
        walked = walk(level, folder)
    if options.map is not None:
        from ...core import atomic_files
        from ..maps import map_sheet
        from ..maps.top_down_map import png

        if walked is None:
            world_setup.ready(ticks=ENOUGH if _spots(level) > MANY else 0)
        atomic_files.write(options.map, png(map_sheet.sheet(level, walked)))
        print(f"map: {options.map}")
    return [told.finding for told in walked.told] if walked is not None else []
