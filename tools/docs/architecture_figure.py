"""Draw the figure of docs/architecture.md: `python -m tools.docs.architecture_figure [--check]`.

The upper part shows the packages of `game` in the order of their imports, with the sub-folders of the sources. The
lower part shows the path of one frame and of one tick through the modules, from left to right.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from tools.docs.figures.svg import AIR, BODY, GOOD, INK, OTHER, SOFT, STEP, Drawing

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "docs" / "pictures" / "architecture.svg"

# Rows of packages, the highest layer first: a package imports only from rows below its own.
LAYERS: tuple[tuple[tuple[str, str, str], ...], ...] = (
    (("app", "the game and the command line", AIR),),
    (
        ("lab", "published methods", OTHER),
        ("video", "movies", GOOD),
        ("cluster", "long checks in shards", STEP),
    ),
    (("reports", "results as JSON, tables, plots", GOOD),),
    (("testing", "tests in level files, pytest plugin", STEP),),
    (("drawing", "plans, maps and charts, without OpenGL", GOOD),),
    (("sim", "world, session, replays, bots", STEP), ("render", "pictures with OpenGL", GOOD)),
    (("level", "level files, pieces, models, checks", BODY),),
    (("physics", "mesh, queries, walker, balls", BODY), ("text", "fonts, line breaks", GOOD)),
    (("core", "files, folders, vectors, errors", SOFT),),
)
# Steps of a frame and of a tick: title, module (checked to exist), one line about it.
FRAME = (
    ("input", "app/input/player_input.py", "keys, mouse, gamepad"),
    ("session", "sim/session.py", "divides time into ticks"),
    ("mode", "app/modes", "camera, HUD content"),
    ("snapshot", "render/snapshot.py", "plain data of one frame"),
    ("passes", "render/renderer.py", "shadows, level, sky, bloom"),
    ("HUD", "render/hud", "text and panels"),
)
TICK = (
    ("world", "sim/world.py", "command in, events out"),
    ("broad phase", "physics/character/broad_phase.py", "triangles near the body"),
    ("contacts", "physics/character/contacts.py", "planes, internal edges"),
    ("slide", "physics/character/slide.py", "sweep, project, repeat"),
    ("ground move", "physics/character/ground_move.py", "step up, snap down"),
    ("state", "physics/character/state.py", "one row for the next tick"),
)
WIDTH, LEFT, RIGHT = 760, 20, 740


def _folders(package: str) -> list[str]:
    """Names of the sub-folders of a package that hold modules, in alphabetical order."""
    found = sorted(path.parent.name for path in (ROOT / "game" / package).glob("*/__init__.py"))
    return [name for name in found if name != "layout"]


def _box(d: Drawing, left: float, top: float, width: float, height: float, colour: str) -> None:
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    d.area(corners, colour, fill_opacity=0.1, stroke=colour, width=1.5)


def _wrap(words: list[str], characters: int) -> list[str]:
    """Words joined with commas into lines of limited length."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 2 <= characters:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines


def architecture() -> Drawing:
    """The packages of `game` by layer, then the flow of a frame and of a tick."""
    rows = []
    for layer in LAYERS:
        share = (RIGHT - LEFT - 14 * (len(layer) - 1)) / len(layer)
        wrapped = [_wrap(_folders(name), int(share / 6.4)) for name, _, _ in layer]
        rows.append((layer, share, wrapped, 34 + 16 * max(len(lines) for lines in wrapped)))
    top = 44.0
    height = int(top + sum(row[3] + 22 for row in rows) + 2 * 130 + 4)
    d = Drawing(WIDTH, height)
    d.text((LEFT, 26), "Packages of game/: each imports only from the rows below it", INK, 14, font_weight="bold")
    for number, (layer, share, wrapped, tall) in enumerate(rows):
        for k, ((name, words, colour), lines) in enumerate(zip(layer, wrapped, strict=True)):
            left = LEFT + k * (share + 14)
            _box(d, left, top, share, tall, colour)
            d.text((left + 12, top + 20), name, INK, 14, font_weight="bold")
            d.text((left + 24 + 9 * len(name), top + 20), words, SOFT, 12)
            d.text((left + 12, top + 39), "\n".join(lines), SOFT, 12)
        top += tall
        if number + 1 < len(rows):
            d.arrow((WIDTH / 2, top + 2), (WIDTH / 2, top + 20), SOFT, 1.6, 7)
        top += 22
    for title, steps, colour in (("One frame", FRAME, GOOD), ("One tick", TICK, BODY)):
        d.text((LEFT, top + 20), title, INK, 14, font_weight="bold")
        wide = (RIGHT - LEFT - 16 * (len(steps) - 1)) / len(steps)
        for k, (name, module, words) in enumerate(steps):
            left = LEFT + k * (wide + 16)
            _box(d, left, top + 32, wide, 76, colour)
            d.text((left + 8, top + 50), name, INK, 12.5, font_weight="bold")
            d.text((left + 8, top + 67), module.rsplit("/", 1)[-1], colour, 11)
            d.text((left + 8, top + 84), textwrap.fill(words, 16), SOFT, 11)
            if k:
                d.arrow((left - 15, top + 70), (left - 1, top + 70), SOFT, 1.6, 6)
        top += 130
    return d


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figure, or with --check compare it. Status 0: written or up to date, 1: out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs.architecture_figure", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the figure is out of date")
    options = parser.parse_args(arguments)
    text = architecture().svg()
    if PATH.exists() and PATH.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{PATH.relative_to(ROOT)}: not up to date")
        return 1
    PATH.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
