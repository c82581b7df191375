"""Columns of a triangle in the list of a ball (last axis of BallScratch.triangle_lists, int32)."""

TRIANGLE = 0
MOVER = 1  # -1: the level
WIDTH = 2
