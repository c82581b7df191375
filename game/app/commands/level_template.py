"""The text of a level that `import` writes around a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...level.models.quake.entities import Lamp

Point = tuple[float, float, float]

MOST_NAMED = 40  # materials that a comment lists


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player begins: feet in metres, degrees counter-clockwise from north, what to call it."""

    feet: Point
    facing: float
    name: str = ""


@dataclass(slots=True)
class Draft:
    """What goes into the file. fields: of the model, as text, in order."""

    name: str
    about: str
    starts: list[Place]
    kill_height: float
    fields: dict[str, str]
    materials: list[str] = field(default_factory=list)
    coloured: bool = True
    lamps: Sequence[Lamp] = ()

    def text(self) -> str:
        rows = ["format: 1", f"name: {words(self.name)}", f"about: {words(self.about)}"]
        if len(self.starts) == 1:
            rows.append(f"spawn: {_start(self.starts[0])}")
        else:
            rows += ["spawns:", *(f"  - {_start(start)}" for start in self.starts)]
        rows += [f"kill_height: {number(self.kill_height)}", "sky: {palette: day}"]
        if not self.coloured:
            rows += ["surfaces:", '  stone: {colour: "#a9a59b", texture: concrete}']
            self.fields["surface"] = "stone"
        rows.append("pieces:")
        if self.materials:
            listed = ", ".join(self.materials[:MOST_NAMED])
            more = len(self.materials) - MOST_NAMED
            rows += [
                f"  # its materials: {listed}" + (f" and {more} more" if more > 0 else ""),
                "  # `surfaces: {material: surface}` makes one of them a surface of this level",
            ]
        fields = ", ".join(f"{name}: {value}" for name, value in self.fields.items())
        rows.append(f"  - model: {{{fields}}}")
        for lamp in self.lamps:
            rows.append(
                f"  - light: {{at: {point(lamp.at)}, colour: {_colour(lamp.colour)}, "
                f"brightness: {number(lamp.brightness)}, reach: {number(lamp.reach)}}}"
            )
        return "\n".join(rows) + "\n"


def number(value: float) -> str:
    """To a millimetre, no more digits than that takes."""
    return f"{round(value, 3) + 0.0:.10g}"


def point(at: Point) -> str:
    return "[" + ", ".join(number(part) for part in at) + "]"


def words(text: str) -> str:
    """Any words as a YAML scalar on one line."""
    kept = "".join(char if char.isprintable() else " " for char in text).strip()
    return json.dumps(kept[:80] or "level", ensure_ascii=False)


def _start(start: Place) -> str:
    name = f", name: {words(start.name)}" if start.name else ""
    return f"{{at: {point(start.feet)}, facing: {number(start.facing)}{name}}}"


def _colour(colour: Point) -> str:
    return '"#' + "".join(f"{round(255 * part):02x}" for part in colour) + '"'
