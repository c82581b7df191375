"""Columns of a contact between two balls (row of BallScratch.contacts, float64); contact_pairs has the balls."""

NORMAL = 0  # 3: unit, from the second ball to the first
APPROACH_LIMIT = 3  # m/s: approach speed that closes the gap at the end of the tick
NORMAL_IMPULSE = 4  # kg m/s, accumulated
REDUCED_MASS = 5  # kg: 1 / (1 / m1 + 1 / m2)
FRICTION = 6
IS_STACKED = 7  # 1.0 if the normal is upright enough for the lower ball to carry the higher
WIDTH = 8
