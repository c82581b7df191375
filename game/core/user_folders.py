"""The user's folders for settings, data and cache. An environment variable can replace each of them."""

from __future__ import annotations

import os
from pathlib import Path

APP_NAME = "ellipsoid-walker"
CONFIG_VARIABLE = "WALKER_CONFIG"
DATA_VARIABLE = "WALKER_DATA"
CACHE_VARIABLE = (
    "WALKER_CACHE"  # the same name as in physics/numerics/jit.py, which cannot be imported before this folder is set
)


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
    """The folder of data that can be made again: compiled kernels, lightmaps, thumbnails."""
    other = os.environ.get(CACHE_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))
