"""Columns of an ellipsoid in a query (float64): its pose and its displacement."""

RADII = 0  # 3: m
SIN_YAW = 3
COS_YAW = 4
POSITION = 5  # 3: m, centre
DISPLACEMENT = 8  # 3: m
WIDTH = 11
