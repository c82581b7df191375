"""Bits of counter.EVENTS: what happened in a tick. `trace.TICK_EVENT_NAMES` gives the words."""

NO_SOLUTION = 1 << 0  # no displacement restores all gaps
TOO_MANY_CONTACTS = 1 << 1
RECOVERED_PENETRATION = 1 << 2
RETURNED_TO_SAFE = 1 << 3
ROTATION_BLOCKED = 1 << 4
STEPPED_UP = 1 << 5
SNAPPED_DOWN = 1 << 6
LANDED = 1 << 7
JUMPED = 1 << 8
HIT_CEILING = 1 << 9
STAND_BLOCKED = 1 << 10
WEDGED = 1 << 11
BOUNCED = 1 << 12
GRAVITY_TURNED = 1 << 16
LAUNCHED = 1 << 17
SWIMMING = 1 << 18
CLIMBING = 1 << 19
CRUSHED = 1 << 20
