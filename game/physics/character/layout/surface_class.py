"""Layout: surface class."""

# classes
WALKABLE = 1
WALL = 2
CEILING = 3
