"""Columns of the contacts (float64, one row per triangle within one and a half skins), in ellipsoid space."""

POINT_X = 0  # contact point
POINT_Y = 1
POINT_Z = 2
NX = 3  # unit vector from it to the body's centre
NY = 4
NZ = 5
DISTANCE = 6  # from the contact point to the centre
FACE_NY = 7  # upward component of the face's normal in the body frame, on the body's side
CANDIDATE = 8  # row of the triangle among the candidates
FEATURE = 9  # 0: face, 1-3: edges, 4-6: corners
STATUS = 10  # 0: undecided, 1: accepted as a contact plane, 2: internal edge or surplus
COPLANAR_NEIGHBOUR = 11  # of an edge: triangle that continues the face beyond it; -1: none
WIDTH = 12
