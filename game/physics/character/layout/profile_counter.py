"""Columns of the counters (int64) that a profile uses: processor cycles of each phase, then counts (see profile.py)."""

LAP_START = 9  # cycle counter at the end of the last phase
BROAD_PHASE = 10
TRANSFORM = 11
RECOVER_PENETRATION = 12
ROTATE = 13  # and crouch, jump, wish velocity
GROUND_MOVE = 14
SNAP_DOWN = 15
SLIDE = 16
FALL = 17
WRITE_STATE = 18
CANDIDATES = 19
CONTACT_SEARCHES = 20
CLOSEST_POINT_TESTS = 21
CONTACT_PLANES = 22
GROUND_MOVE_ITERATIONS = 23
SWEEPS = 24
SWEEP_TESTS = 25
REPEATED_TICKS = 26
