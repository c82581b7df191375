"""Layout: pair."""

# Two balls that touch (row of Work.contacts; which two stands in Work.touching)
# PAIR_GIVE: their common mass, kg
NORMAL = 0
APPROACH_LIMIT = 3
NORMAL_IMPULSE = 4
REDUCED_MASS = 5
FRICTION = 6
IS_STACKED = 7
WIDTH = 8
