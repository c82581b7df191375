"""Seconds from each save of a new author who follows docs/levels.md until the game shows it.

    python -m benchmarks.author [--size 1280x720] [--quality low] [--display :1] [--pictures FOLDER] [--keep]

The game runs in a real window, as for benchmarks.save, and plays the page's first step; the other steps are saved into
its file in order. Before each step comes a typical mistake, and then the step without it. *shown after* is the time
from the end of the write to the first finished frame with the new level or the findings. --pictures keeps a picture of
the window after each save, --keep the table and all figures in benchmarks/results/.
"""

from __future__ import annotations

import argparse
import difflib
import os
import platform
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.save import INSIDE, WARM_SECONDS, keep, played, watched

NAME = "tower.yaml"
PAUSE_SECONDS = 2.5  # s between a result and the next save
TIMEOUT = 20.0  # s: limit for one save to show
MAX_TYPED_LENGTH = 52  # characters of the typed text in the table

# Mistakes that are made before a step.
MISTAKES: dict[int, tuple[str, str, str]] = {
    2: ("a comma forgotten", "2], surface: stone}", "2] surface: stone}"),
    3: ("a field misspelt", "facing: north, steps: 8", "facing: north, step: 8"),
    4: ("a bracket forgotten", "width: 1.2}]\n", "width: 1.2}\n"),
    5: ("the page's own mistake", "width: 1.4", "widht: 1.4"),
    6: ("a tab for an indent", "      count: 3\n", "\t  count: 3\n"),
    7: ("a key misspelt", "goal:", "gaol:"),
}


@dataclass(frozen=True, slots=True)
class Save:
    """A save: its description, the changed lines, and the text of the file."""

    step: str
    lines: tuple[str, ...]
    text: str
    good: bool


def saves() -> list[Save]:
    """The steps of the page, each after its mistake. The game starts with the first."""
    from tools.docs.levels_page import steps

    found: list[Save] = []

    def add(step: str, text: str, good: bool) -> None:
        before = found[-1].text.splitlines() if found else []
        difference = list(difflib.ndiff(before, text.splitlines()))
        typed = [line[2:].expandtabs().strip() for line in difference if line.startswith("+ ")]
        found.append(Save(step, tuple(typed), text, good))

    for number, step in enumerate(steps(), 1):
        if number in MISTAKES:
            mistake, right, wrong = MISTAKES[number]
            head, tail = step.text[: -len(step.added)], step.added
            assert right in tail, (number, right)
            add(f"{number}: {mistake}", head + tail.replace(right, wrong, 1), False)
        add(f"{number}{': corrected' if number in MISTAKES else ''}", step.text, True)
    return found


class Author:
    """Saves into a running game and measures when the result is visible."""

    def __init__(self, game: Any, window: Any, path: Path, plan: list[Save], pictures: Path | None) -> None:
        self.game, self.window, self.path, self.plan, self.pictures = game, window, path, plan, pictures
        self.reloading = game.hot_reload
        self.rows: list[dict[str, Any]] = []
        self.open: tuple[Save, float, int] | None = None
        self.next = time.perf_counter() + WARM_SECONDS
        self.looking = False
        flip = window.flip

        def flipped() -> None:
            flip()
            self.finished(time.perf_counter())

        window.flip = flipped

    def finished(self, now: float) -> None:
        """Called when a frame is on the screen."""
        if self.open is not None:
            save, saved, count = self.open
            shown = self.reloading.reload_count > count if save.good else bool(self.reloading.findings)
            if shown or now > saved + TIMEOUT:
                self.note(save, now - saved if shown else None)
                self.open, self.next = None, now + PAUSE_SECONDS
        elif now >= self.next:
            if self.looking:
                self.look()
            if not self.plan:
                self.game.screen.requests.append("quit")
                return
            save = self.plan.pop(0)
            self.path.write_text(save.text, encoding="utf-8")
            self.open, self.looking = (save, time.perf_counter(), self.reloading.reload_count), True

    def note(self, save: Save, seconds: float | None) -> None:
        """Called with the messages of the game."""
        message = ""
        if save.good:
            message = ": ".join(line for line in self.reloading._card_text[:2] if line)
        elif self.reloading.findings:
            message = str(self.reloading.findings[0]).removeprefix(f"{self.path.parent}{os.sep}")
        self.rows.append({**asdict(save), "seconds": seconds, "message": message})

    def look(self) -> None:
        """Keep a picture of the last save."""
        if self.pictures is not None:
            from PIL import Image

            self.pictures.mkdir(parents=True, exist_ok=True)
            Image.fromarray(self.window.drawing.renderer.image()).save(self.pictures / f"{len(self.rows):02}.png")

    def result(self) -> dict[str, Any]:
        """All saves."""
        return {"saves": self.rows}


def table(found: dict[str, Any]) -> str:
    """Typed lines and times, as Markdown."""
    from benchmarks.peers.table import grid

    rows = []
    for save in found["saves"]:
        first = save["lines"][0] if save["lines"] else ""
        typed = first if len(first) <= MAX_TYPED_LENGTH else f"{first[: MAX_TYPED_LENGTH - 4]} ..."
        after = "never" if save["seconds"] is None else f"{save['seconds']:.2f}"
        rows.append([save["step"], f"`{typed}`", str(len(save["lines"])), after, save["message"].replace("|", "/")])
    head = ["step", "typed", "lines", "shown after, s", "the game says"]
    summary = []
    for good, title in ((True, "From save to picture"), (False, "From save to findings")):
        times = [save["seconds"] or TIMEOUT for save in found["saves"] if save["good"] is good]
        if times:
            summary.append(f"{title}: median {median(times):.2f} s, longest {max(times):.2f} s, {len(times)} saves.")
    return "\n\n".join([grid(head, rows), *summary])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.author", description=__doc__.splitlines()[0])
    parser.add_argument("level", nargs="?", default="", help=argparse.SUPPRESS)
    parser.add_argument("--size", default="1280x720", help="window size in pixels (default: %(default)s)")
    parser.add_argument("--quality", default="low", help="graphics quality (default: %(default)s)")
    parser.add_argument("--display", help="X display of the window, such as :1")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the window")
    parser.add_argument("--keep", action="store_true", help="write the table and all figures to benchmarks/results")
    parser.add_argument(INSIDE, help=argparse.SUPPRESS)
    options = parser.parse_args()
    first, *others = saves()
    if options.inside:
        path = Path(options.level)
        watched(options, lambda game, window: Author(game, window, path, others, options.pictures))
        return
    began, load = datetime.now(UTC), os.getloadavg()[0]
    more = ["--quality", options.quality]
    if options.pictures is not None:
        more += ["--pictures", str(options.pictures.resolve())]
    found = played("benchmarks.author", NAME, first.text.encode(), more, options.size, options.display)
    about = (
        f"Measured {began:%Y-%m-%d %H:%M} UTC: {platform.machine()}, {os.cpu_count()} processors, load {load:.1f} at "
        f"the start and {os.getloadavg()[0]:.1f} at the end; docs/levels.md, {options.size}, quality {options.quality}."
    )
    text = f"{about}\n\n{table(found)}\n"
    print(text)
    if options.keep:
        keep("author", began, about, text, found)


if __name__ == "__main__":
    main()
