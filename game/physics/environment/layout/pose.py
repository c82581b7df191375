"""Columns of a pose (float64), which maps the frame of a mover to the world: x_world = rotation x_own + position."""

R00, R01, R02 = 0, 1, 2  # rotation: row, column
R10, R11, R12 = 3, 4, 5
R20, R21, R22 = 6, 7, 8
POSITION = 9  # 3: m
WIDTH = 12
