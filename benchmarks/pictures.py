"""Cost of pictures: start, frames while they load, and memory, beside the same level in surface colours.

    python -m benchmarks.pictures [--count 60] [--side 1024] [--format png] [--quality low] [--size 1280x720]
                                  [--rounds 3] [--keep FOLDER] [--saves 6]

Writes a level with `count` boards, each with a picture of its own, into a temporary folder. Each round runs two new
processes in turns, with and without the pictures. Each loads the level, draws frames as the game does (with a software
renderer: at the dynamic resolution, at most 25 frames a second while pictures load), and prints:

load      seconds to read the level file, with the headers of the pictures
first     seconds from there until the first frame is finished
all there seconds from the first frame until every picture is shown
worst     longest frame after the first until all are there, or in as many seconds without pictures; ms
median    of these frames; upload: longest update of the textures within a frame; ms
memory    video memory of the pictures

--saves measures the time from saving a file to the first finished frame that shows it: a picture, and in turns with it
the level with another colour. The game runs without a window, at 30 frames a second.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import numpy as np

COLUMNS = 10  # boards in a row
WATCH_SECONDS = 3.0  # of the frames without pictures
TIMEOUT = 30.0  # s for all pictures
LOADING_FRAME_SECONDS = 1 / 25  # as game/app/window.py


def write_level(folder: Path, count: int, side: int, extension: str) -> dict[str, Path]:
    """Level files with and without pictures, by name."""
    from PIL import Image

    generator = np.random.default_rng(1)
    rows = [], []
    for number in range(count):
        coarse = generator.integers(40, 220, (side // 32, side // 32, 3), dtype=np.uint8)
        smooth = np.asarray(Image.fromarray(coarse).resize((side, side), Image.Resampling.BICUBIC)).astype(np.int16)
        grain = generator.normal(0.0, 9.0, (side, side, 1)).astype(np.int16)
        picture = Image.fromarray(np.clip(smooth + grain, 0, 255).astype(np.uint8))
        picture.save(folder / f"picture{number}.{extension}", **({} if extension == "png" else {"quality": 90}))
        colour = "".join(f"{value:02x}" for value in coarse.mean(axis=(0, 1)).astype(int))
        rows[0].append(f'  board{number}: {{colour: "#{colour}"}}')
        rows[1].append(f"  board{number}: {{picture: picture{number}.{extension}, size: 2}}")
    pieces = ["- box: {from: [-30, -0.2, -30], to: [30, 0, 10]}"]
    for number in range(count):
        x, z = 2.4 * (number % COLUMNS - COLUMNS / 2 + 0.5), -4.0 - 3.0 * (number // COLUMNS)
        height = 2.0 + 0.8 * (number // COLUMNS)
        pieces.append(f"- box: {{from: [{x - 1:g}, 0, {z:g}], to: [{x + 1:g}, {height:g}, {z + 0.2:g}], "
                      f"surface: board{number}}}")  # fmt: skip
    files = {}
    for name, lines in zip(("without", "with"), rows, strict=True):
        files[name] = folder / f"{name}.yaml"
        text = [
            "format: 1",
            "name: Pictures",
            "spawn: {at: [0, 0, 4], facing: north}",
            "surfaces:",
            *lines,
            "pieces:",
            *pieces,
        ]
        files[name].write_text("\n".join(text) + "\n")
    return files


def measure(path: Path, quality: str, size: tuple[int, int]) -> dict[str, float]:
    """Figures of one level in this process."""
    from game.app.display.dynamic_resolution import DynamicResolution
    from game.level import load
    from game.render import Camera, Hud, Renderer, Scene, Snapshot, offscreen_context
    from game.render.gl.quality import is_software_renderer
    from game.render.materials.picture_textures import PictureTextures

    uploads = []
    update = PictureTextures.update

    def timed_update(self: PictureTextures) -> bool:
        began = perf_counter()
        result = update(self)
        uploads.append(perf_counter() - began)
        return result

    PictureTextures.update = timed_update
    ctx = offscreen_context()
    software = is_software_renderer(ctx.info["GL_RENDERER"])
    began = perf_counter()
    level = load(path)
    loaded = perf_counter()
    renderer = Renderer(ctx, Scene.from_level(level), quality, eager=False, bakes=False, clock=perf_counter)
    resolution = DynamicResolution(renderer.quality.scale, renderer.quality.min_scale)
    shot = Snapshot(Camera((0.0, 1.44, 4.0), 0.0, 0.0, 70.0), Hud(crosshair=False))
    frames = []

    def draw() -> None:
        start = perf_counter()
        loading = renderer.is_loading_pictures
        renderer.render(shot, size)
        ctx.finish()
        seconds = perf_counter() - start
        frames.append(seconds)
        if software:
            resolution.update(seconds)
            renderer.scale = resolution.scale
            if loading:
                sleep(max(LOADING_FRAME_SECONDS - seconds, 0.0))

    draw()
    first = perf_counter()
    if renderer.picture_figures.total:
        while renderer.is_loading_pictures and perf_counter() - first < TIMEOUT:
            draw()
        draw()
    there = perf_counter()
    if not renderer.picture_figures.total:
        while perf_counter() - first < WATCH_SECONDS:
            draw()
    return {
        "load": loaded - began,
        "first": first - loaded,
        "all there": there - first,
        "worst": 1e3 * max(frames[1:]),
        "median": 1e3 * median(frames[1:]),
        "upload": 1e3 * max(uploads),
        "memory": renderer.picture_figures.memory / 1e6,
        "pictures": renderer.picture_figures.ready,
        "width": resolution.scale,
    }


SAVE_LEVEL = """\
format: 1
name: Poster
spawn: {{at: [0, 0, 2], facing: north}}
surfaces:
  poster: {{picture: poster.png, size: 4, colour: "{colour}"}}
pieces:
  - floor: {{from: [-20, -20], to: [20, 20]}}
  - box: {{from: [-4, 0, -1], to: [4, 4, 0], surface: poster}}
"""
COLOURS = ("#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff")
FRAME_SECONDS = 1 / 30


def measure_saves(folder: Path, count: int, size: tuple[int, int]) -> dict[str, list[float]]:
    """Seconds from a save to its frame, by the kind of file."""
    from PIL import Image

    from game.app.display.level_renderer import LevelRenderer
    from game.app.game import Game
    from game.app.hot_reload.level_reload import LevelReloader
    from game.app.settings.settings_file import Settings
    from game.level import load
    from game.render import offscreen_context

    level, picture = folder / "poster.yaml", folder / "poster.png"

    def save(kind: str, number: int) -> None:
        """Save like an editor that writes a new file in place of the old one."""
        part = folder / "part.png"
        if kind == "picture":
            Image.new("RGB", (1024, 1024), COLOURS[number % len(COLOURS)]).save(part)
        else:
            part.write_text(SAVE_LEVEL.format(colour="#ffffff" if number % 2 else "#808080"))
        part.replace(picture if kind == "picture" else level)

    save("picture", 0)
    save("level", 1)
    ctx = offscreen_context()
    game = Game(load(level), Settings(), "low")
    game.start(game.make_world())
    game.hot_reload = LevelReloader(game)
    drawn = game.hot_reload.level_renderer = LevelRenderer(ctx, game, software=True)

    def frame() -> np.ndarray:
        """Colour of a part of the wall in a new frame."""
        began = perf_counter()
        snapshot = game.advance_frame(began, size[0] / size[1])
        renderer = drawn.update("low")
        renderer.render(snapshot, size)
        patch = renderer.image()[size[1] // 4 : size[1] // 4 + 8, size[0] // 4 : size[0] // 4 + 8]
        game.hot_reload.wait_for_reload(max(FRAME_SECONDS - (perf_counter() - began), 0.0), sleep)
        return patch.reshape(-1, 3).mean(axis=0)

    def settle(seconds: float) -> np.ndarray:
        end = perf_counter() + seconds
        while perf_counter() < end or not game.hot_reload.is_idle or drawn.is_loading_pictures:
            colour = frame()
        return colour

    found: dict[str, list[float]] = {"picture": [], "level": []}
    try:
        settle(3.0)
        for number in range(count):
            for kind, seconds in found.items():
                before = settle(1.0)
                save(kind, number + 1 if kind == "picture" else number)
                saved = perf_counter()
                while np.abs(frame() - before).max() < 20.0 and perf_counter() - saved < TIMEOUT:
                    pass
                seconds.append(perf_counter() - saved)
    finally:
        game.hot_reload.stop()
    return found


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, help="pictures (default: %(default)s)")
    parser.add_argument("--side", type=int, default=1024, help="pixels along their sides (default: %(default)s)")
    parser.add_argument("--format", choices=("png", "jpg", "webp"), default="png", help="(default: %(default)s)")
    parser.add_argument("--quality", default="low", help="of the graphics (default: %(default)s)")
    parser.add_argument("--size", default="1280x720", help="of the frame in pixels (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="folder for the level, which is kept")
    parser.add_argument("--saves", type=int, help="measure so many saves of a picture, and of a level")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    if options.one:
        print(json.dumps(measure(options.one, options.quality, (width, height))))
        return
    if options.saves:
        with tempfile.TemporaryDirectory() as scratch:
            for kind, seconds in measure_saves(Path(scratch), options.saves, (width, height)).items():
                print(f"{kind:8s} shown {median(seconds):.2f} s after it was saved, at most {max(seconds):.2f} s; "
                      f"{len(seconds)} saves, load {os.getloadavg()[0]:.1f}")  # fmt: skip
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        files = write_level(folder, options.count, options.side, options.format)
        written = sum(path.stat().st_size for path in folder.glob(f"picture*.{options.format}"))
        print(f"{options.count} pictures of {options.side} x {options.side}, {written / 1e6:.0f} MB as "
              f"{options.format}; quality {options.quality}, {options.size}; {os.cpu_count()} processors, "
              f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
        print("             load s  first s  all there s  worst ms  median ms  upload ms  memory MB  width  load")
        for _ in range(options.rounds):
            for name, path in files.items():
                command = [sys.executable, "-m", "benchmarks.pictures", "--one", str(path), "--quality",
                           options.quality, "--size", options.size]  # fmt: skip
                result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                print(
                    f"{name:8s} {result['load']:10.2f} {result['first']:8.2f} {result['all there']:12.2f}"
                    f" {result['worst']:9.1f} {result['median']:10.1f} {result['upload']:10.1f}"
                    f" {result['memory']:10.1f} {result['width']:6.2f} {os.getloadavg()[0]:5.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
