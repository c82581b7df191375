"""The example of docs/checking.md: what the bots say of it, and its map: `python -m tools.check_page` writes both."""

from __future__ import annotations

import re
import sys
import tempfile
from functools import cache
from pathlib import Path

from PIL import Image

from game.app import sheet, walking
from game.level import load
from game.sim.explore import findings
from tools.make_pictures import ROOT

PAGE = ROOT / "docs" / "checking.md"
PICTURE = PAGE.parent / "pictures" / "checking" / "court.png"
SIZE = (900, 560)  # of the plan, about
COLOURS = 128

_LEVEL = re.compile(r"```yaml\n(# court\.yaml\n.*?)```", re.S)
_SAID = re.compile(r"(```text\n)(court\.yaml:.*?)(```)", re.S)


def text() -> str:
    """The example level, as the page has it."""
    found = _LEVEL.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page has no level that begins with # court.yaml"
    return found[1]


def shown() -> str:
    """What the page says that the bots say of it."""
    found = _SAID.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page does not show what is said of court.yaml"
    return found[2]


@cache
def walked() -> tuple[str, Image.Image]:
    """What the bots say of it, and its map."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "court.yaml"
        path.write_text(text(), encoding="utf-8")
        level = load(path)
        result = findings.look(level)
        lines = [told.finding.render().replace(str(path), "court.yaml") for told in result.told]
        lines += [line for line in walking.summary(result) if not line.startswith("walked")]
        return "\n".join(lines) + "\n", sheet.sheet(level, result, SIZE)


def main() -> int:
    said, picture = walked()
    page = _SAID.sub(lambda found: found[1] + said + found[3], PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PAGE.name}: {said.count(chr(10))} lines; {PICTURE.name}: {PICTURE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
