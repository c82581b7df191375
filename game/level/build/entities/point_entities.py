"""Lights, targets and exhibits of a level, placed by their groups and arrays."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.vectors import Colour, Point
from ...geometry.faces import FaceArrays, LampSpec, TargetSpec


@dataclass(frozen=True, slots=True)
class Light:
    """Point light. colour: sRGB 0..1. brightness: 1 lights a white surface 2 m away like the sun by day.

    reach: range in metres. visible: True if a glow is drawn. mover: index of the mover that carries it, which is at
    home when the light is at `at`; -1 for none.
    """

    at: Point
    colour: Colour
    brightness: float
    reach: float
    visible: bool = True
    mover: int = -1


@dataclass(frozen=True, slots=True)
class Target:
    """Target, reached when the body touches its sphere (centre `at`, `radius` in m)."""

    at: Point
    radius: float
    name: str = ""
    visible: bool = True


@dataclass(frozen=True, slots=True)
class ExhibitSpec:
    """Exhibit of a piece: the word of its field `show`."""

    show: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Exhibit of the collision lab. show: "triangle" or "resting". at: centre of its base.

    facing: direction of its front, degrees. size: scale factor.
    """

    show: str
    at: Point
    facing: float
    size: float = 1.0


def collect_lights(faces: FaceArrays) -> tuple[Light, ...]:
    """Lights of a level, in the order of its pieces. Scale s extends the range by s and the brightness by s^2."""
    lights = []
    for marker in faces.marks:
        if isinstance(marker.payload, LampSpec):
            size = faces.instances[marker.instance].size
            lamp = marker.payload
            red, green, blue = lamp.colour
            brightness = lamp.brightness * size * size
            reach = lamp.reach * size
            lights.append(Light(marker.at, (red, green, blue), brightness, reach, lamp.visible, marker.mover - 1))
    return tuple(lights)


def collect_targets(faces: FaceArrays) -> tuple[Target, ...]:
    """Targets of a level, in the order of its pieces."""
    return tuple(
        Target(
            marker.at,
            marker.payload.radius * faces.instances[marker.instance].size,
            marker.payload.name,
            marker.payload.visible,
        )
        for marker in faces.marks
        if isinstance(marker.payload, TargetSpec)
    )


def collect_exhibits(faces: FaceArrays) -> tuple[Exhibit, ...]:
    """Exhibits of a level, in the order of its pieces."""
    exhibits = []
    for marker in faces.marks:
        if isinstance(marker.payload, ExhibitSpec):
            instance = faces.instances[marker.instance]
            facing, _, _ = instance.board_orientation(marker.facing)
            exhibits.append(Exhibit(marker.payload.show, marker.at, facing, instance.size))
    return tuple(exhibits)
