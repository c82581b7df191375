"""Differences of two levels, part by part, as sentences with file and line."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.vectors import Floats, Point
from ...level import Level
from .level_parts import MATERIAL_NAMES, SURFACES, LevelPart, PartKind, level_parts, player_part

MAX_LISTED = 3  # differences that a sentence lists
MAX_NEAREST = 100  # parts of one name that are paired by their places
MAX_NAMED = 5  # differences of which a sentence gives name and place only
MAX_SIDES_MOVED = 3  # sides of a part that a sentence tells
SAME_LENGTH = 1e-6  # m between two points, faces or planes that count as one
ROUND_LENGTH = 0.01  # m; texts have two decimals of multiples of it
# Of x, y, z: against the axis, along it.
DIRECTIONS = (("further west", "further east"), ("lower", "higher"), ("further north", "further south"))
SIDES = ("west side", "bottom", "north side", "east side", "top", "south side")
ANOTHER_SHAPE = "another shape or place"

Place = tuple[str, int]  # file and line
NO_PLACE: Place = ("", 0)
OTHER_SIDE = {"a": "b", "b": "a"}


@dataclass(frozen=True, slots=True)
class LevelDifference:
    """A part of which one level has none like it. a, b: of each level; None for a level without it."""

    a: LevelPart | None
    b: LevelPart | None

    def of(self, side: str) -> LevelPart | None:
        """The part in level "a" or "b"."""
        return self.a if side == "a" else self.b

    @property
    def part(self) -> LevelPart:
        """The part to name: that of B, if there is one and A's alone has no line."""
        if self.a is not None and (self.b is None or (self.a.line and not self.b.line)):
            return self.a
        assert self.b is not None
        return self.b

    @property
    def side(self) -> str:
        """Level that has the part: "a", "b" or "both"."""
        return "both" if self.a is not None and self.b is not None else "a" if self.b is None else "b"

    @property
    def places(self) -> tuple[Place, Place]:
        a, b = (NO_PLACE if part is None else (part.file, part.line) for part in (self.a, self.b))
        return a, b

    @property
    def other_place(self) -> str:
        """` (old.yaml:9 in A)`: place in the level whose part is not the one to name; empty for none."""
        if self.a is None or self.b is None:
            return ""
        other, letter = (self.a, "A") if self.part is self.b else (self.b, "B")
        return f" ({other.place} in {letter})" if other.line else ""

    @property
    def has_other_shape(self) -> bool:
        """Whether both levels have the part, with another shape or at another place."""
        return self.a is not None and self.b is not None and self.a.shape != self.b.shape

    @property
    def is_material(self) -> bool:
        """Whether both levels have the part, and only the material of its surfaces differs."""
        if self.a is None or self.b is None or self.has_other_shape:
            return False
        return all(name in (*MATERIAL_NAMES, SURFACES) for name in _changed_names(self.a, self.b))

    @property
    def properties_text(self) -> str:
        """`has other properties: friction 1 / 0.02 (A / B)`; empty where they are the same."""
        if self.a is None or self.b is None:
            return ""
        texts = []
        for name in _changed_names(self.a, self.b):
            values = self.a.values.get(name), self.b.values.get(name)
            shown = [_show_value(value) for value in values]
            one, other = shown if shown[0] != shown[1] else map(str, values)
            texts.append(f"{name} {one} / {other}")
        return f"has other properties: {', '.join(texts)} (A / B)" if texts else ""

    def distance(self, point: Point) -> float:
        """Distance (m) of a point from the box around the part in both levels; infinity where it has none."""
        boxes = [part.box for part in (self.a, self.b) if part is not None and part.box is not None]
        outside = [np.maximum(np.maximum(box[0] - point, point - box[1]), 0.0) for box in boxes]
        return min((float(np.linalg.norm(way)) for way in outside), default=math.inf)

    def describe(self) -> str:
        """`box "kerb", new.yaml:9 (old.yaml:9 in A), has another shape or place`."""
        if self.a is None or self.b is None:
            return f"only {self.side.upper()} has {self.part}"
        start = f"{self.part}{self.other_place},"
        if self.part.kind == PartKind.KILL_HEIGHT:
            heights = [_show_value(part.values["kill_height"]) for part in (self.a, self.b)]
            return f"{start} is {heights[0]} in A and {heights[1]} in B"
        changes = []
        if self.has_other_shape:
            change = describe_change(self.a, self.b)
            changes.append(change if change.endswith(ANOTHER_SHAPE) else f"{change} in B than in A")
        if self.properties_text:
            changes.append(self.properties_text)
        return f"{start} {', and '.join(changes) or 'has another place in the order of its kind'}"


def describe_change(before: LevelPart, after: LevelPart) -> str:
    """How the place of the second part differs from that of the first: `lies 0.50 m further north`, `has its top 0.20 m
    higher`."""
    moved = _moved_sides(before.corners, after.corners)
    if moved is None:
        return f"has {ANOTHER_SHAPE}"
    ways = [f"{_describe_length(abs(far))} {DIRECTIONS[k % 3][int(far > 0.0)]}" for k, far in enumerate(moved.tolist())]
    numbers = np.flatnonzero(np.abs(moved) > SAME_LENGTH).tolist()
    if _is_shift(moved):
        return f"lies {' and '.join(ways[k] for k in numbers if k < 3)}"
    return f"has {' and '.join(f'its {SIDES[k]} {ways[k]}' for k in numbers)}"


def _moved_sides(before: Floats | None, after: Floats | None) -> Floats | None:
    """(6,): by how much (m) each of `SIDES` of the box around a part moved. None where that does not explain the place
    of each corner of its faces (n,k,3), or where too many sides moved."""
    if before is None or after is None or before.shape != after.shape:
        return None
    low, high = before.min(axis=(0, 1)), before.max(axis=(0, 1))
    low_moved, high_moved = after.min(axis=(0, 1)) - low, after.max(axis=(0, 1)) - high
    moved: Floats = np.concatenate((low_moved, high_moved))
    count = np.count_nonzero(np.abs(moved) > SAME_LENGTH)
    if not count or (count > MAX_SIDES_MOVED and not _is_shift(moved)):
        return None
    at_low, at_high = np.abs(before - low) < SAME_LENGTH, np.abs(before - high) < SAME_LENGTH
    is_shifted = np.abs(low_moved - high_moved) < SAME_LENGTH  # (3,): both sides moved by the same
    steps = np.where(is_shifted, low_moved, at_low * low_moved + at_high * high_moved)
    ends = [np.round(corners, 6) + 0.0 for corners in (before + steps, after)]
    expected, found = (sorted(corners.reshape(len(before), -1).tolist()) for corners in ends)
    is_moved = (np.abs(steps) > SAME_LENGTH).any(axis=2)
    # Whole faces that moved, such as a copy in an array, while others did not, are no moved side.
    is_one = is_moved.all() or (is_moved.any(axis=1) & ~is_moved.all(axis=1)).any()
    return moved if is_one and expected == found else None


def _is_shift(moved: Floats) -> bool:
    """Whether opposite sides moved by the same."""
    return bool((np.abs(moved[:3] - moved[3:]) < SAME_LENGTH).all())


def _describe_length(metres: float) -> str:
    """`0.50 m`, `0.125 m`, `5 mm`."""
    if metres < ROUND_LENGTH - SAME_LENGTH:
        return f"{metres * 1e3:.3g} mm"
    return f"{metres:.2f} m" if abs(metres - round(metres, 2)) < SAME_LENGTH else f"{metres:.3f} m"


def level_differences(a: Level, b: Level) -> list[LevelDifference]:
    """What differs between two levels: each part for which the other level has none with the same values."""
    parts = level_parts(a), level_parts(b)
    counts = [Counter(part.key for part in side) for side in parts]
    rest = []
    for side in parts:
        common = counts[0] & counts[1]
        rest.append([part for part in side if not _take(common, part.key)])
    return [LevelDifference(*pair) for pair in _pair(*rest)] + list(_order_differences(*parts))


def _take(counts: Counter[tuple[object, ...]], key: tuple[object, ...]) -> bool:
    """Take one of a key, if there is one left."""
    counts[key] -= 1
    return counts[key] >= 0


def all_differences(a: Level, b: Level) -> list[LevelDifference]:
    """What differs between two levels, with the body."""
    found = level_differences(a, b)
    return found if a.player == b.player else [*found, LevelDifference(player_part(a), player_part(b))]


def list_differences(differences: Sequence[LevelDifference]) -> str:
    """The first ones in a sentence, and the number of the others."""
    listed = [one.describe() for one in differences[:MAX_LISTED]]
    more = len(differences) - len(listed)
    return "; ".join(listed) + (f"; and {more} more" if more else "")


def name_differences(differences: Sequence[LevelDifference]) -> str:
    """`the goal (new.yaml:12), box "crate" (new.yaml:30, only in B)`, and the number of those that are not named."""
    sides = {"a": ", only in A", "b": ", only in B", "both": ""}
    names = [f"{one.part.label} ({one.part.place}{sides[one.side]})" for one in differences[:MAX_NAMED]]
    more = len(differences) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _changed_names(a: LevelPart, b: LevelPart) -> list[str]:
    return [name for name in a.values | b.values if a.values.get(name) != b.values.get(name)]


def _show_value(value: Any) -> str:
    """A value of a part as text."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_show_value, value))}]" if len(value) <= 12 else f"{len(value)} values"
    return str(value) if value != "" else "none"


def _order_differences(a: list[LevelPart], b: list[LevelPart]) -> Iterator[LevelDifference]:
    """The first part of each of these kinds that only another order makes differ: movers have numbers, of several zones
    the last one counts, of several exits the first, and walks start at the first spawn."""
    for kind in (PartKind.MOVER, PartKind.ZONE, PartKind.SPAWN, PartKind.EXIT):
        ours, theirs = ({part.key: part for part in side if part.kind == kind} for side in (a, b))
        both = [key for key in ours if key in theirs], [key for key in theirs if key in ours]
        moved = next((key for one, key in zip(*both, strict=True) if one != key), None)
        if moved is not None:
            yield LevelDifference(ours[moved], theirs[moved])


def _pair(a: list[LevelPart], b: list[LevelPart]) -> list[tuple[LevelPart | None, LevelPart | None]]:
    """The parts of both levels that stand for each other: of one name, else of one shape, else the only ones of their
    kind in the same number; and those that only one level has. In the order of B, then of A."""
    partners: dict[int, LevelPart] = {}
    left = list(a)
    keys: list[Callable[[LevelPart], Hashable]] = [
        lambda part: (part.kind, part.label) if part.is_named else None,
        lambda part: (part.kind, part.label, part.shape) if part.shape else None,
        lambda part: (part.kind, part.label),
    ]
    for key in keys:
        for name in dict.fromkeys(filter(None, map(key, b))):
            ours = [part for part in left if key(part) == name]
            theirs = [k for k, part in enumerate(b) if key(part) == name and k not in partners]
            if len(ours) == len(theirs):
                partners |= dict(zip(theirs, _nearest(ours, [b[k] for k in theirs]), strict=True))
                taken = set(ours)
                left = [part for part in left if part not in taken]
    pairs: list[tuple[LevelPart | None, LevelPart | None]] = [(partners.get(k), part) for k, part in enumerate(b)]
    return pairs + [(part, None) for part in left]


def _nearest(ours: list[LevelPart], theirs: list[LevelPart]) -> list[LevelPart]:
    """Our parts in the order of theirs, by their places: the nearest pairs first. Many parts, and those without a
    place, keep their order."""
    if not 1 < len(ours) <= MAX_NEAREST or any(part.box is None for part in (*ours, *theirs)):
        return ours
    middles = [np.array([np.mean(part.box, axis=0) for part in side]) for side in (ours, theirs)]  # type: ignore[arg-type]
    distances = np.linalg.norm(middles[1][:, None] - middles[0], axis=2)
    found: dict[int, LevelPart] = {}
    for _ in ours:
        row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
        found[int(row)] = ours[int(column)]
        distances[row], distances[:, column] = np.inf, np.inf
    return [found[k] for k in range(len(theirs))]
