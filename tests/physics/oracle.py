"""A slow judge of spheres against triangles, by other means than the kernels': minimising, and bisection.

Everything runs over K cases at once in extended precision. The distance from a moving point to a triangle is
a convex function of time, so one golden section finds how near a sweep ever comes, and a bisection when it
first comes within the radius. Nothing here knows of features, roots or planes approached.
"""

from __future__ import annotations

import numpy as np

LONG = np.longdouble
GOLDEN = (LONG(5) ** LONG(0.5) - 1) / 2


def _dot(a, b):
    return (a * b).sum(-1)


def distance_by_minimising(tri, point, rounds=160):
    """(K,) distances from point (K,3) to tri (K,3,3): a golden section over v, with the best u for each v."""
    a, b, c = (tri[:, k].astype(LONG) for k in range(3))
    offset = a - point.astype(LONG)
    ab, ac = b - a, c - a
    aa = _dot(ab, ab)

    def square(v):
        start = offset + v[:, None] * ac
        u = np.clip(-_dot(start, ab) / aa, 0, 1 - v)
        gap = start + u[:, None] * ab
        return _dot(gap, gap)

    low, high = np.zeros(len(tri), LONG), np.ones(len(tri), LONG)
    for _ in range(rounds):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        nearer = square(left) <= square(right)
        high, low = np.where(nearer, right, high), np.where(nearer, low, left)
    best = np.minimum(square((low + high) / 2), np.minimum(square(0 * low), square(0 * low + 1)))
    return np.sqrt(best)


def distance(tri, point):
    """The same as the least of all candidates: three segments, and the plane's foot where it is inside."""
    tri, point = tri.astype(LONG), point.astype(LONG)
    best = np.full(point.shape[:-1], np.inf, LONG)
    normal = np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0])
    inside = np.ones(point.shape[:-1], bool)
    for k in range(3):
        start, edge = tri[:, k], tri[:, (k + 1) % 3] - tri[:, k]
        offset = point - start
        along = np.clip(_dot(offset, edge) / _dot(edge, edge), 0, 1)
        gap = offset - along[:, None] * edge
        best = np.minimum(best, _dot(gap, gap))
        inside &= _dot(np.cross(edge, offset), normal) >= 0
    height = _dot(point - tri[:, 0], normal)
    face = height * height / _dot(normal, normal)
    return np.sqrt(np.where(inside, np.minimum(face, best), best))


class Approach:
    """How a sphere's centre at p moving by d (K,3) comes near to tri (K,3,3), all in one space."""

    def __init__(self, tri, p, d, rounds=120):
        self.tri, self.p, self.d = tri, p.astype(LONG), d.astype(LONG)
        low, high = np.zeros(len(tri), LONG), np.ones(len(tri), LONG)
        for _ in range(rounds):
            left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            nearer = self.at(left) <= self.at(right)
            high, low = np.where(nearer, right, high), np.where(nearer, low, left)
        middle = (low + high) / 2
        times = np.stack([0 * middle, middle, 0 * middle + 1])
        values = np.stack([self.at(t) for t in times])
        row = values.argmin(0), np.arange(len(tri))
        self.when, self.nearest = times[row], values[row]

    def at(self, t):
        """(K,) distance at time t (K,)."""
        return distance(self.tri, self.p + t[:, None] * self.d)

    def first(self, radius, rounds=90):
        """(K,) when the distance first falls to radius; inf where it stays above."""
        low, high = 0 * self.when, self.when
        for _ in range(rounds):
            middle = (low + high) / 2
            under = self.at(middle) <= radius
            low, high = np.where(under, low, middle), np.where(under, middle, high)
        return np.where(self.nearest <= radius, high, np.inf)


def judge(approach, t, radius, tolerance):
    """(K,) words about a reported first touch t (inf: none), "" where it stands; starts are outside."""
    hit = np.isfinite(t)
    there = approach.at(np.where(hit, t, 0).astype(LONG))
    before = np.where(t > approach.when, approach.nearest, there)
    words = np.full(len(t), "", dtype=object)
    words[hit & (before < radius - tolerance)] = "late: nearer before"
    words[hit & (abs(there - radius) > tolerance)] = "not at the radius"
    words[~hit & (approach.nearest < radius - tolerance)] = "missed"
    return words
