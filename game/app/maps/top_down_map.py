"""A level drawn from above with Pillow alone: what there is to see where nothing can draw in 3-D."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from ...level import Level

MARGIN = 40  # pixels around the level
SUPERSAMPLE = 2
SUN_DIRECTION = np.array((-0.4, 0.8, -0.45)) / np.linalg.norm((-0.4, 0.8, -0.45))
PAPER_COLOUR, INK_COLOUR, PATH_COLOUR, SPAWN_COLOUR, GOAL_COLOUR = (
    (244, 241, 234),
    (60, 56, 50),
    (206, 60, 40),
    (40, 110, 190),
    (230, 170, 20),
)


def draw_map(level: Level, path: NDArray[np.float64] | None = None, size: tuple[int, int] = (1280, 720)) -> Image.Image:
    """A map: north (-Z) is up, what is higher covers what is lower. `path` (T,3): feet, as a line."""
    triangles = np.asarray(level.drawn, dtype=np.float64).reshape(-1, 3, 3)
    width, height = size[0] * SUPERSAMPLE, size[1] * SUPERSAMPLE
    image = Image.new("RGB", (width, height), PAPER_COLOUR)
    pen = ImageDraw.Draw(image)
    scale, shift = _fit_to_image(level, triangles, path, width, height)

    def place(points: NDArray[np.float64]) -> list[tuple[float, float]]:
        flat = points[:, (0, 2)] * scale + shift
        return [(float(x), float(y)) for x, y in flat]

    for index, colour in _sorted_shaded_triangles(level, triangles):
        pen.polygon(place(triangles[index]), fill=colour)
    line = 3 * SUPERSAMPLE
    if path is not None and len(path) > 1:
        pen.line(place(path), fill=PATH_COLOUR, width=line, joint="curve")
    for spawn in level.spawns[:1]:
        _draw_dot(pen, place(np.array([spawn.feet]))[0], 3 * line, SPAWN_COLOUR)
    if level.goal is not None:
        _draw_dot(pen, place(np.array([level.goal.at]))[0], 3 * line, GOAL_COLOUR)
    _draw_scale_bar(pen, scale, width, height)
    return image.resize(size, Image.Resampling.LANCZOS)


def encode_png(image: Image.Image) -> bytes:
    """The picture as the bytes of a PNG file."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _fit_to_image(
    level: Level, triangles: NDArray[np.float64], path: NDArray[np.float64] | None, width: int, height: int
) -> tuple[float, NDArray[np.float64]]:
    """Pixels to the metre and the shift that bring the level and the path into the middle."""
    points = [triangles.reshape(-1, 3), np.array([spawn.feet for spawn in level.spawns]).reshape(-1, 3)]
    if path is not None:
        points.append(path)
    flat = np.concatenate(points)[:, (0, 2)]
    least, most = (flat.min(axis=0), flat.max(axis=0)) if len(flat) else (np.zeros(2), np.ones(2))
    room = np.array((width, height)) - 2 * MARGIN * SUPERSAMPLE
    scale = float(np.min(room / np.maximum(most - least, 1.0)))
    return scale, np.array((width, height)) / 2 - (least + most) / 2 * scale


def _sorted_shaded_triangles(level: Level, triangles: NDArray[np.float64]) -> list[tuple[int, tuple[int, int, int]]]:
    """Triangles from low to high, walls left out, with the colour of their surface in the light."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(across, axis=1)
    normal = across / np.where(length > 0, length, 1.0)[:, None]
    top = triangles[:, :, 1].max(axis=1)
    seen = np.flatnonzero(normal[:, 1] > 0.05)
    light = np.clip(0.55 + 0.5 * (normal @ SUN_DIRECTION), 0.0, 1.0)
    low, high = (float(top[seen].min()), float(top[seen].max())) if len(seen) else (0.0, 1.0)
    raised = 0.75 + 0.25 * (top - low) / max(high - low, 1e-9)
    colours = np.array([surface.colour for surface in level.surfaces], dtype=np.float64).reshape(-1, 3)
    picked = colours[np.asarray(level.drawn_surface)] * (light * raised)[:, None]
    bytes_ = np.clip(picked * 255, 0, 255).astype(int)
    order = seen[np.argsort(top[seen], kind="stable")]
    return [(int(i), (int(bytes_[i, 0]), int(bytes_[i, 1]), int(bytes_[i, 2]))) for i in order]


def _draw_dot(pen: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> None:
    x, y = at
    pen.ellipse(
        (x - radius, y - radius, x + radius, y + radius), fill=colour, outline=PAPER_COLOUR, width=SUPERSAMPLE * 2
    )


def _draw_scale_bar(pen: ImageDraw.ImageDraw, scale: float, width: int, height: int) -> None:
    """A scale of a round number of metres, about a fifth of the width."""
    wanted = width / 5 / scale
    tens = 10.0 ** np.floor(np.log10(wanted))
    metres = float(max(step * tens for step in (1, 2, 5) if step * tens <= wanted))
    left, bottom = MARGIN * SUPERSAMPLE / 2, height - MARGIN * SUPERSAMPLE / 2
    pen.line((left, bottom, left + metres * scale, bottom), fill=INK_COLOUR, width=2 * SUPERSAMPLE)
    pen.text((left, bottom - 14 * SUPERSAMPLE), f"{metres:g} m", fill=INK_COLOUR, font_size=11 * SUPERSAMPLE)
