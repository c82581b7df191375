"""Everything that a level brings to a picture, as plain data: made without GL, off the frame loop, in any process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..gl.programs import default_folder
from ..gl.quality import Quality, quality_named
from .daylight import Daylight, compute_daylight
from .lightmap import Lightmap, prepare_lightmap
from .lightmap_cache import LightmapCache, content_key
from .lightmap_reuse import LitScene, reuse_lightmap, triangle_keys
from .mover_meshes import mover_vertices
from .render_mesh import Floats, RenderMesh
from .scene import Scene
from .sign_text import SignText, build_sign_text
from .sun_map import SunProjection, fit_sun_projection
from .vertex_buffer import pack_level_vertices

MAX_PATCH_AREA = 0.25  # part of the sun's map beyond which it is drawn anew, in bands, and not mended in its place


@dataclass(frozen=True, slots=True)
class SunMapPatch:
    """How the sun's map of another level becomes this one's: nothing differs outside `box` (least x and y, greatest;
    0..1 in the map). `of` is that other Prepared's `shape`."""

    base_shape: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SceneData:
    """A scene, ready to be shown at one quality. `shape` tells what its sun's map shows; `settled`: its light is all
    that can be had without gathering, not an estimate from another level's."""

    scene: Scene
    quality: Quality
    daylight: Daylight
    sun_fit: SunProjection
    vertices: npt.NDArray[np.uint8]
    closed_vertex_count: int  # of the vertices: so many come first whose backs need not be drawn
    textures: tuple[str, ...]
    lightmap: Lightmap
    sign_text: SignText
    sun_map_key: str
    mover_meshes: tuple[npt.NDArray[np.float32], ...] = ()  # each mover's corners: see moving.py
    sun_map_patch: SunMapPatch | None = None
    has_final_light: bool = True


def build_scene_data(
    scene: Scene,
    quality: str | Quality,
    *,
    cache: LightmapCache | None = None,
    shaders: Path | None = None,
    walk: bool = True,
) -> SceneData:
    """A scene by itself; with what gathering its light needs, if `walk`."""
    quality = quality_named(quality) if isinstance(quality, str) else quality
    model, light = RenderMesh.from_scene(scene), compute_daylight(scene.sky)
    found = prepare_lightmap(model, light, quality, shaders or default_folder(), cache, walk, scene.lamps)
    return _assemble(scene, quality, model, light, found)


class SceneBuilder:
    """Prepares one version of a level after another, and lets each have what it can of the light of those before.

    `cache` as of `build_scene_data`.
    """

    def __init__(self, quality: str | Quality, cache: LightmapCache | None = None, shaders: Path | None = None) -> None:
        self.quality = quality_named(quality) if isinstance(quality, str) else quality
        self.cache = cache
        self.shaders = shaders or default_folder()
        self._lit_scene: LitScene | None = None
        self._pending_bake: tuple[RenderMesh, Daylight, str] | None = None  # what somebody gathers the light of
        self._last: tuple[RenderMesh, SceneData] | None = None

    def build_fast(self, scene: Scene) -> SceneData:
        """The scene with the light that is known of it, and an estimate of the rest; as `settled` where nothing is."""
        if self._lit_scene is None:
            return self.build_final(scene, walk=False)
        self._load_finished_bake()
        model, light = RenderMesh.from_scene(scene), compute_daylight(scene.sky)
        found = reuse_lightmap(self._lit_scene, model, light, self.quality)
        return self._with_sun_map_patch(scene, model, light, found, False)

    def build_final(self, scene: Scene, walk: bool = True) -> SceneData:
        """The scene with its light from the cache, or an open sky's and, if `walk`, what gathering it needs; gathered
        light is what later versions are lit by."""
        model, light = RenderMesh.from_scene(scene), compute_daylight(scene.sky)
        found = prepare_lightmap(model, light, self.quality, self.shaders, self.cache, walk, scene.lamps)
        if found.is_baked or self._lit_scene is None:
            self._lit_scene = LitScene(model, light, found)
        self._pending_bake = None if found.is_baked else (model, light, found.cache_key)
        return self._with_sun_map_patch(scene, model, light, found, True)

    def _load_finished_bake(self) -> None:
        """Know the light that somebody else has gathered and left in the cache."""
        if self._pending_bake is None or self.cache is None:
            return
        model, light, name = self._pending_bake
        kept = self.cache.get(name, self.quality.light_size, len(model.triangles))
        if kept is not None:
            self._lit_scene, self._pending_bake = LitScene(model, light, Lightmap(*kept, name, is_baked=True)), None

    def precompute(self) -> None:
        """Do what the next version will need, while there is time."""
        self._load_finished_bake()
        if self._lit_scene is not None:
            _ = (
                self._lit_scene.light_samples,
                self._lit_scene.coplanar_triangles(np.zeros(3, np.float32), np.zeros(3, np.float32)),
            )

    def _with_sun_map_patch(
        self, scene: Scene, model: RenderMesh, light: Daylight, found: Lightmap, settled: bool
    ) -> SceneData:
        made, last = _assemble(scene, self.quality, model, light, found), self._last
        mend = None
        if last is not None and np.array_equal(last[1].sun_fit.world_to_map, made.sun_fit.world_to_map):
            mend = SunMapPatch(
                last[1].sun_map_key, changed_sun_map_box(last[0].triangles, model.triangles, made.sun_fit)
            )
        self._last = (model, made)
        return replace(made, sun_map_patch=mend, has_final_light=settled)


def _assemble(scene: Scene, quality: Quality, model: RenderMesh, light: Daylight, found: Lightmap) -> SceneData:
    fit = fit_sun_projection(model.triangles, light.to_sun)
    rows, words = pack_level_vertices(model, found.corner_uv), build_sign_text(scene.signs)
    shape = content_key(model.triangles, fit.world_to_map)
    moving = [mover_vertices(scene, k) for k in range(len(scene.movers))]
    textures = tuple(dict.fromkeys((*model.textures, *(name for _, names in moving for name in names))))
    corners = tuple(one for one, _ in moving)
    closed = 3 * int(np.count_nonzero(model.closed))
    return SceneData(scene, quality, light, fit, rows, closed, textures, found, words, shape, corners)


def changed_sun_map_box(before: Floats, after: Floats, fit: SunProjection) -> tuple[float, float, float, float]:
    """The box in the sun's map, 0..1, outside which these triangles (N, 3, 3) and (M, 3, 3) look the same."""
    shorter = min(len(before), len(after))
    alike = (before[:shorter] == after[:shorter]).all(axis=(1, 2))
    first = shorter if alike.all() else int(alike.argmin())  # most of a level stays, before and after what is changed
    before, after = before[first:], after[first:]
    old, new = triangle_keys(before), triangle_keys(after)
    gone, come = set(old), set(new)
    changed = [before[[k for k, name in enumerate(old) if name not in come]]]
    changed.append(after[[k for k, name in enumerate(new) if name not in gone]])
    corners = np.concatenate(changed).reshape(-1, 3)
    if not len(corners):
        return (0.0, 0.0, 0.0, 0.0)
    spots = np.column_stack((corners, np.ones(len(corners)))) @ fit.world_to_map
    low, high = spots[:, :2].min(axis=0), spots[:, :2].max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
