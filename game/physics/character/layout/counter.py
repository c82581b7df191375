"""Layout: counter."""

# Places in Work.count
# FRESH: whether the touching set is that of LAST; FIXED: how many of the candidates are the level's own, which come
# before those of movers
CANDIDATES = 0
CANDIDATES_NEEDED = 1
CANDIDATES_INCOMPLETE = 2
PLANES = 3
STOPS = 4
RECORDS = 5
EVENTS = 6
CONTACTS_VALID = 7
STATIC_CANDIDATES = 8
FIRST_PROFILE = 9  # from here on: see profile.py
SIZE = 27
