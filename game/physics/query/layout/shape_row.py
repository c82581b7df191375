"""Columns of a shape row (float64): a core (point, segment or box) that is widened by a radius.

A sphere has half sizes (0, 0, 0), a capsule (0, h, 0), a box radius 0. Metres; axes are unit vectors.
"""

WIDTH = 16  # floats a row
CENTRE = 0
AXES = 3
HALF_SIZES = 12
RADIUS = 15
