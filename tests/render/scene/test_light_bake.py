"""Light bake, shadow map fit and surface textures, each against an independent property."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot
from game.render.gl.programs import ShaderCache
from game.render.gl.quality import QUALITIES
from game.render.scene.daylight import compute_daylight, direction_to_sun
from game.render.scene.light_bake import apply_eye_adaptation
from game.render.scene.light_probes import LightProbes, ProbeGrid
from game.render.scene.lightmap import LightmapCache, content_key
from game.render.scene.render_mesh import TEXTURES
from game.render.scene.sun_map import fit_shadow_map
from game.render.scene.surface_textures import TILE_SIZES, SurfaceTextures
from tests.render.conftest import ground, plain
from tests.render.scene.baked_light import TINY, SceneLight, bake, box_scene

OPENED = box_scene(True)
INSIDE = Camera((0.0, 1.5, 1.5))
TILE_SIZE = 256


@pytest.fixture(scope="module")
def opened(context: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the baked light of the room with an opening."""
    folder = tmp_path_factory.mktemp("light")
    Renderer(context, OPENED, TINY, light_cache=folder).release()
    return folder


def test_an_open_floor_gets_the_light_of_the_whole_sky(ctx: Any) -> None:
    scene = plain([ground(5.0)], [(0.5, 0.5, 0.5)])
    light = bake(ctx, scene).at((0, 0, 0), (0, 1, 0))
    sky = compute_daylight(scene.sky)
    assert (light > 0.5 * np.minimum(sky.zenith, sky.horizon)).all()
    assert (light < 1.2 * sky.horizon + 0.2 * sky.halo).all()


@pytest.mark.full
def test_baking_in_parts_gives_the_same_lightmap(ctx: Any, opened: Path, tmp_path: Path) -> None:
    in_parts = Renderer(ctx, OPENED, TINY, eager=False, light_cache=tmp_path)
    steps, last = 0, 0.0
    while (done := in_parts.bake_light(3)) < 1.0:
        assert done > last
        last, steps = done, steps + 1
    assert steps >= 6
    in_parts.release()
    first, second = (SceneLight(OPENED, folder=folder).lightmap.pixels for folder in (opened, tmp_path))
    assert np.array_equal(first, second)


def test_baked_light_is_cached_and_loaded(ctx: Any, opened: Path, tmp_path: Path) -> None:
    scene, folder = OPENED, tmp_path / "cache"
    shutil.copytree(opened, folder)
    (file,) = folder.iterdir()
    assert file.suffixes == [".light", ".npz"]

    def loaded(scene: Scene, baked: float, folder: Path | None = folder) -> np.ndarray:
        renderer = Renderer(ctx, scene, TINY, eager=False, light_cache=folder)
        assert renderer.bake_light(0) == baked
        if folder is None:
            renderer.bake_light()
        renderer.render(Snapshot(INSIDE, Hud(crosshair=False)), (96, 96))
        image = renderer.image()
        renderer.release()
        return image

    cached = loaded(scene, 1.0)
    assert np.array_equal(cached, loaded(scene, 0.0, None)), "as baked anew"
    moved = Scene(scene.triangles + 0.001, scene.surface_index, scene.surfaces, sky=scene.sky)
    loaded(moved, 0.0)
    file.write_bytes(b"damaged" * 20)
    assert not np.array_equal(loaded(scene, 0.0), cached)


def test_an_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = LightmapCache(blocked)
    atlas, uv = np.full((4, 4, 4), 7, np.uint8), np.full((2, 3, 2), 0.25)
    cubes = np.random.default_rng(1).random((4, 12, 3, 2, 4)).astype(np.float16)
    probes = LightProbes(ProbeGrid((1.5, -2.25, 3.1), 1.6, (2, 3, 4)), cubes)
    cache.put("a", atlas, uv, probes)
    assert cache.get("a", 4, 2) is None
    cache = LightmapCache(tmp_path / "new" / "folder")
    cache.put("a", atlas, uv, probes)
    kept = cache.get("a", 4, 2)
    assert kept is not None
    assert np.array_equal(kept[0], atlas)
    assert np.array_equal(kept[1], uv)
    assert kept[2].grid == probes.grid
    assert np.array_equal(kept[2].cubes, cubes)
    assert cache.get("a", 8, 2) is None
    assert cache.get("a", 4, 3) is None
    assert not list((tmp_path / "new" / "folder").glob("*.part"))
    shutil.rmtree(tmp_path / "new")
    assert content_key(np.zeros(3), 1.0) != content_key(np.zeros(3), 2.0) != content_key(np.zeros(4), 2.0)


@pytest.mark.parametrize("sun", [(40.0, 120.0), (12.0, 10.0), (85.0, 250.0), (1.0, 300.0), (90.0, 0.0)])
def test_the_shadow_map_fits_every_caster_tightly(yard: Scene, sun: tuple[float, float]) -> None:
    to_sun = direction_to_sun(Sky(*sun))
    fit = fit_shadow_map(yard.triangles, to_sun)
    casters = yard.triangles[yard.triangles[:, :, 1].max(axis=1) > yard.triangles[:, :, 1].min() + 0.02].reshape(-1, 3)
    flat = np.column_stack((casters, np.ones(len(casters)))) @ fit.world_to_map
    assert (flat[:, :2] > 0).all()
    assert (flat[:, :2] < 1).all()
    assert max(np.ptp(flat[:, 0]), np.ptp(flat[:, 1])) > 0.95
    everything = np.column_stack((yard.triangles.reshape(-1, 3), np.ones(3 * len(yard.triangles)))) @ fit.world_to_map
    assert ((everything[:, 2] > 0) & (everything[:, 2] < 1)).all()
    # Depth decreases towards the sun and has the scale of metres.
    step = np.append(to_sun, 0.0) @ fit.world_to_map
    assert np.abs(step[:2]).max() < 1e-9
    assert step[2] < 0
    side = np.append(np.cross(to_sun, (0.3, 0.5, 0.8)), 0.0)
    assert np.linalg.norm((side @ fit.world_to_map)[:2]) * fit.map_width == pytest.approx(np.linalg.norm(side))


@pytest.fixture(scope="module")
def surfaces(context: Any) -> Iterator[SurfaceTextures]:
    """All textures in the detail of quality medium."""
    made = SurfaceTextures(context, replace(QUALITIES["medium"], tile_size=TILE_SIZE), ShaderCache(context))
    made.generate(TEXTURES)
    made.build_mipmaps()
    yield made
    made.release()


@pytest.mark.full
def test_every_texture_tiles_seamlessly_and_keeps_its_mean_colour(surfaces: SurfaceTextures) -> None:
    assert set(surfaces.generated) == set(TEXTURES) == set(TILE_SIZES)
    size = TILE_SIZE
    tints = np.frombuffer(surfaces.colour_textures.read(), np.uint8).reshape(-1, size, size, 4).astype(float)
    reliefs = np.frombuffer(surfaces.relief_textures.read(), np.uint8).reshape(-1, size, size, 4).astype(float)
    for name, tint, relief in zip(TEXTURES, tints, reliefs, strict=True):
        mean = (2 * (tint[..., :3] / 255) ** 2).mean(axis=(0, 1))
        assert ((mean > 0.55) & (mean < 1.35)).all(), f"{name} changes its colour to {mean}"
        assert name == "plain" or tint[..., :3].std() > 2.0, f"{name} shows nothing"
        for picture in (tint, relief):
            for axis in (0, 1):
                steps = np.abs(np.diff(picture, axis=axis)).mean(axis=(1 - axis, 2))
                seam = np.abs(np.take(picture, 0, axis) - np.take(picture, -1, axis)).mean()
                assert seam <= 1.5 * steps.max() + 1.0, f"{name} has a seam"
        assert abs(relief[..., :2].mean() - 127.5) < 4.0, f"{name} leans to one side"
    means = tints[..., :3].mean(axis=(1, 2)).round(1)
    assert len({tuple(row) for row in means}) == len(TEXTURES)


def air(d: np.ndarray, scene: Scene) -> np.ndarray:
    """Sky radiance (n, 3) in directions (n, 3): shaders/include/atmosphere.glsl, desaturated as in the bake."""
    sky = compute_daylight(scene.sky)
    high, s = np.maximum(d[:, 1:2], 0), np.maximum(d @ np.array(sky.to_sun), 0)[:, None]
    light = sky.horizon + (sky.zenith - sky.horizon) * (1 - np.exp2(-4.2 * high))
    below = np.clip(d[:, 1:2] / -0.35, 0, 1)
    light = light + (sky.ground - light) * below**2 * (3 - 2 * below)
    light = light + sky.halo * (0.35 * s**4 + 0.65 * s**24)
    return light * 0.7 + 0.3 * 0.33 * light.sum(axis=1, keepdims=True)


def test_the_gpu_bake_matches_ray_casts_on_the_cpu(ctx: Any) -> None:
    scene = box_scene(True, (0.0, 0.0, 0.0))  # black walls: only light through the opening
    light = bake(ctx, scene, replace(TINY, light_rays=64))
    generator = np.random.default_rng(11)
    count = 6000
    radius, angle = np.sqrt(generator.random(count)), math.tau * generator.random(count)
    local = np.column_stack((radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1 - radius**2)))
    a, e1 = scene.triangles[:, 0], scene.triangles[:, 1] - scene.triangles[:, 0]
    e2 = scene.triangles[:, 2] - a
    for place, normal in (((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((-2.0, 1.5, 0.0), (1.0, 0.0, 0.0))):
        n = np.array(normal)
        side = np.array((0.0, 0.0, 1.0))
        d = local[:, :1] * side + local[:, 1:2] * np.cross(n, side) + local[:, 2:] * n
        away = np.array(place) + 0.004 * n - a
        p = np.cross(d[:, None], e2)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / np.einsum("tj,rtj->rt", e1, p)
            u, q = np.einsum("tj,rtj->rt", away, p) * inverse, np.cross(away, e1)
            v, t = np.einsum("rj,tj->rt", d, q) * inverse, np.einsum("tj,tj->t", e2, q) * inverse
            free = ~((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)).any(axis=1)
        expected = (air(d, scene) * free[:, None]).mean(axis=0)
        assert 0.01 < free.mean() < 0.5
        found = light.at(place, normal)
        # Tolerance: 3x3 filter and 8-bit square-root encoding.
        assert found == pytest.approx(apply_eye_adaptation(expected[None].astype(np.float32))[0], rel=0.15)
