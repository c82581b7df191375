"""Layout: kinematic body."""

# A kinematic body (row of `bodies`): its centre before and after the tick, radii, and the unit vectors of its axes
START_POSITION = 0
END_POSITION = 3
RADII = 6
AXES = 9
WIDTH = 18
