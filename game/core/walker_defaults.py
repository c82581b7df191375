"""The walker's measures that a level is judged by.

The same figures as game.physics' WalkerSettings() (a test compares them): importing those would load kernels
for a check that needs none.
"""

RADII = (0.35, 0.90, 0.25)  # metres: half breadth, half height, half depth
SKIN = 0.01  # of a radius: the gap that the body keeps
STEP_HEIGHT = 0.40  # metres
MAX_SLOPE = 45.0  # degrees
CROUCH_HEIGHT = 1.1  # metres

CLEAR_WIDTH = 2 * RADII[0] * (1 + SKIN)  # clear width to walk through facing ahead
CLEAR_DEPTH = 2 * RADII[2] * (1 + SKIN)  # clear width to pass sideways
CLEAR_HEIGHT = 2 * RADII[1] * (1 + SKIN)  # clear height to stand
CLEAR_CROUCH_HEIGHT = CROUCH_HEIGHT * (1 + SKIN)  # clear height when crouched
