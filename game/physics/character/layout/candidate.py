"""Columns of the candidates (float64, one row per triangle of the broad phase).

The queries of mesh/geometry.py read the first columns: corners and normal in ellipsoid space.
"""

AX = 0  # corners
AY = 1
AZ = 2
BX = 3
CX = 6
NX = 9  # unit normal; computed when it is needed
NY = 10
NZ = 11
NO_NORMAL = 2.0  # value of NX until then

CORNERS = 12  # 9: in the body frame, m, relative to body.ORIGIN
NORMAL = 21  # 3: unit normal in the body frame
TRIANGLE = 24  # index of the triangle, exact as a float
BOX_MIN = 25  # 3: bounding box in ellipsoid space
BOX_MAX = 28  # 3
NEIGHBOURS = 31  # 3: for each edge 4 * (index of the neighbour) + bits of edge_side
ROTATION_DISTANCE = 34  # squared distance of the box at the heading that brings it nearest (rotate.py); infinite: none
VELOCITY = 35  # 3: of its mover at body.ORIGIN in this tick, body frame, m/s; written for triangles of movers only
SPIN = 38  # 3: the mover's angular velocity, rad/s
FLOW_X = 41  # of its surface relative to the mover, m/s; written where the mesh has materials
FLOW_Z = 42
WIDTH = 43
