"""Columns of a keyframe row (float64): one piece of the period of a mover's path."""

START = 0  # s since the beginning of the period
DURATION = 1  # s
EASE = 2  # 1.0: starts and stops gently (smoothstep); 0.0: constant speed
FROM = 3  # 3: m from home
TO = 6  # 3: m from home
ANGLE_FROM = 9  # heading units about the mover's axis
ANGLE_TO = 10
WIDTH = 11
