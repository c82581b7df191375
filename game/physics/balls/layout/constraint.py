"""Layout: constraint."""

# A plane that holds a ball, as the rounds need it (row of Work.holds)
NORMAL = 0
APPROACH_LIMIT = 3
SURFACE_VELOCITY = 4
FRICTION = 7
NORMAL_IMPULSE = 8
FRICTION_IMPULSE = 9
WIDTH = 12
