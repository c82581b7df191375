"""What surfaces do to the walker and to balls: grip, bounce, pace, belts, rubbing; a row of numbers a surface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layout import material_row

_MATERIAL_RANGES = {
    "friction": (0.0, 100.0),
    "bounce": (0.0, 1.0),
    "speed": (0.0, 10.0),
    "rub": (0.0, 1.0),
    "roll": (0.0, 10.0),
    "soft": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Material:
    """One surface. ValueError names the field and its range.

    friction  on the level, part of the walker's acceleration and deceleration (over 1 as 1); a slope holds where its
              tangent is no more, and else pulls with g (sin - friction cos)
    bounce    part of the speed of landing that it gives back, upwards; 0..1
    speed     times the speed that the walker wishes for
    flow      (east, south) m/s: how fast the surface itself runs, as a belt does
    rub       part of the way along it that a wall takes from whoever leans on it; 0..1
              (source: "General Collision Detection for Games Using Ellipsoids", 2000: friction shortens the slide)
    roll      what rolling balls lose of their speed each second, as part of gravity (their own is added)
    soft      part of a ball's own bounce that it takes
    """

    friction: float = 1.0
    bounce: float = 0.0
    speed: float = 1.0
    flow: tuple[float, float] = (0.0, 0.0)
    rub: float = 0.0
    roll: float = 0.0
    soft: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            numbers = value if field.name == "flow" else (value,)
            low, high = _MATERIAL_RANGES.get(field.name, (-100.0, 100.0))
            for number in numbers:
                if not (math.isfinite(number) and low <= number <= high):
                    raise ValueError(f"{field.name} must be within {low:g}..{high:g}, not {number!r}")


DEFAULT_MATERIAL = Material()


def pack_materials(materials: Sequence[Material]) -> NDArray[np.float64]:
    """(K, MATERIAL_WIDTH), read-only; (0, MATERIAL_WIDTH) where all are plain: kernels then look at none."""
    return material_rows(materials if any(m != DEFAULT_MATERIAL for m in materials) else ())


def material_rows(materials: Sequence[Material]) -> NDArray[np.float64]:
    """(K, MATERIAL_WIDTH), read-only, whatever they are."""
    rows: list[list[Any]] = [[m.friction, m.bounce, m.speed, *m.flow, m.rub, m.roll, m.soft] for m in materials]
    found = np.array(rows, dtype=np.float64).reshape(-1, material_row.WIDTH)
    found.flags.writeable = False
    return found
