"""Movie of a simulation: draws the frames of a source off screen and passes them to an encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.atomic_files import replace_when_done
from .encoders import EncoderSettings, MovieError, encode_mp4, encode_webp, find_ffmpeg, format_of

if TYPE_CHECKING:
    from ..level import Level
    from ..render import Quality, Snapshot

Image = NDArray[np.uint8]
Progress = Callable[[int, int], None]  # frames that are done, of all
MAX_FRAMES = 200_000


class FrameSource(Protocol):
    """A simulation that can be filmed from any of its times."""

    def snapshots(self, times: Sequence[float], aspect: float) -> Iterator[tuple[Level, Snapshot]]:
        """The level and the snapshot at each of these times (s, ascending). aspect: width over height."""
        ...


@dataclass(frozen=True, slots=True)
class MovieResult:
    """A finished movie: its length in frames and seconds, and the size of its file in bytes."""

    path: Path
    frames: int
    seconds: float
    bytes: int


def frame_times(first: float, last: float, fps: float, speed: float = 1.0) -> list[float]:
    """Times (s) of the simulation that the frames of a movie show: first + k * speed / fps, before `last`.

    At least one frame. Each time is rounded once, so that a long movie does not drift. MovieError for more than
    MAX_FRAMES frames.
    """
    step = Fraction(speed).limit_denominator(10_000) / Fraction(fps).limit_denominator(10_000)
    start, end = Fraction(first).limit_denominator(1_000_000), Fraction(last).limit_denominator(1_000_000)
    count = max(1, math.ceil((end - start) / step))
    if count > MAX_FRAMES:
        raise MovieError(f"{count} frames are more than a movie can have ({MAX_FRAMES}); choose a shorter span")
    return [float(start + k * step) for k in range(count)]


def write_movie(
    source: FrameSource,
    times: Sequence[float],
    path: Path,
    settings: EncoderSettings,
    context: Any,
    quality: str,
    light_cache: Path | None = None,
    progress: Progress | None = None,
) -> MovieResult:
    """Write a movie whose frames show `times`. The file appears when it is complete; after an exception nothing is
    left. context: an off-screen moderngl context. quality: of the graphics. MovieError and OSError say what failed."""
    form = format_of(path)
    ffmpeg = find_ffmpeg() if form.name == "mp4" else ""
    camera = OffscreenCamera(context, quality, light_cache)
    try:
        with (
            replace_when_done(path) as part,
            closing(_frames(source, times, camera, settings.size, progress)) as frames,
        ):
            if form.name == "mp4":
                encode_mp4(frames, part, settings, ffmpeg)
            else:
                encode_webp(frames, part, settings)
    finally:
        camera.release()
    return MovieResult(path, len(times), len(times) / settings.fps, path.stat().st_size)


def _frames(
    source: FrameSource,
    times: Sequence[float],
    camera: OffscreenCamera,
    size: tuple[int, int],
    progress: Progress | None,
) -> Generator[Image, None, None]:
    for number, (level, shot) in enumerate(source.snapshots(times, size[0] / size[1])):
        if progress is not None:
            progress(number, len(times))
        yield camera.draw(level, shot, size)
    if progress is not None:
        progress(len(times), len(times))


class OffscreenCamera:
    """Draws snapshots of levels into pictures in memory, with a renderer that is kept from frame to frame."""

    def __init__(self, context: Any, quality: str | Quality, light_cache: Path | None) -> None:
        self._context, self._quality, self._light_cache = context, quality, light_cache
        self._level: Level | None = None
        self._renderer: Any = None

    def draw(self, level: Level, shot: Snapshot, size: tuple[int, int]) -> Image:
        """A picture (height, width, 3) u1 of sRGB, top row first."""
        from ..render import Renderer, Scene

        if level is not self._level:
            self.release()
            self._renderer = Renderer(
                self._context, Scene.from_level(level), self._quality, light_cache=self._light_cache
            )
            self._level = level
        self._renderer.render(shot, size)
        image: Image = self._renderer.image()
        return image

    def release(self) -> None:
        if self._renderer is not None:
            self._renderer.release()
        self._renderer = self._level = None
