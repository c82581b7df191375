"""Columns of the event heap (float64, one row per future impact)."""

TIME = 0  # s
BALL = 1
OTHER_BALL = 2  # -1: the surface in the row of the ball
STAMP = 3  # of the ball, status.EVENT_STAMP
OTHER_STAMP = 4
WIDTH = 5
