"""Layout: shape layout."""

WIDTH = 16  # floats a row
CENTRE = 0
AXES = 3
HALF_SIZES = 12
RADIUS = 15
