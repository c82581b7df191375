"""Pass of triangles with pictures: depth prepass, shading by material, sorted translucent triangles, and shadows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Colour, Floats, Ints, Vector
from ...level.materials import PbrMaterial
from ..gl.programs import BLOCK_BINDINGS, set_uniforms
from ..gl.quality import shader_defines, shadow_defines
from ..gl.render_pass import PassContext, RenderPass, draw_culling_closed, set_state
from ..materials.material_features import (
    COLOUR_MAPS,
    MAP_NAMES,
    MATERIAL_ROW,
    fill_material_row,
    map_keys,
    material_features,
    material_maps,
    sampled_maps,
)
from ..materials.picture_textures import PictureTextures
from ..materials.pictured_mesh import LIGHTMAPPED_VERTEX, PICTURED_MOVER_VERTEX, PicturedMesh
from .frame import Frame

# Texture units of the maps, between those in FRAME_UNITS.
TEXTURE_UNITS: dict[str, Any] = {
    "base_map": 1,
    "emission_map": 3,
    "normal_map": 5,
    "roughness_map": 6,
    "occlusion_map": 7,
}
PLACEHOLDERS = {"normal_map": (128, 128, 255, 255)}  # texel of a texture that is not there; others are white
WHITE = (255, 255, 255, 255)
MAX_BLENDED_RUNS = 200  # draw calls of sorted triangles; with more, each material is drawn in one call

Names = tuple[tuple[str, object], ...]  # defines of a program


class PicturedPass(RenderPass):
    """Draws pictured triangles: a level's, or those of its movers.

    surfaces: colour (sRGB) and material of each surface.
    """

    def __init__(
        self, context: PassContext, mesh: PicturedMesh, surfaces: Sequence[tuple[Colour, PbrMaterial | None]],
        pictures: PictureTextures, defines: Mapping[str, object] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """defines: MOVER for movers, with LAMP_DEFINES if lamps light them; MOVING_LAMPS for a level with so many lamps
        on movers."""
        super().__init__(context)  # those of the depth prepass and the shadow maps
        self.pictures, self.order, self._mesh = pictures, (order := mesh.order), mesh
        self._are_movers = "MOVER" in defines
        self._row_type = LIGHTMAPPED_VERTEX
        if self._are_movers:
            self.defines["MOVER"], self._row_type = 1, PICTURED_MOVER_VERTEX
        quality = context.quality
        self._full = quality.relief
        common = shader_defines(context.reversed_depth, quality) | shadow_defines(quality)
        self._shading_defines = (*common.items(), *defines.items())
        self._materials = {surface: one for surface, (_, one) in enumerate(surfaces) if one is not None}
        self._materials = {surface: self._materials[surface] for surface in order.surfaces}
        self._colours = {surface: surfaces[surface][0] for surface in order.surfaces}
        self._features = {k: tuple(material_features(one, self._full).items()) for k, one in self._materials.items()}
        self._maps = {k: material_maps(one, self._full) for k, one in self._materials.items()}
        self._keys = {surface: map_keys(maps) for surface, maps in self._maps.items()}
        self._sampled = {k: sampled_maps(features) for k, features in self._features.items()}
        self._row = {surface: number for number, surface in enumerate(order.surfaces)}
        ctx = self.ctx
        self._buffer = self.own(ctx.buffer(mesh.vertices.tobytes()))
        self._block = self.own(ctx.buffer(reserve=MATERIAL_ROW.itemsize * len(order.surfaces)))
        self._blended_surfaces, self._blended_centres = mesh.blended_surfaces, mesh.blended_centres
        count = len(self._blended_surfaces)
        self._blended_indices = self.own(ctx.buffer(reserve=12 * count)) if count else None
        self._blended_runs: list[tuple[int, int, int]] = []  # surface, first index, number of indices
        self._sorted_from: Vector | None = None
        self._pictures_version = -1

    # Pictures

    def update_pictures(self) -> bool:
        """Use the textures that are there now. Returns whether the holes of a masked surface may have changed."""
        if self._pictures_version == self.pictures.version:
            return False
        self._pictures_version = self.pictures.version
        rows = np.zeros(len(self._row), MATERIAL_ROW)
        for surface, number in self._row.items():
            ready = {name for name, key in self._keys[surface].items() if self.pictures.texture(key) is not None}
            fill_material_row(rows[number], self._materials[surface], self._colours[surface], ready)
        self._block.write(rows.tobytes())
        return bool(self.order.masked)

    @property
    def mean_colours(self) -> dict[int, Colour]:
        """Linear mean colour of the surfaces whose picture is there."""
        means: dict[int, Colour] = {}
        for surface, one in self._materials.items():
            mean = None if one.base_colour_map is None else self.pictures.mean(self._keys[surface]["base_map"])
            if mean is not None:
                red, green, blue = one.base_colour[:3]
                means[surface] = (mean[0] * red, mean[1] * green, mean[2] * blue)
        return means

    # Programs

    def compile_steps(self) -> Iterator[None]:
        """Compile the programs, with a yield after each."""
        for surface in {features: surface for surface, features in self._features.items()}.values():
            for has_dynamic_shadows in (False, True):
                self._shading_array(surface, has_dynamic_shadows)
                yield

    def _pictured_array(
        self, shader: str, defines: Names = (), indices: Any = None, fragment: str | None = None
    ) -> Any:
        return self.array(
            shader, (self._buffer, self._row_type), fragment=fragment, key=defines, indices=indices,
            defines=dict(defines), **TEXTURE_UNITS,
        )  # fmt: skip

    def _shading_array(self, surface: int, has_dynamic_shadows: bool) -> Any:
        features = self._features[surface]
        dynamic: Names = (("DYNAMIC_SHADOWS", 1),) if has_dynamic_shadows else ()
        indices = self._blended_indices if ("ALPHA_BLEND", 1) in features else None
        return self._pictured_array("level/pictured", (*self._shading_defines, *features, *dynamic), indices)

    # Drawing

    def draw_depth(self) -> None:
        """Depth prepass of opaque and masked triangles into the bound framebuffer, with the depth test that is set."""
        order = self.order
        if order.opaque_count:
            array = self._pictured_array("level/depth_prepass")
            draw_culling_closed(self.ctx, array, order.culled_count, 0, order.opaque_count)
        self._draw_masked_depth(())

    def draw_shadow(self, world_to_light_clip: npt.NDArray[Any]) -> None:
        """Draw opaque and masked triangles into the bound shadow map, with the depth test that is set."""
        order = self.order
        if order.opaque_count:
            shader = "shadow_map/mover_shadow_map" if self._are_movers else "shadow_map/shadow_map"
            array = self._pictured_array(shader, fragment="shadow_map/shadow_map")
            set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
            draw_culling_closed(self.ctx, array, 0, 0, order.opaque_count)
        self._draw_masked_depth((("SHADOW_MAP", 1),), world_to_light_clip)

    def _draw_masked_depth(self, defines: Names, matrix: Any = None) -> None:
        self.update_pictures()
        for batch in self.order.masked:
            separate = [pair for pair in self._features[batch.surface] if pair[0] == "SEPARATE_TRANSFORMS"]
            array = self._pictured_array("level/pictured_depth", (*defines, *separate))
            if matrix is not None:
                set_uniforms(array.program, world_to_light_clip=matrix)
            culls = matrix is None and not self._materials[batch.surface].double_sided
            self._bind_material(batch.surface, ("base_map",))
            draw_culling_closed(self.ctx, array, batch.count if culls else 0, batch.first, batch.count)
        self._clear_samplers()

    def draw(self, frame: Frame) -> None:
        """Shade opaque and masked triangles, with the depth test that is set."""
        self.update_pictures()
        for batch in self.order.batches:
            array = self._bind_shading(batch.surface, frame)
            # One side of single-sided triangles, and of those that bound solids
            closed = batch.closed_count if self._materials[batch.surface].double_sided else batch.count
            draw_culling_closed(self.ctx, array, closed, batch.first, batch.count)
        self._clear_samplers()

    def draw_blended(self, frame: Frame) -> None:
        """Draw translucent triangles from far to near."""
        if not len(self._blended_surfaces):
            return
        self.update_pictures()
        self._sort_blended(frame.snapshot.view.eye)
        for surface, first, count in self._blended_runs:
            culls = not self._materials[surface].double_sided
            set_state(self.ctx, frame.target, writes_depth=False, blending="alpha", culls=culls)
            self._bind_shading(surface, frame).render(moderngl.TRIANGLES, first=first, vertices=count)
        frame.target.depth_mask = True
        self._clear_samplers()

    def _sort_blended(self, eye: Vector) -> None:
        """Sort the blended triangles by the distance of their centres, if the eye has moved."""
        if self._sorted_from == eye:
            return
        self._sorted_from = eye
        distances = ((self._blended_centres - eye) ** 2).sum(axis=1)
        order = np.argsort(-distances, kind="stable")
        starts = _run_starts(self._blended_surfaces[order])
        if len(starts) > MAX_BLENDED_RUNS:
            farthest = {s: distances[self._blended_surfaces == s].max() for s in np.unique(self._blended_surfaces)}
            rank = np.array([-farthest[surface] for surface in self._blended_surfaces])
            order = np.lexsort((-distances, self._blended_surfaces, rank))
            starts = _run_starts(self._blended_surfaces[order])
        assert self._blended_indices is not None
        vertices = self.order.blended_first + 3 * order[:, None] + np.arange(3)
        self._blended_indices.write(vertices.astype(np.uint32).tobytes())
        ends = [*starts[1:], len(order)]
        surfaces = self._blended_surfaces[order]
        self._blended_runs = [(int(surfaces[a]), 3 * a, 3 * (b - a)) for a, b in zip(starts, ends, strict=True)]

    def move_blended(self, poses: Floats) -> None:
        """Sort the blended triangles of movers by other poses (K, 3, 4) of those."""
        pose = poses[self._mesh.blended_movers - 1]
        self._blended_centres = np.einsum("nij,nj->ni", pose[:, :, :3], self._mesh.blended_centres) + pose[:, :, 3]
        self._sorted_from = None

    def _bind_shading(self, surface: int, frame: Frame) -> Any:
        """Bind what the shader of a surface reads in this frame. Returns its vertex array."""
        array = self._shading_array(surface, self._are_movers or frame.has_dynamic_shadows)
        if frame.moving_lamps:
            set_uniforms(array.program, moving_lamps=frame.moving_lamps)
        self._bind_material(surface, self._sampled[surface])
        return array

    def _bind_material(self, surface: int, names: Sequence[str]) -> None:
        """Bind the material's row and these textures."""
        size = MATERIAL_ROW.itemsize
        self._block.bind_to_uniform_block(BLOCK_BINDINGS["Material"], offset=size * self._row[surface], size=size)
        maps = self._maps[surface]
        for name in names:
            one = maps.get(name)
            unit = TEXTURE_UNITS[name]
            texture = None if one is None else self.pictures.texture(self._keys[surface][name])
            if texture is None:
                texture = self.pictures.placeholder(PLACEHOLDERS.get(name, WHITE), name in COLOUR_MAPS)
            texture.use(unit)
            if one is not None:
                self.pictures.sampler(one).use(unit)

    def _clear_samplers(self) -> None:
        """Let the textures' own filters hold again for the other passes."""
        self.pictures.clear_samplers(TEXTURE_UNITS[name] for name in MAP_NAMES)


def _run_starts(surfaces: Ints) -> list[int]:
    """Indices at which a run of equal values begins."""
    starts: list[int] = np.flatnonzero(np.diff(surfaces, prepend=surfaces[0] - 1)).tolist()
    return starts
