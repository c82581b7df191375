"""What a level brings to the driver: buffers, textures, its sun map. Made in small steps beside the running picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .gl.programs import ShaderCache
from .passes.goal import GoalPass
from .passes.golf_flags import GolfFlagPass
from .passes.markers import MarkerPass
from .passes.movers import MoverPass
from .passes.shadows import SunShadowMap
from .passes.signs import SignPass
from .passes.zones import ZonePass
from .scene.light_bake import LightBaker
from .scene.lightmap_cache import LightmapCache
from .scene.scene_data import MAX_PATCH_AREA, SceneData
from .scene.surface_textures import SurfaceTextures
from .scene.vertex_buffer import LEVEL_VERTEX, POSITION_FORMAT

SUN_MAP_BANDS = 2  # of a sun map that is drawn beside the running picture: a half costs two processors some 5 to 12 ms
RAYS_PER_STEP = 8  # of inner light sent in a step


@dataclass(frozen=True, slots=True)
class SharedResources:
    """What stays from level to level and is needed to load one."""

    ctx: Any
    programs: ShaderCache
    surfaces: SurfaceTextures
    has_depth: bool
    lightmap_cache: LightmapCache | None


class SceneGpu:
    """A level on the driver's side. After all `steps` and then `finish` it can be drawn; until `finish` nothing of the
    level that is shown has changed."""

    def __init__(self, lasting: SharedResources, prepared: SceneData, sun_map: SunShadowMap) -> None:
        self.shared, self.scene_data, self.sun_map = lasting, prepared, sun_map
        self._patches_sun_map = False
        self._owned: list[Any] = []
        self.vertices: Any = None
        self.light_baker: LightBaker
        self.signs: SignPass
        self.goal: GoalPass | None = None
        self.markers: MarkerPass
        self.flags: GolfFlagPass
        self.zones: ZonePass
        self.movers: MoverPass

    def load_steps(self, shown: SceneGpu | None, gather: bool, bands: int = SUN_MAP_BANDS) -> Iterator[None]:
        """`shown`: the level that is drawn now; with `gather` the inner light is gathered before this one is shown."""
        ctx, programs, prepared = self.shared.ctx, self.shared.programs, self.scene_data
        self.vertices = self._track(ctx.buffer(prepared.vertices.tobytes() or bytes(LEVEL_VERTEX.itemsize)))
        self.light_baker = self._track(
            LightBaker(
                ctx, prepared.lightmap, prepared.quality, programs, self.sun_map.texture, self.shared.lightmap_cache
            )
        )
        self.signs = self._track(SignPass(ctx, prepared.sign_text, programs, self.shared.has_depth))
        if prepared.scene.goal is not None:
            self.goal = self._track(GoalPass(ctx, prepared.scene.goal, programs, self.shared.has_depth))
        self.markers = self._track(MarkerPass(ctx, prepared.scene, programs, self.shared.has_depth))
        self.flags = self._track(GolfFlagPass(ctx, prepared.scene.flags, programs, self.shared.has_depth))
        self.zones = self._track(ZonePass(ctx, prepared.scene, programs, self.shared.has_depth))
        self.movers = self._track(
            MoverPass(ctx, prepared.mover_meshes, prepared.quality, programs, self.shared.has_depth)
        )
        surfaces = self.shared.surfaces
        missing = surfaces.missing_textures(prepared.textures)
        for name in missing:
            yield
            surfaces.generate((name,))
        if missing:
            yield
            surfaces.build_mipmaps()
        self._patches_sun_map = shown is not None and shown.sun_map is self.sun_map
        if not self._patches_sun_map:
            for _ in self.sun_map.draw_in_bands(
                self.vertices, POSITION_FORMAT, prepared.closed_vertex_count, prepared.sun_fit, bands
            ):
                yield
        if gather:
            while self.light_baker.trace_rays(RAYS_PER_STEP) < 1.0:
                yield

    def take_over_sun_map(self) -> None:
        """Take the shown level's sun map over, where it was lent."""
        ready = self.scene_data
        if self._patches_sun_map and ready.sun_map_patch is not None:
            self.sun_map.redraw_region(
                self.vertices, POSITION_FORMAT, ready.closed_vertex_count, ready.sun_fit, ready.sun_map_patch.box
            )
        self._patches_sun_map = False

    def _track(self, part: Any) -> Any:
        self._owned.append(part)
        return part

    def rebuild(self) -> None:
        """Use the present programs."""
        self.signs.rebuild()
        self.markers.rebuild()
        self.flags.rebuild()
        self.zones.rebuild()
        self.movers.rebuild()
        if self.goal is not None:
            self.goal.rebuild()

    def draw_sun_map(self) -> None:
        """Draw the sun map anew."""
        self.sun_map.draw(self.vertices, POSITION_FORMAT, self.scene_data.closed_vertex_count, self.scene_data.sun_fit)

    def release(self) -> None:
        """Give everything back but the sun map, which is lent."""
        for part in self._owned:
            part.release()
        self._owned = []


def can_patch_sun_map(prepared: SceneData, shown: SceneData) -> bool:
    """Whether a shown level's sun map becomes this one's by drawing a small part of it."""
    mend = prepared.sun_map_patch
    if mend is None or mend.base_shape != shown.sun_map_key or prepared.quality != shown.quality:
        return False
    x0, y0, x1, y1 = (min(max(edge, 0.0), 1.0) for edge in mend.box)
    return (x1 - x0) * (y1 - y0) <= MAX_PATCH_AREA
