"""Cost of a frame by quality: the Python code, and the whole frame relative to clearing as many pixels.

    python -m benchmarks.frame [LEVEL] [--size 1280x720] [--qualities low,medium,high] [--rounds 15]

Views every quarter turn from each spawn, with the debug lines and contacts of F3. `python` is the time inside
`Renderer.render` when the driver has nothing to do: the same snapshots of a level without walls at 8 by 8 pixels.
`picture` lasts until the driver has finished; `processor` is the time of all its threads, which other work on the
machine disturbs less. Medians over the rounds; the slowest and the median view. `clear` is the reference: a framebuffer
of the same size, cleared and finished, measured in turns with the pictures. With a software renderer the last line
shows the game's dynamic resolution: each view for some seconds at the largest size that reaches 30 frames a second.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np

from game.app.display.level_renderer import DynamicResolution
from game.level import load
from game.render import Body, Camera, Hud, Quality, Renderer, Scene, Snapshot, offscreen_context
from game.render.gl.quality import QUALITIES, is_software_renderer, quality_named
from game.render.overlay_layers import Overlay, OverlayLines, OverlayPoints

EYE, BODY = 1.44, (0.35, 0.90, 0.25)
FRAMES_PER_VIEW = 96  # frames of each view
LINES = tuple(f"line {n}: speed 4.00 m/s, normal 0.00 1.00 0.00, slope 0.0" for n in range(8))


def snapshots(level) -> list[Snapshot]:
    found: list[Snapshot] = []
    for spawn in level.spawns:
        x, y, z = spawn.feet
        feet = [(x, y, z - 1.0), (x + 0.3, y, z - 1.5)]
        normals = [((x, y, z), (x, y + 0.3, z)) for x, y, z in feet]
        contacts = Overlay(
            lines=(OverlayLines(normals, (1.0, 0.8, 0.2, 1.0)),), points=(OverlayPoints(feet, (1.0, 0.8, 0.2, 1.0)),)
        )
        for quarter in range(4):
            yaw = spawn.heading * math.tau / 65536 + quarter * math.pi / 2
            view = Camera((x, y + EYE, z), yaw, 0.0, 60.0, 0.08)
            hud = Hud((*LINES, f"view {len(found)}"), hint="a hint at the bottom")
            body = Body((x, y + BODY[1], z), BODY, yaw)
            found.append(Snapshot(view, hud, overlay=contacts, body=body, time=1.0 + len(found)))
    return found


def view_times(
    renderer: Renderer, shots: list[Snapshot], size: tuple[int, int], rounds: int
) -> list[tuple[float, float]]:
    """Median seconds until the frame is finished, and of processor time, for each view."""
    seconds: list[list[tuple[float, float]]] = [[] for _ in shots]
    for number in range(rounds + 1):
        for shot, row in zip(shots, seconds, strict=True):
            wall, processor = perf_counter(), process_time()
            renderer.render(shot, size)
            renderer.ctx.finish()
            if number:  # the first round creates glyphs and buffers
                row.append((perf_counter() - wall, process_time() - processor))
    return [(median(w for w, _ in row), median(b for _, b in row)) for row in seconds]


def python_seconds(ctx, scene: Scene, quality: Quality, shots: list[Snapshot], rounds: int) -> float:
    """Median seconds inside `render` when the driver has nothing to do."""
    none = np.zeros(0, np.int32)
    bare = replace(
        scene, triangles=np.zeros((0, 3, 3)), surface_index=none, smooth=none > 0, closed=none > 0,
        uv=None, vertex_colours=None, normals=None,
    )  # fmt: skip
    renderer = Renderer(ctx, bare, replace(quality, shadow_size=64, tile_size=16), eager=False)
    seconds = []
    for number in range(rounds + 1):
        for shot in shots:
            start = perf_counter()
            renderer.render(shot, (8, 8))
            if number:
                seconds.append(perf_counter() - start)
            ctx.finish()
    renderer.release()
    return median(seconds)


def dynamic_resolution_summary(renderer: Renderer, shots: list[Snapshot], size: tuple[int, int]) -> str:
    """Summary of the views at the dynamic resolution of the game."""
    sharpness, views, scales = DynamicResolution(renderer.quality.scale, renderer.quality.min_scale), [], []
    for shot in shots:
        seconds = []
        for _ in range(FRAMES_PER_VIEW):
            start = perf_counter()
            renderer.scale = sharpness.scale
            renderer.render(shot, size)
            renderer.ctx.finish()
            seconds.append(perf_counter() - start)
            sharpness.update(seconds[-1])
        views.append(median(seconds[FRAMES_PER_VIEW // 2 :]))
        scales.append(sharpness.scale)
    return (
        f"largest size for 30 frames/s: {1 / median(views):.0f} pictures/s, the slowest view {1 / max(views):.0f};"
        f" at {median(scales):.2f} of the width, {min(scales):.2f} at least"
    )


def clear_seconds(ctx, size: tuple[int, int], rounds: int) -> float:
    target = ctx.simple_framebuffer(size)
    target.use()
    seconds = []
    for number in range(rounds):
        start = perf_counter()
        target.clear(0.1 * (number % 7), 0.0, 0.0, 1.0)
        ctx.finish()
        seconds.append(perf_counter() - start)
    return median(seconds)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frame", description=__doc__.splitlines()[0])
    demo = Path(__file__).resolve().parents[1] / "levels" / "demo.yaml"
    parser.add_argument("level", nargs="?", type=Path, default=demo, help="level file (default: demo)")
    parser.add_argument("--size", default="1280x720", help="size of the picture in pixels (default: %(default)s)")
    parser.add_argument("--qualities", default=",".join(QUALITIES), help="qualities to measure (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=15, help="frames of each view (default: %(default)s)")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    level = load(options.level)
    scene, shots, ctx = Scene.from_level(level), snapshots(level), offscreen_context()
    print(f"{level.name}: {len(scene.triangles)} triangles, {len(shots)} views, {width}x{height}")
    print(
        f"{ctx.info['GL_RENDERER']}; {platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    )
    print("quality   python ms   picture ms (slowest)   processor ms (slowest)   clear ms   pictures/s (slowest view)")
    for name in options.qualities.split(","):
        python = python_seconds(ctx, scene, quality_named(name), shots, options.rounds)
        renderer = Renderer(ctx, scene, name, eager=False)
        before = clear_seconds(ctx, (width, height), options.rounds)
        rows = view_times(renderer, shots, (width, height), options.rounds)
        clear = (before + clear_seconds(ctx, (width, height), options.rounds)) / 2
        walls, processor = sorted(w for w, _ in rows), sorted(b for _, b in rows)
        print(
            f"{name:8s} {python * 1e3:10.2f} {median(walls) * 1e3:12.1f} {f'({walls[-1] * 1e3:.1f})':>10s}"
            f" {median(processor) * 1e3:14.1f} {f'({processor[-1] * 1e3:.1f})':>10s} {clear * 1e3:10.2f}"
            f" {1 / median(walls):12.0f} {f'({1 / walls[-1]:.0f})':>8s}"
        )
        if name == "low" and is_software_renderer(ctx.info["GL_RENDERER"]):
            print(dynamic_resolution_summary(renderer, shots, (width, height)))
        renderer.release()


if __name__ == "__main__":
    main()
