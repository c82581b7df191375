"""Write the example of docs/checking.md, the findings of the bots and their map: `python -m tools.docs.check_page`."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from game.app.commands.check import walk
from game.level import Level, load
from game.maps import map_sheet
from game.maps.bot_finding_messages import BotFindingWriter
from game.sim.bots import walk_findings
from tools.docs.pictures.shared import ROOT

PAGE = ROOT / "docs" / "checking.md"
NAME = "court.yaml"
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
    """The findings as the page has them."""
    found = _SAID.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page does not show the findings of court.yaml"
    return found[2]


def walked() -> tuple[Level, walk_findings.BotReport]:
    """The example level and the report of the bots."""
    level, result, _ = _explored()
    return level, result


@cache
def _explored() -> tuple[Level, walk_findings.BotReport, BotFindingWriter]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(text(), encoding="utf-8")
        level = load(path)
        return level, walk_findings.explore_level(level), BotFindingWriter(level)


def said() -> str:
    """The findings and the summary as `check --walk` prints them, without the effort line."""
    level, result, writer = _explored()
    lines = [writer.finding(told).render().replace(str(level.path), NAME) for told in result.findings]
    lines += [line for line in walk.summarise_walk(level, result) if not line.startswith("explored: ")]
    return "".join(f"{line}\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.check_page", description=__doc__)
    parser.parse_args(arguments)
    lines = said()
    page = _SAID.sub(lambda found: found[1] + lines + found[3], PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    map_sheet.draw_map_sheet(*walked(), SIZE).quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PAGE.name}: {lines.count(chr(10))} lines; {PICTURE.name}: {PICTURE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
