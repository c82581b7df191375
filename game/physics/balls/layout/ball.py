"""Layout: ball."""

# A ball during a tick (row of Work.b). It moves from X with the velocity V and the constant acceleration A since the
# time T of the tick, s. What is asked for together lies together: eight of these are what a processor fetches at once.
# LIGHT: 1 / mass; 0 for one asleep
POSITION = 0
RADIUS = 3
VELOCITY = 4
INVERSE_MASS = 7
# where it began the tick; the radius of the ball about that which holds its way
START_POSITION = 8
SWEPT_RADIUS = 11
ACCELERATION = 12
TIME = 15
# velocity when the tick began; rad/s; radius to sweep with
START_VELOCITY = 16
MASS = 19
ANGULAR_VELOCITY = 20
SWEEP_RADIUS = 23
# PUSH, 3: what other balls, overlapping it, ask it to move by
RESTITUTION = 24
FRICTION = 25
ROLLING_RESISTANCE = 26
POSITION_CORRECTION = 27
# the surface that its next event is with: normal, velocity, ...
IMPACT_NORMAL = 30
IMPACT_VELOCITY = 33
IMPACT_FRICTION = 36
IMPACT_RESTITUTION = 37
LIST_RADIUS = 38  # how far from where it began the tick its list of triangles (Work.listed) goes
EXTENDED_SWEPT_RADIUS = 39  # radius of the ball about where it began that holds its way now, where it goes beyond REACH
WIDTH = 40
