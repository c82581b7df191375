"""Modes of `slide_move`, by what moves the body."""

IN_AIR = 0  # its own horizontal move, with what stops it stored
FLOATING = 1  # swimming or climbing, in all directions
CARRIED = 2  # by a platform: nothing is marked as what stopped it
