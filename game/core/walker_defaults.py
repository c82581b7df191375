"""Default dimensions of the walker, for checks of levels.

The same values as `WalkerSettings()` of `game.physics`; a test compares them. Importing those would load compiled
kernels, which the checks do not need.
"""

RADII = (0.35, 0.90, 0.25)  # metres: half breadth, half height, half depth
SKIN = 0.01  # fraction of a radius: gap between body and geometry
STEP_HEIGHT = 0.40  # metres
MAX_SLOPE = 45.0  # degrees
CROUCH_HEIGHT = 1.1  # metres
TICKS_PER_SECOND = 60.0

CLEAR_WIDTH = 2 * RADII[0] * (1 + SKIN)  # m: needed to walk through facing ahead
CLEAR_DEPTH = 2 * RADII[2] * (1 + SKIN)  # m: needed to pass sideways
CLEAR_HEIGHT = 2 * RADII[1] * (1 + SKIN)  # m: needed to stand
CLEAR_CROUCH_HEIGHT = CROUCH_HEIGHT * (1 + SKIN)  # m: needed to crouch
