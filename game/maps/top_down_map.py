"""Top-down map: shaded triangles of a level from above, drawn with Pillow where OpenGL is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from .map_canvas import Colour, draw_scale_bar

if TYPE_CHECKING:
    from ..level import Level

MARGIN = 40  # pixels around the level
SUPERSAMPLE = 2
SUN_DIRECTION = np.array((-0.4, 0.8, -0.45)) / np.linalg.norm((-0.4, 0.8, -0.45))
MIN_UPWARD_NORMAL = 0.05  # vertical part of a unit normal: triangles below it are walls and ceilings
PAPER_COLOUR: Colour = (244, 241, 234)
INK_COLOUR: Colour = (60, 56, 50)
PATH_COLOUR: Colour = (206, 60, 40)
SPAWN_COLOUR: Colour = (40, 110, 190)
GOAL_COLOUR: Colour = (230, 170, 20)


def draw_map(level: Level, path: NDArray[np.float64] | None = None, size: tuple[int, int] = (1280, 720)) -> Image.Image:
    """The map, with north (-Z) up; higher triangles cover lower ones. `path` (T,3): the feet, drawn as a line."""
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
    line_width = 3 * SUPERSAMPLE
    if path is not None and len(path) > 1:
        pen.line(place(path), fill=PATH_COLOUR, width=line_width, joint="curve")
    for spawn in level.spawns[:1]:
        _draw_dot(pen, place(np.array([spawn.feet]))[0], 3 * line_width, SPAWN_COLOUR)
    if level.goal is not None:
        _draw_dot(pen, place(np.array([level.goal.at]))[0], 3 * line_width, GOAL_COLOUR)
    corner = (MARGIN * SUPERSAMPLE / 2, height - MARGIN * SUPERSAMPLE / 2)
    draw_scale_bar(
        pen, scale, corner, width / 5, ink=INK_COLOUR, width=2 * SUPERSAMPLE, text_size=11 * SUPERSAMPLE,
        text_height=14 * SUPERSAMPLE,
    )  # fmt: skip
    return image.resize(size, Image.Resampling.LANCZOS)


def _fit_to_image(
    level: Level, triangles: NDArray[np.float64], path: NDArray[np.float64] | None, width: int, height: int
) -> tuple[float, NDArray[np.float64]]:
    """Scale (pixels per metre) and offset (pixels) that centre the level and the path in the picture."""
    points = [triangles.reshape(-1, 3), np.array([spawn.feet for spawn in level.spawns]).reshape(-1, 3)]
    if path is not None:
        points.append(path)
    flat = np.concatenate(points)[:, (0, 2)]
    low, high = (flat.min(axis=0), flat.max(axis=0)) if len(flat) else (np.zeros(2), np.ones(2))
    room = np.array((width, height)) - 2 * MARGIN * SUPERSAMPLE
    scale = float(np.min(room / np.maximum(high - low, 1.0)))
    return scale, np.array((width, height)) / 2 - (low + high) / 2 * scale


def _sorted_shaded_triangles(level: Level, triangles: NDArray[np.float64]) -> list[tuple[int, tuple[int, int, int]]]:
    """Indices of the triangles that face up, from low to high, with their shaded surface colours."""
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(cross, axis=1)
    normal = cross / np.where(length > 0, length, 1.0)[:, None]
    top = triangles[:, :, 1].max(axis=1)
    visible = np.flatnonzero(normal[:, 1] > MIN_UPWARD_NORMAL)
    light = np.clip(0.55 + 0.5 * (normal @ SUN_DIRECTION), 0.0, 1.0)
    low, high = (float(top[visible].min()), float(top[visible].max())) if len(visible) else (0.0, 1.0)
    height_shade = 0.75 + 0.25 * (top - low) / max(high - low, 1e-9)
    colours = np.array([surface.colour for surface in level.surfaces], dtype=np.float64).reshape(-1, 3)
    shaded = colours[np.asarray(level.drawn_surface)] * (light * height_shade)[:, None]
    rgb = np.clip(shaded * 255, 0, 255).astype(int)
    order = visible[np.argsort(top[visible], kind="stable")]
    return [(int(i), (int(rgb[i, 0]), int(rgb[i, 1]), int(rgb[i, 2]))) for i in order]


def _draw_dot(pen: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> None:
    x, y = at
    pen.ellipse(
        (x - radius, y - radius, x + radius, y + radius), fill=colour, outline=PAPER_COLOUR, width=SUPERSAMPLE * 2
    )
