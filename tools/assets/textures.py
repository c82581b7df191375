"""Draw the pictures of `examples/pictures` and of the falls in `levels/waters.yaml`: `python -m tools.assets.textures`.

Every picture is computed, so that it has no author but this file. The same run gives the same files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
Array = npt.NDArray[np.float64]


def noise(rng: np.random.Generator, height: int, width: int, cells: int) -> Array:
    """Smooth noise (height, width), -1..1, that continues at the opposite edges. cells: waves along a side."""
    y, x = np.mgrid[:height, :width]
    total = np.zeros((height, width))
    for _ in range(12):
        kx, ky = rng.integers(-cells, cells + 1, 2)
        total += np.cos(2 * math.pi * (kx * x / width + ky * y / height) + rng.uniform(0, 2 * math.pi))
    noise: Array = total / np.abs(total).max()
    return noise


def brick() -> tuple[Image.Image, Image.Image]:
    """Bricks in a running bond, 128 x 128 pixels for 1 m, and their normal map."""
    rng = np.random.default_rng(1)
    side, rows, columns, joint = 128, 8, 4, 2.5
    y, x = np.mgrid[:side, :side] + 0.5
    row = (y * rows / side).astype(int)
    shifted = (x + (row % 2) * side / columns / 2) % side
    column = (shifted * columns / side).astype(int)
    within_x, within_y = shifted % (side / columns), y % (side / rows)
    edge = np.minimum(np.minimum(within_x, side / columns - within_x), np.minimum(within_y, side / rows - within_y))
    height = np.clip((edge - joint / 2) / 2.0, 0.0, 1.0)
    grain = noise(rng, side, side, 30) * 0.06 + noise(rng, side, side, 7) * 0.05
    shades = rng.uniform(-0.10, 0.10, (rows, columns))[row, column]
    red = np.array([0.62, 0.29, 0.20])[None, None] * (1.0 + shades + grain)[..., None]
    grey = np.array([0.66, 0.63, 0.57])[None, None] * (1.0 + 0.6 * grain)[..., None]
    colour = grey + (red - grey) * height[..., None]
    return to_image(colour), _normal_map(height * 1.6 + grain * 2.0)


def planks() -> Image.Image:
    """Four boards that run upwards, 128 x 128 pixels for 1 m."""
    rng = np.random.default_rng(2)
    side = 128
    y, x = np.mgrid[:side, :side]
    board = x * 4 // side
    wave = np.sin(2 * math.pi * (x / 7.0 + noise(rng, side, side, 2) * 1.5 + board * 0.37))
    shade = rng.uniform(-0.12, 0.12, 4)[board] + 0.05 * wave + 0.04 * noise(rng, side, side, 25)
    gap = (x % (side // 4) < 1) | ((y + board * 47) % side < 1)
    colour = np.array([0.55, 0.40, 0.25]) * (1.0 + shade - 0.55 * gap)[..., None]
    return to_image(colour)


def belt() -> Image.Image:
    """Dark rubber with a bright arrow that points up, 64 x 64 pixels."""
    image = Image.new("RGB", (256, 256), (46, 47, 50))
    draw = ImageDraw.Draw(image)
    for line in range(0, 256, 32):
        draw.line((0, line, 255, line), fill=(36, 37, 40), width=8)
    draw.polygon([(128, 40), (208, 128), (160, 128), (160, 216), (96, 216), (96, 128), (48, 128)], fill=(226, 178, 40))
    return image.resize((64, 64), Image.Resampling.LANCZOS)


def fence() -> Image.Image:
    """Wire mesh with holes, 64 x 64 pixels for 0.5 m."""
    image = Image.new("RGBA", (256, 256), (120, 126, 130, 0))
    draw = ImageDraw.Draw(image)
    for k in range(-4, 9):
        for way in (1, -1):
            start = (64 * k, 0) if way > 0 else (64 * k, 256)
            draw.line((*start, start[0] + 256, 256 if way > 0 else 0), fill=(120, 126, 130, 255), width=14)
    return image.resize((64, 64), Image.Resampling.LANCZOS)


def poster() -> Image.Image:
    """A sun over hills, with a frame, 96 x 128 pixels."""
    image = Image.new("RGB", (384, 512), (239, 226, 190))
    draw = ImageDraw.Draw(image)
    draw.rectangle((24, 24, 360, 488), fill=(236, 150, 92))
    draw.ellipse((120, 90, 290, 260), fill=(250, 220, 120))
    for base, colour in ((300, (120, 70, 110)), (360, (80, 50, 92)), (420, (46, 34, 66))):
        outline = [(x, base + 34 * math.sin(x / 47 + base)) for x in range(24, 361, 4)]
        draw.polygon([*outline, (360, 488), (24, 488)], fill=colour)
    draw.rectangle((24, 24, 360, 488), outline=(60, 40, 50), width=8)
    return image.resize((96, 128), Image.Resampling.LANCZOS)


def arrow() -> Image.Image:
    """White arrow on nothing, 64 x 64 pixels."""
    image = Image.new("RGBA", (256, 256), (245, 245, 240, 0))
    outline = [(128, 16), (232, 132), (170, 132), (170, 240), (86, 240), (86, 132), (24, 132)]
    ImageDraw.Draw(image).polygon(outline, fill=(245, 245, 240, 235))
    return image.resize((64, 64), Image.Resampling.LANCZOS)


def stain() -> Image.Image:
    """Dark blot with a soft edge, 64 x 64 pixels."""
    rng = np.random.default_rng(4)
    side = 64
    y, x = (np.mgrid[:side, :side] + 0.5) / side * 2 - 1
    reach = 0.62 + 0.25 * noise(rng, side, side, 3)
    opacity = np.clip((reach - np.hypot(x, y)) / 0.3, 0.0, 1.0) * 0.8
    pixels = np.concatenate([np.full((side, side, 3), 0.09), opacity[..., None]], axis=-1)
    return to_image(pixels)


def to_image(colour: Array) -> Image.Image:
    """Image of channels 0..1."""
    return Image.fromarray((np.clip(colour, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))


def _normal_map(height: Array) -> Image.Image:
    """Normal map, green up, of heights in pixels (rows from the top) that continue at the opposite edges."""
    across = (np.roll(height, -1, axis=1) - np.roll(height, 1, axis=1)) / 2
    up = (np.roll(height, 1, axis=0) - np.roll(height, -1, axis=0)) / 2
    normal = np.stack([-across, -up, np.ones_like(height)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return to_image(normal * 0.5 + 0.5)


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


PICTURES: dict[Path, Callable[[], dict[str, Image.Image]]] = {  # by folder
    ROOT / "examples" / "pictures" / "textures": lambda: {
        **dict(zip(("brick", "brick_normal"), brick(), strict=True)),
        **{one.__name__: one() for one in (planks, belt, fence, poster, arrow, stain)},
    },
    ROOT / "levels" / "textures": lambda: {one.__name__: one() for one in (waterfall, foam)},
}


def main() -> None:
    for folder, draw in PICTURES.items():
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in draw().items():
            path = folder / f"{name}.png"
            picture.save(path, optimize=True)
            print(f"{path}: {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
