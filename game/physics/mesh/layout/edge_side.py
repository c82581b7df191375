"""Layout: edge side."""

# bits of edge_active
FRONT = 1
BACK = 2
