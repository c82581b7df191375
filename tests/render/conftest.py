"""Fixtures of the render tests: one GL context per session, with a GL error check around each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.core.srgb import linear_to_srgb
from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.gl.programs import SHADER_CONSTANTS
from game.render.gl.quality import QUALITIES, Quality
from tests.support import gl
from tests.support.courtyard import courtyard

SMALL = (480, 270)
QUICK = replace(QUALITIES["low"], light_size=128, tile_size=128)


@pytest.fixture(scope="session")
def session_context() -> Iterator[Any]:
    ctx = gl.context()
    yield ctx
    ctx.release()


@pytest.fixture(scope="module")
def context(session_context: Any) -> Any:
    """The context, made current: tests of other folders in the same process make contexts of their own."""
    session_context.__enter__()
    return session_context


@pytest.fixture
def ctx(context: Any) -> Iterator[Any]:
    assert context.error == "GL_NO_ERROR", "an earlier test left an error"
    yield context
    assert context.error == "GL_NO_ERROR"


@pytest.fixture(scope="session")
def yard() -> Scene:
    return courtyard()


@pytest.fixture(scope="session")
def low_renderer(session_context: Any, yard: Scene) -> Renderer:
    """Courtyard at quality low with open-sky light; the light bake has its own tests."""
    session_context.__enter__()
    return Renderer(session_context, yard, "low", eager=False)


@pytest.fixture
def low(ctx: Any, low_renderer: Renderer) -> Renderer:
    return low_renderer


def plain(quads: list[Any], colours: list[tuple[float, float, float]], **sky: Any) -> Scene:
    """Scene of untextured quads (4, 3), each with its own colour."""
    corners = np.asarray(quads, dtype=float)
    triangles = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]], axis=1).reshape(-1, 3, 3)
    return Scene(
        triangles,
        np.repeat(np.arange(len(quads)), 2),
        tuple(SurfaceAppearance(colour) for colour in colours),
        sky=Sky(**{"haze": 0.0, **sky}),
    )


def wall(z: float, half: float, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float, float]]:
    """Square that faces +z."""
    return [(x - half, y - half, z), (x + half, y - half, z), (x + half, y + half, z), (x - half, y + half, z)]


def ground(half: float, y: float = 0.0) -> list[tuple[float, float, float]]:
    """Horizontal square that faces up."""
    return [(-half, y, half), (half, y, half), (half, y, -half), (-half, y, -half)]


def picture_of(
    ctx: Any,
    scene: Scene,
    quality: str | Quality,
    view: Camera,
    size: tuple[int, int] = SMALL,
    eager: bool = False,
    **shown: Any,
) -> np.ndarray:
    """Picture (h, w, 3) of a scene from one view, as whole numbers."""
    renderer = Renderer(ctx, scene, quality, eager=eager)
    renderer.render(Snapshot(view, **{"hud": Hud(crosshair=False), **shown}), size)
    image = renderer.image().astype(int)
    renderer.release()
    return image


def grey(image: np.ndarray) -> np.ndarray:
    """Luma 0..255 of (..., 3) bytes."""
    return image.astype(float) @ (0.299, 0.587, 0.114)


def shown_colour(radiance: Any, exposure: float = 1.0) -> np.ndarray:
    """sRGB (..., 3) 0..1 of linear radiance (..., 3), as tone_mapping.glsl shows it."""
    linear = exposure * np.asarray(radiance, dtype=np.float64)
    mix = SHADER_CONSTANTS["CHANNEL_MIX"]
    mixed = (linear + mix * (linear.mean(axis=-1, keepdims=True) - linear)) ** SHADER_CONSTANTS["TONE_CONTRAST"]
    return linear_to_srgb(mixed / (1.0 + mixed))
