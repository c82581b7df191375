"""What stands on the page at the end of a run: time, best, splits, challenges, and the way on the plan of the level."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...core import user_folders
from ...core.time_format import clock, difference, strokes_in_words
from ...render.run_summary import DONE, FRESH, KNOWN, OPEN, Mark, Sheet, SplitLine
from ...sim.trial import Run, counts_strokes, offered
from ..maps import run_map
from ..menus.pages import Leading, Opens
from ..menus.rows import Row
from .progress import Best, Record
from .run_verifier import Verdict

if TYPE_CHECKING:
    from ...level import Level

Point = tuple[float, float, float]
MAPS = "maps"
MOST_MAPS = 40  # pictures that stay in the cache


@dataclass(slots=True)
class Result:
    """A run that has come to its end. `verdict` comes when it has been walked again; `path` (n, 3): its feet;
    `before`: what was done here until then; `why`: why it does not count; `picture`: the map's file, once drawn."""

    run: Run
    before: Record
    path: list[Point]
    best_path: NDArray[np.float64] | None = None
    marks: list[Point] = field(default_factory=list)
    file: str = ""
    why: str = ""
    verdict: Verdict | None = None
    picture: str = ""

    @property
    def strokes(self) -> int | None:
        """Of golf, where they count."""
        return self.run.strokes if counts_strokes(self.run.world.level) else None

    @property
    def best(self) -> Best | None:
        """The best run that there was before this one."""
        return self.before.best if self.verdict is None else self.verdict.before

    def draw(self) -> None:
        """Draw the map, in a thread of its own."""
        threading.Thread(target=self._draw, name="map", daemon=True).start()

    def _draw(self) -> None:
        from PIL import Image

        from ...core import atomic_files
        from ..maps import top_down_map as plan

        with contextlib.suppress(OSError, ValueError):
            image = run_map.draw(self.run.world.level, np.array(self.path), self.best_path, self.marks)
            data = plan.png(Image.fromarray(image))
            folder = user_folders.cache() / MAPS
            folder.mkdir(parents=True, exist_ok=True)
            _clear(folder)
            path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.png"
            atomic_files.write(path, data)
            self.picture = str(path)

    def sheet(self) -> Sheet:
        """As the picture shows it."""
        run, best, level = self.run, self.best, self.run.world.level
        refused = bool(self.why or (self.verdict is not None and self.verdict.why))
        told, better = ("", False) if refused else self._against(best)
        state = self.why or "being walked again, to be sure"
        if self.verdict is not None:
            state = self.verdict.why or "walked again by the physics: the same to the last bit"
        return Sheet(
            title=level.name,
            time=clock(run.seconds),
            score="" if self.strokes is None else f"{strokes_in_words(self.strokes)}, par {run.par}",
            told=told,
            better=better,
            splits=self._splits(best),
            marks=self._marks(level, refused),
            picture=self.picture,
            legend=self._legend,
            state=state,
            refused=refused,
        )

    @property
    def _legend(self) -> tuple[tuple[tuple[float, float, float], str], ...]:
        mine = ((_part(run_map.LINE), "this run"),)
        return mine if self.best_path is None else (*mine, (_part(run_map.BEST), "the best until now"))

    def _against(self, best: Best | None) -> tuple[str, bool]:
        if best is None:
            return "the first run that counts here", True
        mine = Best(self.run.seconds, self.strokes)
        if self.strokes is not None and best.strokes is not None and self.strokes != best.strokes:
            fewer = best.strokes - self.strokes
            if fewer > 0:
                return f"new best: {strokes_in_words(fewer)} fewer", True
            return f"best: {strokes_in_words(best.strokes)} in {clock(best.seconds)}", False
        apart = self.run.seconds - best.seconds
        if mine.score < best.score:
            return f"new best, {difference(apart)} s", True
        return f"best {clock(best.seconds)}   ({difference(apart)})", False

    def _splits(self, best: Best | None) -> tuple[SplitLine, ...]:
        known = {} if best is None else dict(best.splits)
        lines = []
        for split in self.run.splits:
            apart = split.seconds - known[split.name] if split.name in known else None
            told = "" if apart is None else difference(apart)
            lines.append(SplitLine(split.name, clock(split.seconds), told, apart is not None and apart < 0.0))
        return tuple(lines)

    def _marks(self, level: Level, refused: bool) -> tuple[Mark, ...]:
        found = []
        for challenge in offered(level):
            done = challenge.name in self.run.kept and not refused
            known = challenge.name in self.before.challenges
            state = (KNOWN if known else OPEN) if not done else (DONE if known else FRESH)
            found.append(Mark(challenge.label, challenge.sentence, state))
        return tuple(found)


class ResultPage(Leading):
    """The page at the end of a run."""

    name = look = "result"
    footer = "Esc walks on"
    across = True

    def __init__(self, result: Result, pages: dict[str, Opens]) -> None:
        rows = (Row("restart", "Again"), Row("resume", "Walk on"), Row("levels", "Levels"), Row("title", "Title"))
        super().__init__(rows, pages)
        self.result = result

    @property
    def sheet(self) -> Sheet:
        """What stands on it now: it grows while the run is walked again and the map is drawn."""
        return self.result.sheet()


def _part(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


def _clear(folder: Path) -> None:
    """Away with the oldest maps."""
    with contextlib.suppress(OSError):
        files = sorted(folder.glob("*.png"), key=os.path.getmtime)
        for path in files[: max(0, len(files) - MOST_MAPS)]:
            path.unlink()
