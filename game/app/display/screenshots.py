"""Screenshots: their folder and file names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core import user_folders
from ...core.errors import error_reason
from .still_image import save_png as save_picture

MAX_FILE_NUMBER = 10_000
DATA_SUBFOLDER = "pictures"  # in the user's data folder


def screenshot_folder() -> Path:
    """The user's pictures folder; where there is none, the folder `pictures` of the game's data."""
    import platformdirs

    pictures = Path(platformdirs.user_pictures_dir())
    return pictures if pictures.is_dir() else user_folders.data_folder() / DATA_SUBFOLDER


def next_free_name(folder: Path) -> Path:
    """The first path of walker-0001.png, walker-0002.png ... that does not exist."""
    for number in range(1, MAX_FILE_NUMBER):
        path = folder / f"walker-{number:04d}.png"
        if not path.exists():
            return path
    raise OSError(f"{folder} has no free file name left")


def save_screenshot(image: NDArray[np.uint8]) -> tuple[str, str]:
    """Save a picture; two lines for the player, also where that fails."""
    try:
        folder = screenshot_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = next_free_name(folder)
        save_picture(image, path)
    except OSError as error:
        return "Screenshot failed", error_reason(error)
    return "Screenshot saved", str(path)
