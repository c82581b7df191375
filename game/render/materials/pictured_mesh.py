"""Triangles with pictures: their attributes, their vertex buffer, and the draw calls by material. Plain data, no GL."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.vectors import Flags, Floats, Indices, Ints
from ...level.materials import AlphaMode, PbrMaterial, Wrap
from .material_features import IDENTITY_ROWS, material_features
from .picture_decoder import Bytes

# One row per vertex of what has baked light; the names are the attributes of level/{level,pictured}.vert.glsl
LIGHTMAPPED_VERTEX = np.dtype(
    [
        ("in_position", "f4", 3),
        ("in_normal", "i1", 4),
        ("in_tangent", "i1", 4),
        ("in_uv", "f4", 2),
        ("in_lightmap_uv", "u2", 2),
        ("in_colour", "u1", 4),
    ]
)
# The same of movers, whose light is not baked. in_openness: times 65535. in_mover: as of MOVER_VERTEX.
PICTURED_MOVER_VERTEX = np.dtype(
    [
        *((name, LIGHTMAPPED_VERTEX[name]) for name in ("in_position", "in_normal", "in_tangent", "in_uv")),
        ("in_openness", "u2"),
        ("in_mover", "u2"),
        ("in_colour", "u1", 4),
    ]
)
ALPHA_ORDER = (AlphaMode.OPAQUE, AlphaMode.MASK, AlphaMode.BLEND)  # order of the triangles in the buffer


@dataclass(frozen=True, slots=True, eq=False)
class PicturedAttributes:
    """Attributes of N triangles of a mesh, of which some have pictures.

    surface_index: (N,) into the surfaces of the scene; -1 for a triangle without a `pbr`. uv: (N, 3, 2).
    vertex_colours: (N, 3, 4) linear bytes. normals: (N, 3, 3) unit. materials: of each surface.
    """

    surface_index: Ints
    uv: Floats
    vertex_colours: Bytes
    normals: Floats
    materials: tuple[PbrMaterial | None, ...]

    @property
    def has_picture(self) -> Flags:
        """Mask (N,) of the triangles that have a `pbr`."""
        return self.surface_index >= 0

    @property
    def casts_shadow(self) -> Flags:
        """Mask (N,) of the triangles that stop light: all but blended ones."""
        blends = [one is not None and one.alpha_mode is AlphaMode.BLEND for one in self.materials]
        casts: Flags = ~(self.has_picture & np.array(blends, dtype=np.bool_)[self.surface_index])
        return casts

    @property
    def mean_tints(self) -> Floats:
        """Mean vertex colour (N, 3) of each triangle, linear 0..1."""
        means: Floats = self.vertex_colours[..., :3].mean(axis=1) / 255.0
        return means

    def subset(self, chosen: npt.NDArray[Any]) -> PicturedAttributes:
        """Attributes of the triangles with these indices or this mask."""
        return PicturedAttributes(
            self.surface_index[chosen],
            self.uv[chosen],
            self.vertex_colours[chosen],
            self.normals[chosen],
            self.materials,
        )

    def light_key(self) -> tuple[object, ...]:
        """Key of the baked light, which changes with it. A picture that was saved again does not change it."""
        sources = [None if one is None or one.base_colour_map is None else one.base_colour_map.picture
                   for one in self.materials]  # fmt: skip
        files = [source and (str(source.path), source.offset, source.length, source.data) for source in sources]
        return (self.surface_index, self.casts_shadow, self.mean_tints, tuple(files))


@dataclass(frozen=True, slots=True)
class PicturedBatch:
    """Consecutive vertices with one material, drawn by one call. closed_count: leading vertices that bound solids."""

    surface: int
    first: int
    count: int
    closed_count: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TriangleOrder:
    """Order (N,) in which triangles are drawn: opaque ones, then masked and blended ones.

    batches: of opaque and masked triangles. Vertices: opaque_count of opaque triangles, of which the leading
    culled_count are seen from one side only; blended_first: first one of the blended triangles.
    """

    order: npt.NDArray[np.int64]
    batches: tuple[PicturedBatch, ...]
    culled_count: int
    opaque_count: int
    blended_first: int
    surfaces: tuple[int, ...]  # all, blended ones too

    @property
    def masked(self) -> tuple[PicturedBatch, ...]:
        return tuple(batch for batch in self.batches if batch.first >= self.opaque_count)


@dataclass(frozen=True, slots=True, eq=False)
class PicturedMesh:
    """Vertex buffer of pictured triangles.

    vertices: bytes of LIGHTMAPPED_VERTEX or PICTURED_MOVER_VERTEX rows, three to a triangle. blended_surfaces: (B,)
    surface of each blended triangle; blended_centres: (B, 3) metres.
    """

    vertices: Bytes
    order: TriangleOrder
    blended_surfaces: Ints
    blended_centres: Floats

    @property
    def blended_movers(self) -> Indices:
        """Mover (B,) of each blended triangle of movers, 1 for the first."""
        rows = self.vertices.view(PICTURED_MOVER_VERTEX)
        return rows["in_mover"][self.order.blended_first :: 3].astype(np.int64)


def order_triangles(surface_index: Ints, closed: Flags, materials: Sequence[PbrMaterial | None]) -> TriangleOrder:
    """Order of triangles by opacity, sides, textures and material, so that few states change between draw calls."""
    pbr = {int(surface): _given(materials[surface]) for surface in np.unique(surface_index)}
    mode = {surface: ALPHA_ORDER.index(one.alpha_mode) for surface, one in pbr.items()}
    kinds = {surface: tuple(sorted(material_features(one, True))) for surface, one in pbr.items()}
    kind_order = {kind: rank for rank, kind in enumerate(sorted(set(kinds.values())))}
    rank_of = np.zeros((max(pbr, default=0) + 1, 3), np.int64)
    for surface, one in pbr.items():
        rank_of[surface] = mode[surface], one.double_sided, kind_order[kinds[surface]]
    ranks = rank_of[surface_index]
    # Through the holes of a masked solid its inside is seen.
    is_closed = closed & (ranks[:, 0] == 0)
    order = np.lexsort((~is_closed, surface_index, ranks[:, 2], ranks[:, 1], ranks[:, 0]))
    surfaces = surface_index[order]
    ranks = ranks[order]
    is_closed = is_closed[order]
    solid = int(np.count_nonzero(ranks[:, 0] < 2))
    edges = [*np.flatnonzero(np.diff(surfaces[:solid], prepend=-1)).tolist(), solid]
    batches = tuple(
        PicturedBatch(int(surfaces[first]), 3 * first, 3 * (end - first), 3 * int(is_closed[first:end].sum()))
        for first, end in itertools.pairwise(edges)
    )
    is_opaque = ranks[:, 0] == 0
    culled = 3 * int(np.count_nonzero(is_opaque & (ranks[:, 1] == 0)))
    return TriangleOrder(order, batches, culled, 3 * int(np.count_nonzero(is_opaque)), 3 * solid, tuple(sorted(pbr)))


def pack_pictured(
    triangles: Floats,
    attributes: PicturedAttributes,
    tangents: Floats,
    face_normals: Floats,
    lightmap_uv: Floats,
    closed: Flags,
) -> PicturedMesh:
    """Vertex buffer of triangles (N, 3, 3), all with pictures.

    tangents: (N, 3) where the texture coordinates give none. face_normals: (N, 3). lightmap_uv: (N, 3, 2) 0..1.
    """
    ordered = order_triangles(attributes.surface_index, closed, attributes.materials)
    order = ordered.order
    rows = np.zeros((len(order), 3), LIGHTMAPPED_VERTEX)
    rows["in_position"] = triangles[order]
    rows["in_lightmap_uv"] = np.rint(np.clip(lightmap_uv[order], 0.0, 1.0) * 65535)
    sorted_attributes, sorted_normals = attributes.subset(order), face_normals[order]
    along, handedness = uv_tangents(triangles[order], sorted_attributes.uv, tangents[order], sorted_normals)
    rows["in_normal"][..., :3] = np.rint(sorted_attributes.normals * 127)
    rows["in_normal"][..., 3] = np.rint(sorted_normals[:, 1] * 127)[:, None]
    rows["in_tangent"][..., :3] = np.rint(along * 127)[:, None]
    rows["in_tangent"][..., 3] = (127 * handedness)[:, None]
    rows["in_uv"] = _near_zero(sorted_attributes)
    rows["in_colour"] = sorted_attributes.vertex_colours
    blended = order[ordered.blended_first // 3 :]
    return PicturedMesh(
        rows.reshape(-1).view(np.uint8), ordered, attributes.surface_index[blended], triangles[blended].mean(axis=1)
    )


def uv_tangents(triangles: Floats, uv: Floats, fallback: Floats, normals: Floats) -> tuple[Floats, Floats]:
    """Unit tangents (N, 3), along which u grows, and handedness (N,) of triangles (N, 3, 3).

    handedness: 1 if v, which points down in the picture, grows along -cross(normal, tangent), else -1. fallback: (N, 3)
    for triangles whose texture coordinates lie on one line. Source: Lengyel 2001.
    """
    edge1, edge2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    (u1, v1), (u2, v2) = (uv[:, 1] - uv[:, 0]).T, (uv[:, 2] - uv[:, 0]).T
    area = u1 * v2 - u2 * v1
    along = np.sign(area)[:, None] * (edge1 * v2[:, None] - edge2 * v1[:, None])
    along -= np.einsum("ni,ni->n", along, normals)[:, None] * normals
    length = np.linalg.norm(along, axis=1, keepdims=True)
    is_valid = (length[:, 0] > 1e-12) & (np.abs(area) > 1e-12)
    tangents = np.where(is_valid[:, None], along / np.maximum(length, 1e-12), fallback)
    return tangents, np.where(is_valid & (area > 0.0), -1.0, 1.0)


def _near_zero(attributes: PicturedAttributes) -> Floats:
    """Texture coordinates (N, 3, 2) less an even whole number per triangle, where that shows the same texels.

    Keeps float32 precision far from the origin.
    """
    can_shift = np.array([one is not None and _repeats(one) for one in attributes.materials], dtype=np.bool_)
    shift = 2.0 * np.floor(attributes.uv[:, :1] / 2.0)
    shift[~can_shift[attributes.surface_index]] = 0.0
    return attributes.uv - shift


def _repeats(material: PbrMaterial) -> bool:
    return all(Wrap.CLAMP not in (one.wrap_u, one.wrap_v) and one.transform == IDENTITY_ROWS for one in material.maps)


def _given(material: PbrMaterial | None) -> PbrMaterial:
    assert material is not None, "a pictured triangle has a material"
    return material
