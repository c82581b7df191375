"""Smooth surfaces: one chart, continuous light and shading."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Scene, SurfaceAppearance
from game.render.scene.render_mesh import RenderMesh
from game.render.scene.smooth_normals import (
    smooth_corner_normals,
)
from game.render.scene.uv_unwrap import chart_of_triangle, unwrap
from tests.render.conftest import picture_of
from tests.render.scene.baked_light import TINY


def hills(cells: int = 12, turn: float = 0.0) -> np.ndarray:
    """Triangles (2 cells^2, 3, 3) over a square of 6 metres, facing up."""
    line = np.linspace(-3.0, 3.0, cells + 1)
    x, z = np.meshgrid(line, line)
    y = 0.5 * np.sin(x) * np.cos(0.8 * z)
    s, c = math.sin(turn), math.cos(turn)
    grid = np.stack((x * c + z * s, y, z * c - x * s), axis=-1)
    nw, ne, sw, se = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    return np.stack((np.stack((sw, se, ne), 2), np.stack((sw, ne, nw), 2)), 2).reshape(-1, 3, 3)


def scene_of(triangles: np.ndarray, smooth: Any = True, **sky: Any) -> Scene:
    flags = np.broadcast_to(np.asarray(smooth), (len(triangles),)).copy()
    looks = (SurfaceAppearance((0.6, 0.6, 0.6)),)
    return Scene(triangles, np.zeros(len(triangles)), looks, sky=Sky(haze=0.0, **sky), smooth=flags)


def test_smooth_normals_match_the_analytic_normals() -> None:
    triangles = hills(48)
    x, _, z = np.moveaxis(triangles, 2, 0)
    true = np.stack((-0.5 * np.cos(x) * np.cos(0.8 * z), np.ones_like(x), 0.4 * np.sin(x) * np.sin(0.8 * z)), -1)
    true /= np.linalg.norm(true, axis=-1, keepdims=True)
    inner = (np.abs(x) < 2.8) & (np.abs(z) < 2.8)
    assert np.einsum("ijk,ijk->ij", smooth_corner_normals(triangles), true)[inner].min() > math.cos(math.radians(1.0))


@pytest.mark.parametrize("turn", [0.0, 0.5])
def test_every_texel_of_a_smooth_chart_lies_on_the_surface(turn: float) -> None:
    triangles = hills(turn=turn)
    charts = unwrap(RenderMesh.from_scene(scene_of(triangles)), 128)
    assert charts is not None
    assert charts.chart_of_texel.max() == 0
    there = charts.chart_of_texel >= 0
    places, normals = charts.position[there].astype(float), charts.normal[there]
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert normals[:, 1].min() > 0.6
    flat, (x, y, z) = triangles[:, :, ::2], places.T
    off = []
    for px, py, pz in places[:: max(1, len(places) // 400)]:
        a, b, c = flat[:, 0], flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
        double = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
        s = ((px - a[:, 0]) * c[:, 1] - (pz - a[:, 1]) * c[:, 0]) / double
        t = (b[:, 0] * (pz - a[:, 1]) - b[:, 1] * (px - a[:, 0])) / double
        inside = (s > -1e-4) & (t > -1e-4) & (s + t < 1 + 1e-4)
        assert inside.any()
        heights = triangles[:, :, 1]
        own = heights[:, 0] + s * (heights[:, 1] - heights[:, 0]) + t * (heights[:, 2] - heights[:, 0])
        off.append(np.abs(own[inside] - py).min())
    assert max(off) < 1e-4
    assert (x.min(), x.max()) == pytest.approx((triangles[..., 0].min(), triangles[..., 0].max()), abs=0.15)
    assert np.isfinite(y).all()
    assert np.isfinite(z).all()


def test_a_smooth_surface_is_one_chart() -> None:
    triangles = hills(40)
    model = RenderMesh.from_scene(scene_of(triangles))
    faceted = RenderMesh.from_scene(scene_of(triangles, False))
    assert len(np.unique(chart_of_triangle(model))) == 1
    assert len(np.unique(chart_of_triangle(faceted))) > 1000
    one, many = unwrap(model, 128), unwrap(faceted, 128)
    assert one is not None
    assert many is None or many.texel_size > 2 * one.texel_size


def test_hills_are_shaded_smoothly(ctx: Any) -> None:
    """Light along a line over a hill changes gradually; flat shading has steps."""
    jumps = []
    for smooth in (True, False):
        scene = scene_of(hills(10), smooth, sun_height=35.0, sun_from=90.0)
        view = Camera((0.0, 6.0, 0.0), 0.0, -math.pi / 2, 50.0, 0.05)
        row = picture_of(ctx, scene, replace(TINY, scale=1.0), view, (200, 200))[70:130:6, 40:160, 1]
        jumps.append(np.abs(np.diff(row, axis=1)).max(axis=1).mean())
    assert jumps[0] < 0.6 * jumps[1]
