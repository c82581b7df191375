"""User folders for settings, data and caches. Environment variables name other folders."""

from __future__ import annotations

import os
from pathlib import Path

APP_NAME = "ellipsoid-walker"
CONFIG_VARIABLE = "WALKER_CONFIG"
DATA_VARIABLE = "WALKER_DATA"
CACHE_VARIABLE = "WALKER_CACHE"  # read by physics.numerics.jit too, at its import


def config_folder() -> Path:
    """The folder of the settings."""
    other = os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False))


def data_folder() -> Path:
    """The folder of progress, runs, replays, crash reports and own levels. With only WALKER_CONFIG set, it is that
    folder."""
    other = os.environ.get(DATA_VARIABLE) or os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def cache_folder() -> Path:
    """The folder of what can be computed again: compiled kernels, lightmaps, pictures."""
    other = os.environ.get(CACHE_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))
