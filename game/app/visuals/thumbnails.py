"""Thumbnails of levels: the game's levels come with theirs; those of the user's levels are kept in the cache."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from ... import shipped
from ...core import user_folders
from ...level.format.file_access import SHIPPED_LEVELS, is_shipped

THUMBNAIL_FOLDER = "thumbnails"
SHIPPED_FOLDER = shipped("assets") / "pictures"
THUMBNAIL_VERSION = 2  # of the rendering


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """Name and picture file of a level, and its first finding if it cannot be played."""

    name: str = ""
    picture: str = ""
    finding: str = ""


def thumbnail_folder() -> Path:
    """Cache folder of the thumbnails of the user's levels."""
    return user_folders.cache_folder() / THUMBNAIL_FOLDER


def shipped_thumbnail(level: Path) -> str:
    """Picture file of a level of the game; empty for another level, and if there is none."""
    if not is_shipped(level):
        return ""
    name = "-".join(level.resolve().relative_to(SHIPPED_LEVELS.resolve()).with_suffix("").parts)
    path = SHIPPED_FOLDER / f"{name}.jpg"
    return str(path) if path.is_file() else ""


def thumbnail_key(level: Path) -> str:
    """Cache key of a level file: path, time stamp and size. OSError if the file does not exist."""
    status = os.stat(level)
    text = f"{THUMBNAIL_VERSION} {os.path.abspath(level)} {status.st_mtime_ns} {status.st_size}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def cached_thumbnail(level: Path) -> Thumbnail | None:
    """Cached thumbnail of the present level file; None if there is none."""
    try:
        text = (thumbnail_folder() / f"{thumbnail_key(level)}.json").read_text(encoding="utf-8")
        values = json.loads(text)
        thumbnail = Thumbnail(*(str(values[name])[:2000] for name in ("name", "picture", "finding")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return thumbnail if not thumbnail.picture or Path(thumbnail.picture).is_file() else None


def thumbnail_file(level: Path) -> str:
    """Picture file of a level: shipped, or cached by the list of levels; else empty."""
    try:
        cached = None if is_shipped(level) else cached_thumbnail(level)
        return shipped_thumbnail(level) if cached is None else cached.picture
    except (OSError, ValueError, RuntimeError):
        return ""
