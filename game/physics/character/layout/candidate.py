"""Columns of the candidates (float64, one row per triangle of the broad phase).

Columns 0-8 are the corners and 9-11 the unit normal in ellipsoid space; the normal is computed when it is needed.
"""

NO_NORMAL = 2.0  # value of column 9 until then

CORNERS = 12  # 9: in the body frame, m, relative to body.ORIGIN
NORMAL = 21  # 3: unit normal in the body frame
TRIANGLE = 24  # index of the triangle, exact as a float
BOX_MIN = 25  # 3: bounding box in ellipsoid space
BOX_MAX = 28  # 3
NEIGHBOURS = 31  # 3: for each edge 4 * (index of the neighbour) + bits of edge_side
ROTATION_DISTANCE = 34  # squared distance of the box at the heading that brings it nearest (rotate.py); infinite: none
WIDTH = 35
