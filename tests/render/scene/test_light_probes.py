"""Light probes against the lightmap of the walls beside them, and against ray casts on the CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from game.render import LampAppearance, Renderer, Scene, SkyAppearance, SurfaceAppearance
from game.render.gl.programs import FRAME_BINDING, default_folder, read_shader
from game.render.gl.quality import QUALITIES
from tests.render.scene.baked_light import SceneLight
from tests.support.courtyard import Builder

LIT = replace(QUALITIES["low"], light_size=512, shadow_size=1024, tile_size=64)
LAMP = LampAppearance((6.0, 2.2, 0.0), brightness=0.3, reach=9.0, visible=False)
VERTEX = "#version 330 core\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }"
FRAGMENT = """
uniform vec3 position, normal;
out vec4 light;
void main() { light = vec4(ambient(position, normal), 1.0); }
"""


def corridor(opening: bool, lamps: tuple[LampAppearance, ...] = ()) -> Scene:
    """Corridor from x = 0 to 12 with walls of 20 cm, 2.4 m wide and high, on a lawn; it may be open at x = 0."""
    b = Builder()
    b.box((-12, -0.2, -12), (24, 0, 12), "plain")
    b.box((-0.2, 2.4, -1.4), (12.2, 2.6, 1.4), "plain")
    b.box((-0.2, 0, 1.2), (12.2, 2.4, 1.4), "plain")
    b.box((-0.2, 0, -1.4), (12.2, 2.4, -1.2), "plain")
    b.box((12, 0, -1.2), (12.2, 2.4, 1.2), "plain")
    if not opening:
        b.box((-0.2, 0, -1.2), (0, 2.4, 1.2), "plain")
    looks = tuple(SurfaceAppearance((0.7, 0.7, 0.7)) for _ in range(10))
    return Scene(np.array(b.triangles), np.array(b.index), looks, lamps=lamps, sky=SkyAppearance(60.0, 90.0, haze=0.0))


class Lit:
    """A baked scene: its lightmap, and the ambient light in it as the shaders compute it."""

    def __init__(self, ctx: Any, scene: Scene, folder: Path) -> None:
        self.ctx = ctx
        self.renderer = Renderer(ctx, scene, LIT, light_cache=folder)
        self.walls = SceneLight(scene, LIT, folder)
        source = read_shader(default_folder(), "include/ambient.glsl").text + FRAGMENT
        self._program = ctx.program(VERTEX, source)
        self._program["Frame"].binding = FRAME_BINDING
        self._array = ctx.vertex_array(
            self._program, ctx.buffer(np.array((-1, -1, 3, -1, -1, 3), "f4").tobytes()), "at"
        )
        self._target = ctx.framebuffer([ctx.texture((1, 1), 4, dtype="f4")])
        block = self.renderer._frame_block
        block.write_light_probes(self.renderer._current_scene.light_baker.probes)
        block.upload()

    def ambient(self, place: Any, normal: Any) -> np.ndarray:
        """Ambient light (3,)."""
        self.renderer._frame_block.buffer.bind_to_uniform_block(FRAME_BINDING)
        self.renderer._current_scene.light_baker.probe_texture.use(0)
        self._program["position"], self._program["normal"] = place, normal
        self._target.use()
        self.ctx.enable_only(moderngl.NOTHING)
        self._array.render()
        return np.frombuffer(self._target.read(components=3, dtype="f4"), np.float32).astype(float)
