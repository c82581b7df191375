"""Draw the picture of each step of docs/levels.md from the level text of the page."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from game.level import load
from game.render import Renderer, Scene, offscreen_context
from tools.docs.pictures.demo import Stand, take
from tools.docs.pictures.shared import ROOT, finest, keep

PAGE = ROOT / "docs" / "levels.md"
SIZE = (960, 540)
MAX_BYTES = 150_000

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


def main() -> int:
    argparse.ArgumentParser(prog="python -m tools.docs.levels_page", description=__doc__).parse_args()
    context = offscreen_context()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tower.yaml"
        for step in steps():
            path.write_text(step.text, encoding="utf-8")
            level = load(path)
            renderer = Renderer(context, Scene.from_level(level), finest("high"))
            keep(take(level, renderer, step.stand, SIZE), step.picture, MAX_BYTES)
            renderer.release()
    return 0


if __name__ == "__main__":
    sys.exit(main())
