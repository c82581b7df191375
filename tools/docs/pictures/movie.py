"""Make the movie of the README, docs/pictures/walk.webp: `python -m tools.docs.pictures.movie`.

The commands files of the shipped levels are recorded as replays, and `walker video`'s cameras film them. The pictures
are rendered at twice the size and scaled down (supersampling). Scenes are cross-faded, the last one with the first,
because the movie is shown in a loop. It has at most 3 MB. A processor alone takes a few minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from game.app.commands.replay_game import ReplaySource
from game.app.runs.library.replay_levels import StoredLevels
from game.level import load
from game.render import QUALITIES, offscreen_context
from game.render.scene.lightmap import lightmap_folder
from game.sim import World
from game.sim.command_script import read_script
from game.sim.replay.history import History
from game.sim.replay.replay_file import Replay, read_replay
from game.video import EncoderSettings, frame_times
from game.video.encoders import COMPRESSIONS, encode_webp
from game.video.movie_writer import OffscreenCamera
from tools.docs.pictures.shared import DOCS, ROOT

Picture = NDArray[np.uint8]  # (height, width, 3), sRGB

SIZE, LARGER, FPS = (640, 360), 2, 20
MOST_BYTES = 3_000_000
FADE_FRAMES = 8  # frames that two scenes share
# Drawn at twice the size, low graphics are fine enough, and a processor draws them in a minute or two.
GRAPHICS = replace(QUALITIES["low"], scale=1.0)


@dataclass(frozen=True, slots=True)
class MovieScene:
    """A part of the movie: level, camera (a view of `walker video`), and seconds in the level's commands file."""

    level: str
    view: str
    first: float
    last: float


SCENES = (
    MovieScene("demo", "third", 0.5, 3.2),
    MovieScene("ballroom", "third", 0.5, 3.1),
    MovieScene("demo", "first", 24.4, 26.4),
    MovieScene("waters", "third", 0.9, 3.5),
    MovieScene("lifts", "third", 12.0, 14.5),
    MovieScene("escher", "third", 1.5, 3.9),
    MovieScene("golf/three", "first", 31.7, 34.1),
)


def record(level: str, folder: Path) -> Replay:
    """A replay of a shipped level's commands file."""
    world, script = World(load(ROOT / "levels" / f"{level}.yaml")), read_script(ROOT / "levels" / f"{level}.commands")
    path = folder / f"{level.replace('/', '-')}.replay"
    history = History(world)
    history.run(islice(script.commands(world.start.heading), script.ticks))  # then a script stands still without end
    history.save(path)
    return read_replay(path)


def film(folder: Path, scenes: Sequence[MovieScene] = SCENES) -> Iterator[list[Picture]]:
    """The pictures of each scene."""
    replay_of = cache(lambda level: record(level, folder))
    large = (LARGER * SIZE[0], LARGER * SIZE[1])
    camera = OffscreenCamera(offscreen_context(), GRAPHICS, lightmap_folder())
    try:
        for scene in scenes:
            began, replay = time.process_time(), replay_of(scene.level)
            options = argparse.Namespace(view=scene.view, orbit=None, fov=90.0, hud=False)
            source = ReplaySource(replay, StoredLevels(replay).level, options)
            times = frame_times(scene.first, scene.last, FPS)
            pictures = []
            for level, shot in source.snapshots(times, SIZE[0] / SIZE[1]):
                picture = Image.fromarray(camera.draw(level, shot, large)).resize(SIZE, Image.Resampling.LANCZOS)
                pictures.append(np.array(picture))
            seconds = time.process_time() - began
            print(f"{scene.level} {scene.view}: {len(times)} frames, {seconds:.0f} s of processor time", flush=True)
            yield pictures
    finally:
        camera.release()


def cross_fade(scenes: Sequence[list[Picture]], shared: int = FADE_FRAMES) -> list[Picture]:
    """The pictures of all scenes as a loop: each scene's first `shared` frames are blended with the last ones of the
    scene before it."""
    pictures: list[Picture] = []
    for before, scene in zip([scenes[-1], *scenes[:-1]], scenes, strict=True):
        for k in range(shared):
            weight = (k + 1) / (shared + 1)
            blend = (1.0 - weight) * before[len(before) - shared + k] + weight * scene[k]
            pictures.append(np.rint(blend).astype(np.uint8))
        pictures += scene[shared : len(scene) - shared]
    return pictures


def main() -> int:
    """Write the movie; 1 where it is too large."""
    parser = argparse.ArgumentParser(description="make the movie of the README")
    parser.add_argument("-o", "--output", type=Path, default=DOCS / "walk.webp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures = cross_fade(list(film(Path(folder))))
    for compression in reversed(COMPRESSIONS):
        encode_webp(pictures, options.output, EncoderSettings(SIZE, FPS, compression))
        size = options.output.stat().st_size
        print(f"{options.output}: {len(pictures) / FPS:.1f} s, {size / 1e6:.2f} MB ({compression})", flush=True)
        if size <= MOST_BYTES:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
