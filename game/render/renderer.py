"""A snapshot in, a picture out: the order of the passes, and what is kept between pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .gl.context import ReversedDepth
from .gl.programs import ShaderCache, ShaderDiagnostic, set_uniforms
from .gl.quality import Quality
from .gl.targets import RenderTargets, read_image
from .hud.hud_renderer import HudPass
from .hud.layout import DESIGN_HEIGHT
from .passes.balls import BallPass
from .passes.bloom import Bloom
from .passes.debug_lines import DebugLinePass
from .passes.dynamic_shadows import DynamicShadowMap
from .passes.ellipsoids import EllipsoidPass
from .passes.frame_block import FrameBlock
from .passes.level import LevelPass
from .passes.shadows import SunShadowMap
from .passes.sky import SkyPass
from .scene.lightmap_cache import LightmapCache
from .scene.scene import Scene
from .scene.scene_data import SceneData, build_scene_data
from .scene.surface_textures import SurfaceTextures
from .scene_gpu import SUN_MAP_BANDS, SceneGpu, SharedResources, can_patch_sun_map
from .snapshot import Snapshot


class Renderer:
    """Draws a level. `render` makes a picture, `image` reads it.

    `scene` may be prepared already, at its own quality; `change_scene` and `stage` show another one. `quality` is
    "low", "medium" or "high", or numbers of one's own. With `eager` the light inside the level is gathered at once;
    without, the first pictures have an open sky's light, and `build_scene_data` gathers some rays at a time (never, without
    `gathers`).
    `light_cache` is a folder that keeps gathered light from run to run; `shaders` another folder of shaders;
    `reversed_depth=False` tries the logarithmic depth that drivers without clip control get.
    Raises ShaderError when the shaders cannot be built at all.
    """

    def __init__(
        self,
        ctx: Any,
        scene: Scene | SceneData,
        quality: str | Quality = "medium",
        *,
        eager: bool = True,
        gathers: bool = True,
        light_cache: Path | None = None,
        shaders: Path | None = None,
        reversed_depth: bool = True,
    ) -> None:
        self.ctx = ctx
        self.programs = programs = ShaderCache(ctx, shaders)
        cache = None if light_cache is None else LightmapCache(light_cache)
        if isinstance(scene, Scene):
            scene = build_scene_data(scene, quality, cache=cache, shaders=shaders, walk=gathers)
        self.quality = chosen = scene.quality
        self.scale = chosen.scale  # may be set between pictures, to hold a frame rate
        self._reversed_depth = ReversedDepth(ctx, reversed_depth)
        has_depth = bool(self._reversed_depth)
        self._targets: RenderTargets | None = None
        self._frame_block = FrameBlock(ctx)
        self._sun_maps = [SunShadowMap(ctx, chosen.shadow_size, programs)]
        self._dynamic_shadows = DynamicShadowMap(ctx, chosen.dynamic_shadow_size)
        self._surfaces = SurfaceTextures(ctx, chosen, programs)
        self._level_pass = LevelPass(ctx, chosen, programs, has_depth)
        self._sky_pass = SkyPass(ctx, chosen, programs, has_depth)
        self._debug_pass = DebugLinePass(ctx, programs, has_depth)
        self._ellipsoid_pass = EllipsoidPass(ctx, programs, has_depth, chosen.shadow_taps)
        self._ball_pass = BallPass(ctx, programs, chosen.shadow_taps, has_depth)
        self._hud_pass = HudPass(ctx, programs)
        self._upscale = UpscalePass(ctx, programs)
        self._bloom = Bloom(ctx, programs, chosen.bloom)
        self._shared = SharedResources(ctx, programs, self._surfaces, has_depth, cache)
        self._current: SceneGpu | None = None
        self._next: SceneGpu | None = None
        self._load_steps: Iterator[None] = iter(())
        self.change_scene(scene)
        if eager:
            self.bake_light()

    @property
    def scene(self) -> Scene:
        """The one that is shown."""
        return self._current_scene.scene_data.scene

    @property
    def _current_scene(self) -> SceneGpu:
        assert self._current is not None
        return self._current

    @property
    def is_light_baked(self) -> bool:
        """Whether the inner light of the level that is shown has been gathered, or cannot be."""
        return self._current_scene.scene_data.lightmap.is_baked

    def preallocate(self) -> None:
        """Make what a change of level needs beside the one that is shown, so that the first change takes no longer."""
        if len(self._sun_maps) < 2:
            self._sun_maps.append(SunShadowMap(self.ctx, self.quality.shadow_size, self.programs))

    def load_step(self, prepared: SceneData, gather: bool = False, whole: bool = False) -> bool:
        """One small step towards showing another level (or all of them); True when `change_scene` takes but a moment.

        What is shown stays as it is meanwhile. With `gather` the inner light is gathered first, which is for another
        light of the level that is shown. A level of another quality is refused: ValueError.
        """
        if prepared.quality != self.quality:
            raise ValueError("this level was prepared for another quality")
        if self._next is None or self._next.scene_data is not prepared:
            self._discard_next()
            shown = self._current
            if shown is None or can_patch_sun_map(prepared, shown.scene_data):
                sun_map = self._sun_maps[0] if shown is None else shown.sun_map
            else:
                self.preallocate()
                sun_map = next(sun_map for sun_map in self._sun_maps if sun_map is not shown.sun_map)
            self._next = SceneGpu(self._shared, prepared, sun_map)
            self._load_steps = self._next.load_steps(shown, gather, 1 if whole else SUN_MAP_BANDS)
        if gather:
            self._frame_block.write_body(None)
            self._frame_block.upload()
        for _ in self._load_steps:  # noqa: SIM110
            if not whole:
                return False
        return True

    def change_scene(self, prepared: SceneData) -> None:
        """Show another level from the next picture on; what lasts is kept."""
        self.load_step(prepared, whole=True)
        coming, before = self._next, self._current
        assert coming is not None
        coming.take_over_sun_map()
        self._current, self._next, self._load_steps = coming, None, iter(())
        self._frame_block.write_daylight(prepared.daylight)
        self._frame_block.write_sun_map(prepared.sun_fit, self.quality.shadow_size)
        self._dynamic_shadows.reset_for_level(prepared.sun_fit, *prepared.scene.bounds())
        self._frame_block.upload()
        self._level_pass.set_level(coming.vertices, prepared.closed_vertex_count)
        if before is not None:
            before.release()

    def _discard_next(self) -> None:
        if self._next is not None:
            self._next.release()
        self._next, self._load_steps = None, iter(())

    def bake_light(self, rays: int | None = None) -> float:
        """Gather the level's inner light by some more rays a texel (None: all); returns the part done, 0..1."""
        light = self._current_scene.light_baker
        if light.progress < 1.0:
            self._frame_block.write_body(None)
            self._frame_block.upload()
            light.trace_rays(rays)
        return light.progress

    def render(self, snapshot: Snapshot, size: tuple[int, int], target: Any = None) -> None:
        """Draw one picture of `size` (width, height) pixels; copy it to `target` (a framebuffer) where given."""
        size = (max(1, int(size[0])), max(1, int(size[1])))
        targets = self._targets
        if targets is None or targets.size != size or targets.scale != self.scale:
            if targets is not None:
                targets.release()
            targets = self._targets = RenderTargets(
                self.ctx, size, self.scale, self.quality.samples, self._reversed_depth
            )
        self._frame_block.write_camera(snapshot.view, targets.world_size, snapshot.time)
        self._frame_block.write_body(snapshot.body)
        casts = self._draw_dynamic_shadows(snapshot)
        self._frame_block.upload()
        self._draw_world(targets, snapshot, casts)
        picture = targets.picture
        if targets.resolve_multisamples():
            picture.use()
            self._upscale.draw(targets.resolved_texture)
        self._bloom.draw(targets.resolved_texture or targets.picture_texture, picture)
        picture.use()
        picture.viewport = (0, 0, *size)
        picture.scissor = None
        self._hud_pass.draw(snapshot.hud, size)
        if target is not None:
            self.ctx.copy_framebuffer(target, picture)

    def _draw_dynamic_shadows(self, snapshot: Snapshot) -> bool:
        """Put movers and balls in their places, and draw what the sun sees of them; whether there is anything."""
        casting, look, count = self._dynamic_shadows, snapshot.balls, 0
        movers = self._current_scene.movers.upload_poses(snapshot.movers)
        balls = None if look is None else self._ball_pass.upload(look)
        if not self.quality.dynamic_shadow_size or casting.bounds is None or (movers is None and balls is None):
            self._frame_block.write_dynamic_shadows(*casting.uniforms(False))
            return False
        where: list[npt.NDArray[Any]] = []
        if movers is not None:
            casting.bounds.expand_to_include(self._current_scene.movers.caster_positions)
            where.append(np.asarray(snapshot.movers))
        if balls is not None and look is not None:
            casting.bounds.expand_to_include(look.centres, look.radii)
            where += [look.centres, look.radii]
            count = len(look.centres)
        casting.draw(movers, balls, count, where)
        self._frame_block.write_dynamic_shadows(*casting.uniforms(True))
        return True

    def _draw_world(self, targets: RenderTargets, snapshot: Snapshot, casts: bool) -> None:
        world = targets.world
        world.use()
        world.viewport = (0, 0, *targets.world_size)
        world.scissor = None
        world.depth_mask = True
        world.color_mask = True, True, True, True
        self._reversed_depth.begin()
        try:
            world.clear(depth=0.0)
            level, surfaces, moving = self._current_scene, self._surfaces, self._dynamic_shadows.texture
            self._level_pass.draw(
                world, level.sun_map.texture, surfaces.colour_textures, level.light_baker.texture, surfaces.relief_textures,
                moving if casts else None,
            )  # fmt: skip
            if snapshot.movers is not None:
                level.movers.draw(world, snapshot.movers, level.sun_map.texture, surfaces.colour_textures, moving)
            level.signs.draw(world)
            level.flags.draw(world)
            self._sky_pass.draw()
            if snapshot.balls is not None:
                self._ball_pass.draw(world, level.sun_map.texture, moving)
            eye = snapshot.view.eye
            self._ellipsoid_pass.draw(world, snapshot.ellipsoids, eye, level.sun_map.texture, moving)
            if level.goal is not None:
                level.goal.draw(world, snapshot.goal_reached)
            level.markers.draw(world, snapshot.targets)
            level.zones.draw(world)
            if snapshot.debug is not None:
                self._debug_pass.draw(world, snapshot.debug, self.scale)
            if snapshot.overlay is not None:
                thick = max(self.scale, targets.world_size[1] / DESIGN_HEIGHT)  # as the HUD grows with the picture
                self._debug_pass.overlay.draw(world, snapshot.overlay, thick)
        finally:
            self._reversed_depth.end()

    def rebuild(self) -> tuple[ShaderDiagnostic, ...]:
        """Read the shaders again and use them; what draws on them (shadow, surfaces) is drawn anew, but
        for the gathered light: that takes a new Renderer.

        Where any fails, every program stays the last good one, and the problems (file, line, words) are returned.
        """
        fresh = self.programs.rebuild()
        if fresh:
            self._discard_next()
            changed = {recipe.fragment for recipe in fresh} | {recipe.vertex for recipe in fresh}
            parts = (
                self._level_pass,
                self._sky_pass,
                self._current_scene,
                self._debug_pass,
                self._ellipsoid_pass,
                self._ball_pass,
                self._hud_pass,
                self._upscale,
            )
            for part in (*parts, self._bloom):
                part.rebuild()
            if "shadow_map/shadow_map.vert.glsl" in changed:
                self._current_scene.draw_sun_map()
            self._dynamic_shadows.invalidate()
            redrawn = tuple(name for name in self._surfaces.generated if f"surfaces/{name}.glsl" in changed)
            if redrawn:
                self._surfaces.generate(redrawn)
                self._surfaces.build_mipmaps()
        return self.programs.diagnostics

    def image(self) -> npt.NDArray[np.uint8]:
        """The last picture, (height, width, 3) sRGB bytes, top row first. ValueError before the first."""
        if self._targets is None:
            raise ValueError("nothing has been rendered yet")
        return read_image(self._targets.picture)

    def release(self) -> None:
        """Give everything back to the driver."""
        self._discard_next()
        parts: tuple[Any, ...] = (
            self._targets, self._upscale, self._bloom, self._hud_pass, self._debug_pass, self._ellipsoid_pass, self._ball_pass,
            self._level_pass, self._sky_pass, self._surfaces, self._current, *self._sun_maps, self._dynamic_shadows,
            self._frame_block, self.programs,
        )  # fmt: skip
        for part in parts:
            if part is not None:
                part.release()
        self._targets = None


class UpscalePass:
    """Brings the world's smaller picture to the size of the window."""

    def __init__(self, ctx: Any, programs: ShaderCache) -> None:
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
            program = self.programs.get("post/fullscreen_triangle.vert.glsl", "post/upscale.frag.glsl")
            set_uniforms(program, source=0)
            self._array = self.ctx.vertex_array(program, [])
        source.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        self.rebuild()
