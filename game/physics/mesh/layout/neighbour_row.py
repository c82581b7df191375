"""Layout: neighbour row."""

SURFACE = 3  # column of mates
SURFACE = 3  # column of mates
