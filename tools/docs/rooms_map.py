"""Draw the maps of docs/levels.md: rooms with and without `shared`, and storeys: `python -m tools.docs.rooms_map`."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from pathlib import Path

import numpy as np
from PIL import Image

from game.drawing.canvas import Canvas, draw_image
from game.drawing.floor_plans import PlanWindow, Storey
from game.drawing.map_sheet import collect_map_data
from game.drawing.plan import Plan
from game.level import load
from tools.docs.pictures.shared import ROOT

PAGE = ROOT / "docs" / "levels.md"
PICTURE = PAGE.parent / "pictures" / "levels" / "rooms.png"
STOREYS_PICTURE = PICTURE.with_name("storeys.png")
WINDOW = PlanWindow(-1.0, -1.0, 13.0, 9.0, 26.0)  # metres, and pixels per metre
HOUSE_WINDOW = PlanWindow(-2.0, -10.0, 10.0, 2.0, 26.0)
SECTION = 1.1  # m above the ground of a storey
GAP = 24  # pixels between the maps
COLOURS = 64


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
    return rooms().replace("shared: true, ", "")


def main() -> int:
    argparse.ArgumentParser(prog="python -m tools.docs.rooms_map", description=__doc__).parse_args()
    ground, upper = Storey(-np.inf, SECTION), Storey(3.0 - SECTION, 3.0 + SECTION)
    _draw_maps([(without_shared(), ground), (rooms(), ground)], WINDOW, PICTURE)
    _draw_maps([(storeys(), ground), (storeys(), upper)], HOUSE_WINDOW, STOREYS_PICTURE)
    return 0


def _draw_maps(plans: list[tuple[str, Storey]], window: PlanWindow, path: Path) -> None:
    """Write a picture of the plans of levels, side by side."""
    maps = []
    for text, storey in plans:
        canvas = Canvas(*window.size)
        Plan(0.0, 0.0, window, storey).draw_ground(canvas, collect_map_data(load(text=text)).source)
        maps.append(draw_image(canvas))
    width, height = maps[0].size
    sheet = Image.new("RGB", (2 * width + GAP, height), "white")
    for number, plan in enumerate(maps):
        sheet.paste(plan, (number * (width + GAP), 0))
    sheet.quantize(COLOURS).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
