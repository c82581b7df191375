"""Columns of a command (row of `command_columns`, float64); the last two are of the tick that it is the input of."""

FORWARD = 0  # -1..1
STRAFE = 1  # -1..1
HEADING = 2  # heading units
BUTTONS = 3  # bits of layout.button
PITCH = 4  # heading units
LATER = 5  # ticks that the world of this row is ahead of the clock of the call
EVENTS = 6  # written by the tick: bits of tick_event
WIDTH = 7
