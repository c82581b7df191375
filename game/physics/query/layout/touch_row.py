"""Columns of the first touch of a sweep, or of a closest point (float64)."""

FRACTION = 0  # of the displacement; of a closest point: distance, m
POINT = 1  # 3: m
NORMAL = 4  # 3: unit, towards what moves
WIDTH = 7
