"""Exhibits of a level, where groups and arrays have put them."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.vectors import Point
from ...geometry.faces import FaceArrays


@dataclass(frozen=True, slots=True)
class ExhibitSpec:
    """What an exhibit shows, as its piece says it."""

    show: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """show: "triangle" or "resting"; at: the middle of its foot, m; facing: degrees, where its front looks; size: how
    many times as large as it was meant."""

    show: str
    at: Point
    facing: float
    size: float = 1.0


def collect_exhibits(faces: FaceArrays) -> tuple[Exhibit, ...]:
    """The exhibits of a level, in the order of its pieces."""
    found = []
    for mark in faces.marks:
        if isinstance(mark.payload, ExhibitSpec):
            instance = faces.instances[mark.instance]
            facing, _, _ = instance.board_orientation(mark.facing)
            found.append(Exhibit(mark.payload.show, mark.at, facing, instance.size))
    return tuple(found)
