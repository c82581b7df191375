"""Layout: half space."""

MAX_ROWS = 96
FIRST_STOP_ROW = 96  # rows from here on: plan directions that stopped the walker in this tick
MAX_STOPS = 12
