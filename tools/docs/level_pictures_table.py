"""Picture and cost of the shipped levels: the measures of views along their walks, bake, frames and memory, in a table.

    python -m tools.docs.level_pictures_table [LEVEL...] [--quality high] [--views 6] [--size 1280x720] [--rounds 5]

Each level has a process of its own. `triangles` are those of the level and of its leaf cards. `bake` is seconds until
the renderer has the whole light, `MiB` the largest resident memory of the process. The measures are those of
`run_game.py shot --views` (docs/level_pictures.md), means over the views; `worst bright` and `worst plain` are those of
the worst view. Frames are measured after the bake: each view `rounds` times until the driver has finished, in ms. Other
work on the machine disturbs them: the load is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from time import perf_counter

import numpy as np

LEVELS = (
    "demo", "surfaces", "lifts", "ballroom", "waters", "escher", "lab", "golf/one", "golf/two", "golf/three",
    "museum/hall",
)  # fmt: skip
COLUMNS = (
    "level", "triangles", "bake", "MiB", "bright", "worst bright", "p5", "p95", "contrast", "blurred", "worst plain",
    "halo", "median", "99.5 %", "worst", "load",
)  # fmt: skip


def measure(name: str, quality: str, views: int, size: tuple[int, int], rounds: int) -> list[str]:
    """Row of a level."""
    from game.app.display import level_views, still_image
    from game.level import load
    from game.level.format.file_access import SHIPPED_LEVELS
    from game.render import Renderer, Scene, offscreen_context
    from game.sim.command_script import read_script

    path = SHIPPED_LEVELS / f"{name}.yaml"
    level = load(path)
    walk = path.with_suffix(".commands")
    poses = level_views.walk_poses(level, read_script(walk) if walk.exists() else None, views)
    context = offscreen_context()
    start = perf_counter()
    renderer = Renderer(context, Scene.from_level(level), quality)
    context.finish()
    bake = perf_counter() - start
    figures = np.array([one.values() for _, one in level_views.measured_views(renderer, level, poses, size, 90.0)])
    halos = level_views.sign_halos(renderer, level, size, 90.0)
    shots = [still_image.still_snapshot(level, pose, size, 90.0) for pose in poses]
    frames = []
    for _ in range(rounds):
        for shot in shots:
            start = perf_counter()
            renderer.render(shot, size)
            context.finish()
            frames.append(1000.0 * (perf_counter() - start))
    data = renderer._current_scene.scene_data
    triangles = f"{len(data.scene.triangles)} + {2 * len(data.leaf_cards)}"
    bright, dark, light, contrast, blurred, _ = figures.mean(axis=0)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        name, triangles, f"{bake:.0f} s", f"{memory:.0f}", f"{bright:.1%}", f"{figures[:, 0].max():.1%}",
        f"{dark:.2f}", f"{light:.2f}", f"{contrast:.3f}", f"{blurred:.3f}", f"{figures[:, 5].max():.0%}",
        ", ".join(f"{one:.2f}" for one in halos), f"{np.median(frames):.0f}", f"{np.percentile(frames, 99.5):.0f}",
        f"{max(frames):.0f}", f"{os.getloadavg()[0]:.1f}",
    ]  # fmt: skip


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs.level_pictures_table", description=__doc__.splitlines()[0]
    )
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="demo, museum/hall, ... (default: all with a walk)")
    parser.add_argument("--quality", default="high", help="low, medium or high (default: %(default)s)")
    parser.add_argument("--views", type=int, default=6, help="views of each level (default: %(default)s)")
    parser.add_argument("--size", default="1280x720", help="size of the picture in pixels (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="frames of each view (default: %(default)s)")
    parser.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row:
        width, height = map(int, options.size.split("x"))
        row = measure(options.levels[0], options.quality, options.views, (width, height), options.rounds)
        print(json.dumps(row))
        return
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for name in options.levels or LEVELS:
        command = [sys.executable, "-m", "tools.docs.level_pictures_table", *sys.argv[1:], "--row"]
        command = [part for part in command if part not in options.levels] + [name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print("| " + " | ".join(json.loads(done.stdout.splitlines()[-1])) + " |", flush=True)


if __name__ == "__main__":
    main()
