"""A snapshot in, a picture out: the order of the passes, and what is kept between pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .gl.context import ReversedDepth
from .gl.programs import Programs, ShaderProblem, put
from .gl.quality import Quality
from .hud.hud_renderer import DrawnHud
from .hud.layout import DESIGN_HEIGHT
from .passes.balls import DrawnBalls
from .passes.bloom import Bloom
from .passes.debug_lines import DrawnDebug
from .passes.dynamic_shadows import Casting
from .passes.ellipsoids import Ellipsoids
from .passes.frame_block import FrameBlock, Targets
from .passes.level import World
from .scene.lightmap_cache import LightCache
from .scene.scene import Scene
from .scene.scene_data import Prepared, prepare
from .scene.sun_map import SunMap
from .scene.surface_textures import Surfaces
from .scene_gpu import BANDS, Lasting, Loaded, can_mend
from .snapshot import Snapshot


class Renderer:
    """Draws a level. `render` makes a picture, `image` reads it.

    `scene` may be prepared already, at its own quality; `change_scene` and `stage` show another one. `quality` is
    "low", "medium" or "high", or numbers of one's own. With `eager` the light inside the level is gathered at once;
    without, the first pictures have an open sky's light, and `prepare` gathers some rays at a time (never, without
    `gathers`).
    `light_cache` is a folder that keeps gathered light from run to run; `shaders` another folder of shaders;
    `reversed_depth=False` tries the logarithmic depth that drivers without clip control get.
    Raises ShaderError when the shaders cannot be built at all.
    """

    def __init__(
        self,
        ctx: Any,
        scene: Scene | Prepared,
        quality: str | Quality = "medium",
        *,
        eager: bool = True,
        gathers: bool = True,
        light_cache: Path | None = None,
        shaders: Path | None = None,
        reversed_depth: bool = True,
    ) -> None:
        self.ctx = ctx
        self.programs = programs = Programs(ctx, shaders)
        cache = None if light_cache is None else LightCache(light_cache)
        if isinstance(scene, Scene):
            scene = prepare(scene, quality, cache=cache, shaders=shaders, walk=gathers)
        self.quality = chosen = scene.quality
        self.scale = chosen.scale  # may be set between pictures, to hold a frame rate
        self._reversed = ReversedDepth(ctx, reversed_depth)
        has_depth = bool(self._reversed)
        self._targets: Targets | None = None
        self._frame = FrameBlock(ctx)
        self._sun_maps = [SunMap(ctx, chosen.shadow_size, programs)]
        self._casting = Casting(ctx, chosen.mover_shadow)
        self._surfaces = Surfaces(ctx, chosen, programs)
        self._world = World(ctx, chosen, programs, has_depth)
        self._debug = DrawnDebug(ctx, programs, has_depth)
        self._ellipsoids = Ellipsoids(ctx, programs, has_depth, chosen.shadow_taps)
        self._balls = DrawnBalls(ctx, programs, chosen.shadow_taps, has_depth)
        self._hud = DrawnHud(ctx, programs)
        self._upscale = Upscale(ctx, programs)
        self._bloom = Bloom(ctx, programs, chosen.bloom)
        self._lasting = Lasting(ctx, programs, self._surfaces, has_depth, cache)
        self._shown: Loaded | None = None
        self._coming: Loaded | None = None
        self._steps: Iterator[None] = iter(())
        self.change_scene(scene)
        if eager:
            self.prepare()

    @property
    def scene(self) -> Scene:
        """The one that is shown."""
        return self._level.prepared.scene

    @property
    def _level(self) -> Loaded:
        assert self._shown is not None
        return self._shown

    @property
    def lit(self) -> bool:
        """Whether the inner light of the level that is shown has been gathered, or cannot be."""
        return self._level.prepared.lightmap.gathered

    def spare(self) -> None:
        """Make what a change of level needs beside the one that is shown, so that the first change takes no longer."""
        if len(self._sun_maps) < 2:
            self._sun_maps.append(SunMap(self.ctx, self.quality.shadow_size, self.programs))

    def stage(self, prepared: Prepared, gather: bool = False, whole: bool = False) -> bool:
        """One small step towards showing another level (or all of them); True when `change_scene` takes but a moment.

        What is shown stays as it is meanwhile. With `gather` the inner light is gathered first, which is for another
        light of the level that is shown. A level of another quality is refused: ValueError.
        """
        if prepared.quality != self.quality:
            raise ValueError("this level was prepared for another quality")
        if self._coming is None or self._coming.prepared is not prepared:
            self._drop_coming()
            shown = self._shown
            if shown is None or can_mend(prepared, shown.prepared):
                sun_map = self._sun_maps[0] if shown is None else shown.sun_map
            else:
                self.spare()
                sun_map = next(sun_map for sun_map in self._sun_maps if sun_map is not shown.sun_map)
            self._coming = Loaded(self._lasting, prepared, sun_map)
            self._steps = self._coming.steps(shown, gather, 1 if whole else BANDS)
        if gather:
            self._frame.set_body(None)
            self._frame.write()
        for _ in self._steps:  # noqa: SIM110
            if not whole:
                return False
        return True

    def change_scene(self, prepared: Prepared) -> None:
        """Show another level from the next picture on; what lasts is kept."""
        self.stage(prepared, whole=True)
        coming, before = self._coming, self._shown
        assert coming is not None
        coming.finish()
        self._shown, self._coming, self._steps = coming, None, iter(())
        self._frame.set_daylight(prepared.daylight)
        self._frame.set_shadow(prepared.fit, self.quality.shadow_size)
        self._casting.fit(prepared.fit, *prepared.scene.bounds())
        self._frame.write()
        self._world.take(coming.vertices, prepared.closed)
        if before is not None:
            before.release()

    def _drop_coming(self) -> None:
        if self._coming is not None:
            self._coming.release()
        self._coming, self._steps = None, iter(())

    def prepare(self, rays: int | None = None) -> float:
        """Gather the level's inner light by some more rays a texel (None: all); returns the part done, 0..1."""
        light = self._level.light
        if light.progress < 1.0:
            self._frame.set_body(None)
            self._frame.write()
            light.gather(rays)
        return light.progress

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
        casts = self._cast(snapshot)
        self._frame.write()
        self._draw_world(targets, snapshot, casts)
        picture = targets.picture
        if targets.resolve():
            picture.use()
            self._upscale.draw(targets.resolved_texture)
        self._bloom.draw(targets.resolved_texture or targets.picture_texture, picture)
        picture.use()
        picture.viewport = (0, 0, *size)
        picture.scissor = None
        self._hud.draw(snapshot.hud, size)
        if target is not None:
            self.ctx.copy_framebuffer(target, picture)

    def _cast(self, snapshot: Snapshot) -> bool:
        """Put movers and balls in their places, and draw what the sun sees of them; whether there is anything."""
        casting, look, count = self._casting, snapshot.balls, 0
        movers = self._level.movers.place(snapshot.movers)
        balls = None if look is None else self._balls.place(look)
        if not self.quality.mover_shadow or casting.box is None or (movers is None and balls is None):
            self._frame.set_movers(*casting.uniforms(False))
            return False
        where: list[npt.NDArray[Any]] = []
        if movers is not None:
            casting.box.hold(self._level.movers.places)
            where.append(np.asarray(snapshot.movers))
        if balls is not None and look is not None:
            casting.box.hold(look.centres, look.radii)
            where += [look.centres, look.radii]
            count = len(look.centres)
        casting.draw(movers, balls, count, where)
        self._frame.set_movers(*casting.uniforms(True))
        return True

    def _draw_world(self, targets: Targets, snapshot: Snapshot, casts: bool) -> None:
        world = targets.world
        world.use()
        world.viewport = (0, 0, *targets.world_size)
        world.scissor = None
        world.depth_mask = True
        world.color_mask = True, True, True, True
        self._reversed.begin()
        try:
            world.clear(depth=0.0)
            level, surfaces, moving = self._level, self._surfaces, self._casting.texture
            self._world.draw(
                world, level.sun_map.texture, surfaces.tints, level.light.texture, surfaces.reliefs,
                moving if casts else None,
            )  # fmt: skip
            if snapshot.movers is not None:
                level.movers.draw(world, snapshot.movers, level.sun_map.texture, surfaces.tints, moving)
            level.signs.draw(world)
            level.flags.draw(world)
            self._world.draw_sky()
            if snapshot.balls is not None:
                self._balls.draw(world, level.sun_map.texture, moving)
            eye = snapshot.view.eye
            self._ellipsoids.draw(world, snapshot.ellipsoids, eye, level.sun_map.texture, moving)
            if level.goal is not None:
                level.goal.draw(world, snapshot.goal_reached)
            level.marks.draw(world, snapshot.targets)
            level.zones.draw(world)
            if snapshot.debug is not None:
                self._debug.draw(world, snapshot.debug, self.scale)
            if snapshot.overlay is not None:
                thick = max(self.scale, targets.world_size[1] / DESIGN_HEIGHT)  # as the HUD grows with the picture
                self._debug.overlay.draw(world, snapshot.overlay, thick)
        finally:
            self._reversed.end()

    def rebuild(self) -> tuple[ShaderProblem, ...]:
        """Read the shaders again and use them; what draws on them (shadow, surfaces) is drawn anew, but
        for the gathered light: that takes a new Renderer.

        Where any fails, every program stays the last good one, and the problems (file, line, words) are returned.
        """
        fresh = self.programs.rebuild()
        if fresh:
            self._drop_coming()
            changed = {recipe.fragment for recipe in fresh} | {recipe.vertex for recipe in fresh}
            parts = self._world, self._level, self._debug, self._ellipsoids, self._balls, self._hud, self._upscale
            for part in (*parts, self._bloom):
                part.rebuild()
            if "shadow.vert.glsl" in changed:
                self._level.draw_sun_map()
            self._casting.forget()
            redrawn = tuple(name for name in self._surfaces.drawn if f"surfaces/{name}.glsl" in changed)
            if redrawn:
                self._surfaces.draw(redrawn)
                self._surfaces.finish()
        return self.programs.problems

    def image(self) -> npt.NDArray[np.uint8]:
        """The last picture, (height, width, 3) sRGB bytes, top row first. ValueError before the first."""
        if self._targets is None:
            raise ValueError("nothing has been rendered yet")
        return read_image(self._targets.picture)

    def release(self) -> None:
        """Give everything back to the driver."""
        self._drop_coming()
        parts: tuple[Any, ...] = (
            self._targets, self._upscale, self._bloom, self._hud, self._debug, self._ellipsoids, self._balls,
            self._world, self._surfaces, self._shown, *self._sun_maps, self._casting, self._frame, self.programs,
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
