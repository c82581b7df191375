"""Surfaces: look and physical material by name, for a level and its included files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.vectors import Colour
from .records import RecordValues
from .schema import DEFAULT_SURFACE

if TYPE_CHECKING:
    from ...physics import Material


_FOOTSTEP_BY_TEXTURE = {
    "planks": "wood", "grass": "grass", "tiles": "tile", "metal": "metal", "ice": "ice",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Surface:
    """Look, footstep sound and material of faces.

    colour: sRGB 0..1. texture: one of schema.TEXTURES. footstep: name of the sound. The other fields, from `friction`
    to `soft`, are those of `physics.Material`.
    """

    name: str
    colour: Colour
    texture: str
    friction: float
    footstep: str
    bounce: float = 0.0
    speed: float = 1.0
    flow: tuple[float, float] = (0.0, 0.0)
    rub: float = 0.0
    roll: float = 0.0
    soft: float = 0.0

    @property
    def material(self) -> Material:
        """Physical material for walkers and balls."""
        from ...physics import Material

        return Material(self.friction, self.bounce, self.speed, self.flow, self.rub, self.roll, self.soft)


DEFAULT_LEVEL_SURFACE = Surface(DEFAULT_SURFACE, (0x9A / 255, 0x9A / 255, 0x96 / 255), "plain", 1.0, "stone")


def footstep_for_texture(texture: str) -> str:
    """Footstep sound of a texture, for surfaces that name none."""
    return _FOOTSTEP_BY_TEXTURE.get(texture, "stone")


def read_surface(name: str, record: RecordValues) -> Surface:
    """Surface of a checked record."""
    texture = record.text("texture")
    return Surface(
        name=name,
        colour=record.point("colour") if record.is_given("colour") else DEFAULT_LEVEL_SURFACE.colour,
        texture=texture,
        friction=record.number("friction"),
        footstep=record.text("footstep") or footstep_for_texture(texture),
        bounce=record.number("bounce"),
        speed=record.number("speed"),
        flow=record.plan_point("flow"),
        rub=record.number("rub"),
        roll=record.number("roll"),
        soft=record.number("soft"),
    )


class SurfaceTable:
    """All surfaces of a level and its included files. Index 0 is the default surface."""

    def __init__(self) -> None:
        self.surfaces: list[Surface] = [DEFAULT_LEVEL_SURFACE]

    def add_surfaces(self, records: dict[str, RecordValues], is_level: bool) -> dict[str, int]:
        """Index of each surface of a file by its name, DEFAULT_SURFACE included.

        is_level: True for the level's own file, which may redefine surface 0. A surface of an included file that equals
        an earlier one shares its index.
        """
        indices = {DEFAULT_SURFACE: 0}
        for name, record in records.items():
            surface = read_surface(name, record)
            if is_level and name == DEFAULT_SURFACE:
                self.surfaces[0] = surface
            elif not is_level and surface in self.surfaces:
                indices[name] = self.surfaces.index(surface)
            else:
                indices[name] = len(self.surfaces)
                self.surfaces.append(surface)
        return indices
