"""Layout: keyframe."""

# Columns of a key: a piece of the path's period
# s, s, 1.0 where it starts and stops gently
START = 0
DURATION = 1
EASE = 2
# 3 and 3 (m from home), heading units
FROM = 3
TO = 6
ANGLE_FROM = 9
ANGLE_TO = 10
WIDTH = 11
