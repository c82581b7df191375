"""Results of a run: time, comparison with the best run, splits, challenges, and the path on a map of the level; and the
words for splits and challenges."""

from __future__ import annotations

import contextlib
import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core import user_folders
from ...core.time_format import format_strokes, format_time, format_time_difference
from ...core.vectors import Floats, Point, to_point
from ...drawing import run_map
from ...drawing.canvas import Canvas, encode_png
from ...drawing.floor_plans import find_path_storeys
from ...render.decal import read_picture
from ...render.snapshot import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, NOT_DONE, ChallengeRow, RunSummary, SplitRow
from ...sim.trial import (
    Challenge,
    SplitKind,
    SplitTime,
    TrialChallenge,
    TrialRun,
    level_challenges,
    ranks_by_strokes,
)
from ..cameras.title_camera import thumbnail_view
from ..visuals import thumbnails
from . import medals
from .ghost import GhostReplay
from .progress import BestRun, LevelRecord
from .target_words import describe_found

if TYPE_CHECKING:
    from ...level import Level

MAP_FOLDER = "maps"
MAX_CACHED_MAPS = 40  # files in the cache
CHALLENGE_TEXTS = {  # label, what to do
    Challenge.NO_JUMP: ("Feet on the ground", "Never jump"),
    Challenge.NO_SPRINT: ("No hurry", "Never sprint"),
    Challenge.ALWAYS_CROUCHED: ("Keep low", "Crouch all the way"),
    Challenge.ONLY_FORWARD: ("Straight ahead", "Only walk forwards"),
    Challenge.NO_FALL: ("Sure-footed", "Finish without falling"),
    Challenge.ALL_TARGETS: ("Every target", "Reach all targets before the goal"),
    Challenge.PAR: ("Par", "Finish at par or better"),
    Challenge.NO_LOSS: ("Dry ball", "Lose no ball"),
}
LIST_SEPARATOR = ", "
_KIND_LABELS = {SplitKind.CHECKPOINT: "Checkpoint", SplitKind.TARGET: "Target", SplitKind.HOLE: "Hole"}


@dataclass(slots=True)
class RunResult:
    """A finished run.

    previous_record   the record before it
    path              (n, 3) positions of its feet (m), one a tick from its first movement on
    ghost             that walked with it
    found             number of targets that it found
    state             what it is worth where it has no time, else empty
    file              name of its replay
    map_file          the picture of the map, once it is drawn
    """

    run: TrialRun
    previous_record: LevelRecord
    path: Floats
    ghost: GhostReplay
    found: int = 0
    state: str = ""
    file: str = ""
    map_file: str = ""

    @property
    def strokes(self) -> int | None:
        """Strokes, where the level ranks by them."""
        return self.run.strokes if ranks_by_strokes(self.run.world.level) else None

    def draw_map(self) -> None:
        """Draw the map, which takes a while."""
        from ...core import atomic_files

        with contextlib.suppress(OSError, ValueError):
            level = self.run.world.level
            ghost_path = None if self.ghost.track is None else self.ghost.track.path
            rate = self.run.world.settings.ticks_per_second
            times = () if self.state else (split.seconds for split in self.run.splits)  # a rewind leaves gaps in time
            splits = [round(seconds * rate) - 1 for seconds in times]
            marks = [to_point(self.path[k]) for k in splits if 0 <= k < len(self.path)]
            data = encode_png(draw_result_map(level, self.path, ghost_path, marks))
            folder = user_folders.cache_folder() / MAP_FOLDER
            folder.mkdir(parents=True, exist_ok=True)
            user_folders.remove_oldest(folder, "*.png", MAX_CACHED_MAPS)
            path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.png"
            atomic_files.write_atomic(path, data)
            self.map_file = str(path)

    def summary(self) -> RunSummary:
        """The content of the page, as plain data."""
        run = self.run
        best = self.previous_record.best
        level = self.run.world.level
        refused = bool(self.state)
        found = describe_found(level, self.found)
        comparison, is_new_best = ("", False) if refused else self._best_comparison(best)
        medal, medal_text, is_new_medal = ("", "", False) if refused else self._medal(best)
        return RunSummary(
            title=level.name,
            time=format_time(run.seconds),
            score=found if self.strokes is None else f"{format_strokes(self.strokes)}, par {run.par}",
            description=comparison,
            is_new_best=is_new_best,
            medal=medal,
            medal_text=medal_text,
            is_new_medal=is_new_medal,
            splits=self._split_rows(best),
            challenges=self._challenge_rows(level, refused),
            map_file=self.map_file,
            legend=self._legend,
            state=self.state,
            refused=refused,
        )

    @property
    def _legend(self) -> tuple[tuple[tuple[float, float, float], str], ...]:
        legend = ((_unit_colour(run_map.RUN_COLOUR), "This run"),)
        label = "Ghost" if self.ghost.name else "Previous best"
        return legend if self.ghost.track is None else (*legend, (_unit_colour(run_map.BEST_RUN_COLOUR), label))

    def _best_comparison(self, best: BestRun | None) -> tuple[str, bool]:
        """A line that compares the run with the best one before it, and whether it is better."""
        if best is None:
            return "First finish!", True
        this_run = BestRun(self.run.seconds, self.strokes)
        if self.strokes is not None and best.strokes is not None and self.strokes != best.strokes:
            fewer = best.strokes - self.strokes
            if fewer > 0:
                return f"New best: {format_strokes(fewer)} fewer", True
            return f"Best: {format_strokes(best.strokes)} in {format_time(best.seconds)}", False
        difference = format_time_difference(self.run.seconds - best.seconds)
        if this_run.score < best.score:
            return f"New best, {difference} s", True
        return f"Best {format_time(best.seconds)}   ({difference})", False

    def _medal(self, best: BestRun | None) -> tuple[str, str, bool]:
        """The medal of this run, a line about it and the next one, and whether no run before had one as good."""
        limits = medals.medal_limits(self.run.world.level, self.run.world.start.name)
        if limits is None:
            return "", "", False
        medal = limits.medal_for(self.run.seconds, self.strokes)
        before = None if best is None else limits.medal_for(best.seconds, best.strokes)
        wanted = limits.next_above(medal)
        texts = [] if medal is None else [f"{medal.label} medal"]
        texts += [] if wanted is None else [f"{'Next' if medal else 'Next medal'}: {limits.describe(wanted)}"]
        is_new = medal is not None and (before is None or not limits.is_as_good(before, medal))
        return "" if medal is None else medal.value, "   ·   ".join(texts), is_new

    def _split_rows(self, best: BestRun | None) -> tuple[SplitRow, ...]:
        best_splits = {} if best is None else dict(best.splits)
        rows = []
        for split in self.run.splits:
            label = split_label(split)
            difference = split.seconds - best_splits[label] if label in best_splits else None
            text = "" if difference is None else format_time_difference(difference)
            is_ahead = difference is not None and difference < 0.0
            title = split_label(split)
            rows.append(SplitRow(title, format_time(split.seconds), text, is_ahead))
        return tuple(rows)

    def _challenge_rows(self, level: Level, refused: bool) -> tuple[ChallengeRow, ...]:
        rows = []
        for challenge in level_challenges(level):
            done = challenge.key in self.run.kept_challenges and not refused
            before = challenge.key in self.previous_record.challenges
            state = (DONE_AGAIN if before else DONE_FIRST) if done else (DONE_BEFORE if before else NOT_DONE)
            rows.append(ChallengeRow(*challenge_texts(challenge), state))
        return tuple(rows)


def draw_result_map(level: Level, path: Floats, best: Floats | None, marks: list[Point]) -> Canvas:
    """The path of a run and of the best one on a plan of the level. One that goes over several storeys is drawn on the
    picture of the level, where there is one: plans above each other do not show how they hang together. In golf, where
    a key brings the player to the ball, a line joins the places before and after it."""
    if level.golf is not None:
        path, best = _joined(path), None if best is None else _joined(best)
    file = thumbnails.thumbnail_file(level.path)
    picture = read_picture(file) if file and len(find_path_storeys(level, path)) > 1 else None
    if picture is not None:
        camera, aspect = thumbnail_view(level), picture.pixels.shape[1] / picture.pixels.shape[0]
        pixels = picture.pixels[..., :3]
        return run_map.draw_run_picture(pixels, lambda points: camera.project(points, aspect), path, best, marks)
    return run_map.draw_run_map(level, path, best, marks)


def _joined(path: Floats) -> Floats:
    """A path (n,3) with points in between, none more than a metre from the next."""
    if len(path) < 2:
        return path
    counts = np.maximum(np.ceil(np.linalg.norm(np.diff(path, axis=0), axis=1)), 1.0)
    places = np.concatenate(([0.0], np.cumsum(counts)))
    return np.column_stack([np.interp(np.arange(places[-1] + 1.0), places, axis) for axis in path.T])


def _unit_colour(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


def challenge_texts(challenge: TrialChallenge) -> tuple[str, str]:
    """Label of a challenge, and what to do: the words of the level, else those of its rules and time."""
    label = " + ".join(CHALLENGE_TEXTS[rule][0] for rule in challenge.rules)
    parts = [CHALLENGE_TEXTS[rule][1] for rule in challenge.rules]
    if challenge.within != math.inf:
        label = f"{label} in {format_time(challenge.within)}" if label else f"In {format_time(challenge.within)}"
        parts.append(f"Finish in {format_time(challenge.within)}")
    about = LIST_SEPARATOR.join([*parts[:1], *(part[0].lower() + part[1:] for part in parts[1:])])
    return challenge.name or label, challenge.about or about


def split_label(split: SplitTime) -> str:
    """The place's own name, or its kind and number. Progress files keep split times by this label."""
    return split.name or f"{_KIND_LABELS[split.kind]} {split.number}"
