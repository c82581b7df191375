"""Measured pictures: sun, shadows, gamma, haze, depth precision, text, near plane, foreign GL state."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest

from game.core.srgb import srgb_to_linear
from game.physics import TriangleMesh
from game.render import (
    Body,
    Camera,
    Hud,
    Panel,
    PanelRow,
    Renderer,
    Scene,
    Snapshot,
)
from game.render.gl.context import unbind_framebuffer
from game.render.gl.programs import ShaderCache
from game.render.gl.quality import QUALITIES, Quality
from game.render.scene.daylight import compute_daylight, direction_to_sun
from game.render.scene.lightmap import open_sky_irradiance
from game.render.scene.render_mesh import TEXTURES, limit_albedo
from game.render.scene.surface_textures import SurfaceTextures
from game.render.world_view import near_distance
from tests.render.conftest import QUICK, SMALL, grey, ground, picture_of, plain, shown_colour, wall

BARE = Hud(crosshair=False)


def shot(renderer: Renderer, view: Camera, size: tuple[int, int] = SMALL, **more: Any) -> np.ndarray:
    renderer.render(Snapshot(view, **{"hud": BARE, **more}), size)
    return renderer.image()


def pixels_of(view: Camera, size: tuple[int, int], places: np.ndarray) -> np.ndarray:
    """Pixels (n, 2), column and row from the top, of world points (n, 3)."""
    clip = np.column_stack((places, np.ones(len(places)))) @ view.view_projection_matrix(size[0] / size[1])
    flat = clip[:, :2] / clip[:, 3:]
    pixels = np.column_stack(((flat[:, 0] + 1) / 2 * size[0], (1 - flat[:, 1]) / 2 * size[1]))
    pixels[clip[:, 3] <= view.near] = -1
    return pixels


def test_the_sun_disc_is_in_the_direction_of_the_sun(low: Renderer, yard: Scene) -> None:
    to_sun = np.array(direction_to_sun(yard.sky))
    assert math.degrees(math.asin(to_sun[1])) == pytest.approx(38.0)
    # 120 degrees counter-clockwise from north (-z): west and a little south
    assert to_sun[0] < 0 < to_sun[2]
    view = Camera((0, 30.0, 0), math.radians(120), math.radians(38), 40.0)
    image = shot(low, view, (301, 301))
    disc = np.argwhere(grey(image) > grey(image).max() - 1)
    assert np.abs(disc.mean(axis=0) - 150).max() < 1.5
    assert np.ptp(disc, axis=0).max() < 30
    assert grey(image)[150, 150] > 250


def is_free(scene: Scene, place: np.ndarray, ray: np.ndarray, reach: float = math.inf) -> bool:
    """Whether a ray from a place meets no triangle within `reach` of its length, by brute force."""
    a = scene.triangles[:, 0]
    e1, e2 = scene.triangles[:, 1] - a, scene.triangles[:, 2] - a
    p = np.cross(ray, e2)
    determinant = np.einsum("nj,nj->n", e1, p)
    determinant[np.abs(determinant) < 1e-12] = np.inf
    away = place - a
    u = np.einsum("nj,nj->n", away, p) / determinant
    q = np.cross(away, e1)
    v, t = q @ ray / determinant, np.einsum("nj,nj->n", e2, q) / determinant
    return not ((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-4) & (t < reach)).any()


def test_shadows_on_the_floor_agree_with_ray_casts(low: Renderer, yard: Scene) -> None:
    generator = np.random.default_rng(5)
    places = np.column_stack((generator.uniform(-9.5, 9.5, 600), np.zeros(600), generator.uniform(-3.5, 9.5, 600)))
    rim = 0.12  # metres around a place that must agree: the penumbra and the map's texel
    around = [places + rim * np.array((dx, 0.0, dz)) for dx, dz in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))]
    to_sun = np.array(direction_to_sun(yard.sky))
    seen = np.array([[is_free(yard, spot, to_sun) for spot in spots] for spots in around])
    clear = (seen == seen[0]).all(axis=0)
    size = (640, 640)
    view = Camera((0.0, 26.0, 3.0), 0.0, -math.pi / 2, 40.0)
    image = grey(shot(low, view, size))
    pixels = pixels_of(view, size, places).astype(int)
    # Objects on the floor hide it: only visible points count.
    up = np.array(view.eye)
    hidden = np.array([not is_free(yard, place, up - place, 1.0) for place in places])
    ok = clear & ~hidden & ((pixels >= 0) & (pixels < 640)).all(axis=1)
    # Skip surfaces of other colours.
    flagstone = ~((np.abs(places[:, 0] + 5.5) < 3.6) & (np.abs(places[:, 2] - 7) < 2.1))
    ok &= flagstone
    values = image[pixels[ok, 1], pixels[ok, 0]]
    lit = seen[0][ok]
    assert lit.sum() > 100
    assert (~lit).sum() > 40
    assert np.median(values[lit]) > 1.5 * np.median(values[~lit])
    middle = (np.median(values[lit]) + np.median(values[~lit])) / 2
    agree = (values > middle) == lit
    assert agree.mean() > 0.99


@pytest.mark.sample(2)
@pytest.mark.parametrize("colour", [(0.2, 0.2, 0.2), (0.5, 0.5, 0.5), (0.8, 0.8, 0.8), (0.9, 0.4, 0.2)])
def test_light_adds_up_linearly_and_is_encoded_as_srgb(ctx: Any, colour: tuple[float, float, float]) -> None:
    scene = plain([ground(30.0)], [colour], sun_height=55.0)
    renderer = Renderer(ctx, scene, QUICK, eager=False)
    image = shot(renderer, Camera((0, 4.0, 0), 0.0, -math.pi / 2, 60.0), (240, 240))
    sky = compute_daylight(scene.sky)
    surfaces = SurfaceTextures(ctx, QUICK, ShaderCache(ctx))
    surfaces.generate(("plain",))
    tints = np.frombuffer(surfaces.colour_textures.read(), np.uint8).reshape(len(TEXTURES), -1, 4)
    surfaces.release()
    tint = tints[TEXTURES.index("plain"), :, :3] / 255
    albedo = srgb_to_linear(limit_albedo(np.array([colour]))[0]) * (2 * tint**2).mean(axis=0)
    light = open_sky_irradiance(np.array([[0.0, 1.0, 0.0]]), sky)[0] + sky.sunlight * math.sin(math.radians(55))
    # Stains have mean 1; the grain of the paint changes single pixels.
    expected = 255 * shown_colour(albedo * light, sky.exposure)
    assert np.abs(image.reshape(-1, 3).mean(axis=0) - expected).max() < 4.0
    renderer.release()


@pytest.mark.full
def test_haze_blends_distant_surfaces_into_the_sky(ctx: Any) -> None:
    distances = [10.0, 40.0, 120.0, 300.0, 480.0]
    boards = [wall(-d, 0.04 * d, x=(k - 2) * 0.12 * d, y=1.5) for k, d in enumerate(distances)]
    shades = {}
    for haze in (0.0, 0.01):
        scene = plain(boards, [(0.05, 0.05, 0.05)] * 5, haze=haze)
        view = Camera((0, 1.5, 0), 0, 0, 50.0, 0.02)
        image = grey(picture_of(ctx, scene, QUICK, view))
        centres = pixels_of(view, SMALL, np.array([[(k - 2) * 0.12 * d, 1.5, -d] for k, d in enumerate(distances)]))
        shades[haze] = [image[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].mean() for x, y in centres]
        horizon = image[100:104].mean()
    assert max(shades[0.0]) - min(shades[0.0]) < 6
    assert all(near < far - 2 for near, far in zip(shades[0.01], shades[0.01][1:], strict=False))
    assert abs(shades[0.01][-1] - horizon) < 16  # sky just above them
    # Transmittance over 120 m: 0.99 ** 120
    assert shades[0.01][0] < 0.5 * shades[0.01][2]


@pytest.mark.full
@pytest.mark.each_once
@pytest.mark.parametrize("reversed_depth", [True, False])
@pytest.mark.parametrize("distance", [5.0, 60.0, 200.0, 490.0])
def test_walls_one_centimetre_apart_do_not_z_fight(ctx: Any, reversed_depth: bool, distance: float) -> None:
    red, green = (0.8, 0.05, 0.05), (0.05, 0.8, 0.05)
    # The nearer wall is drawn first: with insufficient depth precision the farther one shows through.
    scene = plain([wall(-distance, 12 * distance), wall(-distance - 0.01, 12 * distance)], [red, green])
    renderer = Renderer(ctx, scene, QUICK, eager=False, reversed_depth=reversed_depth)
    for yaw, pitch in ((0.0, 0.0), (0.3, 0.2), (-0.5, -0.3)):
        image = shot(renderer, Camera((0.3, 0.7, 0), yaw, pitch, 60.0, near=0.02)).astype(int)
        assert (image[..., 0] > image[..., 1] + 30).all()
    renderer.release()


@pytest.mark.sample(1)
@pytest.mark.parametrize("fov", [60.0, 90.0, 110.0])
def test_the_near_plane_never_clips_a_wall_in_contact(ctx: Any, fov: float) -> None:
    radii, fraction = (0.35, 0.90, 0.12), 0.8
    eye_height = 2 * fraction * radii[1]
    size = (320, 180)
    # A corner of two walls and a floor, all in contact with the body. The sky beyond is blue.
    red = (0.9, 0.1, 0.1)
    x, z = radii[0], radii[2]
    quads = [
        ground(4.0),
        [(-4, -1, -z), (x, -1, -z), (x, 6, -z), (-4, 6, -z)],
        [(x, -1, -z), (x, -1, 4), (x, 6, 4), (x, 6, -z)],
    ]
    scene = plain(quads, [red] * 3)
    near = near_distance(TriangleMesh(scene.triangles), (0, eye_height, 0), fov, size[0] / size[1])
    renderer = Renderer(ctx, scene, QUICK, eager=False)
    for yaw_degrees in (-89, -60, -45, -20, 0, 20):
        for pitch in (-0.6, 0.0, 0.3):
            image = shot(renderer, Camera((0, eye_height, 0), math.radians(yaw_degrees), pitch, fov, near), size)
            columns = image.astype(int)
            # The corner covers every pixel whose ray hits it.
            view = Camera((0, eye_height, 0), math.radians(yaw_degrees), pitch, fov, near)
            right, up, forward = view.basis()
            horizontal, vertical = view.half_fov_tangents(size[0] / size[1])
            sx = (np.arange(size[0]) + 0.5) / size[0] * 2 - 1
            sy = 1 - (np.arange(size[1]) + 0.5) / size[1] * 2
            rays = forward + sx[None, :, None] * horizontal * right + sy[:, None, None] * vertical * up
            with np.errstate(divide="ignore", invalid="ignore"):
                to_wall = np.minimum(
                    np.where(rays[..., 0] > 0, x / rays[..., 0], np.inf),
                    np.where(rays[..., 2] < 0, z / -rays[..., 2], np.inf),
                )
                height = eye_height + to_wall * rays[..., 1]
                west = to_wall * rays[..., 0] > -3.5
                south = to_wall * rays[..., 2] < 3.5
            met = np.isfinite(to_wall) & (height > 0.1) & (height < 5.5) & west & south
            assert met.any()
            assert (columns[met][:, 0] > columns[met][:, 2] + 15).mean() == 1.0
    renderer.release()


@pytest.mark.parametrize("which", [1, 2])
def test_signs_are_legible(yard: Scene, low: Renderer, which: int) -> None:
    sign = yard.signs[which]
    view = Camera((sign.at[0], sign.at[1], sign.at[2] + 2.0), 0.0, 0.0, 50.0)
    image = grey(shot(low, view, (640, 360)))
    half = np.array((sign.width / 2 * 0.85, sign.height / 2 * 0.8, 0.0))
    (x0, y1), (x1, y0) = pixels_of(view, (640, 360), np.array([sign.at - half, sign.at + half])).astype(int)
    board = image[y0:y1, x0:x1]
    paper, ink = np.percentile(board, 90), np.percentile(board, 2)
    assert paper > 150
    assert ink < 70
    inked = (board < (paper + ink) / 2).mean()
    assert 0.05 < inked < 0.4
    # Legible letters: each central row crosses many edges.
    rows = board[board.shape[0] * 2 // 5 : board.shape[0] * 3 // 5]
    assert np.median((np.diff((rows < (paper + ink) / 2).astype(int), axis=1) != 0).sum(axis=1)) >= 10
    far = Camera((sign.at[0], sign.at[1], sign.at[2] + 7.5), 0.0, 0.0, 50.0)
    image = grey(shot(low, far, (1280, 720)))
    (x0, y1), (x1, y0) = pixels_of(far, (1280, 720), np.array([sign.at - half, sign.at + half])).astype(int)
    board = image[y0:y1, x0:x1]
    assert board.max() - board.min() > 60, "still a sign from across the yard"


def test_the_players_shadow_falls_away_from_the_sun(low: Renderer, yard: Scene) -> None:
    feet = np.array((1.0, 0.0, 4.0))
    view = Camera((1.0, 9.0, 4.0), 0.0, -math.pi / 2, 50.0)
    body = Body((feet[0], 0.9, feet[2]), (0.35, 0.9, 0.25), 0.4)
    without, with_body = (grey(shot(low, view, (300, 300), body=b)) for b in (None, body))
    darker = without - with_body > 25
    assert darker.any()
    to_sun = np.array(direction_to_sun(yard.sky))
    spot = feet - to_sun * (0.9 / to_sun[1]) + (0, 0.9, 0)  # shadow of the body's centre
    (x, y), (fx, fy) = pixels_of(view, (300, 300), np.array([spot, feet]))
    assert darker[int(y), int(x)]
    rows, columns = np.nonzero(darker)
    away = np.array((columns.mean() - fx, rows.mean() - fy))
    # The shadow's centre lies on the line from the feet away from the sun (screen y is world z).
    flat = -np.array((to_sun[0], to_sun[2]))
    assert away @ flat / np.linalg.norm(away) / np.linalg.norm(flat) > 0.98


def test_the_window_size_may_change_between_frames(low: Renderer) -> None:
    view = Camera((0, 1.44, 9.0))
    first = shot(low, view)
    for size in ((1, 1), (333, 217), (64, 64), (17, 400), SMALL):
        assert shot(low, view, size, hud=Hud(debug_lines=("x",), panel=Panel("P", (PanelRow("r"),)))).shape == (
            size[1],
            size[0],
            3,
        )
    low.scale = 0.5
    coarse = shot(low, view)
    low.scale = low.quality.scale
    assert 0.5 < np.abs(coarse.astype(int) - first).mean() < 12
    assert np.array_equal(shot(low, view), first), "the same snapshot makes the same picture"


SMALL_MAPS = replace(QUALITIES["medium"], light_size=128, shadow_size=1024, tile_size=128)


@pytest.mark.full
@pytest.mark.parametrize(
    "quality",
    [SMALL_MAPS, *(pytest.param(name, marks=pytest.mark.full) for name in ("medium", "high"))],
    ids=("small maps", "medium", "high"),
)
def test_every_quality_draws_the_same_scene(ctx: Any, yard: Scene, low: Renderer, quality: str | Quality) -> None:
    view = Camera((0, 1.44, 9.0))
    image = picture_of(ctx, yard, quality, view, (160, 90))
    assert np.abs(image - shot(low, view, (160, 90))).mean() < 16


def test_an_empty_level_shows_the_sky(ctx: Any) -> None:
    empty = Scene(np.zeros((0, 3, 3)), np.zeros(0))
    image = picture_of(ctx, empty, QUICK, Camera((0, 1.44, 0), 0, 0.7), eager=True)
    assert (image[..., 2] > image[..., 0]).all()


def test_foreign_gl_state_does_not_change_the_picture(ctx: Any, low: Renderer) -> None:
    """pyglet leaves blending, culling and scissor state set, and needs its uniform block 0 unchanged."""
    view = Camera((0, 1.44, 9.0))
    hud = Hud(debug_lines=("some text",))
    target = ctx.simple_framebuffer(SMALL)
    low.render(Snapshot(view, hud), SMALL, target)
    clean = low.image()
    reader = ctx.program(
        vertex_shader="""#version 330
            void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }""",
        fragment_shader="""#version 330
            layout(std140) uniform WindowBlock { vec4 value; };
            out vec4 c;
            void main() { c = value; }""",
    )
    reader["WindowBlock"].binding = 0
    theirs = ctx.buffer(np.array((0.25, 0.5, 0.75, 1.0), "f4").tobytes())
    theirs.bind_to_uniform_block(0)
    other = ctx.simple_framebuffer((50, 50))
    other.use()
    ctx.enable_only(moderngl.BLEND | moderngl.CULL_FACE | moderngl.DEPTH_TEST | moderngl.RASTERIZER_DISCARD)
    ctx.blend_func = moderngl.ZERO, moderngl.ZERO
    ctx.blend_equation = moderngl.FUNC_REVERSE_SUBTRACT
    ctx.cull_face, ctx.front_face, ctx.depth_func = "front", "cw", "=="
    ctx.wireframe = True
    ctx.polygon_offset = 50.0, 50.0
    other.scissor = (3, 3, 5, 5)
    low.render(Snapshot(view, hud), SMALL, target)
    assert np.array_equal(low.image(), clean)
    assert np.array_equal(np.frombuffer(target.read(), np.uint8).reshape(SMALL[1], SMALL[0], 3)[::-1], clean)
    ctx.wireframe = False
    ctx.polygon_offset = 0.0, 0.0
    ctx.enable_only(moderngl.NOTHING)
    other.use()
    other.scissor = None
    ctx.vertex_array(reader, []).render(moderngl.TRIANGLES, vertices=3)
    assert other.read()[:3] == bytes((64, 128, 191)), "block 0 still holds their buffer"
    unbind_framebuffer(ctx)
    for thing in (target, other, theirs, reader):
        thing.release()
