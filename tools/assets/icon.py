"""Draw the window icon and the start-up picture into assets/icon: `python -m tools.assets.icon`.

Both show the figure of the player on stairs in evening light, an ellipsoid that is shaded from its formula.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from game.text.font_stack import draw_line

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "icon"
SIZES = (16, 32, 48, 64, 128, 256)
FINE = 4  # supersampling factor
OPENING = (1280, 720)

HIGH, LOW = np.array((38, 66, 99)), np.array((238, 178, 112))  # sky at the zenith and at the horizon
TREAD, RISER = (226, 206, 172), (122, 96, 84)  # top and front of a step
BODY, BELLY, WARM = np.array((240, 150, 62)), np.array((246, 240, 228)), np.array((255, 196, 120))
SEAM, DARK, EYE = -0.12, np.array((18, 20, 26)), np.array((150, 240, 250))  # height of the seam in radii; visor; eyes
TURN = 0.14  # radii by which the face is turned to the light
LIGHT = np.array((0.62, 0.62, 0.48)) / np.linalg.norm((0.62, 0.62, 0.48))
STEPS = ((0.0, 0.86), (0.36, 0.73), (0.70, 0.60))  # of the picture: left edge and top of each step
MIDDLE, RADII = (0.50, 0.415), (0.172, 0.315)  # centre and radii of the ellipsoid, fractions of the picture


def icon(size: int, corner: float = 0.22) -> Image.Image:
    """The icon, `size` pixels square with round corners."""
    n = size * FINE
    down = np.linspace(0.0, 1.0, n)[:, None, None] ** 1.4
    sky = np.broadcast_to(HIGH * (1 - down) + LOW * down, (n, n, 3))
    picture = Image.fromarray(sky.astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    lip = 0.035 if size >= 48 else 0.07  # visible thickness of a tread; thicker in small icons
    for left, top in STEPS:
        draw.rectangle((left * n, top * n, n, n), fill=RISER)
        draw.rectangle((left * n, top * n, n, (top + lip) * n), fill=TREAD)
    pixels = np.asarray(picture).astype(float)
    y, x = (np.mgrid[:n, :n] + 0.5) / n
    foot = MIDDLE[1] + RADII[1]
    shadow = np.exp(-(((x - MIDDLE[0] + 0.06) / 0.2) ** 2 + ((y - foot - 0.012) / 0.028) ** 2))
    shadow *= (y > foot - 0.004) & (x > STEPS[1][0]) & (x < STEPS[2][0])
    pixels *= 1 - 0.55 * shadow[..., None]
    a, b = (x - MIDDLE[0]) / RADII[0], (MIDDLE[1] - y) / RADII[1]
    inside = a * a + b * b < 1.0
    depth = np.sqrt(np.maximum(1.0 - a * a - b * b, 0.0))
    normal = np.stack((a / RADII[0], b / RADII[1], depth / RADII[0]), axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    lit = np.clip(normal @ LIGHT, 0.0, 1.0)[..., None]
    rim = (1.0 - normal[..., 2:]) ** 2.5
    half = LIGHT + np.array((0.0, 0.0, 1.0))
    glint = np.clip(normal @ half / np.linalg.norm(half), 0, 1)[..., None] ** 60
    visor = (((a - TURN) / 0.72) ** 2 + ((b - 0.55) / 0.17) ** 2 < 1.0)[..., None]
    eyes = sum(((a - TURN - side) / 0.10) ** 2 + ((b - 0.55) / 0.105) ** 2 < 1.0 for side in (-0.24, 0.24))[..., None]
    colour = np.where((b < SEAM)[..., None], BELLY, BODY)
    colour = np.where((np.abs(b - SEAM) < 0.02)[..., None], BODY * 0.4, colour)
    colour = np.where(visor, DARK, colour)
    body = colour * (0.45 + 0.62 * lit) + np.where(visor, 0.3, 1.0) * (WARM * 0.30 * rim * lit + 110.0 * glint)
    body = np.where(eyes, EYE, body)
    pixels[inside] = np.clip(body, 0, 255)[inside]
    whole = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    mask = Image.new("L", (n, n), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, n - 1, n - 1), corner * n, fill=255)
    whole.putalpha(mask)
    return whole.resize((size, size), Image.Resampling.LANCZOS)


def opening() -> Image.Image:
    """The picture that is shown while the game starts."""
    width, height = OPENING
    down = np.linspace(0.0, 1.0, height)[:, None, None]
    ground = np.array((24, 30, 38)) * (1 - down) + np.array((44, 50, 58)) * down
    picture = Image.fromarray(np.broadcast_to(ground, (height, width, 3)).astype(np.uint8))
    badge = icon(256)
    picture.paste(badge, ((width - 256) // 2, 124), badge)
    draw = ImageDraw.Draw(picture)
    draw_line(draw, (width / 2, 466), "The ellipsoid walker", 64, (240, 238, 232), "mm")
    draw.rectangle((width / 2 - 36, 518, width / 2 + 36, 522), fill=(238, 184, 96))
    words = "Loading..."
    draw_line(draw, (width / 2, 572), words, 26, (176, 180, 186), "mm")
    return picture


def main(arguments: Sequence[str] | None = None) -> None:
    """Write all icons and the start-up picture."""
    argparse.ArgumentParser(prog="python -m tools.assets.icon", description=__doc__).parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = {size: icon(size) for size in SIZES}
    for size, picture in made.items():
        picture.save(FOLDER / f"walker-{size}.png", optimize=True)
    made[256].save(FOLDER / "walker.ico", sizes=[(size, size) for size in SIZES], append_images=list(made.values()))
    opening().save(FOLDER / "opening.png", optimize=True)


if __name__ == "__main__":
    main()
