"""Lightmap of an edited level: reuses the baked light of the previous version and estimates the rest.

Unchanged triangles keep their place in the lightmap. Charts of new triangles are packed in rows below it at the same
resolution. Parts that lie in a plane with baked light copy that light; other parts take that of the light probes. The
next bake replaces the estimate.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...core.vectors import Floats, Indices
from ..gl.quality import Quality
from .bake_input import Bytes, Floats32
from .daylight import Daylight
from .lightmap import (
    MAX_RADIANCE,
    NORMAL_MAP_SIZE,
    Lightmap,
    decode_lightmap,
    encode_lightmap,
    encode_stains,
    normal_indexed_lightmap,
    octahedral_uv,
    open_sky_irradiance,
    stain_map,
)
from .render_mesh import RenderMesh
from .uv_unwrap import UvCharts, unwrap

NORMAL_QUANTISATION, OFFSET_QUANTISATION = 2048, 500  # steps of 0.03 degrees and 2 mm
COPLANAR_TOLERANCE = 2e-3  # metres
SPARE_ROW_FRACTION = 0.25  # of the lightmap height: rows for new charts
PROBE_OFFSET = 0.3  # metres before a surface at which its light is taken from the probes
MAX_ESTIMATED_CHARTS = 300  # new charts; with more, all new triangles get open-sky light by normal
MAX_COPIED_TRIANGLES = 1500  # triangles whose light is copied, per edit


def triangle_keys(triangles: Floats) -> list[bytes]:
    """Key of each triangle of (N, 3, 3): the bytes of its corners."""
    return np.ascontiguousarray(triangles).reshape(len(triangles), 9).view("V72").reshape(-1).tolist()


class LitScene:
    """A mesh with its baked lightmap, as a source of light for similar meshes."""

    def __init__(self, mesh: RenderMesh, daylight: Daylight, lightmap: Lightmap) -> None:
        self.mesh, self.daylight, self.lightmap = mesh, daylight, lightmap

    def build_tables(self) -> None:
        """Build the lookup tables ahead of their use."""
        _ = self.triangle_index, self._triangles_by_plane

    @cached_property
    def triangle_index(self) -> dict[bytes, int]:
        """Index of each triangle by its key."""
        return {key: k for k, key in enumerate(triangle_keys(self.mesh.triangles))}

    @cached_property
    def _triangles_by_plane(self) -> dict[tuple[int, ...], list[int]]:
        """Triangle indices by quantised plane."""
        distance = np.einsum("nj,nj->n", self.mesh.triangles[:, 0], self.mesh.normals)
        rows = np.column_stack(
            (np.rint(self.mesh.normals * NORMAL_QUANTISATION), np.rint(distance * OFFSET_QUANTISATION))
        ).astype(np.int64)
        triangles: dict[tuple[int, ...], list[int]] = {}
        for k, plane in enumerate(rows.tolist()):
            triangles.setdefault(tuple(plane), []).append(k)
        return triangles

    def coplanar_triangles(self, normal: Floats32, point: Floats32) -> list[int]:
        """Triangles in the plane with this unit normal through a point (3,), within a few millimetres."""
        unit = normal.astype(np.float64)
        distance = round(float(unit @ point.astype(np.float64)) * OFFSET_QUANTISATION)
        normal_key = [int(component) for component in np.rint(unit * NORMAL_QUANTISATION)]
        return [k for d in (-1, 0, 1) for k in self._triangles_by_plane.get((*normal_key, distance + d), ())]


def sample_lightmap(pixels: Bytes, uv: Floats) -> Floats32:
    """Light (N, 3) of a lightmap at (N, 2), with the bilinear filter of the GPU."""
    height, width = pixels.shape[:2]
    texel = np.clip(uv * (width, height) - 0.5, 0.0, (width - 1.0, height - 1.0))
    low = np.minimum(np.floor(texel).astype(np.int64), (max(width - 2, 0), max(height - 2, 0)))
    fraction = (texel - low).astype(np.float32)
    x, y = low[:, 0], low[:, 1]
    right, below = np.minimum(x + 1, width - 1), np.minimum(y + 1, height - 1)
    fx, fy = fraction[:, :1], fraction[:, 1:]
    upper_left, upper_right, lower_left, lower_right = (
        pixels[row, column, :3].astype(np.float32) for row in (y, below) for column in (x, right)
    )
    upper = upper_left * (1 - fx) + upper_right * fx
    lower = lower_left * (1 - fx) + lower_right * fx
    root = (upper * (1 - fy) + lower * fy) / np.float32(255)
    return np.asarray(root * root * np.float32(MAX_RADIANCE), dtype=np.float32)


def reuse_lightmap(previous: LitScene, mesh: RenderMesh, daylight: Daylight, quality: Quality) -> Lightmap:
    """Lightmap of `mesh`, which differs in parts from the previous scene."""
    old_pixels = previous.lightmap.pixels
    spare_rows = max(round(quality.light_size * SPARE_ROW_FRACTION), NORMAL_MAP_SIZE + 2)
    width, old_height = max(old_pixels.shape[1], NORMAL_MAP_SIZE), old_pixels.shape[0]
    height = old_height + spare_rows
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[:old_height, : old_pixels.shape[1]] = old_pixels
    change = sky_light_change(previous.daylight, daylight)
    has_other_light = not np.allclose(change, 1.0, atol=0.01)
    if has_other_light:
        changed = encode_lightmap(
            decode_lightmap(old_pixels) * change.astype(np.float32), np.asarray(old_pixels[..., 3] / 255.0, np.float32)
        )
        pixels[:old_height, : old_pixels.shape[1]] = changed
    old_index = np.array(
        [previous.triangle_index.get(key, -1) for key in triangle_keys(mesh.triangles)], dtype=np.int64
    )
    scale = np.array((old_pixels.shape[1] / width, old_height / height))
    uv = np.zeros((len(mesh.triangles), 3, 2))
    unchanged, added = np.flatnonzero(old_index >= 0), np.flatnonzero(old_index < 0)
    uv[unchanged] = previous.lightmap.corner_uv[old_index[unchanged]] * scale
    if len(added):
        new_mesh = mesh.subset(added)
        charts = unwrap(new_mesh, width, spare_rows, finest_texel(previous))
        can_estimate = charts is not None and int(charts.chart_of_texel.max()) < MAX_ESTIMATED_CHARTS
        if charts is not None and can_estimate:
            charts = crop_charts(charts)
            light = chart_light(previous, charts, daylight, change)
            pixels[old_height : old_height + charts.height] = encode_lightmap(
                light, encode_stains(stain_map(charts, new_mesh))
            )
            new_uv = charts.corner_uv
        else:
            pixels[old_height : old_height + NORMAL_MAP_SIZE, :NORMAL_MAP_SIZE] = normal_indexed_lightmap(daylight)
            new_uv = octahedral_uv(new_mesh.normals) * (
                (NORMAL_MAP_SIZE - 1) / width,
                (NORMAL_MAP_SIZE - 1) / spare_rows,
            ) + (
                0.5 / width,
                0.5 / spare_rows,
            )
        uv[added] = new_uv * (1.0, spare_rows / height) + (0.0, old_height / height)
    return Lightmap(pixels, uv, "", probes=None if has_other_light else previous.lightmap.probes)


def crop_charts(charts: UvCharts) -> UvCharts:
    """Charts without the empty rows at the end; texture coordinates are unchanged."""
    rows = int(np.flatnonzero((charts.chart_of_texel >= 0).any(axis=1)).max()) + 2
    return replace(charts, height=min(rows, charts.height), position=charts.position[:rows],
                   normal=charts.normal[:rows], chart_of_texel=charts.chart_of_texel[:rows])  # fmt: skip


def sky_light_change(old: Daylight, new: Daylight) -> Floats:
    """Ratio (3,) of the new sky light to the old."""
    up = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return np.asarray(
        open_sky_irradiance(up, new).mean(axis=0) / np.maximum(open_sky_irradiance(up, old).mean(axis=0), 1e-6)
    )


def finest_texel(previous: LitScene) -> float:
    """Texel size of the previous lightmap in metres: median over its triangles."""
    metres = np.linalg.norm(previous.mesh.triangles[:, 1] - previous.mesh.triangles[:, 0], axis=1)
    across = (previous.lightmap.corner_uv[:, 1] - previous.lightmap.corner_uv[:, 0]) * previous.lightmap.pixels.shape[
        1::-1
    ]
    texels = np.linalg.norm(across, axis=1)
    is_measurable = texels > 1.5
    return (
        float(np.clip(np.median(metres[is_measurable] / texels[is_measurable]), 0.06, 2.0))
        if is_measurable.any()
        else 0.3
    )


def chart_light(previous: LitScene, charts: UvCharts, daylight: Daylight, change: Floats) -> Floats32:
    """Light (height, width, 3) of the charts of new triangles. change: `sky_light_change`."""
    position, normal = charts.position.reshape(-1, 3), charts.normal.reshape(-1, 3)
    if previous.lightmap.probes is None:
        light = open_sky_irradiance(normal.astype(np.float64), daylight).astype(np.float32)
    else:
        light = previous.lightmap.probes.light_on(position + PROBE_OFFSET * normal, normal) * change.astype(np.float32)
    chart = charts.chart_of_texel.reshape(-1)
    texels = np.argsort(chart, kind="stable")
    starts = np.searchsorted(chart[texels], np.arange(int(chart.max()) + 2))
    copied_triangles = 0
    for first, end in itertools.pairwise(starts):
        members_texels = texels[first:end]
        if not len(members_texels):
            continue
        members = previous.coplanar_triangles(normal[members_texels[0]], position[members_texels[0]])
        copied_triangles += len(members)
        if copied_triangles > MAX_COPIED_TRIANGLES:
            break
        copy_light(previous, members, position[members_texels], members_texels, light, change)
    return light.reshape(*charts.chart_of_texel.shape, 3)


def copy_light(
    previous: LitScene, members: list[int], positions: Floats32, texels: Indices, light: Floats32, change: Floats
) -> None:
    """Copy the light of coplanar triangles to the texels (n,) inside them, at positions (n, 3)."""
    is_lit = np.zeros(len(positions), np.bool_)
    if not members:
        return
    low, high = positions.min(axis=0) - COPLANAR_TOLERANCE, positions.max(axis=0) + COPLANAR_TOLERANCE
    corners = previous.mesh.triangles[members]
    touching = (corners.max(axis=1) >= low).all(axis=1) & (corners.min(axis=1) <= high).all(axis=1)
    for m, (a, b, c) in zip(np.asarray(members)[touching], corners[touching], strict=True):
        box_min = np.minimum(np.minimum(a, b), c) - COPLANAR_TOLERANCE
        box_max = np.maximum(np.maximum(a, b), c) + COPLANAR_TOLERANCE
        candidates = np.flatnonzero(((positions >= box_min) & (positions <= box_max)).all(axis=1) & ~is_lit)
        weights = barycentric(positions[candidates].astype(np.float64), a, b, c)
        inside = (weights >= -1e-6).all(axis=1)
        candidates = candidates[inside]
        uv = weights[inside] @ previous.lightmap.corner_uv[m]
        light[texels[candidates]] = sample_lightmap(previous.lightmap.pixels, uv) * change
        is_lit[candidates] = True


def barycentric(points: Floats, a: Floats, b: Floats, c: Floats) -> Floats:
    """Barycentric coordinates (n, 3) of points (n, 3) in the plane of a triangle (Ericson 2005, section 3.4)."""
    first = b - a
    second = c - a
    from_a = points - a
    d00, d01, d11 = first @ first, first @ second, second @ second
    d20, d21 = from_a @ first, from_a @ second
    denominator = max(float(d00 * d11 - d01 * d01), 1e-18)
    v, w = (d11 * d20 - d01 * d21) / denominator, (d00 * d21 - d01 * d20) / denominator
    return np.stack((1.0 - v - w, v, w), axis=1)
