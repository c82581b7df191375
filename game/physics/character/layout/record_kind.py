"""Kinds of trace records, in column 0 of a record (float64, one row each).

Columns: 0 kind, 1 triangle, 2 surface class, 3 feature, 4-6 vector (m, or a unit normal), 7 value, 8-10 point (m).
Vectors and points are in the body frame, points relative to body.ORIGIN.
"""

CONTACT = 1.0  # contact plane at the end of the tick: normal, gap, contact point
SLIDE = 2.0  # swept displacement: displacement, free part, centre afterwards
STEP = 3.0  # lift onto an edge: displacement, free part, centre
ROTATE = 4.0  # rotation: (units turned, rise, units wanted), 1.0 if lifted for it, centre
STOP = 5.0  # plane that held the body back: normal, gap, contact point
WIDTH = 11
