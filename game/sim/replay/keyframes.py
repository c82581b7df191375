"""Keyframes: states of a world at some of its ticks, dense near the present and thinned with age.

A state that was set from outside (restart, flight, no-fail) does not follow from the tick before it, so its keyframe is
fixed: it goes only together with the ticks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

SPARSE_INTERVAL = 30  # ticks between the keyframes that are older than the dense part, where memory allows it
# Beyond the dense part the spacing that is wanted grows with (age + this), in ticks: at an age of one hour it is seven
# times that of the newest. With a smaller value going to the oldest ticks would simulate more ticks.
AGE_OFFSET = 36_000
OBJECT_BYTES = 160  # memory of a keyframe beside its state: bytes object, dict entry, number


Data = bytes  # the type, which `Keyframes.bytes` hides


class Keyframes:
    """States by the number of the tick that they precede."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.bytes = 0  # of the states
        self._states: dict[int, Data] = {}
        self._sizes: dict[int, int] = {}  # 0 where the state is the same object as an earlier one
        self._fixed: set[int] = set()
        self._last_fixed: Data = b""
        self._aged = 0  # number of the newest keyframe that has left the dense part

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def memory(self) -> int:
        """Bytes of the states and of what is kept for each."""
        return self.bytes + OBJECT_BYTES * len(self.numbers)

    def get(self, number: int) -> Data | None:
        """The state before a tick, None where it is not kept."""
        return self._states.get(number)

    def newest_before(self, number: int) -> int:
        """Number of the newest keyframe at or before a tick; -1 for none."""
        at = bisect_right(self.numbers, number)
        return self.numbers[at - 1] if at else -1

    def append(self, number: int, state: Data, fixed: bool) -> None:
        """Add a keyframe that is newer than all others."""
        size = len(state)
        if fixed:
            if state == self._last_fixed:  # restarts give equal states: keep one
                state = self._last_fixed
                size = 0
            self._last_fixed = state
            self._fixed.add(number)
        self.numbers.append(number)
        self._states[number] = state
        self._sizes[number] = size
        self.bytes += size

    def _remove(self, at: int) -> None:
        number = self.numbers.pop(at)
        del self._states[number]
        self.bytes -= self._sizes.pop(number)
        self._fixed.discard(number)

    def drop_before(self, number: int) -> None:
        for _ in range(bisect_left(self.numbers, number)):
            self._remove(0)

    def drop_from(self, number: int) -> None:
        while self.numbers and self.numbers[-1] >= number:
            self._remove(-1)
        self._aged = min(self._aged, self.numbers[-1] if self.numbers else 0)

    def thin_aged(self, dense_from: int) -> None:
        """Thin the keyframes that have become older than `dense_from` to one in SPARSE_INTERVAL ticks."""
        at = bisect_right(self.numbers, self._aged)
        while at < len(self.numbers) and self.numbers[at] < dense_from:
            number = self.numbers[at]
            if at and number not in self._fixed and number - self.numbers[at - 1] < SPARSE_INTERVAL:
                self._remove(at)
            else:
                self._aged = number
                at += 1

    def thin_to(self, limit: int, dense_from: int) -> bool:
        """Remove the keyframe that is missed least if the states take more than `limit` bytes. False where all that
        are left must stay.

        It is the one with the smallest gap after its removal, divided by (age + AGE_OFFSET); those from `dense_from` on
        go only when no older one can.
        """
        if self.bytes <= limit:
            return False
        numbers = np.array(self.numbers)
        if len(numbers) < 3:
            return False
        scores = (numbers[2:] - numbers[:-2]) / (numbers[-1] - numbers[1:-1] + float(AGE_OFFSET))
        scores[[number in self._fixed for number in self.numbers[1:-1]]] = np.inf
        scores[numbers[1:-1] >= dense_from] *= 1e6
        at = int(np.argmin(scores))
        if not np.isfinite(scores[at]):
            return False
        self._remove(at + 1)
        return True
