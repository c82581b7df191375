"""Level template: the YAML text of a level around a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ....core.vectors import Point
from ....level.edit import format_number, format_point
from ....level.models.triangle_soup import ModelLamp

DECIMALS = 3  # of all numbers: millimetres
MAX_LISTED_MATERIALS = 40  # materials that a comment lists


@dataclass(frozen=True, slots=True)
class SpawnEntry:
    """A spawn: feet (m), facing (degrees counter-clockwise from north) and name."""

    feet: Point
    facing: float
    name: str = ""


@dataclass(slots=True)
class LevelTemplate:
    """Content of the level file. fields: of the model piece, as YAML text, in order."""

    name: str
    description: str
    spawns: list[SpawnEntry]
    kill_height: float
    fields: dict[str, str]
    materials: list[str] = field(default_factory=list)
    coloured: bool = True
    lamps: Sequence[ModelLamp] = ()

    def render_yaml(self) -> str:
        """The text of the level file."""
        rows = ["format: 1", f"name: {yaml_scalar(self.name)}", f"about: {yaml_scalar(self.description)}"]
        if len(self.spawns) == 1:
            rows.append(f"spawn: {_format_spawn(self.spawns[0])}")
        else:
            rows += ["spawns:", *(f"  - {_format_spawn(start)}" for start in self.spawns)]
        rows += [f"kill_height: {format_number(self.kill_height, DECIMALS)}", "sky: {palette: day}"]
        if not self.coloured:
            rows += ["surfaces:", '  stone: {colour: "#a9a59b", texture: concrete}']
            self.fields["surface"] = "stone"
        rows.append("pieces:")
        if self.materials:
            listed = ", ".join(self.materials[:MAX_LISTED_MATERIALS])
            more = len(self.materials) - MAX_LISTED_MATERIALS
            rows += [
                f"  # materials: {listed}" + (f" and {more} more" if more > 0 else ""),
                "  # `surfaces: {material: surface}` makes one of them a surface of this level",
            ]
        fields = ", ".join(f"{name}: {value}" for name, value in self.fields.items())
        rows.append(f"  - model: {{{fields}}}")
        for lamp in self.lamps:
            rows.append(
                f"  - light: {{at: {format_point(lamp.at, DECIMALS)}, colour: {_format_colour(lamp.colour)}, "
                f"brightness: {format_number(lamp.brightness, DECIMALS)}, "
                f"reach: {format_number(lamp.reach, DECIMALS)}}}"
            )
        return "\n".join(rows) + "\n"


def yaml_scalar(text: str) -> str:
    """Any text as a quoted YAML scalar on one line, at most 80 characters."""
    printable = "".join(char if char.isprintable() else " " for char in text).strip()
    return json.dumps(printable[:80] or "level", ensure_ascii=False)


def _format_spawn(start: SpawnEntry) -> str:
    name = f", name: {yaml_scalar(start.name)}" if start.name else ""
    return f"{{at: {format_point(start.feet, DECIMALS)}, facing: {format_number(start.facing, DECIMALS)}{name}}}"


def _format_colour(colour: Point) -> str:
    return '"#' + "".join(f"{round(255 * channel):02x}" for channel in colour) + '"'
