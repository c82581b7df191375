"""Bits of counter.EVENTS: what happened in a tick. The words of `Trace.events` are these names, in this order."""

SQUEEZED = 1 << 0  # no displacement restores all gaps
CROWDED = 1 << 1  # more contacts than a tick holds
PUSHED = 1 << 2  # out of something that the body was inside of
LOST = 1 << 3  # inside something: moved to the last safe place
TURN_CUT = 1 << 4
STEPPED = 1 << 5
SNAPPED = 1 << 6
LANDED = 1 << 7
JUMPED = 1 << 8
HEAD = 1 << 9  # a ceiling ended the rise
NO_ROOM_TO_STAND = 1 << 10
FUNNEL = 1 << 11  # supported by steep planes together
BOUNCED = 1 << 12
CRUSHED = 1 << 20
GRAVITY_TURNED = 1 << 16
LAUNCHED = 1 << 17
SWIMS = 1 << 18
CLIMBS = 1 << 19
