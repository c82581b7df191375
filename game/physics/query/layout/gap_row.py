"""Columns of the distance of two shapes A and B (float64)."""

DISTANCE = 0  # m; negative: the penetration depth
NORMAL = 1  # 3: unit, from B to A
POINT_A = 4  # 3: m, closest point of A's surface
POINT_B = 7  # 3: m
WIDTH = 10
