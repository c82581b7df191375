"""Draw the pictures of docs/levels.md from the level texts of the page: its steps, and plans of rooms and storeys."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from game.drawing.canvas import Canvas, draw_image
from game.drawing.floor_plans import PlanWindow, Storey
from game.drawing.map_sheet import collect_map_data
from game.drawing.plan import Plan
from game.level import load
from game.render import Renderer, Scene, offscreen_context
from tools.docs.pictures.demo import Stand, take
from tools.docs.pictures.shared import ROOT, finest, keep

PAGE = ROOT / "docs" / "levels.md"
SIZE = (960, 540)
MAX_BYTES = 150_000
WINDOW = PlanWindow(-1.0, -1.0, 13.0, 9.0, 26.0)  # metres, and pixels per metre
HOUSE_WINDOW = PlanWindow(-2.0, -10.0, 10.0, 2.0, 26.0)
SECTION = 1.1  # m above the ground of a storey
GAP = 24  # pixels between plans
COLOURS = 64

_STEP = re.compile(
    r"```yaml\n(?P<added>.*?)```.*?<!-- view: (?P<view>[^>]*) -->\n!\[[^\]]*\]\((?P<picture>[^)]+)\)", re.S
)
_VIEW = re.compile(r"([-\d., ]+), heading ([-\d.]+), pitch ([-\d.]+)")


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the page: the added text, the complete file after it, and the place and name of its picture."""

    added: str
    text: str
    stand: Stand
    picture: Path


def steps() -> list[Step]:
    """The steps of the page in order. Each appends to the file of the step before."""
    found: list[Step] = []
    for match in _STEP.finditer(PAGE.read_text(encoding="utf-8")):
        view = _VIEW.fullmatch(match["view"].strip())
        assert view is not None, match["view"]
        x, y, z = (float(part) for part in view[1].split(","))
        text = (found[-1].text if found else "") + match["added"]
        stand = Stand(x, y, z, float(view[2]), float(view[3]))
        found.append(Step(match["added"], text, stand, PAGE.parent / match["picture"]))
    return found


def _text_below(heading: str) -> str:
    """The first text block of a section of the page."""
    found = re.search(rf"## {heading}\n.*?```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None, f"the page has no text under `{heading}`"
    return found[1]


def storeys() -> str:
    """The level of the section on two storeys."""
    return _text_below("Two storeys")


def rooms() -> str:
    """The level of the section on shared walls, with `shared: true`."""
    pieces = textwrap.indent(textwrap.dedent(_text_below("Rooms that share a wall")), "  ")
    return f"format: 1\nname: Rooms\nspawn: {{at: [4, 0, 4], facing: east}}\npieces:\n{pieces}"


def without_shared() -> str:
    """The same with a wall of its own for each room."""
    return rooms().replace("shared: true, ", "")


def _draw_plans(plans: list[tuple[str, Storey]], window: PlanWindow, path: Path) -> None:
    """Write a picture of the plans of two levels, side by side."""
    width, height = window.size
    sheet = Image.new("RGB", (2 * width + GAP, height), "white")
    for number, (text, storey) in enumerate(plans):
        canvas = Canvas(*window.size)
        Plan(0.0, 0.0, window, storey).draw_ground(canvas, collect_map_data(load(text=text)).source)
        sheet.paste(draw_image(canvas), (number * (width + GAP), 0))
    sheet.quantize(COLOURS).save(path, optimize=True)


def main() -> int:
    argparse.ArgumentParser(prog="python -m tools.docs.levels_page", description=__doc__).parse_args()
    folder = PAGE.parent / "pictures" / "levels"
    ground, upper = Storey(-np.inf, SECTION), Storey(3.0 - SECTION, 3.0 + SECTION)
    _draw_plans([(without_shared(), ground), (rooms(), ground)], WINDOW, folder / "rooms.png")
    _draw_plans([(storeys(), ground), (storeys(), upper)], HOUSE_WINDOW, folder / "storeys.png")
    context = offscreen_context()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "tower.yaml"
        for step in steps():
            path.write_text(step.text, encoding="utf-8")
            level = load(path)
            renderer = Renderer(context, Scene.from_level(level), finest("high"))
            keep(take(level, renderer, step.stand, SIZE), step.picture, MAX_BYTES)
            renderer.release()
    return 0


if __name__ == "__main__":
    sys.exit(main())
