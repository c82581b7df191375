"""Files of a failed level test: a replay that ends half a second after the failure, and a picture of the path."""

from __future__ import annotations

import hashlib
import itertools
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from ..core import atomic_files
from ..core.file_reading import REPLAY_SUFFIX
from ..sim import History, World
from .expectations import Outcome
from .runner import TestRun
from .walks import TestedWalk

if TYPE_CHECKING:
    from ..drawing.canvas import Canvas
    from ..level import Level

TICKS_AFTER_FAILURE = 30  # in the replay, so that the moment can be seen
MAX_NAME = 60  # characters of a file's name
PICTURE_SIZE = (960, 640)
MAP_MARGIN = 5.0  # m of the level around the path
CAPTION_WIDTH, CAPTION_LINE = 130, 16  # characters, pixels


def file_stem(*words: str) -> str:
    """Name of the files of a test, without suffix, in characters that every file system allows.

    A long name is cut and ends in a hash of the whole name.
    """
    text = "-".join(words)
    stem = re.sub(r"[^\w-]+", "-", text, flags=re.ASCII).strip("-").lower() or "test"
    if len(stem) <= MAX_NAME:
        return stem
    return f"{stem[: MAX_NAME - 7]}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def unique_stem(stem: str, taken: set[str]) -> str:
    """The stem, with a number where another test has it. taken: the stems so far, to which this one is added."""
    numbered = (f"{stem}-{number}" for number in itertools.count(2))
    free = next(name for name in itertools.chain([stem], numbered) if name not in taken)
    taken.add(free)
    return free


def write_artefacts(level: Level, run: TestRun, folder: Path, stem: str) -> list[Path]:
    """Write the replay and the picture of a failed run into a folder, which is created. Returns the paths.

    OSError if a file cannot be written.
    """
    if run.walk is None or not run.failures:
        return []
    failure = run.failures[0]
    folder.mkdir(parents=True, exist_ok=True)
    replay, picture = folder / f"{stem}{REPLAY_SUFFIX}", folder / f"{stem}.png"
    end = min(len(run.walk.inputs), failure.tick + TICKS_AFTER_FAILURE)
    atomic_files.write_atomic(replay, record_walk(run.walk, end, f"test: {run.test.name}"))
    from ..drawing.canvas import save_canvas

    save_canvas(draw_failure(level, run.test.name, failure, run.walk), picture)
    return [replay, picture]


def record_walk(walk: TestedWalk, ticks: int, note: str) -> bytes:
    """The bytes of a replay file of the first `ticks` ticks of a walk."""
    world = World(walk.world.level, walk.world.settings, walk.world.start.name)
    if world.state() != walk.start:
        world.restore(walk.start)
    history = History(world)
    for given in walk.inputs[:ticks]:
        given.begin(world)
        if given.restart:
            history.restarted()
        if given.returns:
            history.returned()
        history.step(given.command)
    return history.data(note=note, reason="the end of the test")


def draw_failure(level: Level, name: str, failure: Outcome, walk: TestedWalk) -> Canvas:
    """Map of the path up to a failure and of the goal, with the place of the player at that tick and the place nearest
    to what was not reached, above the sentence of the failure."""
    from ..drawing.run_map import draw_run_map

    path = walk.feet[: failure.tick + 1]
    marks, words = [path[-1].tolist()], ["start: blue"]
    if level.goal is not None:
        words.append("goal: yellow")
    if failure.nearest_tick is not None:
        marks.append(walk.feet[failure.nearest_tick].tolist())
        words.append("end of the path and nearest place: violet")
    else:
        words.append("end of the path: violet")
    canvas = draw_run_map(level, path, None, marks, PICTURE_SIZE, MAP_MARGIN, has_goal_storey=True)
    seconds = failure.tick / walk.ticks_per_second
    rows = [
        name,
        f"failed at tick {failure.tick} ({seconds:.2f} s), at the end of the red path",
        *textwrap.wrap(f"expected: {failure.expected}", CAPTION_WIDTH),
        *textwrap.wrap(f"was: {failure.actual}", CAPTION_WIDTH),
        "; ".join(words),
    ]
    canvas.add_rows(10.0, canvas.height + 21.0, rows, 13, CAPTION_LINE)
    canvas.height += CAPTION_LINE * len(rows) + 16
    return canvas
