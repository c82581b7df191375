"""Pictures that the player takes: where they go and what they are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .still_image import save as save_picture

MOST = 10_000


def folder() -> Path:
    """The user's pictures, or where the game was started if there is no such folder."""
    import platformdirs

    pictures = Path(platformdirs.user_pictures_dir())
    return pictures if pictures.is_dir() else Path.cwd()


def free_name(where: Path) -> Path:
    """The first of walker-0001.png, walker-0002.png ... that does not exist yet."""
    for number in range(1, MOST):
        path = where / f"walker-{number:04d}.png"
        if not path.exists():
            return path
    raise OSError(f"{where} is full of pictures")


def save(image: NDArray[np.uint8]) -> tuple[str, str]:
    """Keep a picture; two lines to tell the player, also where it fails."""
    try:
        path = free_name(folder())
        save_picture(image, path)
    except OSError as error:
        return "No picture was taken", (error.strerror or str(error)).lower()
    return "Picture taken", str(path)
