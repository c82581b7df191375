"""Modes of `slide_move`, by what moves the body."""

IN_AIR = 0  # its own horizontal move, with what stops it stored
FLOATING = 1  # swimming or climbing, in all directions
RIDING = 2  # with the platform that it stands on: nothing is marked as what stopped it
