"""Oracle for sphere-triangle sweeps: slow, in extended precision, with methods unlike those of the kernels.

The distance of a moving point from a triangle is a convex function of time, and its square has a continuous derivative.
The closest approach is where that derivative changes sign: an interval around it is reduced until the tangents at its
ends exclude lower values inside. The oracle does not use features, roots or planes, and shares no code with the
kernels. Distances are measured in coordinates along the longest edge and perpendicular to it, so needles lose no
digits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

LONG = np.longdouble
GOLDEN = (LONG(5) ** LONG(0.5) - 1) / 2
EXTENDED = np.finfo(LONG).eps < 1e-18  # False where longdouble is a plain double: too inaccurate for an oracle
CHUNK = 4096  # cases computed together: fits the processor's cache
MAX_ITERATIONS = 200  # limit of reductions of an interval; 5 to 20 are needed


def _dot(a: Any, b: Any) -> Any:
    """Dot products of vectors (3,K)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


class Triangles:
    """K triangles (K,3,3), prepared for closest-point queries."""

    def __init__(self, corners: Any) -> None:
        self.corners = np.asarray(corners).astype(LONG).transpose(1, 2, 0)  # corner, axis, case
        edges = np.stack([self.corners[(k + 1) % 3] - self.corners[k] for k in range(3)])
        squares = np.stack([_dot(e, e) for e in edges])
        self.edges, self.squares = edges, np.where(squares > 0, squares, 1)
        first, every = squares.argmax(0), np.arange(edges.shape[2])
        self.start = self.corners[first, :, every].T
        self.along = edges[first, :, every].T
        self.upright = self.corners[(first + 2) % 3, :, every].T - self.start
        self.along_square = self.squares.max(0)
        foot = 0
        for _ in range(2):  # the second pass removes the rounding error of the first
            part = _dot(self.upright, self.along) / self.along_square
            self.upright = self.upright - part * self.along
            foot = foot + part
        self.foot = foot
        height = _dot(self.upright, self.upright)
        self.flat = height == 0
        self.height_square = np.where(self.flat, 1, height)

    def __len__(self) -> int:
        return self.along.shape[1]

    def take(self, rows: Any) -> Triangles:
        """A subset."""
        some = Triangles.__new__(Triangles)
        for name, value in vars(self).items():
            setattr(some, name, value[..., rows])
        return some

    def nearest(self, point: Any) -> tuple[Any, Any]:
        """(distance (K,), vector from the closest point (3,K)) of points (3,K)."""
        offset = point - self.start
        v = np.clip(_dot(offset, self.upright) / self.height_square, 0, 1)
        u = np.clip(_dot(offset, self.along) / self.along_square, v * self.foot, 1 - v * (1 - self.foot))
        gap = offset - u * self.along - v * self.upright
        v = np.clip(v + _dot(gap, self.upright) / self.height_square, 0, 1)
        u = np.clip(u + _dot(gap, self.along) / self.along_square, v * self.foot, 1 - v * (1 - self.foot))
        gap = offset - u * self.along - v * self.upright
        best = np.where(self.flat, np.inf, _dot(gap, gap))
        for k in range(3):
            offset = point - self.corners[k]
            part = np.clip(_dot(offset, self.edges[k]) / self.squares[k], 0, 1)
            other = offset - part * self.edges[k]
            square = _dot(other, other)
            nearer = square < best
            best, gap = np.where(nearer, square, best), np.where(nearer, other, gap)
        return np.sqrt(best), gap


def distance(tri: Any, point: Any) -> Any:
    """(K,) distances of points (K,3) from triangles (K,3,3)."""
    triangles, points = Triangles(tri), np.asarray(point).astype(LONG).T
    return triangles.nearest(points)[0]


def distance_by_minimising(tri: Any, point: Any, rounds: int = 160) -> Any:
    """`distance` by golden-section search along one side, with the best point across for each: checks the oracle."""
    a, b, c = (tri[:, k].astype(LONG).T for k in range(3))
    offset = a - point.astype(LONG).T
    ab, ac = b - a, c - a
    aa = _dot(ab, ab)

    def square(v: Any) -> Any:
        start = offset + v * ac
        u = np.clip(-_dot(start, ab) / aa, 0, 1 - v)
        gap = start + u * ab
        return _dot(gap, gap)

    low, high = np.zeros(len(tri), LONG), np.ones(len(tri), LONG)
    for _ in range(rounds):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        nearer = square(left) <= square(right)
        high, low = np.where(nearer, right, high), np.where(nearer, low, left)
    best = np.minimum(square((low + high) / 2), np.minimum(square(0 * low), square(0 * low + 1)))
    return np.sqrt(best)


class BackwardCheck(NamedTuple):
    """Verification of K reported first touches of a sphere; lengths in the space of the sweep, nan: not applicable.

    at_hit: distance minus radius at the reported fraction (hits)
    early: penetration before that fraction, or at any time for a reported miss (0: none)
    slope: sine of the approach angle at the reported fraction (hits)
    fraction: true minus reported fraction, by two Newton steps (hits)
    """

    at_hit: Any
    early: Any
    slope: Any
    fraction: Any


class Approach:
    """Distance of a sphere's centre, moving from p by d (K,3), to triangles (K,3,3), in one space."""

    def __init__(self, tri: Any, p: Any, d: Any) -> None:
        self.triangles = Triangles(tri)
        self.p, self.d = np.asarray(p).astype(LONG).T, np.asarray(d).astype(LONG).T
        self.length = np.sqrt(_dot(self.d, self.d))
        ones = np.ones(len(self.triangles), LONG)
        self.when, self.nearest = self.lowest(0 * ones, ones, -np.inf)

    def at(self, t: Any) -> Any:
        """(K,) distance at time t (K,)."""
        return self.triangles.nearest(self.p + np.asarray(t, LONG) * self.d)[0]

    def lowest(self, low: Any, high: Any, enough: float) -> tuple[Any, Any]:
        """(time, distance) of the closest approach between two times; not refined where it is certainly above
        `enough`."""
        return closest_approach(self.triangles, self.p, self.d, low, high, enough)

    def first(self, radius: Any, rounds: int = 90) -> Any:
        """(K,) time at which the distance first falls to radius; inf: never."""
        low, high = 0 * self.when, self.when
        for _ in range(rounds):
            middle = (low + high) / 2
            under = self.at(middle) <= radius
            low, high = np.where(under, low, middle), np.where(under, middle, high)
        return np.where(self.nearest <= radius, high, np.inf)


def _slope(gap: Any, dist: Any, d: Any) -> Any:
    """Derivative of the distance with respect to time."""
    return np.where(dist > 0, _dot(gap, d) / np.where(dist > 0, dist, 1), 0)


def closest_approach(triangles: Triangles, p: Any, d: Any, low: Any, high: Any, enough: float) -> tuple[Any, Any]:
    """See `Approach.lowest`; p and d (3,K)."""
    low, high = low.copy(), high.copy()
    f_low, gap = triangles.nearest(p + low * d)
    g_low = _slope(gap, f_low, d)
    f_high, gap = triangles.nearest(p + high * d)
    g_high = _slope(gap, f_high, d)
    ends = f_low <= f_high
    when, least = np.where(ends, low, high), np.where(ends, f_low, f_high)
    rows = np.flatnonzero((g_low < 0) & (g_high > 0) & (high > low))
    for turn in range(MAX_ITERATIONS):
        if not len(rows):
            break
        # the intersection of the two tangents is a lower bound
        a, b, fa, fb, ga, gb = low[rows], high[rows], f_low[rows], f_high[rows], g_low[rows], g_high[rows]
        meet = np.clip((fb - fa + ga * a - gb * b) / (ga - gb), a, b)
        bound = fa + ga * (meet - a)
        open_ = (least[rows] - bound > 1e-17 * least[rows] + 1e-18) & (bound < enough if enough > 0 else True)
        open_ &= (b - a) > 4 * np.finfo(LONG).eps * b
        rows, a, b, fa, fb, ga, gb = (v[open_] for v in (rows, a, b, fa, fb, ga, gb))
        if not len(rows):
            break
        # bisection, and every other time the secant zero of the derivative of the squared distance
        middle = (a + b) / 2
        if turn % 2:
            guess = a - (b - a) * (ga * fa) / (gb * fb - ga * fa)
            inside = (guess > a) & (guess < b)
            middle = np.where(inside, guess, middle)
        some = triangles.take(rows)
        f, gap = some.nearest(p[:, rows] + middle * d[:, rows])
        g = _slope(gap, f, d[:, rows])
        nearer = f < least[rows]
        least[rows], when[rows] = np.where(nearer, f, least[rows]), np.where(nearer, middle, when[rows])
        falling = g < 0
        down, up = rows[falling], rows[~falling]
        low[down], f_low[down], g_low[down] = middle[falling], f[falling], g[falling]
        high[up], f_high[up], g_high[up] = middle[~falling], f[~falling], g[~falling]
        rows = rows[(g != 0) & (f > 0)]
    return when, least


def check_backwards(tri: Any, p: Any, d: Any, t: Any, radius: Any, limit: float = 1.0) -> BackwardCheck:
    """Verify reported fractions t (K,) (inf: no touch up to `limit`) of sweeps of a sphere from p by d (K,3)."""
    t, radius = np.asarray(t, float), np.broadcast_to(np.asarray(radius, LONG), (len(tri),))
    parts = [
        _check_chunk(
            tri[k : k + CHUNK], p[k : k + CHUNK], d[k : k + CHUNK], t[k : k + CHUNK], radius[k : k + CHUNK], limit
        )
        for k in range(0, len(t), CHUNK)
    ]
    return (
        BackwardCheck(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        if parts
        else BackwardCheck(*[t] * 4)
    )


def _check_chunk(tri: Any, p: Any, d: Any, t: Any, radius: Any, limit: float) -> BackwardCheck:
    triangles, p, d = Triangles(tri), np.asarray(p).astype(LONG).T, np.asarray(d).astype(LONG).T
    hit = np.isfinite(t)
    end = np.where(hit, t, limit).astype(LONG)
    length = np.sqrt(_dot(d, d))
    away, gap = triangles.nearest(p + end * d)
    slope = _slope(gap, away, d)
    start = triangles.nearest(p)[0]
    early = radius - np.minimum(np.where(hit, np.inf, away), start)
    # a convex function that still falls at the end was nowhere lower before
    rose = np.flatnonzero((slope > 0) & (start > away - length * end))
    if len(rose):
        some = triangles.take(rose)
        _, least = closest_approach(some, p[:, rose], d[:, rose], 0 * end[rose], end[rose], float(radius.max()))
        early[rose] = np.maximum(early[rose], radius[rose] - least)
    better = end
    for _ in range(2):
        there, gap = triangles.nearest(p + better * d)
        g = _slope(gap, there, d)
        better = better - (there - radius) / np.where(g < 0, g, -np.inf)
    nothing = np.full(len(t), np.nan)
    return BackwardCheck(
        np.where(hit, away - radius, nothing).astype(float),
        np.maximum(early, 0).astype(float),
        np.where(hit & (length > 0), -slope / np.where(length > 0, length, 1), nothing).astype(float),
        np.where(hit, better - end, nothing).astype(float),
    )
