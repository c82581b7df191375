"""Event queue: a binary min-heap of future impacts, ordered by time. Row: time (s), ball, other ball or -1, both
stamps.

An event is void once the stamp of a ball has changed (status.EVENT_STAMP). Equal times are ordered by ball, so the
order does not depend on the history of the heap.
"""

from __future__ import annotations

from ...core.vectors import Floats
from ..numerics.jit import inner
from .rows import (
    counter,
    event_row,
    status,
)
from .scratch import BallScratch


@inner
def push_event(w: BallScratch, time: float, i: int, j: int) -> None:
    """Push an impact of ball i with ball j, or with the surface in its row for j = -1."""
    heap, k = w.event_heap, w.status
    row = w.counters[counter.EVENTS]
    if row >= heap.shape[0]:
        w.counters[counter.EVENTS_NEEDED] += 1
        return
    w.counters[counter.EVENTS] = row + 1
    while row > 0:
        parent = (row - 1) // 2
        if not _is_earlier(time, i, j, heap, parent):
            break
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[parent, c]
        row = parent
    heap[row, event_row.TIME] = time
    heap[row, event_row.BALL] = float(i)
    heap[row, event_row.OTHER_BALL] = float(j)
    heap[row, event_row.STAMP] = float(k[i, status.EVENT_STAMP])
    heap[row, event_row.OTHER_STAMP] = float(k[j, status.EVENT_STAMP]) if j >= 0 else 0.0


@inner
def _is_earlier(time: float, i: int, j: int, heap: Floats, row: int) -> bool:
    """Whether event (time, i, j) comes before that of a row: by time, then by ball, then by other ball."""
    if time != heap[row, event_row.TIME]:
        return bool(time < heap[row, event_row.TIME])
    if float(i) != heap[row, event_row.BALL]:
        return bool(float(i) < heap[row, event_row.BALL])
    return bool(float(j) < heap[row, event_row.OTHER_BALL])


@inner
def pop_event(w: BallScratch) -> None:
    """Remove the first event."""
    heap = w.event_heap
    last = w.counters[counter.EVENTS] - 1
    w.counters[counter.EVENTS] = last
    time, i, j = heap[last, event_row.TIME], int(heap[last, event_row.BALL]), int(heap[last, event_row.OTHER_BALL])
    row = 0
    while True:
        child = 2 * row + 1
        if child >= last:
            break
        if child + 1 < last and _is_earlier(
            heap[child + 1, event_row.TIME],
            int(heap[child + 1, event_row.BALL]),
            int(heap[child + 1, event_row.OTHER_BALL]),
            heap,
            child,
        ):
            child += 1
        if _is_earlier(time, i, j, heap, child):
            break
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[child, c]
        row = child
    if row != last:
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[last, c]
