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
    BALL,
    BRIGHTEST,
    Bytes,
    Floats32,
    Lightmap,
    ball,
    by_normal,
    decoded,
    encoded,
    sky_on,
    stains,
    tones,
)
from .render_mesh import Floats, Model
from .uv_unwrap import Charts, unfold

Ints = npt.NDArray[np.int64]

SHARP, FINE = 2048, 500  # planes are told apart by 0.03 degrees and 2 mm
SLACK = 2e-3  # metres
EXTRA = 0.25  # of the atlas' height, in rows for what is new
SPACING = 1.5  # metres between the places of a triangle whose light its neighbours may take
MOST_PLACES = 6  # along each side of a triangle
NEAR, FARTHEST = 0.7, 8.0  # metres: how soon a neighbour's light counts less, and how far one is asked
GRID = 7  # places along each side of a new chart where its light is guessed; between them it is even
MOST_CHARTS = 300  # new charts that are guessed one by one; more get the light of their normal
MOST_ROUNDS = 1500  # old triangles whose light is taken over texel by texel
FAINT = 0.05  # of an open sky's light: how much one of them is believed where there are no neighbours


def keys(triangles: Floats) -> list[bytes]:
    """A name for each of (N, 3, 3): its corners to the last bit."""
    return np.ascontiguousarray(triangles).reshape(len(triangles), 9).view("V72").reshape(-1).tolist()


class Known:
    """A level and its light, to be asked about other levels that are nearly the same."""

    def __init__(self, model: Model, light: Daylight, lightmap: Lightmap) -> None:
        self.model, self.daylight, self.lightmap = model, light, lightmap
        self.place = {key: k for k, key in enumerate(keys(model.triangles))}

    @cached_property
    def _in_plane(self) -> dict[tuple[int, ...], list[int]]:
        """The triangles of each plane."""
        distance = np.einsum("nj,nj->n", self.model.triangles[:, 0], self.model.normals)
        rows = np.column_stack((np.rint(self.model.normals * SHARP), np.rint(distance * FINE))).astype(np.int64)
        found: dict[tuple[int, ...], list[int]] = {}
        for k, plane in enumerate(rows.tolist()):
            found.setdefault(tuple(plane), []).append(k)
        return found

    def coplanar(self, normal: Floats32, place: Floats32) -> list[int]:
        """The triangles on the plane through a place (3,), to a few millimetres."""
        unit = normal.astype(np.float64)
        distance = round(float(unit @ place.astype(np.float64)) * FINE)
        facing = [int(part) for part in np.rint(unit * SHARP)]
        return [k for d in (-1, 0, 1) for k in self._in_plane.get((*facing, distance + d), ())]

    @cached_property
    def samples(self) -> tuple[Floats32, Floats32, Floats32]:
        """Places (S, 3) on the level's surfaces with their normals and light."""
        triangles, uv = self.model.triangles, self.lightmap.uv
        longest = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1)
        sides = np.clip(np.ceil(longest / SPACING), 1, MOST_PLACES).astype(int)
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
        return where, np.concatenate(normals).astype(np.float32), taken(self.lightmap.pixels, np.concatenate(spots))


def taken(pixels: Bytes, uv: Floats) -> Floats32:
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
    return np.asarray(root * root * np.float32(BRIGHTEST), dtype=np.float32)


def relit(known: Known, model: Model, light: Daylight, quality: Quality) -> Lightmap:
    """The light of `model`, which differs from the known level in parts."""
    old = known.lightmap.pixels
    extra = max(round(quality.light_size * EXTRA), BALL + 2)
    width, above = max(old.shape[1], BALL), old.shape[0]
    height = above + extra
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[:above, : old.shape[1]] = old
    change = tone(known.daylight, light)
    if not np.allclose(change, 1.0, atol=0.01):
        changed = encoded(decoded(old) * change.astype(np.float32), np.asarray(old[..., 3] / 255.0, np.float32))
        pixels[:above, : old.shape[1]] = changed
    before = np.array([known.place.get(key, -1) for key in keys(model.triangles)], dtype=np.int64)
    scale = np.array((old.shape[1] / width, above / height))
    uv = np.zeros((len(model.triangles), 3, 2))
    kept, fresh = np.flatnonzero(before >= 0), np.flatnonzero(before < 0)
    uv[kept] = known.lightmap.uv[before[kept]] * scale
    if len(fresh):
        part = model.part(fresh)
        charts = unfold(part, width, extra, finest_of(known))
        few = charts is not None and int(charts.chart.max()) < MOST_CHARTS
        if charts is not None and few:
            charts = cropped(charts)
            found = light_of(known, charts, light) * change.astype(np.float32)
            pixels[above : above + charts.height] = encoded(found, tones(stains(charts.position)))
            own = charts.uv
        else:
            pixels[above : above + BALL, :BALL] = ball(light)
            own = by_normal(part.normals) * ((BALL - 1) / width, (BALL - 1) / extra) + (0.5 / width, 0.5 / extra)
        uv[fresh] = own * (1.0, extra / height) + (0.0, above / height)
    return Lightmap(pixels, uv, "")


def cropped(charts: Charts) -> Charts:
    """The same without the empty rows at the end; `uv` is left as it is."""
    rows = int(np.flatnonzero((charts.chart >= 0).any(axis=1)).max()) + 2
    return replace(charts, height=min(rows, charts.height), position=charts.position[:rows],
                   normal=charts.normal[:rows], chart=charts.chart[:rows])  # fmt: skip


def tone(before: Daylight, after: Daylight) -> Floats:
    """By how much (3,) the light from the sky has changed."""
    up = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return np.asarray(sky_on(up, after).mean(axis=0) / np.maximum(sky_on(up, before).mean(axis=0), 1e-6))


def finest_of(known: Known) -> float:
    """Metres that a texel of the known level's atlas spans, about."""
    metres = np.linalg.norm(known.model.triangles[:, 1] - known.model.triangles[:, 0], axis=1)
    across = (known.lightmap.uv[:, 1] - known.lightmap.uv[:, 0]) * known.lightmap.pixels.shape[1::-1]
    texels = np.linalg.norm(across, axis=1)
    sound = texels > 1.5
    return float(np.clip(np.median(metres[sound] / texels[sound]), 0.06, 2.0)) if sound.any() else 0.3


def light_of(known: Known, charts: Charts, light: Daylight) -> Floats32:
    """Light (height, width, 3) of new charts."""
    position, normal = charts.position.reshape(-1, 3), charts.normal.reshape(-1, 3)
    found = sky_on(normal.astype(np.float64), light).astype(np.float32)
    owner = charts.chart.reshape(-1)
    texels = np.argsort(owner, kind="stable")
    begins = np.searchsorted(owner[texels], np.arange(int(owner.max()) + 2))
    rounds = 0
    for first, end in itertools.pairwise(begins):
        own = texels[first:end]
        if not len(own):
            continue
        members = known.coplanar(normal[own[0]], position[own[0]])
        rounds += len(members)
        unlit = np.ones(len(own), np.bool_)
        if rounds <= MOST_ROUNDS:
            unlit = ~take_over(known, members, position[own], own, found)
        if unlit.any():
            found[own[unlit]] = guessed(known, position[own[unlit]], normal[own[0]], light)
    return found.reshape(*charts.chart.shape, 3)


def guessed(known: Known, places: Floats32, normal: Floats32, light: Daylight) -> Floats32:
    """Light (n, 3) at places (n, 3) of one plane: that of surfaces near by which look the same way."""
    points, normals, lit = known.samples
    low, high = places.min(axis=0) - FARTHEST / 2, places.max(axis=0) + FARTHEST / 2
    inside = np.ones(len(points), np.bool_)
    for axis in range(3):  # column by column: some times as quick as all at once
        inside &= (points[:, axis] > low[axis]) & (points[:, axis] < high[axis])
    near = np.flatnonzero(inside)
    alike = np.maximum(normals[near] @ normal, 0.0) ** 2
    near, alike = near[alike > 0.01], alike[alike > 0.01]
    open_sky = sky_on(normal[None].astype(np.float64), light)[0].astype(np.float32)
    if not len(near):
        return np.broadcast_to(open_sky, places.shape)
    # few places stand for all of them: the nearest of a coarse grid over their box
    span = np.maximum(places.max(axis=0) - places.min(axis=0), 1e-6)
    step = np.maximum(span / GRID, span.max() / GRID)
    cell = np.floor((places - places.min(axis=0)) / step).astype(np.int64)
    _, first, which = np.unique(cell @ (1, 64, 4096), return_index=True, return_inverse=True)
    asked = places.min(axis=0) + (cell[first] + 0.5).astype(np.float32) * step
    asked, beside = asked - places[0], points[near] - places[0]
    distance = (asked**2).sum(axis=1)[:, None] + (beside**2).sum(axis=1) - 2.0 * (asked @ beside.T)
    weight = alike / (NEAR * NEAR + distance) ** 2
    own = np.float32(FAINT / (NEAR * NEAR + (FARTHEST / 2) ** 2) ** 2)
    value = (weight @ lit[near] + own * open_sky) / (weight.sum(axis=1) + own)[:, None]
    return np.asarray(value[which.reshape(-1)], dtype=np.float32)


def take_over(
    known: Known, members: list[int], places: Floats32, texels: Ints, found: Floats32
) -> npt.NDArray[np.bool_]:
    """Give texels at places (n, 3) the light that the known triangles `members` have there; returns which got some."""
    lit = np.zeros(len(places), np.bool_)
    if not members:
        return lit
    low, high = places.min(axis=0) - SLACK, places.max(axis=0) + SLACK
    corners = known.model.triangles[members]
    touching = (corners.max(axis=1) >= low).all(axis=1) & (corners.min(axis=1) <= high).all(axis=1)
    for m, (a, b, c) in zip(np.asarray(members)[touching], corners[touching], strict=True):
        least, most = np.minimum(np.minimum(a, b), c) - SLACK, np.maximum(np.maximum(a, b), c) + SLACK
        near = np.flatnonzero(((places >= least) & (places <= most)).all(axis=1) & ~lit)
        if not len(near):
            continue
        weights = barycentric(places[near].astype(np.float64), a, b, c)
        inside = (weights >= -1e-6).all(axis=1)
        near = near[inside]
        found[texels[near]] = taken(known.lightmap.pixels, weights[inside] @ known.lightmap.uv[m])
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
