"""Columns of the contact planes (float64, one row per plane), in the body frame, metres.

Points are relative to body.ORIGIN.
"""

NX = 0  # unit normal, from the surface to the body
NY = 1
NZ = 2
BOUND = 3  # displacements d with n . d >= BOUND keep the whole skin; positive if a part of it is lost
GAP = 4  # gap in ellipsoid space; the skin is what it should be
POINT_X = 5  # contact point
POINT_Y = 6
POINT_Z = 7
UPRIGHT_X = 8  # of an edge or corner: unit normal at which the body stands on top of it
UPRIGHT_Y = 9
UPRIGHT_Z = 10
TOP_HEIGHT = 11  # rise that brings the body to the top of the edge or corner
MAX_FACE_NY = 12  # upward component of the most upward normal among the faces that meet at the contact
TRIANGLE = 13  # index of the triangle
FEATURE = 14  # 0: face, 1-3: edges, 4-6: corners
CLASS = 15  # surface_class
BLOCKED = 16  # 1.0: the plane held back the last displacement
IS_ROUGHNESS = 17  # 1.0: an edge or corner of steep faces that hardly stands out from steep ground
CANDIDATE = 18  # row of the triangle among the candidates
WIDTH = 19
