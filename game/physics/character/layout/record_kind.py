"""Layout: record kind."""

# Records of a trace: kind, triangle, class, feature, vector (3), value, point (3)
CONTACT = 1.0
SLIDE = 2.0
STEP = 3.0
ROTATE = 4.0
STOP = 5.0
WIDTH = 11
