"""Checks of pictures: the video memory of a level's textures, and decals that lie on no surface."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ...core.vectors import Floats
from ..format.surfaces import Surface
from ..geometry.faces import unit_normals
from ..geometry.quads import split_into_triangles
from ..materials import PictureError, PictureSource
from ..materials.picture_file import read_picture_header
from ..materials.texture_memory import estimate_texture_bytes
from .lint_context import LintContext

# Half of the video memory of the smallest graphics cards that are sold with a display; the level's lightmap, shadow
# maps and frame buffers need the other half.
TEXTURE_BUDGET = 512 * 2**20
REACH = 1.0  # metres before and behind a decal in which its surface is looked for
MAX_GAP = 0.03  # metres from a decal to its surface
MAX_TILT = 0.985  # cosine: 10 degrees between the decal and its surface
INSET = 0.94  # of the half sides: the corners of a decal that must lie on a surface
MAX_DECALS = 2_000  # that are judged
MAX_TESTS = 20_000_000  # decals times triangles; bounds time


def texture_bytes(surfaces: Iterable[Surface]) -> tuple[int, int]:
    """Number of different pictures of some surfaces, and the bytes of video memory that they need at full size."""
    sources = {entry.picture for surface in surfaces if surface.pbr is not None for entry in surface.pbr.maps}
    return len(sources), sum(_picture_bytes(source) for source in sources)


def _picture_bytes(source: PictureSource) -> int:
    """Bytes of one picture as a texture; 0 if it cannot be read any more."""
    try:
        if source.data:
            return 0
        with open(Path(source.path), "rb") as file:
            size = 2**62 if source.length < 0 else source.length
            header = read_picture_header(file, source.offset, size, source.path.suffix.lower() == ".tga")
    except (OSError, PictureError):
        return 0
    return estimate_texture_bytes(header.width, header.height)


def check_texture_memory(context: LintContext) -> None:
    """Warn where all pictures of the level together exceed TEXTURE_BUDGET."""
    pictured = [surface for surface in context.level.surfaces if surface.pbr is not None and surface.pbr.maps]
    if not pictured:
        return
    count, size = texture_bytes(pictured)
    if size > TEXTURE_BUDGET:
        message = f"{count} pictures need {size >> 20} MiB of video memory; the budget is {TEXTURE_BUDGET >> 20} MiB"
        cure = "save the largest ones with half the pixels: each then needs a quarter"
        place = next((one.place for one in pictured if one.place.line), pictured[0].place)
        context.report.add("warning", place, "surfaces", message, cure)


def check_decals(context: LintContext) -> None:
    """Warn about decals that do not lie on a surface of their own tilt."""
    level = context.level
    is_decal = np.array([origin.kind == "decal" for origin in level.origins], np.bool_)
    decals = np.flatnonzero(is_decal[level.faces.origin])
    if not len(decals):
        return
    shows = np.array([origin.visible for origin in level.origins], np.bool_) & ~is_decal
    faces = level.faces.select(shows[level.faces.origin])
    triangles, owner = split_into_triangles(faces.corners, faces.is_triangle)
    normals = unit_normals(faces.corners)[owner]
    for face in decals[: max(1, min(MAX_DECALS, MAX_TESTS // max(1, len(triangles))))].tolist():
        _check_decal(context, face, triangles, normals)


def _check_decal(context: LintContext, face: int, triangles: Floats, normals: Floats) -> None:
    corners = context.level.faces.corners[face]
    centre = corners.mean(axis=0)
    outward = unit_normals(corners[None])[0]
    points = np.concatenate([centre[None], centre + INSET * (corners - centre)])
    near = (triangles.min(axis=1) < points.max(axis=0) + REACH).all(axis=1)
    near &= (triangles.max(axis=1) > points.min(axis=0) - REACH).all(axis=1)
    cosine = normals @ outward
    depths = _depths(points, outward, triangles[near & (cosine > MAX_TILT)])  # positive behind the decal
    nearest = depths[np.arange(5), np.abs(depths).argmin(axis=1)] if depths.shape[1] else np.full(5, np.inf)
    if np.abs(nearest).max() <= MAX_GAP:
        return
    index = int(context.level.faces.origin[face])
    back = _depths(centre[None], outward, triangles[near & (cosine < -MAX_TILT)])
    if abs(nearest[0]) > MAX_GAP:
        if np.abs(back).min(initial=np.inf) <= MAX_GAP:
            message = "the decal faces into its surface: only its back is outside"
            cure = "turn it round with `facing`, `on` or `pitch`"
        elif not np.isfinite(nearest[0]):
            message = f"the decal lies on nothing: no surface of its direction is within {REACH:g} m of its centre"
            cure = "move it onto a surface and turn it with `facing`, `on` and `pitch`"
        else:
            side = "in front of" if nearest[0] > 0 else "behind"
            message = f"the decal is {abs(nearest[0]):.2g} m {side} its surface"
            x, y, z = (round(float(value), 3) + 0.0 for value in centre - nearest[0] * outward)
            in_group = context.level.quad_piece(face).within
            place = f"by {nearest[0]:.2g} m towards it" if in_group else f"to [{x:g}, {y:g}, {z:g}]"
            cure = f"move it {place}"
    else:
        message = "a part of the decal hangs over the edge of its surface"
        cure = "make it smaller or move it"
    context.warn_origin("afloat", index, message, cure)


def _depths(points: Floats, outward: Floats, triangles: Floats) -> Floats:
    """Distances (P,N) from points against `outward` to triangles that are met there; infinite for others.

    A point is in a triangle if its barycentric coordinates in the plane are not negative.
    """
    if not len(triangles):
        return np.full((len(points), 0), np.inf)
    first = triangles[:, 0]
    along, across = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = np.cross(along, across)
    slant = normal @ outward
    offset = points[:, None] - first
    depth = (offset * normal).sum(axis=-1) / slant
    foot = offset - depth[..., None] * outward
    size = (normal * normal).sum(axis=-1)
    v = (np.cross(foot, across) * normal).sum(axis=-1) / size
    w = (np.cross(along, foot) * normal).sum(axis=-1) / size
    met = (v > -1e-6) & (w > -1e-6) & (v + w < 1.0 + 1e-6) & (np.abs(depth) < REACH)
    found: Floats = np.where(met, depth, np.inf)
    return found
