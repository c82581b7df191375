"""Columns of a ray (float64)."""

ORIGIN = 0  # 3: m
DIRECTION = 3  # 3: unit
LIMIT = 6  # m
WIDTH = 7
