"""Where what belongs to the user is kept: settings, data, cache. A variable of the environment names another folder."""

from __future__ import annotations

import os
from pathlib import Path

APP_NAME = "ellipsoid-walker"
CONFIG_VARIABLE = "WALKER_CONFIG"
DATA_VARIABLE = "WALKER_DATA"
CACHE_VARIABLE = "WALKER_CACHE"  # as in physics.numerics.jit, which must not be imported before this one is secured


def config_folder() -> Path:
    """For the settings."""
    other = os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False))


def data_folder() -> Path:
    """For progress, runs, replays, crashes and the user's own levels. Where only the settings are elsewhere, what
    belongs to them is too."""
    other = os.environ.get(DATA_VARIABLE) or os.environ.get(CONFIG_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def cache_folder() -> Path:
    """For what can be made again: compiled kernels, light, pictures."""
    other = os.environ.get(CACHE_VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))
