"""Render the thumbnails of the shipped levels: `python -m tools.assets.level_thumbnails [LEVEL...]`.

Writes assets/pictures: 480 x 270 pixels, JPEG, under 40 kB each. Bakes a coarse lightmap for each level, which takes
some seconds with a software renderer.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from game.app.editor.pieces.palette_entries import PREFAB_FOLDER
from game.app.menus.thumbnails import SHIPPED_FOLDER, render_thumbnail
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from game.render import QUALITIES, offscreen_context
from tools.docs.pictures.shared import keep

MOST_BYTES = 40_000
QUALITY = replace(QUALITIES["high"], name="list", samples=4, light_size=512, light_rays=10, shadow_size=2048)


def names() -> list[str]:
    """Names of all shipped levels, such as `demo` and `museum/hall`; prefabs have tools.assets.prefab_pictures."""
    files = SHIPPED_LEVELS.glob("**/*.yaml")
    levels = (path for path in files if not is_tests_file(path) and path.parent != PREFAB_FOLDER)
    return sorted("/".join(path.relative_to(SHIPPED_LEVELS).with_suffix("").parts) for path in levels)


def main() -> int:
    parser = argparse.ArgumentParser(description="render the thumbnails of the shipped levels into assets/pictures")
    parser.add_argument("names", nargs="*", metavar="LEVEL", help="demo, museum/hall, ... (default: all)")
    parser.add_argument("--folder", type=Path, default=SHIPPED_FOLDER)
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(names()))
    if unknown:
        parser.error(f"there is no level {', '.join(unknown)}")
    context = offscreen_context()
    for name in options.names or names():
        picture = render_thumbnail(load(SHIPPED_LEVELS / f"{name}.yaml"), context, QUALITY, light=True)
        keep(picture, options.folder / f"{name.replace('/', '-')}.jpg", MOST_BYTES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
