"""The impacts that are to come in a tick, the earliest first: a heap of rows of time, ball, other ball and stamps."""

from __future__ import annotations

from typing import Any

from ..numerics.jit import inlined
from .layout import counter, status
from .scratch import BallScratch


@inlined
def push_event(w: BallScratch, time: float, i: int, j: int) -> None:
    """Add an impact of ball i (with ball j, or with what its row says) to the heap."""
    heap, k = w.event_heap, w.status
    at = w.counters[counter.EVENTS]
    if at >= heap.shape[0]:
        w.counters[counter.EVENTS_NEEDED] += 1
        return
    w.counters[counter.EVENTS] = at + 1
    while at > 0:
        up = (at - 1) // 2
        if not _is_earlier(time, i, j, heap, up):
            break
        for c in range(5):
            heap[at, c] = heap[up, c]
        at = up
    heap[at, 0], heap[at, 1], heap[at, 2], heap[at, 3] = time, float(i), float(j), float(k[i, status.EVENT_STAMP])
    heap[at, 4] = float(k[j, status.EVENT_STAMP]) if j >= 0 else 0.0


@inlined
def _is_earlier(time: float, i: int, j: int, heap: Any, row: int) -> bool:
    """Whether an event comes before that of a row: by time, and at one time in the order of the balls."""
    if time != heap[row, 0]:
        return bool(time < heap[row, 0])
    if float(i) != heap[row, 1]:
        return bool(float(i) < heap[row, 1])
    return bool(float(j) < heap[row, 2])


@inlined
def pop_event(w: BallScratch) -> None:
    """Take the first event off the heap."""
    heap = w.event_heap
    last = w.counters[counter.EVENTS] - 1
    w.counters[counter.EVENTS] = last
    time, i, j = heap[last, 0], int(heap[last, 1]), int(heap[last, 2])
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and _is_earlier(
            heap[child + 1, 0], int(heap[child + 1, 1]), int(heap[child + 1, 2]), heap, child
        ):
            child += 1
        if _is_earlier(time, i, j, heap, child):
            break
        for c in range(5):
            heap[at, c] = heap[child, c]
        at = child
    if at != last:
        for c in range(5):
            heap[at, c] = heap[last, c]
