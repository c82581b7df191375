"""Layout: candidate."""

# A candidate (row of Work.near): three corners and the unit normal in ellipsoid space, the same in the world
# (corners relative to the base), the triangle's number, its box in ellipsoid space; for each edge four times the
# neighbour's number plus the bits of edge_active.
WORLD_CORNERS = 12
TRIANGLE = 24
# 3 each
BOX_MIN = 25
BOX_MAX = 28
NEIGHBOURS = 31
WIDTH = 34
