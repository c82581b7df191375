"""Random and adversarial sweeps for the oracle, by family, through two entry points.

`inner`: sweep_sphere_against_triangle, which the walker's tick calls, on single triangles in ellipsoid space. `mesh`:
TriangleMesh.sweep, many sweeps at once among many triangles. Triangles are cooked, so their normals are those of the
mesh; triangles that cooking drops are no cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np

from game.physics.mesh.geometry import MIN_APPROACH_RATIO, sweep_sphere_against_triangle
from game.physics.triangle_mesh import Ellipsoid, TriangleMesh
from tests.support.oracle import LONG, Triangles, check_backwards

EPS = 2.0**-52
STEEP = float(np.sin(np.radians(1.0)))
NEAR = 100.0  # ellipsoid space: fractions are compared up to this size
BODIES = [(0.35, 0.90, 0.12), (0.35, 0.90, 0.25), (0.35, 0.90, 0.35), (1.0, 1.0, 1.0), (2.0, 0.1, 0.7)]
SCENES = ["plain", "needle", "cap", "tiny", "huge", "far", "grid", "fan", "tiles"]
APPROACHES = ["headlong", "grazing", "coplanar", "touching", "along"]
BATCH = {"inner": 4096, "mesh": 512}
GAPS = [0.0, 1e-15, 1e-13, 2e-12, 1e-11, 1e-9, 1e-6, 1e-3, 0.1, 0.5]


def unit(vectors: Any) -> Any:
    """Unit vectors of (K,3); zeros stay."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length > 0.0, length, 1.0)


def scene(random: Any, kind: str, count: int) -> Any:
    """(about count,3,3) triangles of one difficult kind in the world, m."""
    corners = random.normal(size=(count, 3, 3))
    position = random.uniform(-20.0, 20.0, (count, 1, 3))
    size = 10.0 ** random.uniform(-3, 2, (count, 1, 1))
    if kind in ("needle", "cap"):
        offset = random.normal(size=(count, 3)) * 10.0 ** random.uniform(-8.7, -1, (count, 1))
        weight = random.random((count, 1)) if kind == "cap" else 0.0
        corners[:, 1] = corners[:, 0] * (1 - weight) + corners[:, 2] * weight + offset / size[:, 0]
    elif kind == "tiny":
        size = 10.0 ** random.uniform(-9, -3, (count, 1, 1))
        position *= 0.01
    elif kind == "huge":
        size = 10.0 ** random.uniform(2, 4, (count, 1, 1))
    elif kind == "far":
        size = 10.0 ** random.uniform(-2, 2, (count, 1, 1))
        position = position * 0.1 + random.uniform(-1e4, 1e4, 3)
    elif kind == "grid":
        return random.integers(-3, 4, (count, 3, 3)) * 0.5 + np.round(position * 0.2)
    elif kind == "fan":  # corners and edges shared by 3 to 24 triangles
        fans = []
        while sum(map(len, fans)) < count:
            spokes = int(random.integers(3, 25))
            turn = np.sort(random.uniform(0, 2 * np.pi, spokes))
            rim = np.stack([np.cos(turn), random.normal(size=spokes) * random.choice([0.0, 0.3]), np.sin(turn)], -1)
            tip = np.array([0.0, random.choice([0.0, 0.5, -0.5, 2.0]), 0.0])
            tips = np.broadcast_to(tip, rim.shape)
            leaves = np.stack([tips, rim, np.roll(rim, -1, 0)], 1)
            if random.random() < 0.3:  # triangles around one edge
                leaves = np.stack([np.broadcast_to(-tip - 1.0, rim.shape), tips, rim * 2.0], 1)
            fans.append(leaves * 10.0 ** random.uniform(-2, 1) + random.uniform(-8, 8, 3))
        return np.concatenate(fans)[:count]
    elif kind == "tiles":
        n = max(int(np.sqrt(count / 2)), 1)
        x, z = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        size = random.choice([0.3, 0.5, 1.0, 0.01])
        points = np.stack([x * size, np.zeros(x.shape), z * size], -1) - size * n / 2
        if random.random() < 0.5:
            points = points @ np.linalg.qr(random.normal(size=(3, 3)))[0] + random.uniform(-50, 50, 3)
        quads = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], 2).reshape(-1, 4, 3)
        return quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3, 3)
    return corners * size + position


def aim(random: Any, tri: Any, approach: str, radius: float = 1.0) -> tuple[Any, Any]:
    """(starts, displacements) (K,3) of spheres that move towards, past or along triangles (K,3,3), one each."""
    count = len(tri)
    rows = np.arange(count)
    weights = random.dirichlet([0.7, 0.7, 0.7], count)
    target_kind, first = random.integers(0, 3, count), random.integers(0, 3, count)
    weights[rows[target_kind >= 1], first[target_kind >= 1]] = 0.0
    weights[target_kind == 2] = np.eye(3)[first[target_kind == 2]]
    weights /= weights.sum(1, keepdims=True)
    target = (tri * weights[:, :, None]).sum(1)
    normal = unit(np.cross(unit(tri[:, 1] - tri[:, 0]), unit(tri[:, 2] - tri[:, 0])))
    edge = unit(tri[rows, (first + 2) % 3] - tri[rows, (first + 1) % 3])
    anywhere = unit(random.normal(size=(count, 3)))
    across = unit(np.cross(edge, normal)) * random.choice([-1, 1], (count, 1))
    side = normal * random.choice([-1, 1], (count, 1))
    side[target_kind == 1] = unit(np.cross(edge, anywhere))[target_kind == 1]
    side[target_kind == 2] = anywhere[target_kind == 2]
    tilt = 10.0 ** random.uniform(-13, -1, (count, 1)) * random.choice([-1, 0, 1], (count, 1))
    tangent = unit(np.cross(side, unit(random.normal(size=(count, 3)))))
    gap = random.choice(GAPS, (count, 1)) * random.choice([-1, 1], (count, 1))
    away = random.uniform(0.0, 1.2, (count, 1)) * random.choice([0.0, 1.0, 1.0], (count, 1))
    if approach == "headlong":
        displacement = unit(random.normal(size=(count, 3)))
        displacement *= np.where(
            ((displacement * side).sum(1, keepdims=True) > 0.0) & (random.random((count, 1)) < 0.9), -1.0, 1.0
        )
    elif approach == "grazing":
        displacement = tangent - side * tilt
    elif approach == "coplanar":  # in the triangle's plane, or parallel to it
        height = random.choice([0.0, 0.0, 1.0, 0.5], (count, 1)) * radius
        displacement = unit(across * random.normal(size=(count, 1)) + edge * random.normal(size=(count, 1)))
        displacement = displacement - normal * tilt * (random.random((count, 1)) < 0.5)
        side = np.where(height > 0.0, normal, across)
        gap = np.where(height > 0.0, height - radius + gap * (gap < 0.01), gap)
    elif approach == "touching":
        displacement, gap, away = unit(random.normal(size=(count, 3))), gap * (np.abs(gap) < 1e-8), 0.0
        displacement = np.where(random.random((count, 1)) < 0.5, displacement, tangent - side * tilt)
    else:  # along: exactly along an axis, at round numbers
        displacement = np.eye(3)[random.integers(0, 3, count)] * random.choice([-1, 1], (count, 1))
        side = np.eye(3)[random.integers(0, 3, count)] * random.choice([-1, 1], (count, 1))
        away = np.round(away * 4.0) / 4.0
    displacement = displacement * 10.0 ** random.uniform(-3, 3, (count, 1))
    if approach == "along":
        displacement = np.round(displacement * 4.0) / 4.0 + displacement * (np.abs(displacement) < 0.5)
    return target + side * (radius + gap) - displacement * away, displacement


def to_ellipsoid(points: Any, radii: Any, yaw: Any) -> Any:
    """World offsets (K,...,3) in the ellipsoid spaces of radii (K,3), yaw (K); in the precision of the offsets."""
    kind = points.dtype.type
    shape = (len(yaw),) + (1,) * (points.ndim - 2)
    s, c = np.sin(yaw.astype(kind)).reshape(shape), np.cos(yaw.astype(kind)).reshape(shape)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    rx, ry, rz = (radii[:, k].astype(kind).reshape(shape) for k in range(3))
    return np.stack([(c * x - s * z) / rx, y / ry, (s * x + c * z) / rz], -1)


def to_ellipsoid_normals(normals: Any, radii: Any, yaw: Any) -> Any:
    """Unit normals (K,3) in ellipsoid space, of world normals."""
    s, c = np.sin(yaw), np.cos(yaw)
    x, y, z = normals.T
    return unit(np.stack([c * x - s * z, y, s * x + c * z], -1) * radii)


def to_world(points: Any, radii: Any, yaw: Any) -> Any:
    """Inverse of `to_ellipsoid` for (K,3)."""
    s, c = np.sin(yaw), np.cos(yaw)
    x, y, z = (points[:, k] * radii[:, k] for k in range(3))
    return np.stack([c * x + s * z, y, c * z - s * x], -1)


@numba.njit(cache=False)
def _sweep_each(rows: Any, p: Any, d: Any, radius: Any, out: Any) -> None:
    for i in range(len(rows)):
        t, x, y, z, feature = sweep_sphere_against_triangle(
            rows, i, (p[i, 0], p[i, 1], p[i, 2]), (d[i, 0], d[i, 1], d[i, 2]), radius[i], 1.0
        )
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = t, x, y, z, feature


@dataclass
class Tally:
    """Results of one family: counts and the worst errors.

    at_hit, early, missed: error at the reported fraction, before it, and of reported misses; each as (length, tolerance
        there), the worst by ratio
    fraction, short: error of fractions that are compared; of displacements too short for that
    contact: distance of the reported contact point from the triangle or from the sphere
    slow, deepest: number and largest of the errors over the tolerance because the approach counts as none (see
        `permitted_error`)
    """

    cases: int = 0
    hits: int = 0
    compared: int = 0
    at_hit: tuple[float, float] = (0.0, 1.0)
    early: tuple[float, float] = (0.0, 1.0)
    missed: tuple[float, float] = (0.0, 1.0)
    contact: tuple[float, float] = (0.0, 1.0)
    fraction: float = 0.0
    short: float = 0.0
    slow: int = 0
    deepest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def worst(self, name: str, value: Any, tolerance: Any, case: Any) -> None:
        """Record the worst of several errors relative to their tolerances; nan: not applicable."""
        ratio = np.where(np.isnan(value), -1.0, np.abs(value) / tolerance)
        if not len(ratio):
            return
        k = int(ratio.argmax())
        best, at = getattr(self, name)
        if ratio[k] > best / at:
            setattr(self, name, (float(abs(value[k])), float(tolerance[k])))
        if ratio[k] > 1.0:
            self.wrong.append(f"{name} by {abs(value[k]):.3g} where {tolerance[k]:.3g} is allowed: {case(k)}")

    def grazed(self, over: Any) -> None:
        """Record errors over the tolerance (0: within it)."""
        self.slow += int((over > 0.0).sum())
        self.deepest = max(self.deepest, float(over.max(initial=0.0)))


def permitted_error(tolerance: Any, normal: Any, uncertainty: Any, displacement: Any, size: Any) -> Any:
    """Permitted error in ellipsoid space.

    An approach slower than MIN_APPROACH_RATIO of the displacement counts as none. An approach to the plane slower than
    sqrt(EPS * largest coordinate), or than the uncertainty of the normal (K,), may penetrate at the border by as much
    as it sinks on the whole displacement: rounding moves the point of contact so far that neither face nor edge is
    decisive. An uncertain normal moves its face by the square of the uncertainty.
    """
    length = np.linalg.norm(displacement, axis=-1)
    sinks = np.abs((normal * displacement).sum(-1))
    slow = np.sqrt(EPS * np.maximum(size, 1.0)) + uncertainty
    return (
        tolerance
        + uncertainty * uncertainty
        + MIN_APPROACH_RATIO * length
        + np.where(sinks <= slow * length, sinks, 0.0)
    )


def normal_uncertainty(triangles: Any, world: Any, radii: Any) -> Any:
    """Rotation (radians, K) of a thin triangle's normal by rounding of its corners (K,9 in the world)."""
    height = np.sqrt(triangles.height_square).astype(float)
    return 8.0 * EPS * np.abs(world).max(1) / radii.min(1) / height


def inner_batch(random: Any, kind: str, approach: str, tally: Tally, count: int) -> None:
    """Sweep single triangles in ellipsoid space with sweep_sphere_against_triangle."""
    mesh = TriangleMesh(scene(random, kind, count))
    world = mesh.triangles12
    count = len(world)
    radii = np.array(BODIES)[random.integers(0, len(BODIES), count)]
    yaw = random.uniform(-7, 7, count)
    base = world[:, :9].reshape(-1, 3, 3).mean(1)
    tri = to_ellipsoid(world[:, :9].reshape(-1, 3, 3) - base[:, None], radii, yaw)
    radius = 1.0 + 0.01 * random.choice([0.0, 0.0, 0.52, 1.0], count)
    start, displacement = np.empty((count, 3)), np.empty((count, 3))
    for value in np.unique(radius):
        chosen = radius == value
        start[chosen], displacement[chosen] = aim(random, tri[chosen], approach, float(value))
    # as in a tick: triangles are relative to the body, which has moved a little
    moved = random.uniform(-1, 1, (count, 3)) * random.choice([0.0, 1e-3, 1.0], (count, 1))
    rows = np.empty((count, 12))
    tri = tri - start[:, None] + moved[:, None]
    rows[:, :9] = tri.reshape(-1, 9)
    rows[:, 9:] = to_ellipsoid_normals(world[:, 9:], radii, yaw)
    away = Triangles(tri).nearest(moved.astype(LONG).T)[0].astype(float)
    tolerance = 1e-12 + 64 * EPS * np.maximum(np.abs(tri).max((1, 2)), np.abs(displacement).max(1))
    out = np.empty((count, 5))
    _sweep_each(rows, moved, displacement, radius, out)
    outside = away >= radius + tolerance  # spheres that overlap at the start are left to the caller
    t = np.where(out[:, 0] <= 1.0, out[:, 0], np.inf)
    check = check_backwards(tri[outside], moved[outside], displacement[outside], t[outside], radius[outside])
    numbers = np.flatnonzero(outside)
    hit = np.isfinite(t[outside])

    def case(k: int) -> str:
        i = numbers[k]
        return (
            f"rows {rows[i].tolist()} p {moved[i].tolist()} d {displacement[i].tolist()} R {radius[i]!r} t {t[i]!r} "
            f"feature {out[i, 4]:g}"
        )

    allowed = tolerance[outside]
    tally.cases += len(numbers)
    tally.hits += int(hit.sum())
    uncertainty = normal_uncertainty(Triangles(tri[outside]), world[outside, :9], radii[outside])
    size = np.maximum(np.abs(tri[outside]).max((1, 2)), np.abs(displacement[outside]).max(1))
    permitted = permitted_error(allowed, rows[outside, 9:], uncertainty, displacement[outside], size)
    tally.worst("at_hit", check.at_hit, permitted, case)
    tally.worst("early", np.where(hit, check.early, np.nan), permitted, case)
    tally.worst("missed", np.where(hit, np.nan, check.early), permitted, case)
    over = np.maximum(np.nan_to_num(np.abs(check.at_hit)), check.early)
    tally.grazed(np.where(over > allowed, over, 0.0))
    contact = np.where(hit[:, None], out[outside, 1:4], tri[outside, 0])
    apart = Triangles(tri[outside]).nearest(contact.astype(LONG).T)[0].astype(float)
    centre = moved[outside] + np.where(hit, t[outside], 0.0)[:, None] * displacement[outside]
    reach = np.linalg.norm(contact - centre, axis=1) - radius[outside]
    error = np.where(hit, np.maximum(apart, np.abs(reach)), np.nan)
    tally.worst("contact", error, 2.0 * allowed + uncertainty * np.abs(tri[outside]).max((1, 2)), case)
    near = np.maximum(np.abs(tri).max((1, 2)), np.abs(displacement).max(1))[outside] < NEAR
    _fractions(tally, check, hit & near, allowed, displacement[outside], case)


def mesh_batch(random: Any, kind: str, approach: str, tally: Tally, count: int) -> None:
    """Sweep an ellipsoid many times among several triangles with TriangleMesh.sweep."""
    body = Ellipsoid(BODIES[random.integers(0, len(BODIES))])
    mesh = TriangleMesh(scene(random, kind, 32))
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    radii, yaw = np.tile(body.radii, (count, 1)), random.uniform(-7, 7, count)
    if approach == "along":
        yaw = random.integers(-4, 5, count) * (np.pi / 2)
    chosen = corners[random.integers(0, len(corners), count)]
    base = chosen.mean(1)
    start, displacement_e = aim(random, to_ellipsoid(chosen - base[:, None], radii, yaw), approach)
    position, displacement = base + to_world(start, radii, yaw), to_world(displacement_e, radii, yaw)
    hits = mesh.sweep_many(body, position, yaw, displacement)
    t = np.where(hits.triangle >= 0, hits.fraction, np.inf)
    canonical = np.full(int(mesh.source.max()) + 1, -1)
    canonical[mesh.source] = np.arange(len(mesh))
    reported = np.where(hits.triangle >= 0, canonical[hits.triangle], -1)
    sweep, triangle, tri, d = _pairs(corners, position, displacement, radii, yaw, np.minimum(t, 1.0))
    p = np.zeros_like(d)
    away = Triangles(tri).nearest(p.T)[0].astype(float)
    tolerance = 1e-12 + 64 * EPS * np.maximum(np.abs(tri).max((1, 2)), np.abs(d).max(1)).astype(float)
    # rounding of the world position
    tolerance += 16 * EPS * np.abs(position[sweep]).max(1) / min(body.radii)
    deepest = np.full(count, np.inf)
    np.minimum.at(deepest, sweep, away)
    inside = np.zeros(count, bool)
    np.logical_or.at(inside, sweep, away < 1.0 - 2.0 * tolerance)
    is_reported = triangle == reported[sweep]
    # touching at the start, and grazing, have twice the tolerance: else a body that slides on a floor would hit its
    # next tile by rounding alone
    grazes, tolerance = 2.0 * tolerance, np.where(away <= 1.0 + 2.0 * tolerance, 2.0, 1.0) * tolerance

    def case(k: int) -> str:
        i = sweep[k]
        return (
            f"{body.radii} position {position[i].tolist()} yaw {yaw[i]!r} displacement {displacement[i].tolist()} "
            f"t {t[i]!r} "
            f"triangle {reported[i]}, compared {triangle[k]} {corners[triangle[k]].tolist()}, start {away[k]!r}"
        )

    tally.cases += count
    tally.hits += int((np.isfinite(t) & ~inside).sum())
    # overlap at the start: fraction 0 and one of the deepest triangles
    wrong = np.flatnonzero(inside & (t != 0.0))
    tally.wrong += [f"overlap not reported: {position[i].tolist()} {yaw[i]!r} {body.radii}" for i in wrong]
    tally.worst("contact", np.where(is_reported & inside[sweep], away - deepest[sweep], np.nan), tolerance, case)
    outside = ~inside[sweep]
    check = check_backwards(tri, p, d, np.where(outside, np.minimum(t[sweep], 1.0), 0.0), 1.0)
    hit = np.isfinite(t)[sweep] & outside
    normals = to_ellipsoid_normals(mesh.triangles12[triangle, 9:], radii[sweep], yaw[sweep])
    uncertainty = normal_uncertainty(Triangles(tri), corners[triangle].reshape(-1, 9), radii[sweep])
    size = np.maximum(np.abs(tri).max((1, 2)), np.abs(d).max(1)).astype(float)
    permitted = permitted_error(tolerance, normals, uncertainty, d.astype(float), size)
    tally.worst("at_hit", np.where(hit & is_reported, check.at_hit, np.nan), permitted, case)
    tally.worst("early", np.where(hit, check.early, np.nan), permitted + grazes / 2.0, case)
    tally.worst("missed", np.where(outside & ~hit, check.early, np.nan), permitted + grazes / 2.0, case)
    over = np.maximum(np.where(hit & is_reported, np.abs(check.at_hit), 0.0), np.where(outside, check.early, 0.0))
    tally.grazed(np.where(over > grazes, over, 0.0))
    near = np.maximum(np.abs(tri).max((1, 2)), np.abs(d).max(1)) < NEAR
    near &= np.maximum(np.abs(position[sweep]).max(1), np.abs(corners[triangle]).max((1, 2))) < NEAR
    _fractions(
        tally, check, hit & is_reported & near & (away > 1.0 + 2.0 * tolerance), tolerance, d.astype(float), case
    )


def _fractions(tally: Tally, check: Any, hit: Any, tolerance: Any, displacement: Any, case: Any) -> None:
    """Compare fractions to 1e-9 where the displacement is long enough for the tolerance of the distance."""
    steep = hit & (check.slope > STEEP)
    comparable = steep & (tolerance <= 1e-9 * np.linalg.norm(displacement, axis=1) * np.nan_to_num(check.slope))
    for name, chosen in (("short", steep & ~comparable), ("fraction", comparable)):
        worst = np.where(chosen, np.abs(np.nan_to_num(check.fraction)), 0.0)
        if len(worst):
            k = int(worst.argmax())
            setattr(tally, name, max(getattr(tally, name), float(worst[k])))
            if name == "fraction" and worst[k] > 1e-9:
                tally.wrong.append(f"fraction by {worst[k]:.3g}: {case(k)}")
    tally.compared += int(comparable.sum())


def _pairs(corners: Any, position: Any, displacement: Any, radii: Any, yaw: Any, t: Any) -> tuple[Any, Any, Any, Any]:
    """(sweep (P,), triangle (P,), triangle and displacement in ellipsoid space) of all pairs with overlapping boxes."""
    grown = radii.max(1)[:, None] * 1.001 + 1e-6
    low = np.minimum(position, position + t[:, None] * displacement) - grown
    high = np.maximum(position, position + t[:, None] * displacement) + grown
    meet = np.ones((len(position), len(corners)), bool)
    for axis in range(3):
        meet &= low[:, axis, None] <= corners[None, :, :, axis].max(2)
        meet &= high[:, axis, None] >= corners[None, :, :, axis].min(2)
    sweeps, triangles = np.nonzero(meet)
    tri = corners[triangles].astype(LONG) - position[sweeps, None].astype(LONG)
    tri = to_ellipsoid(tri, radii[sweeps], yaw[sweeps])
    return sweeps, triangles, tri, to_ellipsoid(displacement.astype(LONG), radii, yaw)[sweeps]


ENTRY_POINTS = {"inner": inner_batch, "mesh": mesh_batch}


def families() -> list[tuple[str, str, str]]:
    """All (entry point, kind of triangles, approach)."""
    return [(entry, kind, approach) for entry in ENTRY_POINTS for kind in SCENES for approach in APPROACHES]


def tally_batches(entry: str, kind: str, approach: str, cases: int, seed: int) -> Iterator[Tally]:
    """Tally of one family, yielded after each batch until it has so many cases."""
    random = np.random.default_rng(
        [seed, list(ENTRY_POINTS).index(entry), SCENES.index(kind), APPROACHES.index(approach)]
    )
    tally = Tally()
    empty = 0
    while tally.cases < cases and empty < 100:
        before = tally.cases
        with np.errstate(all="ignore"):
            ENTRY_POINTS[entry](random, kind, approach, tally, min(BATCH[entry], cases - tally.cases + 8))
        empty = empty + 1 if tally.cases == before else 0
        yield tally
