"""Draw the pictures of the waterfalls in `levels/waters.yaml`: `python -m tools.assets.water_textures`.

Every picture is computed. The same run gives the same files.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PIL import Image

from .example_textures import noise, to_image

FOLDER = Path(__file__).resolve().parents[2] / "levels" / "textures"


def waterfall() -> Image.Image:
    """Falling water, 128 x 256 pixels: streaks of foam along the fall, and clear water between them."""
    rng = np.random.default_rng(5)
    y, x = np.mgrid[:256, :128] / np.array([256.0, 128.0])[:, None, None]
    streaks = np.zeros(x.shape)
    for _ in range(40):
        across, along = rng.integers(2, 26), rng.integers(-3, 4)
        wobble = 0.5 * np.sin(2 * math.pi * (y * rng.integers(1, 3) + rng.random()))
        streaks += np.cos(2 * math.pi * (across * x + along * y + rng.random()) + wobble) / across**0.4
    streaks /= np.abs(streaks).max()
    lumps = noise(rng, 256, 128, 5)
    foam = np.clip(0.5 + 0.9 * streaks + 0.25 * lumps, 0.0, 1.0) ** 1.5
    colour = np.array([0.50, 0.70, 0.74]) + foam[..., None] * np.array([0.48, 0.29, 0.25])
    return to_image(np.concatenate([colour, (0.30 + 0.65 * foam)[..., None]], axis=-1))


def foam() -> Image.Image:
    """Foam on water, 128 x 192 pixels: bubbles of three sizes in patches, dense at the top and none at the bottom."""
    rng = np.random.default_rng(6)
    y, x = np.mgrid[:192, :128] + 0.5
    opacity = np.zeros(x.shape)
    for count, radius in ((70, 8.0), (260, 4.5), (700, 2.5)):
        for centre_x, centre_y in rng.random((count, 2)) * (128.0, 192.0):
            apart = np.hypot((x - centre_x + 64.0) % 128.0 - 64.0, y - centre_y) / radius
            opacity = np.maximum(opacity, np.clip(1.9 - 1.5 * apart, 0.0, 1.0) * rng.uniform(0.6, 1.0))
    depth = y / 192.0
    patches = np.clip(1.9 + 0.7 * noise(rng, 192, 128, 3) - 2.0 * depth, 0.0, 1.0)
    opacity *= patches * np.clip((1.0 - depth) / 0.2, 0.0, 1.0)
    return to_image(np.concatenate([np.full((192, 128, 3), 0.95), opacity[..., None]], axis=-1))


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in {"waterfall": waterfall(), "foam": foam()}.items():
        path = folder / f"{name}.png"
        picture.save(path, optimize=True)
        print(f"{path}: {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
