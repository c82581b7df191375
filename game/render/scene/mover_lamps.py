"""Lamps and movers: lamps that movers carry as shader rows, and the light of all lamps on the vertices of movers.

The baked light of a level has the lamps that stay where they are. A carried lamp adds its light to the level in the
shader; from medium quality on with shadows of the level and of movers on it (passes/shadows.py). A mover takes the
light of each lamp in reach at its vertices; of a lamp that stays, times the part of the mover that walls and floors
leave in its sight. A lamp casts no shadow on a mover but this, and a lamp that stays none of a mover.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Indices
from .light_bake import apply_eye_adaptation
from .point_lights import BULB_RADIUS, pack_point_lights
from .scene import Scene, carry_points

Floats32 = npt.NDArray[np.float32]

MAX_MOVING_LAMPS = 8  # that light the level in a frame: those nearest to the eye
MAX_VERTICES_PER_FRAME = 2500  # of movers whose light is renewed after the first frame
MAX_LAMPS_ON_MOVER = 6  # that light a mover: the brightest at its centre
SAMPLE_SPREAD = 0.6  # of the half size of a mover: the points whose sight of a lamp counts
LAMP_BOUNCE = 0.12  # of the light of a lamp, as indirect light on a mover
BOUNCE_DISTANCE = 1.5  # metres: nearer to the lamp the indirect light grows no more
MAX_SIGHT_TESTS = 60_000  # rays times triangles of one lamp and mover; beyond it the centre alone counts


class SceneLamps:
    """The lamps of a scene at the poses of a frame.

    has_probes: whether light probes have what walls throw back of the light of lamps that stay.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.has_probes = False
        self._rows = pack_point_lights(scene.lamps)
        self._carriers = np.array([lamp.mover for lamp in scene.lamps], dtype=np.int32)
        self._near: dict[int, Indices] = {}
        self._centres, self._halves = [], []
        for mover in scene.movers:
            corners = mover.triangles.reshape(-1, 3) if len(mover.triangles) else np.zeros((1, 3))
            low, high = corners.min(axis=0), corners.max(axis=0)
            self._centres.append((low + high) / 2.0)
            self._halves.append((high - low) / 2.0)
        self._low = scene.triangles.min(axis=1) if len(scene.triangles) else np.zeros((0, 3))
        self._high = scene.triangles.max(axis=1) if len(scene.triangles) else np.zeros((0, 3))

    @property
    def moving_count(self) -> int:
        """Number of rows of `moving_rows`."""
        return min(int(np.count_nonzero(self._carriers >= 0)), MAX_MOVING_LAMPS)

    def rows_at(self, poses: Floats | None) -> Floats32:
        """Rows (L, 8) of all lamps (`pack_point_lights`) at the poses (K, 3, 4) of the movers; None: at home."""
        rows = self._rows.copy()
        rows[:, :3] = carry_points(rows[:, :3].astype(np.float64), self._carriers, self.scene.movers, poses)
        return rows

    def moving_rows(self, poses: Floats | None, eye: Sequence[float]) -> Floats32:
        """Rows (moving_count, 8) of the carried lamps whose reach is nearest to the eye."""
        rows = self.rows_at(poses)[self._carriers >= 0]
        distance = np.linalg.norm(rows[:, :3] - np.asarray(eye, dtype=np.float32), axis=1) - rows[:, 3]
        return np.asarray(rows[np.sort(np.argsort(distance, kind="stable")[: self.moving_count])], dtype=np.float32)

    def moving_state(self, rows: Floats32) -> bytes:
        """Bytes that change with the places of the carried lamps, and with `has_probes`. rows: `rows_at`."""
        return rows[self._carriers >= 0, :3].tobytes() + bytes([self.has_probes])

    def light_on_mover(self, number: int, pose: Floats, placed: Floats32, rows: Floats32) -> Floats32:
        """Light (n, 3) on the vertices of a mover. placed: positions and normals in the world (n, 6 or more). rows:
        `rows_at` the poses."""
        light, bounced = np.zeros((len(placed), 3), np.float32), np.zeros((len(placed), 3), np.float32)
        centre = pose[:, :3] @ self._centres[number] + pose[:, 3]
        radius = float(np.linalg.norm(self._halves[number]))
        distance = np.linalg.norm(rows[:, :3] - centre, axis=1)
        near = np.flatnonzero(distance < rows[:, 3] + radius)
        strength = rows[near, 4:7].sum(axis=1) / (1.0 + np.maximum(distance[near] - radius, 0.0) ** 2)
        for k in near[np.argsort(-strength, kind="stable")[:MAX_LAMPS_ON_MOVER]].tolist():
            stays = self._carriers[k] < 0
            seen = self._sight(number, pose, k) if stays else 1.0
            if seen > 0.0:
                _add_lamp(light, None if stays and self.has_probes else bounced, placed, rows[k], seen)
        return light + apply_eye_adaptation(bounced) if bounced.any() else light

    def _sight(self, number: int, pose: Floats, lamp_number: int) -> float:
        """Part 0..1 of a mover, at 27 points within its box, that the level leaves in sight of a lamp that stays."""
        lamp = self._rows[lamp_number, :3].astype(np.float64)
        steps = SAMPLE_SPREAD * np.array((-1.0, 0.0, 1.0))
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        points = (self._centres[number] + grid * self._halves[number]) @ pose[:, :3].T + pose[:, 3]
        low, high = np.minimum(points.min(axis=0), lamp), np.maximum(points.max(axis=0), lamp)
        near = self._triangles_near(lamp_number)
        between = near[((self._low[near] <= high) & (self._high[near] >= low)).all(axis=1)]
        if not len(between):
            return 1.0
        if len(between) * len(points) > MAX_SIGHT_TESTS:
            points = points[13:14]
        return 1.0 - float(_is_blocked(lamp, points, self.scene.triangles[between]).mean())

    def _triangles_near(self, lamp_number: int) -> Indices:
        """Indices of the level's triangles in reach of a lamp that stays, found once."""
        if lamp_number not in self._near:
            at = self._rows[lamp_number, :3]
            reach = self._rows[lamp_number, 3]
            is_near = ((self._low <= at + reach) & (self._high >= at - reach)).all(axis=1)
            self._near[lamp_number] = np.flatnonzero(is_near)
        return self._near[lamp_number]


class MoverLight:
    """Light of the lamps on the vertices of all movers, renewed for some of them in each frame.

    A mover that stands still among lamps that stand still is not renewed. After the first frame those that were renewed
    longest ago come first, up to MAX_VERTICES_PER_FRAME, so that many movers cost little time.

    is_current: whether the last update left none out.
    """

    def __init__(self, lamps: SceneLamps) -> None:
        self._lamps = lamps
        self.is_current = True
        self._light: dict[int, Floats32] = {}
        self._state: dict[int, bytes] = {}  # pose of the mover and of the moving lamps at its last light
        self._order: list[int] = []  # movers, the one renewed longest ago first

    def update(self, poses: Floats, placed: Sequence[Floats32]) -> Floats32:
        """Light (n, 3) on all vertices in order. placed: positions and normals (m, 6 or more) of each mover."""
        rows = self._lamps.rows_at(poses)
        if len(self._order) != len(placed):
            self._order = list(range(len(placed)))
        moving = self._lamps.moving_state(rows)
        budget = MAX_VERTICES_PER_FRAME
        self.is_current = True
        renewed: list[int] = []
        for number in self._order:
            state = poses[number].tobytes() + moving
            if self._state.get(number) == state:
                continue
            if number in self._light and len(placed[number]) > budget and renewed:
                self.is_current = False
                continue
            self._light[number] = self._lamps.light_on_mover(number, poses[number], placed[number], rows)
            self._state[number] = state
            budget -= len(placed[number])
            renewed.append(number)
        self._order = [number for number in self._order if number not in renewed] + renewed
        return np.concatenate([np.zeros((0, 3), np.float32), *(self._light[number] for number in range(len(placed)))])


def _add_lamp(light: Floats32, bounced: Floats32 | None, placed: Floats32, row: Floats32, seen: float) -> None:
    """Add direct and bounced light of a lamp to arrays (n, 3).

    Direct light as `point_lights.unshadowed_irradiance`. Bounced light is a guess at what walls near the lamp throw
    back, whatever way a point faces, so that no side is black.
    """
    towards = row[:3] - placed[:, :3]
    distance_squared = np.einsum("ij,ij->i", towards, towards)
    window = np.square(np.clip(1.0 - np.square(distance_squared / (row[3] * row[3])), 0.0, 1.0)) * np.float32(seen)
    facing = np.maximum(np.einsum("ij,ij->i", towards, placed[:, 3:6]), 0.0) / np.sqrt(distance_squared + 1e-12)
    light += (facing * window / (distance_squared + BULB_RADIUS * BULB_RADIUS))[:, None] * row[4:7]
    if bounced is None:
        return
    bounced += (LAMP_BOUNCE * window / (distance_squared + BOUNCE_DISTANCE * BOUNCE_DISTANCE))[:, None] * row[4:7]


def _is_blocked(start: Floats, ends: Floats, triangles: Floats) -> npt.NDArray[np.bool_]:
    """(n,): whether a triangle (m, 3, 3) crosses the segment from `start` to each of `ends` (n, 3).

    Möller and Trumbore 1997, without its last 1 % at either end.
    """
    a = triangles[:, 0]
    e1, e2 = triangles[:, 1] - a, triangles[:, 2] - a
    d = ends - start
    # d . (e2 x e1) and d . (from_a x e2): the triple products of the textbook, with the products of edges made once
    from_a = start - a
    q = _cross(from_a, e1)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / (d @ _cross(e2, e1).T)
        u = (d @ _cross(e2, from_a).T) * inverse
        v = (d @ q.T) * inverse
        t = np.einsum("mj,mj->m", e2, q) * inverse
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.01) & (t < 0.99)
    return np.asarray(hit.any(axis=1))


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products (m, 3)."""
    x, y, z = a.T
    p, q, r = b.T
    return np.stack((y * r - z * q, z * p - x * r, x * q - y * p), axis=1)
