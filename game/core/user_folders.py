"""The user's folders for settings, data and cache. An environment variable can replace each of them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APP_NAME = "ellipsoid-walker"
CONFIG_VARIABLE = "WALKER_CONFIG"
DATA_VARIABLE = "WALKER_DATA"
CACHE_VARIABLE = "WALKER_CACHE"


def config_folder() -> Path:
    """The folder of the settings."""
    other = os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False))


def data_folder() -> Path:
    """The folder of progress, replays, crash reports and the user's own levels.

    WALKER_CONFIG moves it too, unless WALKER_DATA is set.
    """
    other = os.environ.get(DATA_VARIABLE) or os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def cache_folder() -> Path:
    """The folder of data that can be made again: compiled kernels, lightmaps, thumbnails.

    The physics needs this folder and no package but NumPy and Numba, so it is found without platformdirs too.
    """
    other = os.environ.get(CACHE_VARIABLE)
    if other:
        return Path(other)
    try:
        import platformdirs
    except ImportError:
        return _usual_cache_folder()
    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))


def _usual_cache_folder() -> Path:
    """The folder that platformdirs gives where the system's folders are not moved."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / APP_NAME / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / APP_NAME
    return Path(os.environ.get("XDG_CACHE_HOME", "").strip() or home / ".cache") / APP_NAME
