"""Write the example of docs/checking.md, the output of its command and its map: `python -m tools.docs.check_page`."""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image

from game.app.commands.command_line import main as walker
from game.drawing.canvas import draw_image
from game.drawing.map_sheet import draw_map_sheet
from game.level import Level, load
from game.reports.bot_finding_messages import BotFindingWriter
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.walk_findings import BotReport, report_exploration
from tools.docs.pictures.shared import ROOT

PAGE = ROOT / "docs" / "checking.md"
NAME = "court.yaml"
COMMAND = f"check {NAME} --walk -o found"
PICTURE = PAGE.parent / "pictures" / "checking" / "court.png"
SIZE = (900, 560)  # approximate size of the map, pixels
COLOURS = 128

_LEVEL = re.compile(r"```yaml\n(# court\.yaml\n.*?)```", re.S)
_SAID = re.compile(r"(```text\n)(court\.yaml:.*?)(```)", re.S)


def text() -> str:
    """The example level as the page has it."""
    found = _LEVEL.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page has no level that begins with # court.yaml"
    return found[1]


def shown() -> str:
    """The output of the command as the page has it."""
    found = _SAID.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page does not show the findings of court.yaml"
    return found[2]


@cache
def walked() -> tuple[Level, BotReport]:
    """The example level and the report of the bots."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(text(), encoding="utf-8")
        level = load(path)
        exploration = LevelExploration(level)
        exploration.explore()
        return level, report_exploration(exploration)


def said() -> str:
    """Standard output of the command."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path(NAME).write_text(text(), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            walker(shlex.split(COMMAND))
    return out.getvalue()


def drawn_map() -> Image.Image:
    """The map of the example level with the findings of the bots."""
    level, report = walked()
    writer = BotFindingWriter(level)
    return draw_image(draw_map_sheet(level, report, [writer.finding(found) for found in report.findings], SIZE))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.check_page", description=__doc__)
    parser.parse_args(arguments)
    lines = said()
    page = _SAID.sub(lambda found: found[1] + lines + found[3], PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    drawn_map().quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PAGE.name}: {lines.count(chr(10))} lines; {PICTURE.name}: {PICTURE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
