"""Indices of what separating axes have shown (float64): `best` and `span` of query.sat."""

SEPARATION = 0  # m, the largest; negative: overlap on every axis
NORMAL = 1  # 3: unit, its axis from B to A
ENTRY = 4  # latest time at which an axis starts to overlap, as a fraction of the displacement
ENTRY_NORMAL = 5  # 3: unit, its axis from B to A
SIZE = 8
START = 0  # of `span`: latest start of the time in which they overlap by more than the tolerance
END = 1  # of `span`: its earliest end
SPAN_SIZE = 2
