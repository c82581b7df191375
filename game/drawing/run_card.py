"""Card of a run: its path on the plan of the level, time and medal, as one picture to show to others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.vectors import Floats
from ..level import Level
from .canvas import Canvas, Circle, Colour, Picture, Rectangle, Text, draw_image
from .run_map import draw_run_map

SIZE = (1200, 630)  # of the pictures that sites show beside a link
GROUND: Colour = (24, 30, 38)
LIGHT: Colour = (244, 240, 232)
PALE: Colour = (160, 170, 182)
MEDAL_COLOURS: dict[str, Colour] = {"gold": (236, 190, 74), "silver": (196, 204, 212), "bronze": (204, 132, 84)}
MAP_PLACE = (520, 45, 640, 540)  # left, top, width, height
TEXT_LEFT = 56
MAX_LINE = 26  # characters of the level's name in a line


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the card says: the result as text, the medal ("gold", "silver", "bronze" or nothing), whose run it is and
    when, and more lines such as splits."""

    result: str
    medal: str = ""
    name: str = ""
    date: str = ""
    lines: tuple[str, ...] = ()


def draw_run_card(level: Level, path: Floats, facts: RunFacts, best: Floats | None = None) -> Canvas:
    """The card of a run. path (n, 3): its feet, m; best: those of the run that it is compared with."""
    canvas = Canvas(*SIZE, GROUND)
    left, top, width, height = MAP_PLACE
    plan = draw_run_map(level, path, best, size=(width, height))
    canvas.add(Rectangle(left - 8, top - 8, width + 16, height + 16, LIGHT))
    canvas.add(Picture(left, top, width, height, np.asarray(draw_image(plan))))
    canvas.add(Text(TEXT_LEFT, 84, "The ellipsoid walker", 24, PALE))
    y = 148.0
    for line in _wrapped(level.name):
        canvas.add(Text(TEXT_LEFT, y, line, 36, LIGHT))
        y += 44.0
    canvas.add(Text(TEXT_LEFT, y + 66.0, facts.result, 72, LIGHT))
    y += 130.0
    if facts.medal:
        canvas.add(Circle(TEXT_LEFT + 22.0, y - 9.0, 20.0, MEDAL_COLOURS[facts.medal], LIGHT, 3.0))
        canvas.add(Text(TEXT_LEFT + 58.0, y, f"{facts.medal.capitalize()} medal", 28, LIGHT))
        y += 52.0
    canvas.add_rows(TEXT_LEFT, y, facts.lines[:6], 22, 32.0, PALE)
    canvas.add(Text(TEXT_LEFT, SIZE[1] - 48.0, "   ·   ".join(filter(None, (facts.name, facts.date))), 22, PALE))
    return canvas


def _wrapped(name: str) -> list[str]:
    """The words of a name in at most two lines."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= MAX_LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line[:MAX_LINE] for line in lines[:2]]
