"""What things are made of, as the level and its parts name it."""

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
    """colour: sRGB 0..1; texture: of schema.TEXTURES; the rest as game.physics.Material has it."""

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
        """What it does to a walker, and to balls."""
        from ...physics import Material

        return Material(self.friction, self.bounce, self.speed, self.flow, self.rub, self.roll, self.soft)


DEFAULT_LEVEL_SURFACE = Surface(DEFAULT_SURFACE, (0x9A / 255, 0x9A / 255, 0x96 / 255), "plain", 1.0, "stone")


def footstep_for_texture(texture: str) -> str:
    """What steps on it sound like where nobody says so."""
    return _FOOTSTEP_BY_TEXTURE.get(texture, "stone")


def read_surface(name: str, record: RecordValues) -> Surface:
    """A surface as its record tells it."""
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
    """All surfaces of a level and what it includes; 0 is what everything without a surface is made of."""

    def __init__(self) -> None:
        self.surfaces: list[Surface] = [DEFAULT_LEVEL_SURFACE]

    def add_surfaces(self, named: dict[str, RecordValues], own: bool) -> dict[str, int]:
        """The index of each of a file's surfaces, DEFAULT_SURFACE among them.

        own: of the level itself, which may say how 0 looks. What a part names as the level does, with the same look,
        is the same surface.
        """
        found = {DEFAULT_SURFACE: 0}
        for name, record in named.items():
            surface = read_surface(name, record)
            if own and name == DEFAULT_SURFACE:
                self.surfaces[0] = surface
            elif not own and surface in self.surfaces:
                found[name] = self.surfaces.index(surface)
            else:
                found[name] = len(self.surfaces)
                self.surfaces.append(surface)
        return found
