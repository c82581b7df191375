"""Movie formats: suffix, default frame rate, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import WalkerError


class MovieError(WalkerError, RuntimeError):
    """A movie cannot be made; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class MovieFormat:
    """A movie format.

    label        for players
    default_size, default_fps  pixels, and frames per second, where none are asked for
    max_side     largest width and height in pixels
    """

    name: str
    label: str
    default_size: tuple[int, int]
    default_fps: int
    max_side: int


MOVIE_FORMATS: Mapping[str, MovieFormat] = {
    "mp4": MovieFormat("mp4", "MP4", (1280, 720), 30, 8192),
    "webp": MovieFormat("webp", "WebP", (640, 360), 20, 16383),
}


def format_of(path: Path) -> MovieFormat:
    """The format of a file name. MovieError for another suffix."""
    form = MOVIE_FORMATS.get(path.suffix.lower().removeprefix("."))
    if form is None:
        raise MovieError(f"{path}: the movie must be an .mp4 or .webp")
    return form
