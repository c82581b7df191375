"""Light probes against the lightmap of the walls beside them, and against ray casts on the CPU."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest

from game.level.level import Sky
from game.render import (
    Camera,
    Hud,
    Renderer,
    Scene,
    Snapshot,
    SurfaceAppearance,
)
from game.render.gl.programs import BLOCK_BINDINGS, default_folder, read_shader
from game.render.gl.quality import QUALITIES
from game.render.scene.light_bake import apply_eye_adaptation
from game.render.scene.scene import MoverAppearance
from game.render.snapshot import BallInstances, EllipsoidInstance
from tests.render.conftest import grey
from tests.render.scene.baked_light import SceneLight, box_scene
from tests.render.scene.test_light_bake import air
from tests.support.courtyard import Builder

LIT = replace(QUALITIES["low"], light_size=256, light_rays=48, shadow_size=1024, tile_size=64)
VERTEX = "#version 330 core\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }"
FRAGMENT = """
uniform vec3 position, normal;
out vec4 light;
void main() { light = vec4(ambient(position, normal), 1.0); }
"""


def corridor(opening: bool) -> Scene:
    """Corridor from x = 0 to 12 with walls of 20 cm, 2.4 m wide and high, on a lawn; it may be open at x = 0."""
    b = Builder()
    b.box((-8, -0.2, -7), (14, 0, 7), "plain")
    b.box((-0.2, 2.4, -1.4), (12.2, 2.6, 1.4), "plain")
    b.box((-0.2, 0, 1.2), (12.2, 2.4, 1.4), "plain")
    b.box((-0.2, 0, -1.4), (12.2, 2.4, -1.2), "plain")
    b.box((12, 0, -1.2), (12.2, 2.4, 1.2), "plain")
    if not opening:
        b.box((-0.2, 0, -1.2), (0, 2.4, 1.2), "plain")
    looks = tuple(SurfaceAppearance((0.7, 0.7, 0.7)) for _ in range(10))
    return Scene(np.array(b.triangles), np.array(b.index), looks, sky=Sky(60.0, 90.0, haze=0.0))


class Lit:
    """A baked scene: its lightmap, and the ambient light in it as the shaders compute it."""

    def __init__(self, ctx: Any, scene: Scene, folder: Path) -> None:
        self.ctx = ctx
        self.renderer = Renderer(ctx, scene, LIT, light_cache=folder)
        self.walls = SceneLight(scene, LIT, folder)
        source = read_shader(default_folder(), "include/ambient.glsl").text + FRAGMENT
        self._program = ctx.program(VERTEX, source)
        self._program["Frame"].binding = BLOCK_BINDINGS["Frame"]
        self._array = ctx.vertex_array(
            self._program, ctx.buffer(np.array((-1, -1, 3, -1, -1, 3), "f4").tobytes()), "at"
        )
        self._target = ctx.framebuffer([ctx.texture((1, 1), 4, dtype="f4")])
        block = self.renderer._frame_block
        block.write_light_probes(self.renderer._current_scene.light_baker.probes)
        block.upload()

    def ambient(self, place: Any, normal: Any) -> np.ndarray:
        """Ambient light (3,)."""
        self.renderer._frame_block.buffer.bind_to_uniform_block(BLOCK_BINDINGS["Frame"])
        self.renderer._current_scene.light_baker.probe_texture.use(0)
        self._program["position"], self._program["normal"] = place, normal
        self._target.use()
        self.ctx.enable_only(moderngl.NOTHING)
        self._array.render()
        return np.frombuffer(self._target.read(components=3, dtype="f4"), np.float32).astype(float)


@pytest.fixture(scope="module")
def open_corridor(context: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lit]:
    yield from lit(context, corridor(True), tmp_path_factory.mktemp("light"))


def lit(ctx: Any, scene: Scene, folder: Path) -> Iterator[Lit]:
    made = Lit(ctx, scene, folder)
    yield made
    made.renderer.release()


def assert_as_the_walls(one: Lit, x: float) -> None:
    for height, to_wall in ((0.6, 0.2), (1.2, 0.2), (1.8, 0.2), (0.6, 0.0), (1.2, -0.03), (1.8, 0.0)):
        for side in (-1.0, 1.0):
            beside = one.ambient((x, height, side * (1.2 - to_wall)), (0.0, 0.0, -side)).mean()
            wall = one.walls.at((x, height, 1.2 * side), (0.0, 0.0, -side)).mean()
            assert beside == pytest.approx(wall, rel=0.15), (x, height, side)


@pytest.mark.full
def test_in_a_corridor_with_one_opening_ambient_light_is_that_of_the_wall_beside(ctx: Any, open_corridor: Lit) -> None:
    for x in (2.0, 4.0, 6.0, 8.0, 10.0):
        assert_as_the_walls(open_corridor, x)
    walls = [open_corridor.walls.at((x, 1.2, 1.2), (0.0, 0.0, -1.0)).mean() for x in (2.0, 10.0)]
    assert walls[0] > 2.0 * walls[1]


def test_no_light_goes_through_the_walls_of_a_corridor(ctx: Any, open_corridor: Lit) -> None:
    generator = np.random.default_rng(9)
    up = (0.0, 1.0, 0.0)
    deep = [open_corridor.walls.at((x, 0.0, 0.0), up).mean() for x in (6.0, 11.0)]
    for place in generator.uniform((6.0, 0.0, -1.2), (11.9, 2.4, 1.2), (200, 3)):
        assert 0.75 * deep[1] < open_corridor.ambient(tuple(place), up).mean() < 1.2 * deep[0], place
    for place in generator.uniform((6.0, 0.0, 1.4), (11.9, 2.4, 2.2), (200, 3)):
        assert open_corridor.ambient(tuple(place), up).mean() > 1.5 * deep[0], place


def test_a_probe_matches_ray_casts_on_the_cpu(ctx: Any, tmp_path: Path) -> None:
    scene = box_scene(True, (0.0, 0.0, 0.0))  # black walls: only light through the opening
    for one in lit(ctx, scene, tmp_path):
        probes = one.renderer._current_scene.light_baker.probes
        assert probes is not None
        at = np.round((np.array((0.0, 1.5, 0.0)) - probes.grid.origin) / probes.grid.spacing)
        place = at * probes.grid.spacing + probes.grid.origin
        generator = np.random.default_rng(5)
        d = generator.normal(size=(40000, 3))
        d /= np.linalg.norm(d, axis=1, keepdims=True)
        a, e1 = scene.triangles[:, 0], scene.triangles[:, 1] - scene.triangles[:, 0]
        e2 = scene.triangles[:, 2] - a
        p, from_a = np.cross(d[:, None], e2), place - a
        inverse = 1.0 / np.einsum("tj,rtj->rt", e1, p)
        u, q = np.einsum("tj,rtj->rt", from_a, p) * inverse, np.cross(from_a, e1)
        v, t = np.einsum("rj,tj->rt", d, q) * inverse, np.einsum("tj,tj->t", e2, q) * inverse
        free = ~((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)).any(axis=1)
        radiance = air(d, scene) * free[:, None]
        assert 0.01 < free.mean() < 0.3
        for face in (*np.eye(3), *-np.eye(3)):
            irradiance = 4.0 * (radiance * np.maximum(d @ face, 0.0)[:, None]).mean(axis=0)
            expected = apply_eye_adaptation(irradiance[None].astype(np.float32))[0]
            # Tolerance: the average with neighbours, and 90 rays.
            assert one.ambient(tuple(place), tuple(face)) == pytest.approx(expected, rel=0.15, abs=0.01), face


def brightness(renderer: Renderer, kind: str, x: float) -> float:
    """Mean grey of the middle of a ball, a mover or a body at a place of the corridor's axis, seen from +x."""
    centre = (x, 1.0, 0.0)
    none = np.zeros((0, 3))
    ball = np.array((centre,)), np.array((0.3,)), np.array(((1.0, 0.0, 0.0, 0.0),)), np.full((1, 3), 0.7)
    shown: dict[str, Any] = {
        "mover": {"movers": np.column_stack((np.eye(3), centre))[None]},
        "body": {"ellipsoids": (EllipsoidInstance(centre, (0.3,) * 3, (0.7,) * 3, opacity=1.0, is_part=True),)},
        "ball": {"balls": BallInstances(*ball, none, none, np.zeros(0), np.zeros(0))},
    }
    view = Camera((x + 1.2, 1.0, 0.0), math.pi / 2, 0.0, 60.0, 0.05)
    renderer.render(Snapshot(view, Hud(crosshair=False), **shown[kind]), (96, 96))
    return float(grey(renderer.image()[44:52, 44:52]).mean())


@pytest.mark.full
def test_what_moves_is_darker_the_deeper_it_is_in_a_corridor(ctx: Any, tmp_path: Path) -> None:
    b = Builder()
    b.box((-0.3, -0.3, -0.3), (0.3, 0.3, 0.3), "plain")
    cube = MoverAppearance(np.array(b.triangles), np.zeros(len(b.triangles), np.int32))
    scene = replace(corridor(True), movers=(cube,))
    baked = Renderer(ctx, scene, LIT, light_cache=tmp_path)
    cached = Renderer(ctx, scene, LIT, eager=False, light_cache=tmp_path)
    unbaked = Renderer(ctx, scene, LIT, eager=False)
    for kind in ("mover", "body", "ball"):
        outside, near, deep = (brightness(baked, kind, x) for x in (-4.0, 2.0, 9.0))
        assert outside > near + 20 > deep + 25, kind
        assert brightness(cached, kind, 9.0) == pytest.approx(deep, abs=0.5), kind
        assert brightness(unbaked, kind, 9.0) > deep + 30, kind
    for renderer in (baked, cached, unbaked):
        renderer.release()
