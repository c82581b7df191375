"""Columns of a kinematic body (row of Obstacles.bodies, float64): an ellipsoid that moves straight during the tick."""

START_POSITION = 0  # 3: m, centre at the beginning of the tick
END_POSITION = 3  # 3: m, at its end
RADII = 6  # 3: m
AXES = 9  # 9: unit vectors right, up, back
WIDTH = 18
