"""Pictures of the shipped levels: `python -m tools.verify.views FOLDER [--quality low ...] [--against OTHER]`.

Draws 54 views, five along the recorded walk of each level (four at the spawn where there is no walk), at each quality,
as PNG files. `--against` compares them with the pictures of an earlier run: prints each that differs by more than 2 of
255 in any pixel, and exits with 1 if there is one. Renderers differ between drivers, so compare on one machine.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from game.app.display import still_image
from game.app.launch.world_setup import load_ready_level, make_world, read_script
from game.core.angles import RADIANS_PER_HEADING_UNIT
from game.level import Level
from game.render import QUALITIES
from game.render.world_view import WorldView
from game.sim import headless_run

LEVELS = (
    "demo", "surfaces", "lifts", "ballroom", "waters", "escher", "lab", "golf/one", "golf/two", "golf/three",
    "museum/hall",
)  # fmt: skip
FRACTIONS = (0.0, 0.22, 0.45, 0.68, 0.9)  # of the walk
SIZE = (1280, 720)
TOLERANCE = 2  # of 255


def poses(level: Level) -> Iterator[WorldView]:
    """The views of a level."""
    walk = level.path.with_suffix(".commands")
    if not walk.exists():
        for quarter in range(4):
            world = make_world(level)
            yaw = world.start.heading * RADIANS_PER_HEADING_UNIT + quarter * math.pi / 2
            yield still_image.walker_camera_pose(world, yaw, -0.05)
        return
    script = read_script(walk)
    for fraction in FRACTIONS:
        world, ticks = make_world(level), max(1, int(script.ticks * fraction))
        headless_run.run_walk(world, script, ticks)
        yield still_image.walker_camera_pose(world, *still_image.view_angles_at_tick(script, world, ticks))


def main() -> int:
    """Draw and compare; the exit status."""
    parser = argparse.ArgumentParser(description="draw 54 views of the shipped levels, and compare them")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quality", nargs="+", choices=tuple(QUALITIES), default=tuple(QUALITIES))
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS)
    parser.add_argument("--against", type=Path, help="folder of an earlier run")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    context, different = still_image.create_offscreen_context(), 0
    for name in options.levels:
        level = load_ready_level(name)
        views = list(poses(level))
        for quality in options.quality:
            renderer = still_image.lit_renderer(context, level, quality)
            for number, view in enumerate(views):
                renderer.render(still_image.still_snapshot(level, view, SIZE, 90.0), SIZE)
                image, file = renderer.image(), f"{quality}_{name.replace('/', '_')}_{number}.png"
                Image.fromarray(image).save(options.folder / file)
                if options.against is not None:
                    before = np.asarray(Image.open(options.against / file)).astype(int)
                    if (most := int(np.abs(before - image).max())) > TOLERANCE:
                        different += 1
                        print(f"{file}: differs by up to {most} of 255", flush=True)
            renderer.release()
    print(f"{different} pictures differ" if options.against is not None else f"pictures in {options.folder}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
