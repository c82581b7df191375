"""Light for a level that has just been changed: what is known of the level before it, and a likely guess at the rest.

A triangle that was there before keeps its place in the atlas. The others are laid out in rows below it, as finely;
where they lie in a plane that was lit before, they take that light, and elsewhere that of surfaces near them that look
the same way. Gathering is what finds out the truth, later.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..gl.quality import Quality
from .daylight import Daylight
from .lightmap import (
    MAX_RADIANCE,
    NORMAL_MAP_SIZE,
    Bytes,
    Floats32,
    Lightmap,
    decode_lightmap,
    encode_lightmap,
    encode_stain_and_occlusion,
    normal_indexed_lightmap,
    octahedral_uv,
    open_sky_irradiance,
    stain_noise,
)
from .render_mesh import Floats, RenderMesh
from .uv_unwrap import UvCharts, unwrap

Ints = npt.NDArray[np.int64]

NORMAL_QUANTISATION, OFFSET_QUANTISATION = 2048, 500  # planes are told apart by 0.03 degrees and 2 mm
COPLANAR_TOLERANCE = 2e-3  # metres
SPARE_ROW_FRACTION = 0.25  # of the atlas' height, in rows for what is new
SAMPLE_SPACING = 1.5  # metres between the places of a triangle whose light its neighbours may take
MAX_SAMPLES_PER_EDGE = 6  # along each side of a triangle
FALLOFF_DISTANCE, MAX_NEIGHBOUR_DISTANCE = (
    0.7,
    8.0,
)  # metres: how soon a neighbour's light counts less, and how far one is asked
ESTIMATE_GRID = 7  # places along each side of a new chart where its light is guessed; between them it is even
MAX_ESTIMATED_CHARTS = 300  # new charts that are guessed one by one; more get the light of their normal
MAX_COPIED_TRIANGLES = 1500  # old triangles whose light is taken over texel by texel
SKY_PRIOR_WEIGHT = 0.05  # of an open sky's light: how much one of them is believed where there are no neighbours


def triangle_keys(triangles: Floats) -> list[bytes]:
    """A name for each of (N, 3, 3): its corners to the last bit."""
    return np.ascontiguousarray(triangles).reshape(len(triangles), 9).view("V72").reshape(-1).tolist()


class LitScene:
    """A level and its light, to be asked about other levels that are nearly the same."""

    def __init__(self, model: RenderMesh, light: Daylight, lightmap: Lightmap) -> None:
        self.model, self.daylight, self.lightmap = model, light, lightmap
        self.triangle_index = {key: k for k, key in enumerate(triangle_keys(model.triangles))}

    @cached_property
    def _triangles_by_plane(self) -> dict[tuple[int, ...], list[int]]:
        """The triangles of each plane."""
        distance = np.einsum("nj,nj->n", self.model.triangles[:, 0], self.model.normals)
        rows = np.column_stack(
            (np.rint(self.model.normals * NORMAL_QUANTISATION), np.rint(distance * OFFSET_QUANTISATION))
        ).astype(np.int64)
        found: dict[tuple[int, ...], list[int]] = {}
        for k, plane in enumerate(rows.tolist()):
            found.setdefault(tuple(plane), []).append(k)
        return found

    def coplanar_triangles(self, normal: Floats32, place: Floats32) -> list[int]:
        """The triangles on the plane through a place (3,), to a few millimetres."""
        unit = normal.astype(np.float64)
        distance = round(float(unit @ place.astype(np.float64)) * OFFSET_QUANTISATION)
        facing = [int(part) for part in np.rint(unit * NORMAL_QUANTISATION)]
        return [k for d in (-1, 0, 1) for k in self._triangles_by_plane.get((*facing, distance + d), ())]

    @cached_property
    def light_samples(self) -> tuple[Floats32, Floats32, Floats32]:
        """Places (S, 3) on the level's surfaces with their normals and light."""
        triangles, uv = self.model.triangles, self.lightmap.corner_uv
        longest = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1)
        sides = np.clip(np.ceil(longest / SAMPLE_SPACING), 1, MAX_SAMPLES_PER_EDGE).astype(int)
        points, normals, spots = [], [], []
        for side in np.unique(sides):
            chosen = np.flatnonzero(sides == side)
            a, b = np.meshgrid(np.arange(side), np.arange(side))
            inside = (a + b) < side
            first, second = (a[inside] + 1 / 3) / side, (b[inside] + 1 / 3) / side
            weights = np.stack((1 - first - second, first, second), axis=1)
            points.append((weights @ triangles[chosen]).reshape(-1, 3))
            spots.append((weights @ uv[chosen]).reshape(-1, 2))
            normals.append(np.repeat(self.model.normals[chosen], len(weights), axis=0))
        where = np.concatenate(points).astype(np.float32)
        return (
            where,
            np.concatenate(normals).astype(np.float32),
            sample_lightmap(self.lightmap.pixels, np.concatenate(spots)),
        )


def sample_lightmap(pixels: Bytes, uv: Floats) -> Floats32:
    """Light (N, 3) of an atlas at (N, 2), between its texels as the picture has it."""
    height, width = pixels.shape[:2]
    spot = np.clip(uv * (width, height) - 0.5, 0.0, (width - 1.0, height - 1.0))
    low = np.minimum(np.floor(spot).astype(np.int64), (max(width - 2, 0), max(height - 2, 0)))
    part = (spot - low).astype(np.float32)
    x, y = low[:, 0], low[:, 1]
    right, below = np.minimum(x + 1, width - 1), np.minimum(y + 1, height - 1)
    p, q = part[:, :1], part[:, 1:]
    upper_left, upper_right, lower_left, lower_right = (
        pixels[row, column, :3].astype(np.float32) for row in (y, below) for column in (x, right)
    )
    upper = upper_left * (1 - p) + upper_right * p
    lower = lower_left * (1 - p) + lower_right * p
    root = (upper * (1 - q) + lower * q) / np.float32(255)
    return np.asarray(root * root * np.float32(MAX_RADIANCE), dtype=np.float32)


def reuse_lightmap(known: LitScene, model: RenderMesh, light: Daylight, quality: Quality) -> Lightmap:
    """The light of `model`, which differs from the known level in parts."""
    old = known.lightmap.pixels
    extra = max(round(quality.light_size * SPARE_ROW_FRACTION), NORMAL_MAP_SIZE + 2)
    width, above = max(old.shape[1], NORMAL_MAP_SIZE), old.shape[0]
    height = above + extra
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[:above, : old.shape[1]] = old
    change = sky_light_change(known.daylight, light)
    if not np.allclose(change, 1.0, atol=0.01):
        changed = encode_lightmap(
            decode_lightmap(old) * change.astype(np.float32), np.asarray(old[..., 3] / 255.0, np.float32)
        )
        pixels[:above, : old.shape[1]] = changed
    before = np.array([known.triangle_index.get(key, -1) for key in triangle_keys(model.triangles)], dtype=np.int64)
    scale = np.array((old.shape[1] / width, above / height))
    uv = np.zeros((len(model.triangles), 3, 2))
    kept, fresh = np.flatnonzero(before >= 0), np.flatnonzero(before < 0)
    uv[kept] = known.lightmap.corner_uv[before[kept]] * scale
    if len(fresh):
        part = model.subset(fresh)
        charts = unwrap(part, width, extra, finest_texel(known))
        few = charts is not None and int(charts.chart_of_texel.max()) < MAX_ESTIMATED_CHARTS
        if charts is not None and few:
            charts = crop_charts(charts)
            found = chart_light(known, charts, light) * change.astype(np.float32)
            pixels[above : above + charts.height] = encode_lightmap(
                found, encode_stain_and_occlusion(stain_noise(charts.position))
            )
            own = charts.corner_uv
        else:
            pixels[above : above + NORMAL_MAP_SIZE, :NORMAL_MAP_SIZE] = normal_indexed_lightmap(light)
            own = octahedral_uv(part.normals) * ((NORMAL_MAP_SIZE - 1) / width, (NORMAL_MAP_SIZE - 1) / extra) + (
                0.5 / width,
                0.5 / extra,
            )
        uv[fresh] = own * (1.0, extra / height) + (0.0, above / height)
    return Lightmap(pixels, uv, "")


def crop_charts(charts: UvCharts) -> UvCharts:
    """The same without the empty rows at the end; `uv` is left as it is."""
    rows = int(np.flatnonzero((charts.chart_of_texel >= 0).any(axis=1)).max()) + 2
    return replace(charts, height=min(rows, charts.height), position=charts.position[:rows],
                   normal=charts.normal[:rows], chart_of_texel=charts.chart_of_texel[:rows])  # fmt: skip


def sky_light_change(before: Daylight, after: Daylight) -> Floats:
    """By how much (3,) the light from the sky has changed."""
    up = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return np.asarray(
        open_sky_irradiance(up, after).mean(axis=0) / np.maximum(open_sky_irradiance(up, before).mean(axis=0), 1e-6)
    )


def finest_texel(known: LitScene) -> float:
    """Metres that a texel of the known level's atlas spans, about."""
    metres = np.linalg.norm(known.model.triangles[:, 1] - known.model.triangles[:, 0], axis=1)
    across = (known.lightmap.corner_uv[:, 1] - known.lightmap.corner_uv[:, 0]) * known.lightmap.pixels.shape[1::-1]
    texels = np.linalg.norm(across, axis=1)
    sound = texels > 1.5
    return float(np.clip(np.median(metres[sound] / texels[sound]), 0.06, 2.0)) if sound.any() else 0.3


def chart_light(known: LitScene, charts: UvCharts, light: Daylight) -> Floats32:
    """Light (height, width, 3) of new charts."""
    position, normal = charts.position.reshape(-1, 3), charts.normal.reshape(-1, 3)
    found = open_sky_irradiance(normal.astype(np.float64), light).astype(np.float32)
    owner = charts.chart_of_texel.reshape(-1)
    texels = np.argsort(owner, kind="stable")
    begins = np.searchsorted(owner[texels], np.arange(int(owner.max()) + 2))
    rounds = 0
    for first, end in itertools.pairwise(begins):
        own = texels[first:end]
        if not len(own):
            continue
        members = known.coplanar_triangles(normal[own[0]], position[own[0]])
        rounds += len(members)
        unlit = np.ones(len(own), np.bool_)
        if rounds <= MAX_COPIED_TRIANGLES:
            unlit = ~copy_light(known, members, position[own], own, found)
        if unlit.any():
            found[own[unlit]] = estimate_from_neighbours(known, position[own[unlit]], normal[own[0]], light)
    return found.reshape(*charts.chart_of_texel.shape, 3)


def estimate_from_neighbours(known: LitScene, places: Floats32, normal: Floats32, light: Daylight) -> Floats32:
    """Light (n, 3) at places (n, 3) of one plane: that of surfaces near by which look the same way."""
    points, normals, lit = known.light_samples
    low, high = places.min(axis=0) - MAX_NEIGHBOUR_DISTANCE / 2, places.max(axis=0) + MAX_NEIGHBOUR_DISTANCE / 2
    inside = np.ones(len(points), np.bool_)
    for axis in range(3):  # column by column: some times as quick as all at once
        inside &= (points[:, axis] > low[axis]) & (points[:, axis] < high[axis])
    near = np.flatnonzero(inside)
    alike = np.maximum(normals[near] @ normal, 0.0) ** 2
    near, alike = near[alike > 0.01], alike[alike > 0.01]
    open_sky = open_sky_irradiance(normal[None].astype(np.float64), light)[0].astype(np.float32)
    if not len(near):
        return np.broadcast_to(open_sky, places.shape)
    # few places stand for all of them: the nearest of a coarse grid over their box
    span = np.maximum(places.max(axis=0) - places.min(axis=0), 1e-6)
    step = np.maximum(span / ESTIMATE_GRID, span.max() / ESTIMATE_GRID)
    cell = np.floor((places - places.min(axis=0)) / step).astype(np.int64)
    _, first, which = np.unique(cell @ (1, 64, 4096), return_index=True, return_inverse=True)
    asked = places.min(axis=0) + (cell[first] + 0.5).astype(np.float32) * step
    asked, beside = asked - places[0], points[near] - places[0]
    distance = (asked**2).sum(axis=1)[:, None] + (beside**2).sum(axis=1) - 2.0 * (asked @ beside.T)
    weight = alike / (FALLOFF_DISTANCE * FALLOFF_DISTANCE + distance) ** 2
    own = np.float32(SKY_PRIOR_WEIGHT / (FALLOFF_DISTANCE * FALLOFF_DISTANCE + (MAX_NEIGHBOUR_DISTANCE / 2) ** 2) ** 2)
    value = (weight @ lit[near] + own * open_sky) / (weight.sum(axis=1) + own)[:, None]
    return np.asarray(value[which.reshape(-1)], dtype=np.float32)


def copy_light(
    known: LitScene, members: list[int], places: Floats32, texels: Ints, found: Floats32
) -> npt.NDArray[np.bool_]:
    """Give texels at places (n, 3) the light that the known triangles `members` have there; returns which got some."""
    lit = np.zeros(len(places), np.bool_)
    if not members:
        return lit
    low, high = places.min(axis=0) - COPLANAR_TOLERANCE, places.max(axis=0) + COPLANAR_TOLERANCE
    corners = known.model.triangles[members]
    touching = (corners.max(axis=1) >= low).all(axis=1) & (corners.min(axis=1) <= high).all(axis=1)
    for m, (a, b, c) in zip(np.asarray(members)[touching], corners[touching], strict=True):
        least, most = (
            np.minimum(np.minimum(a, b), c) - COPLANAR_TOLERANCE,
            np.maximum(np.maximum(a, b), c) + COPLANAR_TOLERANCE,
        )
        near = np.flatnonzero(((places >= least) & (places <= most)).all(axis=1) & ~lit)
        if not len(near):
            continue
        weights = barycentric(places[near].astype(np.float64), a, b, c)
        inside = (weights >= -1e-6).all(axis=1)
        near = near[inside]
        found[texels[near]] = sample_lightmap(known.lightmap.pixels, weights[inside] @ known.lightmap.corner_uv[m])
        lit[near] = True
    return lit


def barycentric(places: Floats, a: Floats, b: Floats, c: Floats) -> Floats:
    """Weights (n, 3) of a triangle's corners at places (n, 3) of its plane."""
    first, second, away = b - a, c - a, places - a
    d00, d01, d11 = first @ first, first @ second, second @ second
    d20, d21 = away @ first, away @ second
    area = max(float(d00 * d11 - d01 * d01), 1e-18)
    v, w = (d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area
    return np.stack((1.0 - v - w, v, w), axis=1)
