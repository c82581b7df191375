"""Indices of BallScratch.counters (int64)."""

PAIRS = 0  # pairs that may collide
CONTACTS = 1  # contacts between balls
EVENTS = 2  # events in the queue
OUTLIERS = 3  # balls in no grid column, or off their path
TRIANGLES_NEEDED = 4  # capacity needed of triangles_near; 0: enough
PAIRS_NEEDED = 5  # pairs that did not fit
EVENTS_NEEDED = 6  # events that did not fit
EVENTS_DONE = 7  # impacts of the tick
SUSPENDED = 8  # balls with too many impacts in the tick
FIRST_PLANE = 9  # first plane of a ball that is compared with new ones
CONSTRAINTS = 10  # plane constraints
SINGLE_CONSTRAINTS = 11  # those of balls that touch one plane only; they come first
INVALID_INPUT = 12  # 1: a state row is out of range
WIDE_OUTLIERS = 13  # outliers that are too large for a column; they come first
SIZE = 14
