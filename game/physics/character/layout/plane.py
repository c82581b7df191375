"""Layout: plane."""

# A plane (row of Work.planes), distances and displacements in the world's metric:
# unit normal, from the surface to the body
NX = 0
NY = 1
NZ = 2
BOUND = 3  # displacements d with n . d >= bound keep the full skin
GAP = 4  # ellipsoid space; the skin is wanted
# contact point, relative to the base
POINT_X = 5
POINT_Y = 6
POINT_Z = 7
# upright normal (edges and corners)
UPRIGHT_X = 8
UPRIGHT_Y = 9
UPRIGHT_Z = 10
TOP_HEIGHT = 11  # height at which the body would rest on top of the edge or corner, over where it is now
MAX_FACE_NY = 12  # most upward of the normals of the faces that meet at the contact
# whole numbers, exact as floats
TRIANGLE = 13
FEATURE = 14
CLASS = 15
BLOCKED = 16
WIDTH = 17
