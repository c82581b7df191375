"""Lamps: their rows for the shaders, their light without shadows, the lamps that movers carry, and the light on movers.

The baked light of a level has the lamps that stay where they are. A carried lamp adds its light to the level in the
shader. From medium quality on the level and movers cast shadows in this light (passes/shadows.py).

The vertices of a mover get the light of the brightest lamps in reach. The light of a lamp that stays is reduced to the
part of the mover that walls and floors leave in its sight. Lamps cast no other shadows on movers, and a lamp that stays
casts no shadow of a mover.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Floats
from ...level.build.entities.point_entities import Light
from ..gl.programs import SHADER_CONSTANTS
from .bake_input import BAKE, Floats32
from .daylight import SUN_RADIANCE
from .scene import Scene, carry_points

REFERENCE_DISTANCE = 2.0  # metres from a lamp of brightness 1 at which a white surface is as bright as in daylight sun
BULB_RADIUS = SHADER_CONSTANTS["LAMP_BULB_RADIUS"]


def pack_point_lights(lamps: Sequence[Light]) -> Floats32:
    """Rows (L, 8): position and reach in metres; linear radiance of a white surface that faces the light at 1 m; 0."""
    rows = np.zeros((len(lamps), 8), np.float32)
    for row, lamp in zip(rows, lamps, strict=True):
        row[:3], row[3] = lamp.at, lamp.reach
        row[4:7] = SUN_RADIANCE * REFERENCE_DISTANCE**2 * lamp.brightness * srgb_to_linear(lamp.colour)
    return rows


def unshadowed_irradiance(positions: Floats32, normals: Floats32, lamps: Floats32) -> Floats32:
    """Light (..., 3) at points with unit normals (..., 3) from `pack_point_lights` rows, without shadows.

    As in bake_point_light.frag.glsl: inverse square law with a window that falls to 0 at the reach.
    """
    points, point_normals = positions.reshape(-1, 3), normals.reshape(-1, 3)
    light = np.zeros_like(points)
    for lamp in lamps:
        reach = lamp[3]
        in_reach = np.flatnonzero((np.abs(points - lamp[:3]) < reach).all(axis=1))
        towards = lamp[:3] - points[in_reach]
        squared = np.einsum("ij,ij->i", towards, towards)
        window = np.clip(1.0 - (squared / (reach * reach)) ** 2, 0.0, 1.0) ** 2
        cosine = np.maximum(np.einsum("ij,ij->i", towards, point_normals[in_reach]), 0.0) / np.sqrt(squared + 1e-12)
        light[in_reach] += (cosine * window / (squared + BULB_RADIUS * BULB_RADIUS))[:, None] * lamp[4:7]
    return light.reshape(positions.shape)


# Lamps and movers

MAX_MOVING_LAMPS = 8  # that light the level in a frame: those nearest to the eye
MAX_MOVERS_PER_FRAME = 12  # whose lamps are found again after the first frame
MAX_LAMPS_ON_MOVER = 6  # that light a mover: the brightest at its centre
SAMPLE_SPREAD = 0.6  # of the half size of a mover: the points whose sight of a lamp counts
LAMP_BOUNCE = 0.12  # of the light of a lamp, as indirect light on a mover
BOUNCE_DISTANCE = 1.5  # metres: nearer to the lamp the indirect light grows no more
# Defines of shaders/include/mover_lamps.glsl
LAMP_DEFINES: dict[str, object] = {
    "LAMPS": MAX_LAMPS_ON_MOVER, "LAMP_BOUNCE": LAMP_BOUNCE, "BOUNCE_DISTANCE": BOUNCE_DISTANCE,
    "ADAPTATION_LEVEL": BAKE.adaptation_level, "SHADOW_GAIN": BAKE.shadow_gain, "SHADOW_OFFSET": BAKE.shadow_offset,
}  # fmt: skip
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
        self._walls: dict[int, tuple[Floats, Floats, Floats]] = {}  # of `_walls_near`
        self._centres, self._halves, self._samples = [], [], []
        steps = SAMPLE_SPREAD * np.array((-1.0, 0.0, 1.0))
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        for mover in scene.movers:
            corners = mover.triangles.reshape(-1, 3) if len(mover.triangles) else np.zeros((1, 3))
            low, high = corners.min(axis=0), corners.max(axis=0)
            self._centres.append((low + high) / 2.0)
            self._halves.append((high - low) / 2.0)
            self._samples.append(self._centres[-1] + grid * self._halves[-1])

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

    def rows_on_mover(self, number: int, pose: Floats, rows: Floats32) -> Floats32:
        """Rows (MAX_LAMPS_ON_MOVER, 8) of the lamps that light a mover, the rest 0. rows: `rows_at` the poses.

        Of a lamp that stays, the radiance is that of the part in its sight. The last value is 1 where the mover has to
        get what walls throw back: light probes do not have it.
        """
        lit = np.zeros((MAX_LAMPS_ON_MOVER, 8), np.float32)
        centre = pose[:, :3] @ self._centres[number] + pose[:, 3]
        radius = float(np.linalg.norm(self._halves[number]))
        distance = np.linalg.norm(rows[:, :3] - centre, axis=1)
        near = np.flatnonzero(distance < rows[:, 3] + radius)
        strength = rows[near, 4:7].sum(axis=1) / (1.0 + np.maximum(distance[near] - radius, 0.0) ** 2)
        chosen = near[np.argsort(-strength, kind="stable")[:MAX_LAMPS_ON_MOVER]]
        stays = self._carriers[chosen] < 0
        seen = np.array(
            [self._sight(number, pose, k) if at_rest else 1.0 for k, at_rest in zip(chosen, stays, strict=True)]
        )
        lit[: len(chosen)] = rows[chosen]
        lit[: len(chosen), 4:7] *= seen[:, None]
        lit[: len(chosen), 7] = ~stays | (not self.has_probes)
        return lit

    def _sight(self, number: int, pose: Floats, lamp_number: int) -> float:
        """Part 0..1 of a mover, at 27 points within its box, that the level leaves in sight of a lamp that stays."""
        towards = self._samples[number] @ pose[:, :3].T + pose[:, 3] - self._rows[lamp_number, :3]
        low, high, walls = self._walls_near(lamp_number)
        nearest, farthest = np.minimum(towards.min(axis=0), 0.0), np.maximum(towards.max(axis=0), 0.0)
        between = walls[((low <= farthest) & (high >= nearest)).all(axis=1)]
        if not len(between):
            return 1.0
        if len(between) * len(towards) > MAX_SIGHT_TESTS:
            towards = towards[13:14]
        return 1.0 - float(is_blocked(towards, between).mean())

    def _walls_near(self, lamp_number: int) -> tuple[Floats, Floats, Floats]:
        """The level's triangles in reach of a lamp that stays, found once: the corners (m, 3) of their boxes, seen from
        the lamp, and their rows of `ray_products`."""
        if lamp_number not in self._walls:
            triangles = self.scene.triangles - self._rows[lamp_number, :3].astype(np.float64)
            low, high = triangles.min(axis=1), triangles.max(axis=1)
            is_near = ((low <= self._rows[lamp_number, 3]) & (high >= -self._rows[lamp_number, 3])).all(axis=1)
            self._walls[lamp_number] = low[is_near], high[is_near], ray_products(triangles[is_near])
        return self._walls[lamp_number]


class LampsOnMovers:
    """The lamps that light each mover, found again for some of the movers in each frame.

    A mover that stands still among lamps that stand still keeps its own. After the first frame the movers whose lamps
    were found longest ago come first, up to MAX_MOVERS_PER_FRAME.

    is_current: whether the last update left none out. rows: (K, MAX_LAMPS_ON_MOVER, 8).
    """

    def __init__(self, lamps: SceneLamps) -> None:
        self._lamps = lamps
        self.is_current = True
        count = len(lamps.scene.movers)
        self.rows = np.zeros((count, MAX_LAMPS_ON_MOVER, 8), np.float32)
        self._states = [b""] * count  # pose of the mover and of the moving lamps when its lamps were found
        self._order = list(range(count))  # the one found longest ago first

    def update(self, poses: Floats) -> None:
        """Renew `rows` at these poses (K, 3, 4)."""
        rows = self._lamps.rows_at(poses)
        moving = self._lamps.moving_state(rows)
        states = [pose.tobytes() + moving for pose in poses]
        stale = [number for number in self._order if states[number] != self._states[number]]
        renewed = [number for place, number in enumerate(stale)
                   if place < MAX_MOVERS_PER_FRAME or not self._states[number]]  # fmt: skip
        for number in renewed:
            self.rows[number] = self._lamps.rows_on_mover(number, poses[number], rows)
            self._states[number] = states[number]
        self.is_current = len(renewed) == len(stale)
        self._order = [number for number in self._order if number not in renewed] + renewed


def ray_products(triangles: Floats) -> Floats:
    """Rows (m, 10) of triangles (m, 3, 3), for rays from the origin: Möller and Trumbore 1997, with the products of
    edges made once."""
    a, e1, e2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    q = np.cross(e1, a)
    return np.concatenate(
        (np.cross(e2, e1), np.cross(a, e2), q, np.einsum("mj,mj->m", e2, q)[:, None]), axis=1
    )  # fmt: skip


def is_blocked(ends: Floats, products: Floats) -> npt.NDArray[np.bool_]:
    """(n,): whether a triangle crosses the segment from the origin to each of `ends` (n, 3), without the last 1 % at
    either end of it. products: `ray_products` of the triangles."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / (ends @ products[:, 0:3].T)
        u, v, t = ends @ products[:, 3:6].T * inverse, ends @ products[:, 6:9].T * inverse, products[:, 9] * inverse
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.01) & (t < 0.99)
    return np.asarray(hit.any(axis=1))
