"""Layout: material row."""

# Places in the row of numbers that the kernels read.
FRICTION = 0
RESTITUTION = 1
SPEED_FACTOR = 2
SURFACE_VELOCITY_X = 3
SURFACE_VELOCITY_Z = 4
WALL_FRICTION = 5
ROLLING_RESISTANCE = 6
SOFTNESS = 7
WIDTH = 8
