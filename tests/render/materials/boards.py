"""Small scenes with pictures for tests: upright boards that face a camera, which looks north."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from game.level.level import Sky
from game.level.materials import PbrMaterial, PictureSource, TextureMap
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.gl.quality import QUALITIES

SIZE = (128, 128)
VIEW = Camera((0.0, 0.0, 2.0), 0.0, 0.0, 90.0, 0.02)  # a board of half size 2 at z = 0 fills the picture
LOW = replace(
    QUALITIES["low"], scale=1.0, light_size=64, shadow_size=256, dynamic_shadow_size=256, tile_size=16, clouds=0
)
FULL = replace(
    QUALITIES["medium"], samples=0, light_size=64, shadow_size=256, dynamic_shadow_size=256, tile_size=16, clouds=0,
    bloom=0.0, anisotropy=1.0,
)  # fmt: skip
GREY = (0.5, 0.5, 0.5)
WHOLE = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))  # texture coordinates: lower left, counter-clockwise
_numbers = itertools.count()


def write(folder: Path, pixels: Any, **options: Any) -> TextureMap:
    """Texture map of a new PNG file with these pixels: (h, w, 3 or 4), or rows of colours."""
    path = folder / f"picture{next(_numbers)}.png"
    Image.fromarray(np.asarray(pixels, np.uint8)).save(path)
    return TextureMap(source_of(path), **options)


def source_of(path: Path) -> PictureSource:
    status = path.stat()
    return PictureSource(path, modified=(status.st_mtime_ns, status.st_size))


def plain_picture(folder: Path, *colour: int) -> TextureMap:
    return write(folder, np.full((4, 4, len(colour)), colour))


def quad(corners: Any) -> np.ndarray:
    """Two triangles (2, 3, 3) of a quad."""
    corners = np.asarray(corners, float)
    return corners[[[0, 1, 2], [0, 2, 3]]]


def board(
    material: PbrMaterial | None,
    half: float = 2.0,
    z: float = 0.0,
    uv: Any = WHOLE,
    colour: tuple[float, float, float] = GREY,
    vertex_colours: Any = None,
    x: float = 0.0,
    **sky: Any,
) -> Scene:
    """Scene of one upright square that faces +z."""
    corners = [(x - half, -half, z), (x + half, -half, z), (x + half, half, z), (x - half, half, z)]
    colours = None if vertex_colours is None else quad(vertex_colours).astype(np.uint8)
    return Scene(
        quad(corners),
        np.zeros(2, np.int32),
        (SurfaceAppearance(colour, pbr=material),),
        sky=Sky(**{"haze": 0.0, "sun_from": 180.0, **sky}),
        uv=quad(uv),
        vertex_colours=colours,
    )


def join(*scenes: Scene) -> Scene:
    """One scene of several, with the sky of the first."""
    counts = np.cumsum([0, *(len(scene.surfaces) for scene in scenes)])
    return replace(
        scenes[0],
        triangles=np.concatenate([scene.triangles for scene in scenes]),
        surface_index=np.concatenate([scene.surface_index + n for scene, n in zip(scenes, counts, strict=False)]),
        surfaces=tuple(surface for scene in scenes for surface in scene.surfaces),
        uv=np.concatenate([scene.uv for scene in scenes]),
        vertex_colours=None,
        smooth=np.zeros(0, bool),
        closed=np.zeros(0, bool),
    )


def taken(ctx: Any, scene: Scene, quality: Any = LOW, view: Camera = VIEW, size: Any = SIZE, **snapshot: Any) -> Any:
    """Picture (h, w, 3) of a scene with all its pictures in the light of an open sky, as whole numbers."""
    renderer = Renderer(ctx, scene, quality, eager=False)
    try:
        renderer.load_pictures()
        renderer.render(Snapshot(view, Hud(crosshair=False), **snapshot), size)
        return renderer.image().astype(int)
    finally:
        renderer.release()


def middle(image: Any, side: int = 20) -> Any:
    """Mean colour around the middle of a picture."""
    height, width = image.shape[:2]
    part = image[height // 2 - side : height // 2 + side, width // 2 - side : width // 2 + side]
    return part.reshape(-1, 3).mean(axis=0)
