"""Columns of the counters (int64, one row): counts, flags and events of a tick."""

CANDIDATES = 0  # rows in use
CANDIDATES_NEEDED = 1  # rows that a complete broad phase needs; more than there is room for: allocate, repeat
CANDIDATES_INCOMPLETE = 2  # 1: the tick left the box of the candidates and must be repeated with a larger one
PLANES = 3  # contact planes in use
STOPS = 4  # horizontal directions stored for clip_velocity (half_space.FIRST_STOP_ROW)
RECORDS = 5  # rows of the trace in use
EVENTS = 6  # bits of tick_event
CONTACTS_VALID = 7  # 1: the contact planes belong to body.CONTACTS_OFFSET and the present shape
STATIC_CANDIDATES = 8  # the level's own candidates; those of movers follow them
PUSHERS_END = 9  # candidates of movers before this one are walls (tick/ground_push.py); 0: none
SIZE = 10
