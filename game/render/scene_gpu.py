"""GPU side of a level: vertex buffer, shadow map, lightmap and passes, loaded in small steps between frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.vectors import Floats
from .camera import Camera
from .gl.context import release_resources
from .gl.quality import lamp_defines
from .gl.render_pass import PassContext, RenderPass
from .materials.picture_textures import PictureTextures
from .materials.pictured_mesh import LIGHTMAPPED_VERTEX
from .nature.leaf_cards import leaf_picture
from .passes.decals import SignPass
from .passes.level import LevelPass, MoverPass
from .passes.markers import GoalPass, GolfFlagPass, MarkerPass
from .passes.nature import BirdPass, LeafPass, ParticlePass, TuftPass
from .passes.pictured import PicturedPass
from .passes.shadows import LampShadows, SunShadowMap
from .passes.zones import WaterLinePass, ZonePass, has_water
from .scene.lamps import LAMP_DEFINES, SceneLamps
from .scene.light_bake import LightBaker
from .scene.lightmap import LightmapCache
from .scene.scene_data import SceneData
from .scene.sun_map import NEAR_AHEAD, NEAR_LEAST, ShadowProjection
from .scene.surface_textures import SurfaceTextures

SHADOW_MAP_BANDS = 2  # steps in which a shadow map is drawn during loading; one takes 5 to 12 ms on two CPU cores
RAYS_PER_STEP = 8  # rays per lightmap texel in one loading step

# What draws a frame of the world
DrawingPass = LeafPass | MoverPass | SignPass | GolfFlagPass | BirdPass | GoalPass | MarkerPass | ZonePass


@dataclass(frozen=True, slots=True)
class SharedResources:
    """Resources that are kept from level to level and needed to load one."""

    context: PassContext
    surfaces: SurfaceTextures
    lightmap_cache: LightmapCache | None
    pictures: PictureTextures


class SceneGpu:
    """GPU resources of one level, and its passes in the order in which they draw.

    The constructor makes what takes little time; `load_steps` does the rest beside the level on screen.
    """

    def __init__(self, shared: SharedResources, scene_data: SceneData, shadow_map: SunShadowMap) -> None:
        self.shared, self.scene_data, self.shadow_map = shared, scene_data, shadow_map
        self._owned: list[Any] = []
        data, scene, quality, ctx = scene_data, scene_data.scene, scene_data.quality, shared.context.ctx
        self._shadow_projection = data.shadow_projection
        # Shaders of a level without a near shadow map have no code for it.
        has_near_shadow = quality.near_shadow and data.shadow_projection.map_width > NEAR_LEAST
        context = replace(shared.context, quality=replace(quality, near_shadow=has_near_shadow))
        shadow_map.set_near(has_near_shadow)
        self.light_baker: LightBaker = self._own(
            LightBaker(ctx, data.lightmap, quality, shared.context.programs, shadow_map.texture, shared.lightmap_cache)
        )
        self.lamps = SceneLamps(scene) if scene.lamps and scene.movers else None
        lamp_count = 0 if self.lamps is None else self.lamps.moving_count
        self.lamp_shadows: LampShadows | None = None
        if self.lamps is not None and lamp_count and quality.lamp_shadow_size:
            self.lamp_shadows = self._own(
                LampShadows(ctx, self.lamps, quality.lamp_shadow_size, shared.context.programs)
            )
        vertices = self._own(ctx.buffer(data.vertices.tobytes() or bytes(LIGHTMAPPED_VERTEX.itemsize)))
        has_pool = has_water(scene.zones)
        self.level_pass: LevelPass = self._own(
            LevelPass(context, vertices, data.closed_vertex_count, lamp_count, has_pool)
        )

        # Triangles with pictures: the pictures are loaded later
        shared.pictures.require(data.picture_keys)
        surfaces = [(surface.colour, surface.pbr) for surface in scene.surfaces]
        self.pictured: PicturedPass | None = None
        if (mesh := data.pictured) is not None:
            defines = lamp_defines(lamp_count, quality.lamp_shadow_size)
            self.pictured = self._own(PicturedPass(context, mesh, surfaces, shared.pictures, defines))
        pictured_movers = None
        if (mesh := data.movers.pictured) is not None:
            defines = {"MOVER": 1, **({} if self.lamps is None else LAMP_DEFINES)}
            pictured_movers = PicturedPass(context, mesh, surfaces, shared.pictures, defines)

        level_top = (scene.solid_bounds or scene.bounds())[1][1]
        self.movers = MoverPass(context, scene.movers, data.movers, pictured_movers, self.lamps)
        self.opaque: list[DrawingPass] = [
            *([LeafPass(context, data.leaf_cards, leaf_picture())] if len(data.leaf_cards) else []),
            *([] if data.tufts is None else [TuftPass(context, data.tufts)]),
            self.movers,
            SignPass(context, data.sign_text, scene.movers, scene.signs),
            GolfFlagPass(context, scene.flags),
            BirdPass(context, level_top, data.daylight.sunlight, data.daylight.stars),
        ]
        self.translucent: list[DrawingPass] = [
            *([] if scene.goal is None else [GoalPass(context, scene.goal)]),
            MarkerPass(context, scene),
            ZonePass(context, scene),
        ]
        self.spray = ParticlePass(context, data.spray)
        self.water_line = WaterLinePass(context)
        self._owned += [*self.opaque, *self.translucent, self.spray, self.water_line]

    def load_steps(self, bake: bool, bands: int = SHADOW_MAP_BANDS) -> Iterator[None]:
        """Iterator of loading steps. bake: bake the lightmap as part of loading."""
        surfaces = self.shared.surfaces
        missing = surfaces.missing_textures(self.scene_data.textures)
        for name in missing:
            yield
            surfaces.generate((name,))
        if missing:
            yield
            surfaces.build_mipmaps()
        yield from self.level_pass.compile_steps()
        if self.pictured is not None:
            yield from self.pictured.compile_steps()
        yield from self.shadow_map.draw_in_bands(self._cast_shadow, self.scene_data.shadow_projection, bands)
        if bake:
            self.set_mean_colours()
            while self.light_baker.trace_rays(RAYS_PER_STEP) < 1.0:
                yield

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
        self.level_pass.draw_shadow(world_to_light_clip)
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
