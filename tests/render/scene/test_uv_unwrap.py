"""UV unwrap and BVH against brute-force references."""

from __future__ import annotations

import numpy as np
import pytest

from game.render import Scene, SurfaceAppearance
from game.render.scene.render_mesh import RenderMesh, tangent_frames
from game.render.scene.uv_unwrap import unwrap


def soup(count: int, seed: int) -> Scene:
    generator = np.random.default_rng(seed)
    middle = generator.uniform(-8, 8, (count, 1, 3))
    return Scene(middle + generator.normal(0, 1.0, (count, 3, 3)), np.zeros(count), (SurfaceAppearance(),))


def tiled_floor(n: int) -> Scene:
    corners = [[(x, 0, z + 1), (x + 1, 0, z + 1), (x + 1, 0, z), (x, 0, z)] for x in range(n) for z in range(n)]
    quads = np.array(corners, dtype=float)
    return Scene(quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3, 3), np.zeros(2 * n * n), (SurfaceAppearance(),))


@pytest.mark.sample(1)
@pytest.mark.parametrize("which", ["yard", "soup", "tiles"])
def test_a_point_on_a_triangle_maps_to_its_texel(which: str, yard: Scene) -> None:
    scene = {"yard": yard, "soup": soup(60, 1), "tiles": tiled_floor(6)}[which]
    model = RenderMesh.from_scene(scene)
    charts = unwrap(model, 512)
    assert charts is not None
    assert ((charts.corner_uv > 0.0) & (charts.corner_uv < 1.0)).all()
    generator = np.random.default_rng(2)
    weights = generator.dirichlet((1, 1, 1), (len(model.triangles), 8))
    places = np.einsum("nkc,ncj->nkj", weights, model.triangles)
    texels = np.floor(np.einsum("nkc,ncj->nkj", weights, charts.corner_uv) * (charts.width, charts.height)).astype(int)
    found = charts.position[texels[..., 1], texels[..., 0]]
    normal = charts.normal[texels[..., 1], texels[..., 0]]
    assert (charts.chart_of_texel[texels[..., 1], texels[..., 0]] >= 0).all()
    # half a texel each way, and two more where a sample was pulled inside a slanting edge
    assert np.linalg.norm(found - places, axis=-1).max() < charts.texel_size * 2.9 + 0.03
    assert np.median(np.linalg.norm(found - places, axis=-1)) < charts.texel_size * 0.75
    assert np.abs(np.einsum("nkj,nj->nk", normal, model.normals) - 1).max() < 1e-5
    off_plane = np.einsum("nkj,nkj->nk", found - places, normal)
    assert np.abs(off_plane).max() < 2.1e-3  # planes are told apart by 2 mm


def test_a_tiled_floor_is_one_chart_and_separate_patches_are_two() -> None:
    charts = unwrap(RenderMesh.from_scene(tiled_floor(6)), 256)
    assert charts is not None
    assert set(np.unique(charts.chart_of_texel)) == {-1, 0}
    apart = tiled_floor(2).triangles
    both = Scene(np.concatenate((apart, apart + np.array((60.0, 0, 0)))), np.zeros(16), (SurfaceAppearance(),))
    charts = unwrap(RenderMesh.from_scene(both), 256)
    assert charts is not None
    assert set(np.unique(charts.chart_of_texel)) == {-1, 0, 1}


def test_textures_have_true_scale_on_floors_walls_and_ramps() -> None:
    for tilt in (0.0, 15.0, 30.0, 44.0, 60.0, 90.0, 180.0):
        for turn in (0.0, 37.0, 90.0):
            up = np.array((np.sin(np.radians(tilt)), np.cos(np.radians(tilt)), 0.0))
            c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            normal = np.array([[c * up[0], up[1], s * up[0]]])
            u, v = tangent_frames(normal)
            assert abs(u[0] @ normal[0]) < (0.32 if tilt < 18.2 else 1e-9)
            lengths = [np.linalg.norm(w[0] - (w[0] @ normal[0]) * normal[0]) for w in (u, v)]
            assert min(lengths) > 0.949  # cosine of 18.2 degrees
