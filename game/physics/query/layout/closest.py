"""Indices of the closest points of two cores A and B (float64), the first part of the scratch memory of a query."""

NORMAL = 0  # 3: unit, from B to A
POINT_A = 3  # 3: m, of A, relative to B's centre
POINT_B = 6  # 3: m, of B, relative to B's centre
SIZE = 9
