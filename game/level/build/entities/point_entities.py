"""What stands in a level and is no surface: lights and targets, where groups and arrays have put them."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.vectors import Colour, Point
from ...geometry.faces import FaceArrays, LampSpec, TargetSpec


@dataclass(frozen=True, slots=True)
class Light:
    """A point that gives light. colour: sRGB 0..1; brightness: 1 lights a white surface two metres away as the
    sun does by day; reach: metres beyond which nothing is lit; visible: whether a glow is drawn where it is."""

    at: Point
    colour: Colour
    brightness: float
    reach: float
    visible: bool = True


@dataclass(frozen=True, slots=True)
class Target:
    """Reached when the body comes within `radius` metres of `at`; name: empty where it has none."""

    at: Point
    radius: float
    name: str = ""
    visible: bool = True


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


def collect_lights(faces: FaceArrays) -> tuple[Light, ...]:
    """The lights of a level, in the order of its pieces; what is scaled reaches further, and lights as much there."""
    found = []
    for mark in faces.marks:
        if isinstance(mark.payload, LampSpec):
            size, lamp = faces.instances[mark.instance].size, mark.payload
            red, green, blue = lamp.colour
            brightness, reach = lamp.brightness * size * size, lamp.reach * size
            found.append(Light(mark.at, (red, green, blue), brightness, reach, lamp.visible))
    return tuple(found)


def collect_targets(faces: FaceArrays) -> tuple[Target, ...]:
    """The targets of a level, in the order of its pieces."""
    return tuple(
        Target(
            mark.at, mark.payload.radius * faces.instances[mark.instance].size, mark.payload.name, mark.payload.visible
        )
        for mark in faces.marks
        if isinstance(mark.payload, TargetSpec)
    )


def collect_exhibits(faces: FaceArrays) -> tuple[Exhibit, ...]:
    """The exhibits of a level, in the order of its pieces."""
    found = []
    for mark in faces.marks:
        if isinstance(mark.payload, ExhibitSpec):
            instance = faces.instances[mark.instance]
            facing, _, _ = instance.board_orientation(mark.facing)
            found.append(Exhibit(mark.payload.show, mark.at, facing, instance.size))
    return tuple(found)
