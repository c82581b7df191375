"""Draw the figures of docs/physics.md: `python -m tools.docs.physics_figures [--check] [NAME...]`.

The figures show values that the physics computes, so they change with it. The same physics gives the same bytes on one
kind of machine; coordinates are rounded to a tenth of a pixel.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tools.docs.figures.ellipsoid_space import contacts, space
from tools.docs.figures.queries import projection, sweep
from tools.docs.figures.svg import Drawing
from tools.docs.figures.walks import edge, stairs

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures" / "physics"
FIGURES: dict[str, Callable[[], Drawing]] = {
    "space": space,
    "contacts": contacts,
    "sweep": sweep,
    "projection": projection,
    "stairs": stairs,
    "edge": edge,
}


def draw(name: str) -> str:
    """A figure as SVG text. KeyError for an unknown name."""
    return FIGURES[name]().svg()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figures, or with --check compare them. Status 0: written or up to date, 1: out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.physics_figures", description=__doc__.partition(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(FIGURES)}")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure is out of date")
    parser.add_argument("-o", dest="folder", type=Path, default=FOLDER, help="where they are (docs/pictures/physics)")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in FIGURES]
    if unknown:
        parser.error(f"no such figure: {', '.join(unknown)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    stale = 0
    for name in options.names or FIGURES:
        path, text = options.folder / f"{name}.svg", draw(name)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(f"{os.path.relpath(path, ROOT)}: {'not up to date' if options.check else 'drawn'}")
        if not options.check:
            path.with_suffix(".new").write_text(text, encoding="utf-8", newline="\n")
            path.with_suffix(".new").replace(path)
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
