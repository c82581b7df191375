"""Columns of a triangle (row of the triangles12 of a mesh, float64)."""

A = 0  # 3: m, first corner
B = 3  # 3: m
C = 6  # 3: m
NORMAL = 9  # 3: unit
WIDTH = 12
