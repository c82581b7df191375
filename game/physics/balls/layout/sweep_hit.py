"""Indices of the first touch of a sweep (BallScratch.sweep_hit, float64)."""

POINT = 0  # 3: m, contact point
FEATURE = 3  # of mesh.geometry
TRIANGLE = 4
CENTRE = 5  # 3: m, of the ball in the frame of a mover
SIZE = 8
