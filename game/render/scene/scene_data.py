"""Scene data: everything the renderer needs of a level as plain arrays. No GL, so that it can be built in another
process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ..gl.programs import SHADER_CONSTANTS, default_folder
from ..gl.quality import Quality, quality_named
from ..materials.material_features import texture_keys
from ..materials.picture_decoder import TextureKey
from ..materials.pictured_mesh import LIGHTMAPPED_VERTEX, PicturedMesh, pack_pictured
from ..nature.leaf_cards import LEAF_CARD, LeafCards, scatter_leaf_cards
from ..nature.particles import Particles, no_particles, spray_particles
from ..nature.tufts import TuftField
from .daylight import Daylight, compute_daylight
from .lightmap import Lightmap, LightmapCache, load_lightmap, prepare_lightmap
from .lightmap_reuse import LitScene, reuse_lightmap
from .mover_meshes import MoverMeshes, mover_meshes
from .render_mesh import TEXTURES, RenderMesh
from .scene import Scene
from .sign_text import SignText, build_sign_text
from .sun_map import ShadowProjection, fit_shadow_map
from .surface_textures import TILE_SIZES

PLANE_TONE = 0.05  # of the colour: largest change by the plane of a face
MAX_FLOW_SPEED = SHADER_CONSTANTS["MAX_FLOW_SPEED"]


@dataclass(frozen=True, slots=True, eq=False)
class SceneData:
    """A scene prepared for one quality."""

    scene: Scene
    quality: Quality
    daylight: Daylight
    shadow_projection: ShadowProjection
    vertices: npt.NDArray[np.uint8]
    closed_vertex_count: int  # leading vertices, of faces that bound solids: drawn with back-face culling
    textures: tuple[str, ...]
    lightmap: Lightmap
    sign_text: SignText
    movers: MoverMeshes
    pictured: PicturedMesh | None = None  # triangles with pictures, which `vertices` lacks
    tufts: TuftField | None = None
    spray: Particles = field(default_factory=no_particles)
    leaf_cards: LeafCards = field(default_factory=lambda: np.zeros(0, LEAF_CARD))

    @property
    def picture_keys(self) -> tuple[TextureKey, ...]:
        """Textures of the pictures that are drawn at this quality."""
        drawn = [mesh.order.surfaces for mesh in (self.pictured, self.movers.pictured) if mesh is not None]
        materials = [self.scene.surfaces[surface].pbr for surfaces in drawn for surface in surfaces]
        return texture_keys([one for one in materials if one is not None], self.quality.relief)


def build_scene_data(
    scene: Scene,
    quality: str | Quality,
    *,
    cache: LightmapCache | None = None,
    shaders: Path | None = None,
    bakes: bool = True,
) -> SceneData:
    """Prepare a single scene. bakes: include the input of the light bake. shaders: folder; None: the usual one."""
    return SceneBuilder(quality, cache, shaders).build_final(scene, bakes)


class SceneBuilder:
    """Prepares successive versions of a level and reuses the baked light of earlier ones.

    cache, shaders: see build_scene_data.
    """

    def __init__(self, quality: str | Quality, cache: LightmapCache | None = None, shaders: Path | None = None) -> None:
        self.quality = quality_named(quality) if isinstance(quality, str) else quality
        self.cache, self._shaders = cache, shaders or default_folder()
        self._lit_scene: LitScene | None = None
        self._pending_bake: tuple[RenderMesh, Daylight, str] | None = None  # and cache key, of a bake in progress

    def build_fast(self, scene: Scene) -> SceneData:
        """Scene with reused light, estimated where geometry is new. Final light when no version was built before."""
        if self._lit_scene is None:
            return self.build_final(scene, bakes=False)
        self._load_finished_bake()
        mesh = RenderMesh.from_scene(scene)
        daylight = compute_daylight(scene.sky)
        lightmap = reuse_lightmap(self._lit_scene, mesh, daylight, self.quality)
        return _assemble(scene, self.quality, mesh, daylight, lightmap)

    def build_final(self, scene: Scene, bakes: bool = True) -> SceneData:
        """Scene with its lightmap from the cache, or open-sky light and, with `bakes`, the input of the bake.

        Later calls of build_fast reuse a baked lightmap.
        """
        mesh = RenderMesh.from_scene(scene)
        daylight = compute_daylight(scene.sky)
        lightmap = prepare_lightmap(mesh, daylight, self.quality, self._shaders, self.cache, bakes, scene.static_lamps)
        if lightmap.is_baked or self._lit_scene is None:
            self._lit_scene = LitScene(mesh, daylight, lightmap)
        self._pending_bake = None if lightmap.is_baked else (mesh, daylight, lightmap.cache_key)
        return _assemble(scene, self.quality, mesh, daylight, lightmap)

    def _load_finished_bake(self) -> None:
        """Load the pending lightmap if another process has baked it into the cache."""
        if self._pending_bake is None or self.cache is None:
            return
        mesh, daylight, key = self._pending_bake
        lightmap = load_lightmap(self.cache, key, self.quality, len(mesh.triangles))
        if lightmap is not None:
            self._lit_scene = LitScene(mesh, daylight, lightmap)
            self._pending_bake = None

    def precompute(self) -> None:
        """Build the lookup tables of the next build_fast ahead of time."""
        self._load_finished_bake()
        if self._lit_scene is not None:
            self._lit_scene.build_tables()


def _assemble(scene: Scene, quality: Quality, mesh: RenderMesh, daylight: Daylight, lightmap: Lightmap) -> SceneData:
    fit = fit_shadow_map(mesh.triangles, daylight.to_sun, mesh.solid_bounds)
    textured = mesh
    lightmap_uv = lightmap.corner_uv
    pictured = None
    if mesh.pictured is not None:
        has_picture = mesh.pictured.has_picture
        part = mesh.subset(has_picture)
        textured = mesh.subset(~has_picture)
        lightmap_uv = lightmap_uv[~has_picture]
        assert part.pictured is not None
        pictured = pack_pictured(
            part.triangles, part.pictured, part.tangents, part.normals, lightmap.corner_uv[has_picture], part.closed
        )
    tones = np.ones(len(textured.triangles)) if quality.relief else plane_tones(textured)
    vertices = pack_level_vertices(textured, lightmap_uv, tones)
    movers = mover_meshes(scene)
    is_leafy = (mesh.texture_layers == TEXTURES.index("leaves")) & ~mesh.smooth
    is_lawn = mesh.texture_layers == TEXTURES.index("grass")
    has_tufts = quality.tufts and not scene.flags and bool(is_lawn.any())  # the grass of a golf course is mown
    closed_count = 3 * int(np.count_nonzero(textured.closed))
    return SceneData(
        scene,
        quality,
        daylight,
        fit,
        vertices,
        closed_count,
        tuple(dict.fromkeys((*mesh.textures, *movers.textures))),
        lightmap,
        build_sign_text(scene.signs),
        movers,
        pictured=pictured,
        spray=spray_particles(scene.triangles, np.array([s.spray for s in scene.surfaces])[scene.surface_index]),
        tufts=TuftField(mesh.triangles, mesh.normals, mesh.colours, is_lawn, lightmap.corner_uv) if has_tufts else None,
        leaf_cards=scatter_leaf_cards(
            mesh.triangles, mesh.normals, mesh.colours, is_leafy, lightmap.corner_uv, quality.leaf_cards
        ),
    )


def plane_tones(mesh: RenderMesh) -> Floats:
    """Factor (N,) of the sRGB colour of each triangle, by its plane, where that faces along an axis.

    Without relief and with a coarse lightmap, the steps of stairs in the shade would have one colour.
    """
    axis = np.abs(mesh.normals).argmax(axis=1)
    planes = 3 * np.rint(100.0 * mesh.triangles[np.arange(len(axis)), 0, axis]).astype(np.int64) + axis
    tones = np.random.default_rng(11).uniform(1.0 - PLANE_TONE, 1.0 + PLANE_TONE, 4096)[planes % 4096]
    return np.where(np.abs(mesh.normals).max(axis=1) > 0.999, tones, 1.0)


def pack_level_vertices(mesh: RenderMesh, lightmap_uv: Floats, tones: Floats) -> npt.NDArray[np.uint8]:
    """Bytes of the level's vertex buffer, three vertices per triangle; triangles that bound solids come first.

    tones: (N,) factors of the colours.
    """
    rows = np.zeros((len(mesh.triangles), 3), LIGHTMAPPED_VERTEX)
    rows["in_position"] = mesh.triangles
    rows["in_normal"][..., :3] = np.rint(mesh.corner_normals * 127)
    rows["in_tangent"][..., :3] = np.rint(mesh.tangents * 127)[:, None]
    tile_sizes = np.array([TILE_SIZES[name] for name in TEXTURES])[mesh.texture_layers]
    rows["in_tangent"][..., 3] = np.rint(
        127 * np.sqrt(np.minimum(mesh.flow_speeds / tile_sizes / MAX_FLOW_SPEED, 1.0))
    )[:, None]
    # Subtract whole tiles per triangle: keeps float32 precision far from the origin.
    tile_coordinates = mesh.texture_coordinates / tile_sizes[:, None, None]
    rows["in_uv"] = tile_coordinates - np.floor(tile_coordinates[:, :1])
    largest_coordinate = np.abs(rows["in_uv"]).max(axis=(1, 2), initial=0.0)
    rows["in_normal"][..., 3] = np.clip(np.ceil(largest_coordinate), 1, 127)[:, None]
    rows["in_lightmap_uv"] = np.rint(np.clip(lightmap_uv, 0.0, 1.0) * 65535)
    rows["in_colour"][..., :3] = np.rint(np.clip(mesh.colours * tones[:, None], 0.0, 1.0) * 255)[:, None]
    rows["in_colour"][..., 3] = mesh.texture_layers[:, None]
    return rows[np.argsort(~mesh.closed, kind="stable")].reshape(-1).view(np.uint8)
