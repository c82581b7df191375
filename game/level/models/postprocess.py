"""Last steps of every model reader: drop degenerate triangles, merge pairs into quads, sort by part."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..geometry.ear_clipping import convex_outlines, triangulate_polygon
from ..geometry.faces import unit_normals
from ..geometry.quads_from_triangles import (
    MIN_TRIANGLE_HEIGHT,
    merge_with_sources,
    smallest_triangle_heights,
    valid_quads,
)
from .triangle_soup import CornerValues, ModelError, ModelMaterial, ModelNote, ModelPart, SoupBuilder, TriangleSoup

MAX_EAR_TESTS = (
    40_000  # ear tests in a file (those of polygons with 100 corners count twice): bounds the time to some 3 s
)


# How far the values of a merged quad may be off an affine map, before its seam is kept.
_TOLERANCES = {"uv": 2e-4, "vertex_colours": 2.0, "vertex_normals": 0.02}
FLAT_COSINE = 0.9998  # of the angle (1 degree) between a normal and its face, above which the face is flat
_SEAM_NAMES = {"uv": "seam_uv", "vertex_colours": "seam_colours", "vertex_normals": "seam_normals"}


def add_polygons(
    builder: SoupBuilder,
    outlines: Floats,
    tags: Ints,
    metres: float,
    ears: int = MAX_EAR_TESTS,
    vertices: CornerValues | None = None,
) -> int:
    """Add polygons (M,K,3) with tags (M,2), part and material, to the soup. Valid quads stay; others are triangulated.

    ears: ear tests that may still be made. Returns the number that remains; raises ModelError if there are too few.
    vertices: values (M,K,W) of their corners.
    """
    size = outlines.shape[1]
    values = vertices or {}
    if size == 3:
        builder.add_faces(outlines, tags[:, 0], tags[:, 1], values)
        return ears
    remaining = np.ones(len(outlines), np.bool_)
    if size == 4:
        remaining = ~valid_quads(outlines * metres)
        kept = {name: array[~remaining] for name, array in values.items()}
        builder.add_faces(outlines[~remaining], tags[~remaining, 0], tags[~remaining, 1], kept)
    fans = remaining & convex_outlines(outlines)
    fan = np.array([(0, k, k + 1) for k in range(1, size - 1)])
    of_fans = {name: array[fans][:, fan].reshape(-1, 3, array.shape[-1]) for name, array in values.items()}
    fan_tags = np.repeat(tags[fans], size - 2, axis=0)
    builder.add_faces(outlines[fans][:, fan].reshape(-1, 3, 3), fan_tags[:, 0], fan_tags[:, 1], of_fans)
    for row in np.nonzero(remaining & ~fans)[0].tolist():
        triangles, tested = triangulate_polygon(outlines[row])
        ears -= tested * (1 + size // 100)
        if ears < 0:
            raise ModelError("the file has too many large non-convex faces", "triangulate it when exporting")
        corners = np.array(triangles)
        of_row = {name: array[row][corners] for name, array in values.items()}
        builder.add_faces(outlines[row][corners], int(tags[row, 0]), int(tags[row, 1]), of_row)
    return ears


def finish_soup(
    builder: SoupBuilder,
    parts: tuple[ModelPart, ...],
    materials: tuple[ModelMaterial, ...],
    notes: tuple[ModelNote, ...] = (),
    unit: float = 1.0,
    up: str = "y",
    metres: float | None = None,
) -> TriangleSoup:
    """The finished soup, sorted by part. Raises ModelError if no triangle has an area.

    metres: length of one unit as the level will place it, for the millimetre tolerances of quads; `unit` by default.
    """
    size = unit if metres is None else metres
    triangles, tags = builder.all_triangles()
    quads, quad_tags = builder.all_quads()
    thick = smallest_triangle_heights(triangles) * size >= MIN_TRIANGLE_HEIGHT
    degenerate = int(len(thick) - thick.sum())
    triangles, tags = triangles[thick], tags[thick]
    faces, first, sources = merge_with_sources(triangles * size, tags)
    corners = np.concatenate([quads, faces / size])
    tags = np.concatenate([quad_tags, tags[first]])
    if not len(corners):
        raise ModelError("the file has no triangle with an area")
    order = np.argsort(tags[:, 0], kind="stable")
    count = len(triangles) + 2 * len(quads)
    of_triangles, of_quads = builder.all_vertices()
    of_triangles = {name: values[thick] for name, values in of_triangles.items()}
    vertices = {name: values[order] for name, values in face_vertices(corners, of_quads, of_triangles, sources).items()}
    return TriangleSoup(
        corners[order], tags[order, 0], tags[order, 1], parts, materials, count, degenerate, notes, unit, up, vertices
    )


def face_vertices(
    corners: Floats, of_quads: CornerValues, of_triangles: CornerValues, sources: Indices
) -> CornerValues:
    """Values of the corners of faces (M,4,3): first quads with their values, then faces merged from triangles.

    sources (N,6): see merge_with_sources. A quad whose triangles do not have the same affine map of positions to
    values keeps both of them, divided by a seam.
    """
    values: CornerValues = {}
    others: CornerValues = {}
    seam = np.zeros(len(corners), np.bool_)
    for name, quads in of_quads.items():
        corner_values = of_triangles[name].reshape(-1, quads.shape[-1])[sources]
        values[name] = np.concatenate([quads, corner_values[:, :4]])
        others[_SEAM_NAMES[name]] = np.concatenate([quads[:, [1, 3]], corner_values[:, 4:]])
        seam[len(quads) :] |= _has_seam(corners[len(quads) :], corner_values.astype(np.float64), _TOLERANCES[name])
    if "vertex_normals" in values:
        _drop_flat_normals(corners, values, others)
    return {**values, **others, "seam": seam} if seam.any() else values


def _drop_flat_normals(corners: Floats, values: CornerValues, others: CornerValues) -> None:
    """Replace the normals of faces whose normals are those of the face by NaN; remove the arrays if all are so."""
    flat = flat_shaded(np.concatenate([values["vertex_normals"], others["seam_normals"]], axis=1), corners)
    values["vertex_normals"][flat] = others["seam_normals"][flat] = np.nan
    if flat.all():
        del values["vertex_normals"], others["seam_normals"]


def flat_shaded(normals: Floats, corners: Floats) -> Flags:
    """Mask (M,) of faces (M,4,3) whose normals (M,K,3) are those of the face, or not finite."""
    cosine = np.einsum("mkd,md->mk", normals, unit_normals(corners))
    flat: Flags = ~(cosine < FLAT_COSINE).any(axis=1) | ~np.isfinite(normals).all(axis=(1, 2))
    return flat


def _has_seam(corners: Floats, values: Floats, tolerance: float) -> Flags:
    """Mask (N,) of quads (N,4,3) over which values (N,6,W) at their corners and seam are not affine. NaN is no value.

    The quad's plane has the coordinates a, b with corner = corner 0 + a * edge 1 + b * edge 3.
    """
    edges = corners[:, [1, 3]] - corners[:, :1]
    far = corners[:, 2] - corners[:, 0]
    gram = np.einsum("nid,njd->nij", edges, edges)
    right = np.einsum("nid,nd->ni", edges, far)
    determinant = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] ** 2
    is_quad = (corners[:, 2] != corners[:, 3]).any(axis=1) & (determinant > 0.0)
    safe = np.where(is_quad, determinant, 1.0)
    a = (right[:, 0] * gram[:, 1, 1] - right[:, 1] * gram[:, 0, 1]) / safe
    b = (right[:, 1] * gram[:, 0, 0] - right[:, 0] * gram[:, 0, 1]) / safe
    origin = values[:, 0]
    with np.errstate(invalid="ignore", over="ignore"):
        far_value = origin + a[:, None] * (values[:, 1] - origin) + b[:, None] * (values[:, 3] - origin)
        apart = np.abs(far_value - values[:, 2]).max(axis=1)
        apart = np.maximum(apart, np.abs(values[:, 4:] - values[:, [1, 3]]).max(axis=(1, 2)))
    seam: Flags = is_quad & ~(np.isnan(apart) | (apart <= tolerance))
    return seam
