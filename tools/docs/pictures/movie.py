"""Make the movie of the README, docs/pictures/walk.webp: `python -m tools.docs.pictures.movie`.

The commands files of the shipped levels are recorded as replays; `walker video` films them. The pictures are rendered
at twice the size and scaled down (supersampling). The movie has at most 3 MB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from game.app.commands.video.replay_source import ReplaySource
from game.app.hot_reload.lighting_worker import lightmap_folder
from game.app.runs.library.replay_levels import StoredLevels
from game.level import load
from game.render import QUALITIES, offscreen_context
from game.sim import World
from game.sim.command_script import read_script
from game.sim.replay.recorder import Recorder
from game.sim.replay.replay_file import Replay, read_replay
from game.video import EncoderSettings, frame_times
from game.video.encoders import COMPRESSIONS, encode_webp
from game.video.film import OffscreenCamera
from tools.docs.pictures.shared import DOCS, ROOT

SIZE, LARGER, FPS = (640, 360), 2, 15
MOST_BYTES = 3_000_000
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
    MovieScene("demo", "fixed", 25.6, 29.2),
    MovieScene("escher", "third", 1.4, 4.4),
    MovieScene("waters", "third", 0.2, 3.0),
    MovieScene("ballroom", "third", 0.2, 2.6),
    MovieScene("demo", "third", 38.0, 40.6),
    MovieScene("demo", "third", 63.4, 66.6),
)


def record(level: str, folder: Path) -> Replay:
    """A replay of a shipped level's commands file."""
    world, script = World(load(ROOT / "levels" / f"{level}.yaml")), read_script(ROOT / "levels" / f"{level}.commands")
    path = folder / f"{level}.replay"
    with open(path, "wb") as file:
        recorder = Recorder(world, file.write)
        for command in script.commands(world.start.heading):
            world.step(command)
            recorder.stepped(command)
        recorder.close()
    return read_replay(path)


def frames(folder: Path, scenes: tuple[MovieScene, ...] = SCENES) -> Iterator[np.ndarray]:
    """The pictures of the movie, (height, width, 3) u1."""
    camera = OffscreenCamera(offscreen_context(), GRAPHICS, lightmap_folder())
    large = (LARGER * SIZE[0], LARGER * SIZE[1])
    for scene in scenes:
        replay = record(scene.level, folder)
        options = argparse.Namespace(view=scene.view, fov=90.0, hud=False)
        source = ReplaySource(replay, StoredLevels(replay).level, options)
        times = frame_times(scene.first, scene.last, FPS)
        for level, shot in source.snapshots(times, SIZE[0] / SIZE[1]):
            picture = Image.fromarray(camera.draw(level, shot, large)).resize(SIZE, Image.Resampling.LANCZOS)
            yield np.array(picture)
        print(f"{scene.level} {scene.view}: {len(times)} frames", flush=True)


def main() -> int:
    """Write the movie; 1 where it is too large."""
    parser = argparse.ArgumentParser(description="make the movie of the README")
    parser.add_argument("-o", "--output", type=Path, default=DOCS / "walk.webp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures = list(frames(Path(folder)))
    for compression in reversed(COMPRESSIONS):
        encode_webp(pictures, options.output, EncoderSettings(SIZE, FPS, compression))
        size = options.output.stat().st_size
        print(f"{options.output}: {len(pictures) / FPS:.1f} s, {size / 1e6:.2f} MB ({compression})")
        if size <= MOST_BYTES:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
