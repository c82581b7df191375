"""The user's folders for settings, data and cache, and the JSON files in them; and how files are named. An
environment variable can replace each folder."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from . import atomic_files

APP_NAME = "ellipsoid-walker"
CONFIG_VARIABLE = "WALKER_CONFIG"
DATA_VARIABLE = "WALKER_DATA"
CACHE_VARIABLE = "WALKER_CACHE"
LEVELS_FOLDER = "levels"  # of the user, in the data folder
LEVEL_SUFFIXES = (".yaml", ".yml")


def has_level_suffix(path: object) -> bool:
    """True for the name of a level file or of its tests, in any case."""
    return str(path).lower().endswith(LEVEL_SUFFIXES)


def describe_file(path: Path) -> str:
    """A file in a message: its name and that of its folder. A whole path would fill the screen."""
    return f"{path.name}, in the folder {path.parent.name}"


def config_folder() -> Path:
    return _chosen_folder(CONFIG_VARIABLE) or _platform_folder("config")


def data_folder() -> Path:
    """The folder of progress, replays, crash reports and the user's own levels.

    WALKER_CONFIG moves it too, unless WALKER_DATA is set.
    """
    return _chosen_folder(DATA_VARIABLE) or _chosen_folder(CONFIG_VARIABLE) or _platform_folder("data")


def cache_folder() -> Path:
    """The folder of data that can be made again: compiled kernels, lightmaps, thumbnails.

    The physics needs this folder and no package but NumPy and Numba, so it is found without platformdirs too.
    """
    try:
        return _chosen_folder(CACHE_VARIABLE) or _platform_folder("cache")
    except ImportError:
        return _usual_cache_folder()


def _chosen_folder(variable: str) -> Path | None:
    other = os.environ.get(variable)
    return Path(other) if other else None


def _platform_folder(kind: str) -> Path:
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")(APP_NAME, appauthor=False))


def _usual_cache_folder() -> Path:
    """The folder that platformdirs gives where the system's folders are not moved."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / APP_NAME / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / APP_NAME
    return Path(os.environ.get("XDG_CACHE_HOME", "").strip() or home / ".cache") / APP_NAME


def decode_object(data: bytes, limit: int) -> dict[str, Any] | None:
    """The object in the bytes of a JSON file; None for other content, and for more bytes than `limit`."""
    try:
        values = json.loads(data.decode("utf-8-sig")) if len(data) <= limit else None
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def keep_damaged(path: Path, data: bytes, limit: int) -> Path:
    """Keep a copy of a damaged file, at most `limit` bytes of it, if the disk allows it. Returns its path."""
    copy = path.with_name(path.name + ".damaged")
    with contextlib.suppress(OSError):
        atomic_files.write_atomic(copy, data[:limit])
    return copy


def remove_oldest(folder: Path, pattern: str, count: int) -> None:
    """Remove the oldest files of a folder beyond so many, where that is possible."""
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(pattern), key=os.path.getmtime)[:-count]:
            path.unlink()
