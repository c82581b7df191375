"""Columns of `mates` (int32): columns 0..2 hold 4 * neighbour + edge_active of each edge, -1 for no neighbour."""

SURFACE = 3  # surface of the triangle: row of `materials`, if there are any
