"""Rows of the half-spaces (float64, 4 columns): n . d >= bound as (nx, ny, nz, bound), in plan (nx, nz, bound)."""

MAX_ROWS = 96  # for one projection
FIRST_STOP_ROW = 96  # rows from here on: unit plan normals (x, z) of planes that stopped the body in this tick
MAX_STOPS = 12
