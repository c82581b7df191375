"""Columns of the candidates (float64, one row per triangle of the broad phase).

Columns 0-8 are the corners and 9-11 the unit normal in ellipsoid space; the normal is computed when it is needed.
"""

NO_NORMAL = 2.0  # value of column 9 until then

CORNERS = 12  # 9: in the body frame, m, relative to body.ORIGIN
NORMAL = 21  # 3: unit normal in the body frame
TRIANGLE = 24  # index of the triangle, exact as a float
NEIGHBOURS = 25  # 3: for each edge 4 * (index of the neighbour) + bits of edge_side
WIDTH = 28

# Rows of the candidates' boxes (float64, one column per candidate), so that vector instructions test several at once
BOX_MIN = 0  # 3: bounding box in ellipsoid space
BOX_MAX = 3  # 3
DISTANCE_SQUARED = 6  # from the box of the last `measure_box_distances`
ROTATION_DISTANCE = 7  # squared distance at the heading that brings the candidate nearest (rotate.py); infinite: none
BOX_ROWS = 8
