"""Encoded picture: a file, or a byte range of one, such as an image in a GLB file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PictureSource:
    """Where the bytes of a PNG, JPEG or WebP picture are. Two sources with equal fields are the same picture.

    path: absolute. offset, length: byte range in the file; length -1: to its end. label: name for messages.
    modified: time (ns) and size of the file when the level was read, so that a saved picture is another source.
    data: bytes of a picture that has no file (a data URI); `path` is then the file that holds it.
    channels: the channels of "rgba" that are used; the others read as 1. Empty: all.
    """

    path: Path
    offset: int = 0
    length: int = -1
    label: str = field(default="", compare=False)
    modified: tuple[int, int] = (0, 0)
    data: bytes = b""
    channels: str = ""
