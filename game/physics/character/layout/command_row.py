"""Columns of a command (row of `command_columns`, float64)."""

FORWARD = 0  # -1..1
STRAFE = 1  # -1..1
HEADING = 2  # heading units
BUTTONS = 3  # bits of layout.button
PITCH = 4  # heading units
WIDTH = 5
