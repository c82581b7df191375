"""GPU side of a level: vertex buffer, shadow map, lightmap and passes, loaded in small steps between frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.vectors import Floats, Ints
from .camera import Camera
from .gl.context import draw_culling_closed, release_resources
from .gl.programs import set_uniforms
from .gl.quality import lamp_defines
from .gl.render_pass import PassContext, RenderPass
from .materials.picture_decoder import Bytes
from .materials.picture_textures import PictureTextures
from .materials.pictured_mesh import PICTURED_VERTEX, TriangleOrder
from .passes.decals import SignPass
from .passes.markers import GoalPass, GolfFlagPass, MarkerPass
from .passes.movers import MoverPass
from .passes.nature import BirdPass, LeafPass, ParticlePass, TuftPass
from .passes.pictured import PicturedPass
from .passes.shadows import LampShadows, SunShadowMap
from .passes.zones import WaterLinePass, ZonePass
from .scene.light_bake import LightBaker
from .scene.lightmap import LightmapCache
from .scene.mover_lamps import SceneLamps
from .scene.scene_data import LEVEL_VERTEX, POSITION_FORMAT, SceneData
from .scene.sun_map import NEAR_AHEAD, NEAR_LEAST, ShadowProjection
from .scene.surface_textures import SurfaceTextures

SHADOW_MAP_BANDS = 2  # steps in which a shadow map is drawn during loading; one takes 5 to 12 ms on two CPU cores
RAYS_PER_STEP = 8  # rays per lightmap texel in one loading step


@dataclass(frozen=True, slots=True)
class SharedResources:
    """Resources that are kept from level to level and needed to load one."""

    context: PassContext
    surfaces: SurfaceTextures
    lightmap_cache: LightmapCache | None
    pictures: PictureTextures


class SceneGpu:
    """GPU resources of one level. `load_steps` loads it beside the level on screen."""

    def __init__(self, shared: SharedResources, scene_data: SceneData, shadow_map: SunShadowMap) -> None:
        self.shared, self.scene_data, self.shadow_map = shared, scene_data, shadow_map
        is_wide = scene_data.shadow_projection.map_width > NEAR_LEAST
        # Of the passes: shaders of a level without a near shadow map have no code for it.
        self.quality = replace(scene_data.quality, near_shadow=scene_data.quality.near_shadow and is_wide)
        self._context = replace(shared.context, quality=self.quality)
        self._owned: list[Any] = []
        self.vertices: Any = None
        self.light_baker: LightBaker
        self.signs: SignPass
        self.goal: GoalPass | None = None
        self.markers: MarkerPass
        self.flags: GolfFlagPass
        self.zones: ZonePass
        self.water_line: WaterLinePass
        self.movers: MoverPass
        self.leaves: LeafPass
        self.tufts: TuftPass | None = None
        self.birds: BirdPass
        self.spray: ParticlePass
        self.pictured: PicturedPass | None = None
        self.lamps: SceneLamps | None = None  # of a scene with lamps and movers
        self.lamp_shadows: LampShadows | None = None  # of lamps that movers carry
        self._shadow_projection = scene_data.shadow_projection

    def load_steps(self, bake: bool, bands: int = SHADOW_MAP_BANDS) -> Iterator[None]:
        """Iterator of loading steps. bake: bake the lightmap as part of loading."""
        ctx, programs, data = self.shared.context.ctx, self.shared.context.programs, self.scene_data
        context = self._context
        self.shadow_map.set_near(self.quality.near_shadow)
        self.vertices = self._own(ctx.buffer(data.vertices.tobytes() or bytes(LEVEL_VERTEX.itemsize)))
        self.light_baker = self._own(
            LightBaker(ctx, data.lightmap, data.quality, programs, self.shadow_map.texture, self.shared.lightmap_cache)
        )
        self.signs = self._own(SignPass(context, data.sign_text, data.scene.movers, data.scene.signs))
        if data.scene.goal is not None:
            self.goal = self._own(GoalPass(context, data.scene.goal))
        self.markers = self._own(MarkerPass(context, data.scene))
        self.flags = self._own(GolfFlagPass(context, data.scene.flags))
        self.leaves = self._own(LeafPass(context, data.leaf_cards))
        if data.tufts is not None:
            self.tufts = self._own(TuftPass(context, data.tufts))
        solid_bounds = data.scene.solid_bounds or data.scene.bounds()
        self.birds = self._own(BirdPass(context, solid_bounds[1][1], data.daylight.sunlight, data.daylight.stars))
        self.spray = self._own(ParticlePass(context, data.spray))
        self.zones = self._own(ZonePass(context, data.scene))
        self.water_line = self._own(WaterLinePass(context))
        if data.scene.lamps and data.scene.movers:
            self.lamps = SceneLamps(data.scene)
            size = data.quality.lamp_shadow_size
            if self.lamps.moving_count and size:
                self.lamp_shadows = self._own(LampShadows(ctx, self.lamps, size, programs))
        self._create_pictured_passes()
        surfaces = self.shared.surfaces
        missing = surfaces.missing_textures(data.textures)
        for name in missing:
            yield
            surfaces.generate((name,))
        if missing:
            yield
            surfaces.build_mipmaps()
        if self.pictured is not None:
            for _ in self.pictured.compile_steps():
                yield
        yield from self.shadow_map.draw_in_bands(self._cast_shadow, data.shadow_projection, bands)
        if bake:
            self.set_mean_colours()
            while self.light_baker.trace_rays(RAYS_PER_STEP) < 1.0:
                yield

    def _create_pictured_passes(self) -> None:
        """Create the passes of triangles with pictures, and of movers. The pictures are loaded later."""
        data = self.scene_data
        shared = self.shared
        shared.pictures.require(data.picture_keys)
        surfaces = [(surface.colour, surface.pbr) for surface in data.scene.surfaces]

        lamp_count = 0 if self.lamps is None else self.lamps.moving_count
        for_level: dict[str, object] = lamp_defines(lamp_count, data.quality.lamp_shadow_size)
        for_movers: dict[str, object] = {"MOVER": 1} if self.lamps is None else {"MOVER": 1, "LAMPS": 1}

        def create(
            vertices: Bytes, order: TriangleOrder, blended: tuple[Ints, Floats], defines: dict[str, object]
        ) -> PicturedPass:
            return PicturedPass(self._context, vertices, order, blended, surfaces, shared.pictures, defines)

        if (mesh := data.pictured) is not None:
            blended = mesh.blended_surfaces, mesh.blended_centres
            self.pictured = self._own(create(mesh.vertices, mesh.order, blended, for_level))
        pictured_movers = None
        if (movers := data.pictured_movers) is not None:
            blended = movers.blended_surfaces, np.zeros((len(movers.blended_surfaces), 3))
            empty = np.zeros(len(movers.vertices) * PICTURED_VERTEX.itemsize, np.uint8)
            pictured_movers = create(empty, movers.order, blended, for_movers), movers
        self.movers = self._own(MoverPass(self._context, data.mover_meshes, pictured_movers, self.lamps))

    def set_mean_colours(self) -> None:
        """Let the light bake reflect the mean colours of the pictures that are loaded."""
        if self.pictured is not None:
            self.light_baker.set_mean_colours(self.pictured.mean_colours)

    def update_pictures(self) -> None:
        """Use the pictures that are there now; light falls through their holes once all of them are loaded."""
        if self.pictured is not None and self.shared.pictures.is_complete and self.pictured.update_pictures():
            self.draw_shadow_map(self._shadow_projection)

    def _own(self, resource: Any) -> Any:
        self._owned.append(resource)
        return resource

    def rebuild(self) -> None:
        """Let the passes use the current programs."""
        for one in self._owned:
            if isinstance(one, RenderPass):
                one.rebuild()

    def draw_shadow_map(self, fit: ShadowProjection | None = None) -> None:
        """Redraw the whole shadow map, for another place of the sun where `fit` is given."""
        self._shadow_projection = fit or self.scene_data.shadow_projection
        for _ in self.shadow_map.draw_in_bands(self._cast_shadow, self._shadow_projection, 1):
            pass

    def _cast_shadow(self, world_to_light_clip: Any) -> None:
        """Draw the level into a shadow map; of what bounds solids only front faces."""
        ctx, programs = self.shared.context.ctx, self.shared.context.programs
        program = programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        set_uniforms(program, world_to_light_clip=world_to_light_clip)
        array = ctx.vertex_array(program, [(self.vertices, POSITION_FORMAT, "in_position")])
        draw_culling_closed(ctx, array, self.scene_data.closed_vertex_count)
        array.release()
        if self.pictured is not None:
            self.pictured.draw_shadow(world_to_light_clip)

    def draw_near_shadow(self, view: Camera) -> tuple[ShadowProjection, int, Floats | None]:
        """Draw the near shadow map where the view needs it. Returns the arguments of FrameBlock.write_near_shadow."""
        fit, shadow_map = self._shadow_projection, self.shadow_map
        focus = np.asarray(view.eye) + NEAR_AHEAD * view.basis()[2]
        shadow_map.draw_near(self._cast_shadow, fit, focus)
        return fit, shadow_map.size, shadow_map.near_offset

    def release(self) -> None:
        """Release all resources except the shadow map, which the Renderer owns."""
        release_resources(*self._owned)
        self._owned = []
