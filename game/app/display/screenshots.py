"""Screenshots: their folder and file names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .still_image import save_png as save_picture

MAX_FILE_NUMBER = 10_000


def screenshot_folder() -> Path:
    """The user's pictures folder, or the working directory if there is none."""
    import platformdirs

    pictures = Path(platformdirs.user_pictures_dir())
    return pictures if pictures.is_dir() else Path.cwd()


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
        path = next_free_name(screenshot_folder())
        save_picture(image, path)
    except OSError as error:
        return "Screenshot failed", (error.strerror or str(error)).lower()
    return "Screenshot saved", str(path)
