"""Renderer: its framebuffers, order of the passes of a frame, level changes and shader reload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..core.vectors import Floats
from .gl.context import ReversedDepth, read_image, release_resources, unbind_framebuffer
from .gl.programs import ShaderCache, ShaderDiagnostic
from .gl.quality import Quality, smooths_edges
from .gl.render_pass import PassContext
from .hud.arrangement import DESIGN_HEIGHT
from .hud.hud_renderer import HudPass
from .materials.picture_textures import PictureTextures
from .passes.bodies import BallPass, EllipsoidPass
from .passes.decals import MAX_TEXTURES, UPLOADS_PER_FRAME, DecalPass
from .passes.frame import Frame, FrameBlock
from .passes.level import SkyPass
from .passes.nature import ParticlePass
from .passes.overlay import OverlayPass
from .passes.post_processing import Bloom, UpscalePass
from .passes.shadows import Casters, DynamicShadowMap, SunShadowMap
from .passes.zones import deep_water, water_at
from .scene.daylight import compute_daylight
from .scene.lightmap import LightmapCache
from .scene.scene import Scene, carry_zones
from .scene.scene_data import SceneData, build_scene_data
from .scene.sun_map import fit_shadow_map
from .scene.surface_textures import SurfaceTextures
from .scene_gpu import SHADOW_MAP_BANDS, SceneGpu, SharedResources
from .snapshot import Snapshot

RAYS_PER_REPORT = 2  # of the light bake of an eager renderer, between two reports


class RenderTargets:
    """Framebuffers of one window size.

    world: scaled and multisampled, with depth. picture: window size, RGBA8, with the HUD on it. texture: the world
    without samples, which is that of the picture where nothing is scaled.
    """

    def __init__(
        self, ctx: Any, size: tuple[int, int], scale: float, samples: int, reversed_depth: ReversedDepth
    ) -> None:
        self.ctx, self.size, self.scale = ctx, size, scale
        self.world_size = world_size = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
        samples = min(samples, ctx.max_samples)
        samples = samples if samples >= 2 else 0
        self._owned: list[Any] = []
        self.picture, self.texture = self._framebuffer(size)
        self._resolved = self.picture
        if world_size != size:
            self._resolved, self.texture = self._framebuffer(world_size)
            self.texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self.texture.repeat_x = self.texture.repeat_y = False
        depth = reversed_depth.depth_buffer(ctx, world_size, samples)
        colour = ctx.renderbuffer(world_size, 4, samples=samples) if samples else self.texture
        self.world = ctx.framebuffer([colour], depth)
        self._is_multisampled = samples > 0
        self._owned += [self.world, depth, *([colour] if samples else [])]

    def _framebuffer(self, size: tuple[int, int]) -> tuple[Any, Any]:
        """A framebuffer with a texture, and the texture."""
        texture = self.ctx.texture(size, 4)
        framebuffer = self.ctx.framebuffer([texture])
        self._owned += [framebuffer, texture]
        return framebuffer, texture

    @property
    def is_scaled(self) -> bool:
        """Whether the world has another size than the picture."""
        return self._resolved is not self.picture

    def resolve(self) -> None:
        """Average the samples of the world into `texture`."""
        if self._is_multisampled:
            self.ctx.copy_framebuffer(self._resolved, self.world)

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(*self._owned)


class Renderer:
    """Draws frames of a level: `render` draws, `image` reads back. `pictures` are those of the level's materials.

    scene: a Scene, or SceneData that build_scene_data prepared, which also fixes the quality. quality: "low", "medium",
    "high" or a Quality. eager: bakes the lightmap before the first frame; otherwise the first frames show the light of
    an open sky, and `bake_light` traces some rays at a time. bakes: whether the lightmap can be baked here at all;
    otherwise the bake input is not built. light_cache: folder of baked lightmaps. shaders: another shader folder.
    reversed_depth=False: logarithmic depth, as on drivers without clip control. clock: seconds, to bound the time that
    a frame spends on the upload of pictures; eager renderers upload all before they draw. on_light:
    receives the fraction of the light that an eager renderer has baked, while it bakes.

    Raises ShaderError when a shader does not compile.
    """

    def __init__(
        self,
        ctx: Any,
        scene: Scene | SceneData,
        quality: str | Quality = "medium",
        *,
        eager: bool = True,
        bakes: bool = True,
        light_cache: Path | None = None,
        shaders: Path | None = None,
        reversed_depth: bool = True,
        clock: Callable[[], float] | None = None,
        on_light: Callable[[float], None] | None = None,
    ) -> None:
        self.ctx = ctx
        self.programs = programs = ShaderCache(ctx, shaders)
        cache = None if light_cache is None else LightmapCache(light_cache)
        if isinstance(scene, Scene):
            scene = build_scene_data(scene, quality, cache=cache, shaders=shaders, bakes=bakes)
        self.quality = chosen_quality = scene.quality
        self.scale = chosen_quality.scale  # set between frames by dynamic resolution
        self._reversed_depth = ReversedDepth(ctx, reversed_depth)
        context = PassContext(ctx, programs, chosen_quality, bool(self._reversed_depth))
        self._targets: RenderTargets | None = None
        self._frame_block = FrameBlock(ctx)
        self._shadow_maps = [SunShadowMap(ctx, chosen_quality.shadow_size)]
        self._dynamic_shadows = DynamicShadowMap(ctx, chosen_quality.dynamic_shadow_size)
        self._surfaces = SurfaceTextures(ctx, chosen_quality, programs)
        self.pictures = PictureTextures(ctx, chosen_quality, clock)
        self._eager = eager
        self._sky_pass = SkyPass(context)
        self._decal_pass = DecalPass(context, MAX_TEXTURES if eager else UPLOADS_PER_FRAME)
        self._overlay_pass = OverlayPass(context)
        self._ellipsoid_pass = EllipsoidPass(context)
        self._ball_pass = BallPass(context)
        self._particle_pass = ParticlePass(context)
        self._hud_pass = HudPass(context)
        self._upscale = UpscalePass(context, smooths_edges(ctx, chosen_quality))
        self._bloom = Bloom(context)
        self._passes = (
            self._sky_pass, self._decal_pass, self._overlay_pass, self._ellipsoid_pass,
            self._ball_pass, self._particle_pass, self._hud_pass, self._upscale, self._bloom,
        )  # fmt: skip
        self._shared = SharedResources(context, self._surfaces, cache, self.pictures)
        self._sun: tuple[float, float] | None = None  # height and azimuth (degrees) in place of the scene's
        self._current: SceneGpu | None = None
        self._next: SceneGpu | None = None
        self._load_steps: Iterator[None] = iter(())
        self.change_scene(scene)
        if eager:
            while self.bake_light(None if on_light is None else RAYS_PER_REPORT) < 1.0 and on_light is not None:
                ctx.finish()  # else the rays of all reports queue up
                on_light(self.bake_light(0))

    @property
    def scene(self) -> Scene:
        return self._current_scene.scene_data.scene

    @property
    def _current_scene(self) -> SceneGpu:
        assert self._current is not None
        return self._current

    @property
    def is_light_baked(self) -> bool:
        """Whether the lightmap of the current level is final: baked, or not bakeable."""
        return self._current_scene.scene_data.lightmap.is_baked

    def preallocate(self) -> None:
        """Allocate the second shadow map, so that the first level change is as fast as later ones."""
        if len(self._shadow_maps) < 2:
            self._shadow_maps.append(SunShadowMap(self.ctx, self.quality.shadow_size))

    def load_step(self, scene_data: SceneData, bake: bool = False, complete: bool = False) -> bool:
        """Do one step of loading another level beside the current one, or all steps if `complete`.

        Returns True once `change_scene` only has to switch. The current level stays on screen meanwhile. bake: bake the
        lightmap before the switch, for a level that changes its own light. Raises ValueError when the quality differs.
        """
        if scene_data.quality != self.quality:
            raise ValueError("this level was prepared for another quality")
        if self._current is not None:
            self._move_sun(None)
        if self._next is None or self._next.scene_data is not scene_data:
            self._discard_next()
            if self._current is not None:
                self.preallocate()
            free = next(
                one for one in self._shadow_maps if self._current is None or one is not self._current.shadow_map
            )
            self._next = SceneGpu(self._shared, scene_data, free)
            self._load_steps = self._next.load_steps(bake, 1 if complete else SHADOW_MAP_BANDS)
        if bake:
            self._frame_block.write_body(None)
            self._frame_block.upload()
        for _ in self._load_steps:  # noqa: SIM110
            if not complete:
                return False
        return True

    def change_scene(self, scene_data: SceneData) -> None:
        """Switch to another level from the next frame on. Surface textures and passes are kept."""
        self.load_step(scene_data, complete=True)
        loaded = self._next
        previous = self._current
        assert loaded is not None
        self._current = loaded
        self._next = None
        self._load_steps = iter(())
        self.pictures.retain(scene_data.picture_keys)
        self._frame_block.write_daylight(scene_data.daylight)
        self._frame_block.write_shadow_map(scene_data.shadow_projection, self.quality)
        self._dynamic_shadows.reset_for_level(scene_data.shadow_projection, *scene_data.scene.bounds())
        self._frame_block.upload()
        if previous is not None:
            previous.release()

    def _discard_next(self) -> None:
        release_resources(self._next)
        self._next = None
        self._load_steps = iter(())

    def bake_light(self, rays: int | None = None) -> float:
        """Trace `rays` more rays per lightmap texel (None: all). Returns the finished fraction, 0..1."""
        light = self._current_scene.light_baker
        if light.progress < 1.0 and self._sun is None:
            if self._eager:
                self.load_pictures()
            elif not self.pictures.is_complete:
                return light.progress
            self._current_scene.set_mean_colours()
            self._frame_block.write_body(None)
            self._frame_block.upload()
            light.trace_rays(rays)
        return light.progress

    def load_pictures(self) -> None:
        """Load all pictures of the level now, however long it takes."""
        self.pictures.load_all()
        self._current_scene.update_pictures()

    # Frames

    def render(self, snapshot: Snapshot, size: tuple[int, int], target: Any = None) -> None:
        """Draw a frame of `size` (width, height) pixels; copy it to the framebuffer `target` if given."""
        size = (max(1, int(size[0])), max(1, int(size[1])))
        if self._eager and not self.pictures.is_complete:
            self.load_pictures()
        self._current_scene.update_pictures()
        targets = self._targets_of(size)
        self.ctx.wireframe, self.ctx.polygon_offset = False, (0.0, 0.0)  # what others may have left
        self._move_sun(snapshot.sun)
        frame = self._prepare(targets, snapshot)
        self._draw_world(frame)
        targets.resolve()
        if targets.is_scaled:
            self._upscale.draw(targets.texture, targets.picture)
        self._bloom.draw(targets.texture, targets.picture)
        self._hud_pass.draw(snapshot.hud, targets.picture)
        if target is not None:
            self.ctx.copy_framebuffer(target, targets.picture)
        self.pictures.update()  # last, so that the first frame waits for none

    def _targets_of(self, size: tuple[int, int]) -> RenderTargets:
        """Framebuffers of a window of this size, at the present scale."""
        if self._targets is None or (self._targets.size, self._targets.scale) != (size, self.scale):
            release_resources(self._targets)
            self._targets = RenderTargets(self.ctx, size, self.scale, self.quality.samples, self._reversed_depth)
        return self._targets

    def _prepare(self, targets: RenderTargets, snapshot: Snapshot) -> Frame:
        """Draw the shadow maps, fill the frame block, and gather what the passes of the world need."""
        gpu, block, view = self._current_scene, self._frame_block, snapshot.view
        scene = gpu.scene_data.scene
        block.write_near_shadow(*gpu.draw_near_shadow(view))
        block.write_camera(view, targets.world_size, snapshot.time, snapshot.calm)
        block.write_body(snapshot.body)
        block.write_light_probes(gpu.light_baker.probes)
        has_dynamic_shadows = self._draw_dynamic_shadows(snapshot)
        zones = carry_zones(scene.zones, scene.movers, snapshot.movers)
        water = water_at(zones, view.eye)
        if water is not None:
            surface = water.centre[1] + water.half[1]
            block.write_water(deep_water(water, gpu.scene_data.daylight), surface)
        block.upload()
        lamps = None if gpu.lamps is None else gpu.lamps.moving_rows(snapshot.movers, view.eye)
        if gpu.lamp_shadows is not None and lamps is not None:
            gpu.lamp_shadows.draw(lamps, snapshot.movers, view.eye, gpu.movers.draw_shadow)
        textures = {
            "shadow_map": gpu.shadow_map.texture,
            "lightmap": gpu.light_baker.texture,
            "dynamic_shadow_map": self._dynamic_shadows.texture,
            "light_probes": gpu.light_baker.probe_texture,
            "colour_textures": self._surfaces.colour_textures,
            "relief_textures": self._surfaces.relief_textures,
        }
        return Frame(
            snapshot, targets.world, textures, zones,
            [] if lamps is None else [tuple(row) for row in lamps.reshape(-1, 4).tolist()], has_dynamic_shadows,
            is_lens_in_water=water is not None,
            is_eye_in_water=water is not None and view.eye[1] < surface,
            overlay_scale=max(self.scale, targets.world_size[1] / DESIGN_HEIGHT),
        )  # fmt: skip

    def _move_sun(self, sun: tuple[float, float] | None) -> None:
        """Draw daylight and shadow map for another place of the sun; None: that of the scene."""
        if sun == self._sun:
            return
        self._sun = sun
        gpu = self._current_scene
        data = gpu.scene_data
        daylight = data.daylight
        fit = data.shadow_projection
        if sun is not None:
            daylight = compute_daylight(replace(data.scene.sky, sun_height=sun[0], sun_from=sun[1]))
            fit = fit_shadow_map(data.scene.triangles, daylight.to_sun, data.scene.solid_bounds)
        self._frame_block.write_daylight(daylight)
        self._frame_block.write_shadow_map(fit, self.quality)
        self._dynamic_shadows.reset_for_level(fit, *data.scene.bounds())
        gpu.draw_shadow_map(fit)

    def _draw_dynamic_shadows(self, snapshot: Snapshot) -> bool:
        """Upload the poses of movers and balls and draw the dynamic shadow map. Returns whether it has content."""
        movers, balls = self._current_scene.movers, snapshot.balls
        moving: list[tuple[Casters, Floats, Floats | float]] = []
        if self._current_scene.light_baker.probes is not None:
            movers.use_light_probes()
        movers.upload_poses(snapshot.movers)
        if movers.is_shown:
            moving.append((movers.draw_shadow, movers.corners, 0.0))
        if balls is not None and self._ball_pass.upload(balls):
            moving.append((self._ball_pass.draw_shadow, balls.centres, balls.radii))
        has_content = self._dynamic_shadows.draw(moving)
        self._frame_block.write_dynamic_shadows(*self._dynamic_shadows.uniforms(has_content))
        return has_content

    def _draw_world(self, frame: Frame) -> None:
        """Draw opaque passes, the sky, then translucent passes. The overlay comes last."""
        gpu, snapshot, world = self._current_scene, frame.snapshot, frame.target
        pictured, pictured_movers = gpu.pictured, gpu.movers.pictured if gpu.movers.is_shown else None
        see_through = [one.draw_blended for one in (pictured, pictured_movers) if one is not None]
        world.use()
        world.viewport = (0, 0, *world.size)
        world.scissor = None
        world.depth_mask = True
        world.color_mask = True, True, True, True
        self._reversed_depth.begin()
        try:
            world.clear(depth=0.0)
            frame.bind_textures()
            gpu.level_pass.draw_depth(frame)
            if pictured is not None:
                pictured.draw_depth()
            gpu.level_pass.draw(frame)
            if pictured is not None:
                pictured.draw(frame)
            for one in gpu.opaque:
                one.draw(frame)
            self._decal_pass.draw(frame, (*gpu.scene_data.scene.decals, *snapshot.decals))
            self._sky_pass.draw(frame)
            self._ball_pass.draw(frame)
            self._ellipsoid_pass.draw(frame)
            if frame.is_eye_in_water:  # pictures above the water are then behind its surface, otherwise in front of it
                for draw in see_through:
                    draw(frame)
            for one in gpu.translucent:
                one.draw(frame)
            if not frame.is_eye_in_water:
                for draw in see_through:
                    draw(frame)
            gpu.spray.draw(frame)
            self._particle_pass.draw(frame)
            gpu.water_line.draw(frame)
            self._overlay_pass.draw(frame)
        finally:
            world.depth_mask = True
            self._reversed_depth.end()

    def rebuild(self) -> tuple[ShaderDiagnostic, ...]:
        """Reload the shaders, and redraw the shadow map and the surface textures if theirs changed.

        The baked lightmap is kept: its shaders take effect in a new Renderer. When any shader fails, all programs stay
        as they were. Returns the diagnostics of the failures.
        """
        rebuilt = self.programs.rebuild()
        if rebuilt:
            self._discard_next()
            changed_files = {key.fragment for key in rebuilt} | {key.vertex for key in rebuilt}
            for render_pass in (*self._passes, self._current_scene):
                render_pass.rebuild()
            if "shadow_map/shadow_map.vert.glsl" in changed_files:
                self._current_scene.draw_shadow_map()
            self._dynamic_shadows.invalidate()
            changed_surfaces = tuple(
                name for name in self._surfaces.generated if f"surfaces/{name}.glsl" in changed_files
            )
            if changed_surfaces:
                self._surfaces.generate(changed_surfaces)
                self._surfaces.build_mipmaps()
        return self.programs.diagnostics

    def image(self) -> npt.NDArray[np.uint8]:
        """Last frame as (height, width, 3) sRGB bytes, top row first. Raises ValueError before the first frame."""
        if self._targets is None:
            raise ValueError("nothing has been rendered yet")
        return read_image(self._targets.picture)

    def release(self) -> None:
        self._discard_next()
        release_resources(
            self._targets, *self._passes, self._surfaces, self._current, self.pictures, *self._shadow_maps,
            self._dynamic_shadows, self._frame_block, self.programs,
        )  # fmt: skip
        self._targets = None
