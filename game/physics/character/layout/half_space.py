"""Rows of the half-spaces (float64, 4 columns): (nx, ny, nz, bound) for n . d >= bound; horizontal: (nx, nz, bound)."""

NX = 0  # of a half-space
NY = 1
NZ = 2
BOUND = 3
X = 0  # of a half-plane, or of a horizontal normal
Z = 1
HORIZONTAL_BOUND = 2
SPEED = 2  # of a wall that stopped the body, along its normal, m/s

MAX_ROWS = 96  # for one projection
FIRST_STOP_ROW = 96  # rows from here on: (x, z, speed) of planes that stopped the body in this tick
MAX_STOPS = 12
