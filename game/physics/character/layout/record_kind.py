"""Kinds and columns of trace records (float64, one row each).

Vectors and points are in the body frame, points relative to body.ORIGIN.
"""

CONTACT = 1.0  # contact plane at the end of the tick: normal, gap, contact point
SLIDE = 2.0  # swept displacement: displacement, free part, centre afterwards
STEP = 3.0  # lift onto an edge: displacement, free part, centre
ROTATE = 4.0  # rotation: (units turned, rise, units wanted), 1.0 if lifted for it, centre
STOP = 5.0  # plane that held the body back: normal, gap, contact point

# Columns
KIND = 0
TRIANGLE = 1
CLASS = 2
FEATURE = 3
X = 4  # vector: m, or a unit normal
Y = 5
Z = 6
VALUE = 7
POINT_X = 8
POINT_Y = 9
POINT_Z = 10
WIDTH = 11
