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
from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LAMP_SHADOW_UNIT, LIGHT_PROBE_UNIT, Quality, shader_defines, shadow_defines
from .material_features import (
    COLOUR_MAPS,
    MAP_NAMES,
    MATERIAL_ROW,
    fill_material_row,
    map_keys,
    material_features,
    material_maps,
    sampled_maps,
)
from .mip_chain import Bytes
from .picture_textures import PictureTextures
from .pictured_mesh import PICTURED_VERTEX, PICTURED_VERTEX_FORMAT, PicturedBatch, TriangleOrder

MATERIAL_BINDING = 2  # of the uniform block `Material`; 0 is pyglet's, 1 the frame's
TEXTURE_UNITS = {
    "shadow_map": 0, "base_map": 1, "lightmap": 2, "emission_map": 3, "dynamic_shadow_map": 4, "normal_map": 5,
    "roughness_map": 6, "occlusion_map": 7, "lamp_shadow_map": LAMP_SHADOW_UNIT, "light_probes": LIGHT_PROBE_UNIT,
}  # fmt: skip
PLACEHOLDERS = {"normal_map": (128, 128, 255, 255)}  # texel of a texture that is not there; others are white
WHITE = (255, 255, 255, 255)
MAX_BLENDED_RUNS = 200  # draw calls of sorted triangles; with more, each material is drawn in one call

Names = tuple[tuple[str, object], ...]  # defines of a program


class PicturedPass:
    """Draws pictured triangles: a level's, or those of its movers, whose vertices change.

    vertices: PICTURED_VERTEX rows in the given order. surfaces: colour (sRGB) and material of each surface.
    """

    def __init__(
        self,
        ctx: Any,
        vertices: Bytes,
        order: TriangleOrder,
        blended: tuple[Ints, Floats],
        surfaces: Sequence[tuple[Colour, PbrMaterial | None]],
        quality: Quality,
        programs: ShaderCache,
        pictures: PictureTextures,
        reversed_depth: bool,
        defines: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """blended: surface (B,) and centre (B, 3) of each blended triangle.

        defines: MOVER for movers, LAMPS if their vertices have light of lamps, MOVING_LAMPS for a level with so many
        lamps on movers.
        """
        self.ctx, self.programs, self.pictures = ctx, programs, pictures
        self.order = order
        self._full = quality.relief
        self._common = shader_defines(reversed_depth, quality) | shadow_defines(quality)
        self._common |= defines
        self._materials = {surface: one for surface, (_, one) in enumerate(surfaces) if one is not None}
        self._materials = {surface: self._materials[surface] for surface in order.surfaces}
        self._colours = {surface: surfaces[surface][0] for surface in order.surfaces}
        self._features = {k: tuple(material_features(one, self._full).items()) for k, one in self._materials.items()}
        self._maps = {k: material_maps(one, self._full) for k, one in self._materials.items()}
        self._keys = {surface: map_keys(maps) for surface, maps in self._maps.items()}
        self._sampled = {k: sampled_maps(features) for k, features in self._features.items()}
        self._row = {surface: number for number, surface in enumerate(order.surfaces)}
        self._buffer = ctx.buffer(vertices.tobytes())
        count = len(vertices) // PICTURED_VERTEX.itemsize
        self._lamp_light = ctx.buffer(reserve=12 * count) if "LAMPS" in defines else None
        self._block = ctx.buffer(reserve=MATERIAL_ROW.itemsize * len(order.surfaces))
        self._blended_surfaces, self._blended_centres = blended
        count = len(self._blended_surfaces)
        self._blended_indices = ctx.buffer(reserve=12 * count) if count else None
        self._blended_runs: list[tuple[int, int, int]] = []  # surface, first index, number of indices
        self._sorted_from: Vector | None = None
        self._arrays: dict[Names, Any] = {}
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
        for features in dict.fromkeys(self._features.values()):
            for extra in ((), (("DYNAMIC_SHADOWS", 1),)):
                self._shading_array(features, extra)
                yield

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are created again with the current programs."""
        release_resources(*self._arrays.values())
        self._arrays = {}

    def _array(self, key: Names, name: str, indices: Any = None, **defines: object) -> Any:
        if key not in self._arrays:
            program = self.programs.get(f"{name}.vert.glsl", f"{name}.frag.glsl", **defines)
            if "Material" in program:
                program["Material"].binding = MATERIAL_BINDING
            set_uniforms(program, **TEXTURE_UNITS)
            attributes = PICTURED_VERTEX.names or ()
            layout = " ".join(
                part if attribute in program else f"{PICTURED_VERTEX[attribute].itemsize}x"
                for part, attribute in zip(PICTURED_VERTEX_FORMAT.split(), attributes, strict=True)
            )
            used = [attribute for attribute in attributes if attribute in program]
            buffers: list[tuple[Any, ...]] = [(self._buffer, layout, *used)]
            if "in_lamp_light" in program:
                buffers.append((self._lamp_light, "3f", "in_lamp_light"))
            self._arrays[key] = self.ctx.vertex_array(program, buffers, index_buffer=indices)
        return self._arrays[key]

    def _shading_array(self, features: Names, extra: Names) -> Any:
        indices = self._blended_indices if ("ALPHA_BLEND", 1) in features else None
        defines = self._common | dict(features) | dict(extra)
        return self._array((*features, *extra), "level/pictured", indices, **defines)

    # Drawing

    def draw_depth(self) -> None:
        """Depth prepass of opaque and masked triangles into the bound framebuffer, with the depth test that is set."""
        order = self.order
        if order.opaque_count:
            array = self._array((("DEPTH", 1),), "level/depth_prepass", **self._depth_defines())
            self._set_culling(order.culled_count > 0)
            if order.culled_count:
                array.render(moderngl.TRIANGLES, vertices=order.culled_count)
            self._set_culling(False)
            if order.opaque_count > order.culled_count:
                array.render(
                    moderngl.TRIANGLES, first=order.culled_count, vertices=order.opaque_count - order.culled_count
                )
        self._draw_masked_depth("MASK", self._depth_defines())

    def _depth_defines(self) -> dict[str, object]:
        return {name: value for name, value in self._common.items() if name == "REVERSED_DEPTH"}

    def draw_shadow(self, world_to_light_clip: npt.NDArray[Any]) -> None:
        """Draw opaque and masked triangles into the bound shadow map, with the depth test that is set."""
        order = self.order
        if order.opaque_count:
            array = self._array((("SHADOW", 1),), "shadow_map/shadow_map")
            set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
            self._set_culling(False)
            array.render(moderngl.TRIANGLES, vertices=order.opaque_count)
        self._draw_masked_depth("MASK_SHADOW", {"SHADOW_MAP": 1}, world_to_light_clip)

    def _draw_masked_depth(self, kind: str, defines: dict[str, object], matrix: Any = None) -> None:
        self.update_pictures()
        for batch in self.order.masked:
            separate = [pair for pair in self._features[batch.surface] if pair[0] == "SEPARATE_TRANSFORMS"]
            array = self._array(((kind, 1), *separate), "level/pictured_depth", **defines, **dict(separate))
            if matrix is not None:
                set_uniforms(array.program, world_to_light_clip=matrix)
            self._set_culling(matrix is None and not self._materials[batch.surface].double_sided)
            self._bind_material(batch.surface, ("base_map",))
            array.render(moderngl.TRIANGLES, first=batch.first, vertices=batch.count)
        self._clear_samplers()

    def draw(self, shadow_map: Any, lightmap: Any, dynamic_shadow_map: Any) -> None:
        """Shade opaque and masked triangles, with the depth test that is set. dynamic_shadow_map: None if none."""
        self.update_pictures()
        self._bind_light(shadow_map, lightmap, dynamic_shadow_map)
        extra: Names = () if dynamic_shadow_map is None else (("DYNAMIC_SHADOWS", 1),)
        for batch in self.order.batches:
            array = self._shading_array(self._features[batch.surface], extra)
            self._bind_material(batch.surface, self._sampled[batch.surface])
            self._render_batch(array, batch)
        self._clear_samplers()

    def _render_batch(self, array: Any, batch: PicturedBatch) -> None:
        """Draw one side of single-sided triangles, and of those that bound solids."""
        is_culled = not self._materials[batch.surface].double_sided
        closed = batch.count if is_culled else batch.closed_count
        if closed:
            self._set_culling(True)
            array.render(moderngl.TRIANGLES, first=batch.first, vertices=closed)
        if batch.count > closed:
            self._set_culling(False)
            array.render(moderngl.TRIANGLES, first=batch.first + closed, vertices=batch.count - closed)

    def draw_blended(self, target: Any, eye: Vector, shadow_map: Any, lightmap: Any, dynamic_shadow_map: Any) -> None:
        """Draw translucent triangles from far to near into the framebuffer `target`."""
        if not len(self._blended_surfaces):
            return
        self.update_pictures()
        self._sort_blended(eye)
        self._bind_light(shadow_map, lightmap, dynamic_shadow_map)
        extra: Names = () if dynamic_shadow_map is None else (("DYNAMIC_SHADOWS", 1),)
        self.ctx.depth_func = ">="
        target.depth_mask = False
        enable_blending(self.ctx, moderngl.DEPTH_TEST)
        for surface, first, count in self._blended_runs:
            material = self._materials[surface]
            self._set_culling(not material.double_sided)
            self.ctx.enable(moderngl.BLEND)
            self._bind_material(surface, self._sampled[surface])
            array = self._shading_array(self._features[surface], extra)
            array.render(moderngl.TRIANGLES, first=first, vertices=count)
        target.depth_mask = True
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

    def set_moving_lamps(self, rows: npt.NDArray[np.float32]) -> None:
        """Light the level by these lamps (n, 8), see `SceneLamps.moving_rows`."""
        values = [tuple(row) for row in rows.reshape(-1, 4).tolist()]
        for array in self._arrays.values():
            set_uniforms(array.program, moving_lamps=values)

    def write_vertices(
        self, vertices: Bytes, blended_centres: Floats, lamp_light: npt.NDArray[np.float32] | None = None
    ) -> None:
        """Replace the vertices of movers at other poses. lamp_light: (n, 3) light of the lamps on them."""
        self._buffer.write(vertices.tobytes())
        if self._lamp_light is not None and lamp_light is not None:
            self._lamp_light.write(lamp_light.tobytes())
        self._blended_centres = blended_centres
        self._sorted_from = None

    def _bind_light(self, shadow_map: Any, lightmap: Any, dynamic_shadow_map: Any) -> None:
        shadow_map.use(TEXTURE_UNITS["shadow_map"])
        if lightmap is not None:
            lightmap.use(TEXTURE_UNITS["lightmap"])
        if dynamic_shadow_map is not None:
            dynamic_shadow_map.use(TEXTURE_UNITS["dynamic_shadow_map"])

    def _bind_material(self, surface: int, names: Sequence[str]) -> None:
        """Bind the material's row and these textures."""
        size = MATERIAL_ROW.itemsize
        self._block.bind_to_uniform_block(MATERIAL_BINDING, offset=size * self._row[surface], size=size)
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

    def _set_culling(self, culls: bool) -> None:
        self.ctx.front_face, self.ctx.cull_face = "ccw", "back"
        self.ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if culls else moderngl.NOTHING))

    def release(self) -> None:
        """Release buffers and vertex arrays."""
        self.rebuild()
        release_resources(self._buffer, self._lamp_light, self._block, self._blended_indices)


def _run_starts(surfaces: Ints) -> list[int]:
    """Indices at which a run of equal values begins."""
    starts: list[int] = np.flatnonzero(np.diff(surfaces, prepend=surfaces[0] - 1)).tolist()
    return starts
