"""Measures of a walk from its positions, in plain numpy, independent of the kernels of game.physics.

Gaps are measured with the shape of the walker: a capsule, or an ellipsoid of revolution of the same radius and
height. They are in metres along the surface normal, negative for penetration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.courses import GATE_TOLERANCE, HEIGHT, RADIUS, TICKS_PER_SECOND, Course, Leg, WalkedLeg

Floats = npt.NDArray[np.float64]
TICKS_PER_BLOCK = 8  # ticks that share candidate triangles
CANDIDATE_MARGIN = 0.05  # m around the body in which triangles are candidates
STUCK_FRACTION = 0.01  # fraction of the requested movement; a tick with less counts as stuck
NO_GAP = 9.0  # m, gap if no triangle is near


@dataclass(frozen=True)
class Body:
    """An upright body that stands on its feet. `grown` adds the gap that the walker keeps."""

    kind: str  # "capsule" or "ellipsoid"
    radius: float = RADIUS
    half: float = HEIGHT / 2

    def grown(self, gap: float) -> Body:
        """The body with the gap that a walker keeps below its feet, applied on all sides."""
        if self.kind == "capsule":
            return replace(self, radius=self.radius + gap, half=self.half + gap)
        return replace(self, radius=self.radius * (1 + gap / self.half), half=self.half + gap)


class TriangleDistances:
    """Triangles (m, 3, 3) prepared for distances. Points and triangles are relative to a nearby place."""

    def __init__(self, triangles: Floats) -> None:
        self.corners = [triangles[:, k] for k in range(3)]
        self.edges = [triangles[:, (k + 1) % 3] - triangles[:, k] for k in range(3)]
        normal = _cross(self.edges[0], self.edges[1])
        self.normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        self.sides = [_cross(self.normal, edge) for edge in self.edges]  # along the plane, from the edge inwards
        self.plane = _dot(self.normal, self.corners[0])
        self.border = [_dot(side, corner) for side, corner in zip(self.sides, self.corners, strict=True)]

    def inside(self, points: Floats) -> Any:
        """Flags (n, m): the projection of the point along the normal is inside the triangle."""
        found: Any = True
        for side, border in zip(self.sides, self.border, strict=True):
            found = found & (points @ side.T >= border)
        return found

    def squared(self, points: Floats) -> Floats:
        """Squared distances (n, m) of points (n, 3)."""
        height = points @ self.normal.T - self.plane
        best = np.where(self.inside(points), height * height, np.inf)
        for corner, edge in zip(self.corners, self.edges, strict=True):
            along = points @ edge.T - _dot(corner, edge)
            t = np.clip(along / _dot(edge, edge), 0.0, 1.0)
            away = points[:, None] - corner
            away -= t[..., None] * edge
            best = np.minimum(best, _dot(away, away))
        return best

    def upright(self, low: Floats, length: float) -> Floats:
        """Squared distances (n, m) of n vertical segments of a length, from their lower ends (n, 3)."""
        high = low + np.array([0.0, length, 0.0])
        best = np.minimum(self.squared(low), self.squared(high))
        for corner, edge in zip(self.corners, self.edges, strict=True):
            # Nearest point of the edge on the plan, if it is beside the segment; its ends are covered above.
            flat = edge[:, 0] ** 2 + edge[:, 2] ** 2
            x, z = low[:, None, 0] - corner[:, 0], low[:, None, 2] - corner[:, 2]
            lying = flat > 1e-18
            t = np.clip((x * edge[:, 0] + z * edge[:, 2]) / np.where(lying, flat, 1.0), 0.0, 1.0)
            y = corner[:, 1] + t * edge[:, 1] - low[:, None, 1]
            beside = (y >= 0.0) & (y <= length)
            # A vertical edge has the same distance along the whole segment.
            ends = corner[:, 1] - low[:, None, 1], corner[:, 1] + edge[:, 1] - low[:, None, 1]
            beside = np.where(lying, beside, (np.minimum(*ends) <= length) & (np.maximum(*ends) >= 0.0))
            away = (x - t * edge[:, 0]) ** 2 + (z - t * edge[:, 2]) ** 2
            best = np.where(beside, np.minimum(best, away), best)
        up = self.normal[:, 1]
        level = np.abs(up) > 1e-12
        t = np.where(level, (self.plane - low @ self.normal.T) / np.where(level, up, 1.0), -1.0)
        through = (t >= 0.0) & (t <= length)
        for side, border in zip(self.sides, self.border, strict=True):
            through &= low @ side.T + t * side[:, 1] >= border
        return np.where(through, 0.0, best)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", a, b))


def _cross(a: Floats, b: Floats) -> Floats:
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def smallest_gaps(body: Body, feet: Floats, triangles: Floats) -> Floats:
    """Smallest gap (n,) in metres of the body at n nearby places to triangles (m, 3, 3); FAR without any."""
    if not len(triangles):
        return np.full(len(feet), NO_GAP)
    middle = feet[0]
    feet, triangles = feet - middle, triangles - middle
    if body.kind == "capsule":
        low = feet + np.array([0.0, body.radius, 0.0])
        squared = TriangleDistances(triangles).upright(low, 2 * (body.half - body.radius))
        return np.sqrt(squared.min(1)) - body.radius
    scale = 1.0 / np.array([body.radius, body.half, body.radius])
    centre = (feet + np.array([0.0, body.half, 0.0])) * scale
    squared = TriangleDistances(triangles * scale).squared(centre)
    to_surface = _towards(centre, triangles[squared.argmin(1)] * scale)
    length = np.linalg.norm(to_surface, axis=1)
    gradient = np.linalg.norm(to_surface * scale, axis=1)  # scale from that space to metres
    return (length - 1.0) * length / np.maximum(gradient, 1e-12)


def _towards(points: Floats, triangles: Floats) -> Floats:
    """Vectors (n, 3) from n points to the nearest point of one triangle each, (n, 3, 3)."""
    corners = [triangles[:, k] for k in range(3)]
    edges = [triangles[:, (k + 1) % 3] - triangles[:, k] for k in range(3)]
    normal = _cross(edges[0], edges[1])
    best = (_dot(corners[0] - points, normal) / _dot(normal, normal))[:, None] * normal
    over = [_dot(points - corner, _cross(normal, edge)) >= 0.0 for corner, edge in zip(corners, edges, strict=True)]
    least = np.where(np.all(over, axis=0), _dot(best, best), np.inf)
    for corner, edge in zip(corners, edges, strict=True):
        t = np.clip(_dot(points - corner, edge) / _dot(edge, edge), 0.0, 1.0)
        way = corner + t[:, None] * edge - points
        nearer = _dot(way, way) < least
        best, least = np.where(nearer[:, None], way, best), np.where(nearer, _dot(way, way), least)
    return best


class Ground:
    """Triangles of a course, queried by place."""

    def __init__(self, triangles: Floats) -> None:
        self.triangles = triangles
        self.low, self.high = triangles.min(1), triangles.max(1)
        n = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        self.up = n[:, 1] > 1e-9 * np.linalg.norm(n, axis=1)

    def triangles_in(self, low: Floats, high: Floats, only: Any = True) -> Floats:
        return self.triangles[((self.low <= high) & (self.high >= low)).all(1) & only]

    def _blocks(self, body: Body, feet: Floats, more: Floats, only: Any) -> Any:
        for k in range(0, len(feet), TICKS_PER_BLOCK):
            block = feet[k : k + TICKS_PER_BLOCK]
            side = np.array([body.radius + CANDIDATE_MARGIN, CANDIDATE_MARGIN, body.radius + CANDIDATE_MARGIN])
            yield (
                block,
                self.triangles_in(
                    block.min(0) - side - more, block.max(0) + side + more + [0.0, 2 * body.half, 0.0], only
                ),
            )

    def gaps(self, body: Body, feet: Floats) -> Floats:
        blocks = self._blocks(body, feet, np.zeros(3), True)
        return np.concatenate([smallest_gaps(body, block, triangles) for block, triangles in blocks])

    def profile(self, body: Body, feet: Floats, reach: float = 0.5, halvings: int = 18) -> Floats:
        """Height of the feet (n,) at which the lowered body touches upward faces, within `reach` of given heights."""
        found = []
        for block, triangles in self._blocks(body, feet, np.array([0.0, reach, 0.0]), self.up):
            low, high = block[:, 1] - reach, block[:, 1] + reach
            for _ in range(halvings):
                middle = (low + high) / 2
                lowered = np.column_stack([block[:, 0], middle, block[:, 2]])
                clear = smallest_gaps(body, lowered, triangles) >= 0.0
                high, low = np.where(clear, middle, high), np.where(clear, low, middle)
            found.append((low + high) / 2)
        return np.concatenate(found)


def arrival(leg: Leg, feet: Floats) -> int | None:
    """Ticks from the end of settling until the gate is crossed."""
    if leg.gate is None:
        return None
    x, z, dx, dz = leg.gate
    across = (feet[:, 0] - x) * dx + (feet[:, 2] - z) * dz >= -GATE_TOLERANCE
    across[: leg.settle + leg.after] = False
    return int(across.argmax()) - leg.settle + 1 if across.any() else None


def movement(leg: Leg, feet: Floats) -> Floats:
    """Horizontal movement (ticks, 2) in each tick."""
    plan = feet[:, [0, 2]]
    return np.diff(plan, axis=0, prepend=[[leg.start[0], leg.start[2]]])


def _walked(leg: Leg, feet: Floats) -> slice:
    """Ticks from the end of settling to the arrival, or to the end."""
    there = arrival(leg, feet)
    return slice(leg.settle, len(feet) if there is None else leg.settle + there)


def stuck_ticks(leg: Leg, feet: Floats) -> int:
    """Ticks with a requested velocity and room to move, in which less than STUCK of it was reached."""
    if leg.measures & {"steep", "drift"}:
        return 0
    walked = _walked(leg, feet)
    first = walked.start + (leg.after if "jitter" in leg.measures else 0)  # standing in a corner is correct
    way = np.linalg.norm(movement(leg, feet), axis=1)[first : walked.stop]
    return int((way < STUCK_FRACTION * leg.speed[first : walked.stop] / TICKS_PER_SECOND).sum())


def smallest_speed_fraction(leg: Leg, feet: Floats, first: int, along: tuple[float, float] | None = None) -> float:
    """Smallest fraction of the requested movement (or its component `along` a direction) in a tick from `first` on."""
    walked = _walked(leg, feet)
    ticks = slice(walked.start + first, walked.stop)
    requested, actual = leg.velocity[ticks] / TICKS_PER_SECOND, movement(leg, feet)[ticks]
    if along is not None:
        return float(((actual @ along) / (requested @ along)).min())
    return float(((actual * requested).sum(1) / (requested * requested).sum(1)).min())


Measures = dict[str, float | None]  # millimetres, ticks or fractions; None if not applicable


class _LegMeasures:
    """The legs that stayed on the course, with measures of them."""

    def __init__(self, course: Course, walks: Sequence[WalkedLeg], kind: str) -> None:
        self.body, self.ground = Body(kind), Ground(course.triangles)
        below = float(course.triangles[..., 1].min()) - 1.0
        walked = [(leg, feet, on) for leg, (feet, on) in zip(course.legs, walks, strict=True)]
        self.legs = [each for each in walked if np.isfinite(each[1]).all() and (each[1][:, 1] > below).all()]
        self.gaps = [self.ground.gaps(self.body, feet) for _, feet, _ in self.legs]
        self.common: Measures = {
            "left the course": len(walked) - len(self.legs),
            "deepest penetration, mm": max([0.0, *[-1e3 * float(each.min()) for each in self.gaps]]),
            "stuck ticks": sum(stuck_ticks(leg, feet) for leg, feet, _ in self.legs),
        }

    def worst(
        self, mark: str, measure: Callable[[Leg, Floats], float], choose: Callable[[Any], float] = max
    ) -> float | None:
        """Worst value of a measure over the legs with a mark."""
        values = [measure(leg, feet) for leg, feet, _ in self.legs if mark in leg.measures]
        return choose(values) if values else None

    def first_legs(self, mark: str) -> list[tuple[Leg, Floats, npt.NDArray[np.bool_]]]:
        """The first leg of each name among those with a mark."""
        by_name = {leg.name: (leg, feet, on) for leg, feet, on in reversed(self.legs) if mark in leg.measures}
        return list(by_name.values())


def _drift(leg: Leg, feet: Floats) -> float:
    return 1e3 * float(np.linalg.norm(feet[-1] - feet[leg.settle - 1]))


def _climbed(leg: Leg, feet: Floats) -> float:
    return 1e3 * float(feet[leg.settle :, 1].max() - feet[leg.settle - 1, 1])


def _jitter(leg: Leg, feet: Floats) -> float:
    """Longest movement in one of the last 40 ticks in which the walker was pressed into the corner."""
    pressed = feet[leg.settle + leg.after - 40 : leg.settle + leg.after]
    return 1e3 * float(np.linalg.norm(np.diff(pressed, axis=0), axis=1).max())


def _lift(leg: Leg, feet: Floats) -> float:
    return 1e3 * float(np.diff(feet[_walked(leg, feet), 1]).max())


def measure_playground(course: Course, walks: Sequence[WalkedLeg], kind: str) -> Measures:
    """All measures of the playground by name."""
    legs = _LegMeasures(course, walks, kind)
    worst = legs.worst
    measures: Measures = {
        **legs.common,
        "slowest on the tiled floor": worst("flat", lambda leg, feet: smallest_speed_fraction(leg, feet, 1), min),
        "slowest along the tiled wall": worst(
            "wall", lambda leg, feet: smallest_speed_fraction(leg, feet, 30, (0.0, -1.0)), min
        ),
        "slowest across the 30 degree ramp": worst(
            "along", lambda leg, feet: smallest_speed_fraction(leg, feet, 1), min
        ),
        "drift at rest on 30 degrees, mm in 5 s": worst("drift", _drift),
        "60 degree ramp climbed, mm": worst("steep", _climbed),
        "jitter in the acute corner, mm": worst("jitter", _jitter),
    }
    flat = [gap for (leg, _, _), gap in zip(legs.legs, legs.gaps, strict=True) if "flat" in leg.measures]
    kept_gap = float(np.median(np.concatenate(flat))) if flat else 0.0
    grown = legs.body.grown(kept_gap)

    def above(leg: Leg, feet: Floats) -> Floats:
        walk = feet[_walked(leg, feet)]
        # The feet of the grown body are lower than those of the walker.
        return np.asarray(1e3 * (walk[:, 1] - kept_gap - legs.ground.profile(grown, walk)))

    up, down = legs.first_legs("up"), legs.first_legs("down")
    heights = [float(above(leg, feet).max()) for leg, feet, _ in down]
    from_profile = [float(np.abs(above(leg, feet)).max()) for leg, feet, _ in up]
    lifts = [_lift(leg, feet) for leg, feet, _ in up if leg.name == "stairs up"]
    measures |= {
        "gap kept above a floor, mm": 1e3 * kept_gap,
        "highest off the ground going down, mm": max(heights, default=None),
        "ticks off the ground going down, as reported": sum(
            int((~on[_walked(leg, feet)]).sum()) for leg, feet, on in down
        ),
        "furthest from the contact profile going up, mm": max(from_profile, default=None),
        "largest lift in a tick on the stairs, mm": max(lifts, default=None),
    }
    walked = {leg.name: feet for leg, (feet, _) in reversed(list(zip(course.legs, walks, strict=True)))}
    for leg in course.legs:
        if leg.ideal is not None and f"{leg.name}, ticks ({leg.ideal:.0f})" not in measures:
            measures[f"{leg.name}, ticks ({leg.ideal:.0f})"] = arrival(leg, walked[leg.name])
    return measures


def measure_terrain(course: Course, walks: Sequence[WalkedLeg], kind: str) -> Measures:
    """Measures of a walk over rolling terrain, by name."""
    legs = _LegMeasures(course, walks, kind)
    slow = legs.worst("along", lambda leg, feet: smallest_speed_fraction(leg, feet, 1), min)
    return {f"terrain: {name}": value for name, value in {**legs.common, "slowest": slow}.items()}
