"""Draw the maps of the two rooms of docs/levels.md, with and without `shared`: `python -m tools.docs.rooms_map`."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap

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
WINDOW = PlanWindow(-1.0, -1.0, 13.0, 9.0, 26.0)  # metres, and pixels per metre
GAP = 24  # pixels between the maps
COLOURS = 64

_ROOMS = re.compile(r"## Rooms that share a wall\n.*?```text\n(?P<pieces>.*?)```", re.S)


def rooms() -> str:
    """The level of the section, with `shared: true`."""
    found = _ROOMS.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page has no pieces under `Rooms that share a wall`"
    pieces = textwrap.indent(textwrap.dedent(found["pieces"]), "  ")
    return f"format: 1\nname: Rooms\nspawn: {{at: [4, 0, 4], facing: east}}\npieces:\n{pieces}"


def without_shared() -> str:
    return rooms().replace("shared: true, ", "")


def main() -> int:
    argparse.ArgumentParser(prog="python -m tools.docs.rooms_map", description=__doc__).parse_args()
    maps = []
    for text in (without_shared(), rooms()):
        canvas = Canvas(*WINDOW.size)
        Plan(0.0, 0.0, WINDOW, Storey(-np.inf, 1.1)).draw_ground(canvas, collect_map_data(load(text=text)).source)
        maps.append(draw_image(canvas))
    width, height = maps[0].size
    sheet = Image.new("RGB", (2 * width + GAP, height), "white")
    for number, plan in enumerate(maps):
        sheet.paste(plan, (number * (width + GAP), 0))
    sheet.quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
