"""Places of HUD elements without overlap: each slot is a stack that starts at an edge of the window. No GL."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

Rectangle = tuple[float, float, float, float]  # x, y, width, height; pixels from the top left


@dataclass(frozen=True, slots=True)
class Slot:
    """Stack of elements.

    across: 0 at the left edge, 0.5 in the centre, 1 at the right edge. start: fraction of the window height at which it
    begins. step: 1 grows down, -1 up.
    """

    across: float
    start: float
    step: int


TOP_LEFT, TOP_CENTRE, TOP_RIGHT = Slot(0.0, 0.0, 1), Slot(0.5, 0.0, 1), Slot(1.0, 0.0, 1)
BOTTOM_LEFT, BOTTOM_CENTRE, BOTTOM_RIGHT = Slot(0.0, 1.0, -1), Slot(0.5, 1.0, -1), Slot(1.0, 1.0, -1)
UPPER_MIDDLE = Slot(0.5, 0.22, 1)  # above the crosshair


def overlap(a: Rectangle, b: Rectangle, gap: float = 0.0) -> bool:
    """Whether two rectangles overlap, or are closer than `gap` pixels."""
    return (
        a[0] < b[0] + b[2] + gap and b[0] < a[0] + a[2] + gap and a[1] < b[1] + b[3] + gap and b[1] < a[1] + a[3] + gap
    )


class SlotPlanner:
    """Rectangles that are taken, and the search for free ones.

    size: of the window. margin: to its edges; gap: between elements (pixels). What is placed first has the
    better place.
    """

    def __init__(self, size: tuple[int, int], margin: float, gap: float) -> None:
        self.size, self.margin, self.gap = size, margin, gap
        self.taken: list[Rectangle] = []

    @property
    def max_width(self) -> float:
        """Width of the window between its margins, in pixels."""
        return self.size[0] - 2 * self.margin

    def reserve(self, rectangle: Rectangle) -> None:
        """Keep other elements out of a rectangle."""
        self.taken.append(rectangle)

    def is_free(self, rectangle: Rectangle) -> bool:
        """Whether a rectangle is in the window and apart from all others."""
        x, y, width, height = rectangle
        inside = x >= 0.0 and y >= 0.0 and x + width <= self.size[0] + 0.5 and y + height <= self.size[1] + 0.5
        return inside and not any(overlap(rectangle, other, self.gap - 0.5) for other in self.taken)

    def find(self, slot: Slot, width: float, height: float) -> Rectangle | None:
        """Free rectangle of a slot, the nearest to its start; None where there is no room."""
        x = self._left(slot, width)
        down = slot.step > 0
        start = max(self.margin, slot.start * self.size[1]) if down else self._lowest(slot) - height
        starts = [start]
        for _, y, _, other_height in self.taken:
            starts.append(y + other_height + self.gap if down else y - self.gap - height)
        for y in sorted(starts, key=lambda y: slot.step * y):
            is_beyond = y < start if down else y > start
            fits = y >= self.margin - 0.5 and y + height <= self.size[1] - self.margin + 0.5
            if not is_beyond and fits and self.is_free((x, y, width, height)):
                return (x, y, width, height)
        return None

    def room(self, slot: Slot, width: float) -> float:
        """Height of the tallest free rectangle of this width in a slot, in pixels."""
        x = self._left(slot, width)
        top = max(self.margin, slot.start * self.size[1]) if slot.step > 0 else self.margin
        bottom = self.size[1] - self.margin if slot.step > 0 else self._lowest(slot)
        blocks = sorted(
            (other[1] - self.gap, other[1] + other[3] + self.gap)
            for other in self.taken
            if overlap((x, top, width, max(bottom - top, 0.0)), other, self.gap - 0.5)
        )
        best = 0.0
        for begin, end in [*blocks, (bottom, bottom)]:
            best = max(best, min(begin, bottom) - top)
            top = max(top, end)
        return best

    def find_near(self, x: float, y: float, width: float, height: float) -> Rectangle | None:
        """Free rectangle with its corner at (x, y) or near it; None where there is no room."""
        x = min(max(x, self.margin), self.size[0] - self.margin - width)
        y = min(max(y, self.margin), self.size[1] - self.margin - height)
        if self.is_free((x, y, width, height)):
            return (x, y, width, height)
        beside = [
            x,
            *(edge for left, _, wide, _ in self.taken for edge in (left - self.gap - width, left + wide + self.gap)),
        ]
        below = [
            y,
            *(edge for _, top, _, high in self.taken for edge in (top - self.gap - height, top + high + self.gap)),
        ]
        places = sorted(product(beside, below), key=lambda place: abs(place[0] - x) + abs(place[1] - y))
        return next(((*place, width, height) for place in places if self.is_free((*place, width, height))), None)

    def _left(self, slot: Slot, width: float) -> float:
        return self.margin + slot.across * (self.max_width - width)

    def _lowest(self, slot: Slot) -> float:
        return min(self.size[1] - self.margin, slot.start * self.size[1])
