"""Layout: contact."""

# Columns of Work.contacts: contact point (3), unit offset from it to the body's centre (3), distance, all in
# ellipsoid space; upward part of the face's normal; candidate, feature, whether used (1) or claimed (2); for an edge
# the triangle that continues the face beyond it, or -1
DISTANCE = 6
FACE_NY = 7
CANDIDATE = 8
FEATURE = 9
STATUS = 10
COPLANAR_NEIGHBOUR = 11
WIDTH = 12
