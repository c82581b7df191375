"""Rows of the half-spaces (float64, 4 columns): (nx, ny, nz, bound) for n . d >= bound; horizontal: (nx, nz, bound)."""

MAX_ROWS = 96  # for one projection
FIRST_STOP_ROW = 96  # rows from here on: unit horizontal normals (x, z) of planes that stopped the body in this tick
MAX_STOPS = 12
