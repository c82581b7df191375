"""A snapshot in, a picture out: the order of the passes, and what is kept between pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .context import ReversedDepth
from .daylight import daylight
from .drawn_debug import DrawnDebug
from .frame import FrameBlock, Targets
from .goal import Goal
from .hud import DrawnHud
from .light import BakedLight
from .light_cache import LightCache
from .model import Model
from .programs import Programs, ShaderProblem, put
from .quality import Quality, named
from .scene import Scene
from .shadow import SunMap, fit_sun
from .signs import Signs
from .snapshot import Snapshot
from .surfaces import Surfaces
from .world import POSITION_ONLY, VERTEX, World, vertices


class Renderer:
    """Draws a scene. `render` makes a picture, `image` reads it.

    `quality` is "low", "medium" or "high", or numbers of one's own. With `eager` the light inside the level is
    gathered at once; without, the first pictures have an open sky's light, and `prepare` gathers some rays at a time.
    `light_cache` is a folder that keeps gathered light from run to run; `shaders` another folder of shaders;
    `reversed_depth=False` tries the logarithmic depth that drivers without clip control get.
    Raises ShaderError when the shaders cannot be built at all.
    """

    def __init__(
        self,
        ctx: Any,
        scene: Scene,
        quality: str | Quality = "medium",
        *,
        eager: bool = True,
        light_cache: Path | None = None,
        shaders: Path | None = None,
        reversed_depth: bool = True,
    ) -> None:
        self.ctx = ctx
        self.scene = scene
        self.quality = named(quality) if isinstance(quality, str) else quality
        self.scale = self.quality.scale  # may be set between pictures, to hold a frame rate
        self.programs = Programs(ctx, shaders)
        self._reversed = ReversedDepth(ctx, reversed_depth)
        self._targets: Targets | None = None
        self._build(None if light_cache is None else LightCache(light_cache))
        if eager:
            self.prepare()

    def _build(self, cache: LightCache | None) -> None:
        ctx, scene, programs, chosen = self.ctx, self.scene, self.programs, self.quality
        model = Model.from_scene(scene)
        light = daylight(scene.sky)
        self._frame = FrameBlock(ctx)
        self._frame.set_daylight(light)
        self._fit = fit_sun(model.triangles, light.to_sun)
        self._frame.set_shadow(self._fit, chosen.shadow_size)
        self._frame.write()
        self._sun_map = SunMap(ctx, chosen.shadow_size, programs)
        self._light = BakedLight(ctx, model, light, chosen, programs, self._sun_map.texture, cache)
        self._vertices = ctx.buffer(vertices(model, self._light.uv) or bytes(VERTEX.itemsize))
        self._sun_map.draw(self._vertices, POSITION_ONLY, self._fit)
        self._surfaces = Surfaces(ctx, model.textures, chosen, programs)
        self._surfaces.draw()
        has_depth = bool(self._reversed)
        self._world = World(ctx, self._vertices, chosen, programs, has_depth)
        self._signs = Signs(ctx, scene.signs, programs, has_depth)
        self._goal = None if scene.goal is None else Goal(ctx, scene.goal, programs, has_depth)
        self._debug = DrawnDebug(ctx, programs, has_depth)
        self._hud = DrawnHud(ctx, programs)
        self._upscale = Upscale(ctx, programs)

    def prepare(self, rays: int | None = None) -> float:
        """Gather the level's inner light by some more rays a texel (None: all); returns the part done, 0..1."""
        if self._light.progress < 1.0:
            self._frame.set_body(None)
            self._frame.write()
            self._light.gather(rays)
        return self._light.progress

    def render(self, snapshot: Snapshot, size: tuple[int, int], target: Any = None) -> None:
        """Draw one picture of `size` (width, height) pixels; copy it to `target` (a framebuffer) where given."""
        size = (max(1, int(size[0])), max(1, int(size[1])))
        targets = self._targets
        if targets is None or targets.size != size or targets.scale != self.scale:
            if targets is not None:
                targets.release()
            targets = self._targets = Targets(self.ctx, size, self.scale, self.quality.samples, self._reversed)
        self._frame.set_view(snapshot.view, targets.world_size, snapshot.time)
        self._frame.set_body(snapshot.body)
        self._frame.write()
        self._draw_world(targets, snapshot)
        picture = targets.picture
        if targets.resolve():
            picture.use()
            self._upscale.draw(targets.resolved_texture)
        picture.use()
        picture.viewport = (0, 0, *size)
        picture.scissor = None
        self._hud.draw(snapshot.hud, size)
        if target is not None:
            self.ctx.copy_framebuffer(target, picture)

    def _draw_world(self, targets: Targets, snapshot: Snapshot) -> None:
        world = targets.world
        world.use()
        world.viewport = (0, 0, *targets.world_size)
        world.scissor = None
        world.depth_mask = True
        world.color_mask = True, True, True, True
        self._reversed.begin()
        try:
            world.clear(depth=0.0)
            self._world.draw(
                world, self._sun_map.texture, self._surfaces.tints, self._light.texture, self._surfaces.reliefs
            )
            self._signs.draw(world)
            self._world.draw_sky()
            if self._goal is not None:
                self._goal.draw(world, snapshot.goal_reached)
            if snapshot.debug is not None:
                self._debug.draw(world, snapshot.debug, self.scale)
            if snapshot.overlay is not None:
                self._debug.overlay.draw(world, snapshot.overlay, self.scale)
        finally:
            self._reversed.end()

    def rebuild(self) -> tuple[ShaderProblem, ...]:
        """Read the shaders again and use them; what draws on them (shadow, surfaces) is drawn anew, but
        for the gathered light: that takes a new Renderer.

        Where any fails, every program stays the last good one, and the problems (file, line, words) are returned.
        """
        fresh = self.programs.rebuild()
        if fresh:
            changed = {recipe.fragment for recipe in fresh} | {recipe.vertex for recipe in fresh}
            for part in (self._world, self._signs, self._goal, self._debug, self._hud, self._upscale):
                if part is not None:
                    part.rebuild()
            if "shadow.vert.glsl" in changed:
                self._sun_map.draw(self._vertices, POSITION_ONLY, self._fit)
            if any(name.startswith("surfaces/") for name in changed):
                self._surfaces.draw()
        return self.programs.problems

    def image(self) -> npt.NDArray[np.uint8]:
        """The last picture, (height, width, 3) sRGB bytes, top row first. ValueError before the first."""
        if self._targets is None:
            raise ValueError("nothing has been rendered yet")
        return read_image(self._targets.picture)

    def release(self) -> None:
        """Give everything back to the driver."""
        parts: tuple[Any, ...] = (
            self._targets, self._upscale, self._hud, self._debug, self._goal, self._signs, self._world,
            self._surfaces, self._light, self._sun_map, self._vertices, self._frame, self.programs,
        )  # fmt: skip
        for part in parts:
            if part is not None:
                part.release()
        self._targets = None


class Upscale:
    """Brings the world's smaller picture to the size of the window."""

    def __init__(self, ctx: Any, programs: Programs) -> None:
        self.ctx = ctx
        self.programs = programs
        self._array: Any = None

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, source: Any) -> None:
        """Fill the bound framebuffer with the texture `source`."""
        target = self.ctx.fbo
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        self.ctx.enable_only(moderngl.NOTHING)
        self.ctx.wireframe = False
        if self._array is None:
            program = self.programs.get("screen.vert.glsl", "upscale.frag.glsl")
            put(program, world=0)
            self._array = self.ctx.vertex_array(program, [])
        source.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        self.rebuild()


def read_image(framebuffer: Any) -> npt.NDArray[np.uint8]:
    """A framebuffer's colours as (height, width, 3) bytes, top row first."""
    width, height = framebuffer.size
    pixels = np.frombuffer(framebuffer.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
    return np.ascontiguousarray(pixels[::-1])
