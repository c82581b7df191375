"""Render the pictures of docs/queries.md: `python -m tools.docs.pictures.queries [NAME...]`.

The pictures are ray-traced with the queries themselves: a ray for each pixel and a shadow ray to the sun. The marks
show answers of queries.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw, ImageFont

from game.physics import Box, Capsule, Sphere, TriangleMesh
from game.render import Camera
from tools.docs.figures.svg import AIR, BODY, EARTH, FAINT, GOOD, GROUND, INK, PAPER, STEP

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "pictures" / "queries"
WIDTH, HEIGHT, FINE = 760, 300, 2  # pixels, and rays per pixel in each direction
SUN = np.array([0.45, 0.8, 0.4]) / np.linalg.norm([0.45, 0.8, 0.4])
HAZE = 26.0  # metres at which the ground fades to the background

Floats = NDArray[np.float64]
Colour = str


def rgb(colour: Colour) -> Floats:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.float64)


class Scene:
    """Meshes and shapes with colours; some are transparent."""

    def __init__(self, view: Camera) -> None:
        self.view = view
        self.meshes: list[tuple[TriangleMesh, Colour]] = []
        self.shapes: list[tuple[Any, Colour, float]] = []
        self.image: Image.Image | None = None

    def mesh(self, triangles: ArrayLike, colour: Colour = EARTH) -> TriangleMesh:
        mesh = TriangleMesh(triangles)
        self.meshes.append((mesh, colour))
        return mesh

    def shape(self, shape: Any, colour: Colour, solid: float = 1.0) -> Any:
        """Add a shape. solid: opacity; below 1 it is transparent and casts no shadow."""
        self.shapes.append((shape, colour, solid))
        return shape

    def _layers(self, ways: Floats) -> list[tuple[Floats, Floats, Floats, float]]:
        """(distance, normal, colour, solid) of each object along each ray; distance inf for a miss."""
        layers = []
        for mesh, colour in self.meshes:
            hits = mesh.raycast_many(self.view.eye, ways)
            layers.append((hits.distance, hits.normal, rgb(colour), 1.0))
        for shape, colour, solid in self.shapes:
            hits = shape.raycast_many(self.view.eye, ways)
            layers.append((hits.distance, hits.normal, rgb(colour), solid))
        return [(np.where(np.isnan(d), np.inf, d), np.nan_to_num(n), c, s) for d, n, c, s in layers]

    def _shade(self, places: Floats, normals: Floats) -> Floats:
        """Light (K,): from the sky, and from the sun where nothing occludes it."""
        starts = places + 1e-4 * normals
        lit = normals @ SUN > 0.0
        for mesh, _ in self.meshes:
            lit &= ~mesh.raycast_any_many(starts, SUN)
        for shape, _, solid in self.shapes:
            if solid == 1.0:
                lit &= ~shape.raycast_many(starts, SUN).hit
        sky = 0.62 + 0.16 * normals[:, 1]
        return np.asarray(sky + 0.34 * np.where(lit, normals @ SUN, 0.0))

    def take(self) -> Image.Image:
        """The rendered picture without labels."""
        wide, high = WIDTH * FINE, HEIGHT * FINE
        down, across = np.meshgrid(np.arange(high) + 0.5, np.arange(wide) + 0.5, indexing="ij")
        ways = self.view.pixel_ray(across.ravel(), down.ravel(), wide, high)
        layers = self._layers(ways)
        colour = np.broadcast_to(rgb(PAPER), (len(ways), 3)).copy()
        behind = np.full(len(ways), np.inf)
        for distance, normal, own, solid in layers:
            if solid < 1.0:
                continue
            rows = np.flatnonzero(distance < behind)
            behind[rows] = distance[rows]
            places = np.array(self.view.eye) + distance[rows, None] * ways[rows]
            seen = own * np.minimum(self._shade(places, normal[rows]), 1.12)[:, None]
            fog = np.clip((distance[rows] - 0.45 * HAZE) / (0.55 * HAZE), 0.0, 1.0)[:, None]
            colour[rows] = np.minimum(seen, 255.0) * (1.0 - fog) + rgb(PAPER) * fog
        glass = [layer for layer in layers if layer[3] < 1.0]
        for distance, normal, own, solid in sorted(glass, key=lambda layer: -float(layer[0].min())):
            rows = np.flatnonzero(distance < behind)
            rim = 1.0 - np.abs((normal[rows] * ways[rows]).sum(1))
            part = np.clip(solid * (0.55 + 0.9 * rim), 0.0, 1.0)[:, None]
            colour[rows] = colour[rows] * (1.0 - part) + own * part
        pixels = colour.reshape(HEIGHT, FINE, WIDTH, FINE, 3).mean(axis=(1, 3))
        self.image = Image.fromarray(np.clip(pixels + 0.5, 0, 255).astype(np.uint8))
        return self.image

    def at(self, place: ArrayLike) -> tuple[float, float]:
        """Pixel position of a point of the world."""
        x, y, _, w = np.append(np.asarray(place, dtype=np.float64), 1.0) @ self.view.view_projection_matrix(
            WIDTH / HEIGHT
        )
        return float(0.5 * (x / w + 1.0) * WIDTH), float(0.5 * (1.0 - y / w) * HEIGHT)


class Pen:
    """Draws lines, dots and text at four times the resolution of the picture."""

    FINER = 4

    def __init__(self, image: Image.Image, scene: Scene | None = None) -> None:
        size = (image.width * self.FINER, image.height * self.FINER)
        self.image, self.scene = image, scene
        self.sheet = Image.new("RGBA", size, (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.sheet)

    def _at(self, place: ArrayLike) -> tuple[float, float]:
        x, y = self.scene.at(place) if self.scene is not None and np.size(place) == 3 else np.asarray(place).tolist()
        return x * self.FINER, y * self.FINER

    def line(self, a: ArrayLike, b: ArrayLike, colour: Colour = INK, width: float = 1.6, dash: float = 0.0) -> None:
        first, last = np.array(self._at(a)), np.array(self._at(b))
        parts = 1
        if dash:
            parts = max(1, 2 * round(float(np.linalg.norm(last - first)) / (2 * dash * self.FINER)) + 1)
        for k in range(0, parts, 2):
            p, q = first + (last - first) * k / parts, first + (last - first) * (k + 1) / parts
            self.draw.line([*p.tolist(), *q.tolist()], fill=colour, width=round(width * self.FINER))

    def arrow(self, a: ArrayLike, b: ArrayLike, colour: Colour = INK, width: float = 2.2, head: float = 9.0) -> None:
        first, last = np.array(self._at(a)), np.array(self._at(b))
        way = (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
        back = last - head * self.FINER * way
        side = 0.42 * head * self.FINER * np.array([-way[1], way[0]])
        self.draw.line([*first.tolist(), *back.tolist()], fill=colour, width=round(width * self.FINER))
        self.draw.polygon([*last.tolist(), *(back + side).tolist(), *(back - side).tolist()], fill=colour)

    def dot(self, at: ArrayLike, colour: Colour = INK, r: float = 4.0) -> None:
        x, y = self._at(at)
        for radius, fill in ((r + 1.2, PAPER), (r, colour)):
            s = radius * self.FINER
            self.draw.ellipse((x - s, y - s, x + s, y + s), fill=fill)

    def words(self, at: ArrayLike, text: str, colour: Colour = INK, size: float = 14.0, anchor: str = "lm") -> None:
        font = ImageFont.load_default(size * self.FINER)
        x, y = self._at(at)
        self.draw.text(
            (x, y), text, fill=colour, font=font, anchor=anchor, stroke_width=self.FINER * 2, stroke_fill=PAPER
        )

    def done(self) -> Image.Image:
        over = self.sheet.resize(self.image.size, Image.Resampling.LANCZOS)
        return Image.alpha_composite(self.image.convert("RGBA"), over).convert("RGB")


def quad(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> list[Any]:
    return [[a, b, c], [a, c, d]]


def floor(size: float = 40.0, y: float = 0.0) -> list[Any]:
    return quad((-size, y, -size), (-size, y, size), (size, y, size), (size, y, -size))


def block(least: Sequence[float], most: Sequence[float]) -> list[Any]:
    """Faces of an axis-aligned box."""
    (x, y, z), (u, v, w) = least, most
    return [
        *quad((x, v, z), (x, v, w), (u, v, w), (u, v, z)),
        *quad((x, y, w), (u, y, w), (u, v, w), (x, v, w)),
        *quad((u, y, z), (x, y, z), (x, v, z), (u, v, z)),
        *quad((x, y, z), (x, y, w), (x, v, w), (x, v, z)),
        *quad((u, y, w), (u, y, z), (u, v, z), (u, v, w)),
    ]


def hills(x: Floats, z: Floats) -> Floats:
    return np.asarray(
        0.5 * np.sin(0.8 * x + 0.3) * np.cos(0.7 * z) + 0.3 * np.sin(1.7 * x - 1.1 * z) * np.cos(0.9 * x) + 0.5
    )


def terrain(cells: int = 90, size: float = 16.0) -> Floats:
    line = np.linspace(-size / 2, size / 2, cells + 1)
    x, z = np.meshgrid(line, line, indexing="ij")
    grid = np.stack([x, hills(x, z), z], axis=-1)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    return np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)


def shapes() -> Image.Image:
    """Gaps and depths of three pairs of shapes."""
    scene = Scene(Camera((0.0, 2.2, 7.6), 0.0, -0.2, fov_degrees=27.5))
    scene.mesh(floor())
    pairs = [
        (Sphere((-3.6, 0.85, 0.3), 0.6), Capsule((-2.3, 0.35, -0.5), (-1.9, 1.6, 0.3), 0.3)),
        (Capsule((-0.75, 0.55, 0.0), (0.75, 1.25, 0.0), 0.25), Capsule((0.0, 0.3, 0.5), (0.0, 1.5, -0.5), 0.25)),
        (Box((2.15, 0.5, 0.1), (0.5, 0.5, 0.5), 0.35), Box((3.05, 0.75, 0.0), (0.55, 0.75, 0.4), -0.2)),
    ]
    for a, b in pairs:
        overlap = a.overlaps(b)
        scene.shape(a, BODY, 0.5 if overlap else 1.0)
        scene.shape(b, AIR if overlap else GOOD, 0.5 if overlap else 1.0)
    pen = Pen(scene.take(), scene)
    for (a, b), at in zip(pairs, ((-2.75, 2.15, 0), (0.0, 2.15, 0), (2.65, 2.15, 0)), strict=True):
        gap = a.gap(b)
        if gap.distance > 0.0:
            pen.line(gap.point, gap.other_point, INK, 2.2)
        else:
            pen.arrow(gap.point, gap.other_point, INK, 2.4)
        pen.dot(gap.point, BODY)
        pen.dot(gap.other_point, GOOD if gap.distance > 0.0 else AIR)
        words = f"{gap.distance:.2f} m apart" if gap.distance > 0.0 else f"{-gap.distance:.2f} m deep"
        pen.words(at, words, anchor="mm")
    return pen.done()


def sweeps() -> Image.Image:
    """Sweeps of a sphere, a capsule and a box to a wall, an edge and a slope."""
    scene = Scene(Camera((0.0, 2.6, 8.6), 0.0, -0.2, fov_degrees=25.0))
    ground = [
        *floor(),
        *block((-2.2, 0, -0.9), (-1.4, 1.5, 0.9)),
        *block((0.75, 0, -0.9), (1.7, 0.45, 0.9)),
        *quad((2.6, 0, 0.9), (4.4, 1.1, 0.9), (4.4, 1.1, -0.9), (2.6, 0, -0.9)),
        [(2.6, 0, 0.9), (4.4, 0, 0.9), (4.4, 1.1, 0.9)],
    ]
    mesh = scene.mesh(ground)
    moves = [
        (Sphere((-4.1, 0.45, 0.0), 0.4), (2.2, 0.35, 0.0)),
        (Capsule((-0.6, 0.35, 0.1), (-0.25, 1.25, 0.1), 0.28), (1.7, 0.0, 0.0)),
        (Box((2.5, 1.7, 0.0), (0.32, 0.32, 0.32), 0.5), (1.2, -1.7, 0.0)),
    ]
    hits = [mesh.sweep(shape, displacement=way) for shape, way in moves]
    for (shape, way), hit in zip(moves, hits, strict=True):
        for part in (0.0, 0.5):
            scene.shape(shape.moved(part * hit.fraction * np.array(way)), BODY, 0.3 - 0.1 * part)
        scene.shape(shape.moved(hit.fraction * np.array(way)), BODY)
    pen = Pen(scene.take(), scene)
    for (shape, way), hit in zip(moves, hits, strict=True):
        pen.line(shape.centre, shape.centre + np.array(way), STEP, 1.8, dash=5.0)
        pen.dot(shape.centre + np.array(way), STEP, 3.0)
        pen.arrow(hit.point, np.array(hit.point) + 0.6 * np.array(hit.normal), INK)
        pen.dot(hit.point, AIR)
    for at, hit in zip(((-3.1, 2.15, 0), (-0.1, 2.15, 0), (3.4, 2.15, 0)), hits, strict=True):
        pen.words(at, f"{hit.feature} after {hit.distance:.2f} m", anchor="mm")
    return pen.done()


def rays() -> Image.Image:
    """Nearest hit, all hits, and any hit."""
    scene = Scene(Camera((0.4, 2.6, 8.4), 0.05, -0.22, fov_degrees=25.0))
    ground = floor()
    for k, x in enumerate((-1.6, -0.2, 1.2)):
        ground += block((x, 0, -0.9 - 0.1 * k), (x + 0.18, 1.5 - 0.2 * k, 0.9))
    mesh = scene.mesh(ground)
    lamp, eyes = np.array((-3.6, 0.95, 0.35)), np.array([(-2.7, 0.3, 1.3), (2.9, 0.3, 1.3), (0.4, 0.3, 1.6)])
    scene.shape(Sphere(lamp, 0.1), STEP)
    scene.shape(Sphere(eyes, 0.16)[0], BODY)
    scene.shape(Sphere(eyes[1], 0.16), BODY)
    scene.shape(Sphere(eyes[2], 0.16), BODY)
    pen = Pen(scene.take(), scene)
    every = mesh.raycast_all(lamp, (1.0, -0.02, -0.05), 6.6)
    end = lamp + 6.6 * np.array((1.0, -0.02, -0.05))
    pen.arrow(lamp, end, STEP, 1.8)
    for k, hit in enumerate(every):
        pen.dot(hit.point, AIR if k == 0 else INK, 5.0 if k == 0 else 3.4)
    pen.words(np.array(every[0].point) + np.array((0, 0.95, 0)), "nearest", AIR, anchor="mm")
    pen.words((3.0, 1.35, 0.0), f"all: {len(every)}", anchor="lm")
    for eye in eyes:
        way = lamp - eye
        hidden = mesh.raycast_any(eye, way, float(np.linalg.norm(way)))
        pen.line(eye, lamp, FAINT if hidden else GOOD, 1.6, dash=5.0)
        below = eye - np.array((0, 0.42, 0))
        pen.words(below, "hidden" if hidden else "sees the lamp", INK if hidden else GOOD, anchor="mm")
    return pen.done()


def closest() -> Image.Image:
    """Points and the closest points of a sculpture."""
    scene = Scene(Camera((0.0, 2.4, 8.6), 0.0, -0.16, fov_degrees=24.0))
    turn = np.linspace(0.0, 2.0 * np.pi, 97)
    across = np.linspace(0.0, 2.0 * np.pi, 33)
    u, v = np.meshgrid(turn, across, indexing="ij")
    away = 1.15 + 0.38 * np.cos(v)
    grid = np.stack([away * np.cos(u) * 1.6, 1.15 + 0.38 * np.sin(v) + 0.3 * np.sin(2 * u), -away * np.sin(u)], axis=-1)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    scene.mesh(floor(y=-0.4))
    mesh = scene.mesh(np.concatenate([np.stack([a, b, c], 2), np.stack([a, c, d], 2)]).reshape(-1, 3, 3), GROUND)
    way = np.linspace(0.0, 2.0 * np.pi, 19)[:-1]
    points = np.stack([3.4 * np.cos(way), 1.15 + 1.25 * np.sin(way), 0.5 + 0.0 * way], axis=-1)
    points = np.concatenate([points, [(0.0, 1.2, 0.0), (-0.6, 1.5, 1.9), (1.5, 1.2, 1.9)]])
    pen = Pen(scene.take(), scene)
    found = mesh.closest_many(points)
    for point, place in zip(points, found.point, strict=True):
        pen.line(point, place, STEP, 1.6)
        pen.dot(place, AIR, 2.8)
        pen.dot(point, BODY, 3.6)
    return pen.done()


def ground() -> Image.Image:
    """Upright posts on hilly ground, each on the point below it."""
    scene = Scene(Camera((0.0, 3.6, 8.2), 0.0, -0.36, fov_degrees=30.0))
    mesh = scene.mesh(terrain())
    x, z = np.meshgrid(np.linspace(-3.6, 3.6, 7), np.linspace(-1.6, 2.2, 3))
    above = np.column_stack([x.ravel(), np.full(x.size, 2.3), z.ravel()])
    found = mesh.ground_below_many(above)
    for k, (place, normal) in enumerate(zip(found.point, found.normal, strict=True)):
        side = np.cross((0.0, 0.0, 1.0), normal)
        side /= np.linalg.norm(side)
        turn = np.column_stack([-side, normal, np.cross(-side, normal)])
        if k % 2:
            scene.shape(Box(place + 0.16 * normal, (0.2, 0.16, 0.2), turn), STEP)
        else:
            scene.shape(Sphere(place + 0.2 * normal, 0.2), BODY)
    pen = Pen(scene.take(), scene)
    for start, place in zip(above[:7], found.point[:7], strict=True):
        pen.line(start, place, INK, 1.2, dash=4.0)
        pen.dot(start, INK, 2.4)
    return pen.done()


def picking() -> Image.Image:
    """The triangle under the pointer."""
    view = Camera((-1.2, 1.9, 6.4), -0.15, -0.16, fov_degrees=34.0)
    scene = Scene(view)
    parts = [*floor(), *block((-3.2, 0, -1.6), (-1.8, 1.1, -0.2)), *block((1.4, 0, -2.4), (2.6, 1.7, -1.2))]
    parts += quad((-1.0, 0, 0.4), (1.0, 0.9, 0.4), (1.0, 0.9, -1.2), (-1.0, 0, -1.2))
    parts += [[(-1.0, 0, 0.4), (1.0, 0, 0.4), (1.0, 0.9, 0.4)]]
    mesh = scene.mesh(parts)
    pointer = (392.0, 172.0)
    hit = mesh.raycast(view.eye, view.pixel_ray(*pointer, WIDTH, HEIGHT))
    corners = np.array(parts[hit.triangle], dtype=np.float64)
    pen = Pen(scene.take(), scene)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        pen.line(a, b, STEP, 2.4)
    pen.arrow(hit.point, np.array(hit.point) + 0.7 * np.array(hit.normal), BODY)
    pen.line((pointer[0] - 9, pointer[1]), (pointer[0] + 9, pointer[1]), AIR, 2.0)
    pen.line((pointer[0], pointer[1] - 9), (pointer[0], pointer[1] + 9), AIR, 2.0)
    x, y, z = hit.point
    words = f"triangle {hit.triangle} at ({x:.2f}, {y:.2f}, {z:.2f}), {hit.distance:.2f} m away"
    pen.words((pointer[0], 268), words, anchor="mm")
    return pen.done()


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "shapes": shapes, "sweeps": sweeps, "rays": rays, "closest": closest, "ground": ground,
    "picking": picking,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs.pictures.queries", description=__doc__.partition(":")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (all): {', '.join(PICTURES)}")
    parser.add_argument("-o", dest="folder", type=Path, default=FOLDER, help="where to (docs/pictures/queries)")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in PICTURES]
    if unknown:
        parser.error(f"no such picture: {', '.join(unknown)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or PICTURES:
        path = options.folder / f"{name}.png"
        PICTURES[name]().save(path, optimize=True)
        print(f"{path}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
