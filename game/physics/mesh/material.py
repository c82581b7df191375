"""Surface materials: friction, restitution, speed, conveyor velocity, wall friction, rolling resistance, softness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import as_members, as_number, describe_value
from .rows import material_row

MAX_FLOW = 100.0  # m/s
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
    """Material of one surface. ValueError names the field and its range.

    friction  on level ground: factor of the walker's acceleration and deceleration (more than 1 counts as 1); a slope
              holds where its tangent is at most this, else the walker slides with g (sin - friction cos)
    bounce    restitution of a landing walker, 0..1
    speed     factor of the walker's wished speed
    flow      (east, south) m/s: velocity of the surface itself, as of a conveyor
    rub       part of the motion along a wall that the wall takes from a walker who presses against it, 0..1 (source:
              "General Collision Detection for Games Using Ellipsoids", 2000: friction shortens the slide)
    roll      rolling resistance: deceleration of balls as a part of gravity, added to the ball's own
    soft      part of a ball's own restitution that the surface removes
    """

    friction: float = 1.0
    bounce: float = 0.0
    speed: float = 1.0
    flow: tuple[float, float] = (0.0, 0.0)
    rub: float = 0.0
    roll: float = 0.0
    soft: float = 0.0

    def __post_init__(self) -> None:
        for name, (low, high) in _MATERIAL_RANGES.items():
            object.__setattr__(self, name, as_number(getattr(self, name), name, low, high))
        flow = as_members(self.flow, "flow", "two numbers (east, south)")
        if len(flow) != 2:
            raise ValueError(f"flow must be two numbers (east, south), not {describe_value(self.flow)}")
        east, south = (as_number(component, "flow", -MAX_FLOW, MAX_FLOW) for component in flow)
        object.__setattr__(self, "flow", (east, south))


DEFAULT_MATERIAL = Material()


def pack_materials(materials: Sequence[Material]) -> NDArray[np.float64]:
    """Rows (K, material_row.WIDTH), read-only; (0, WIDTH) if all are the default: kernels then read none."""
    return material_rows(materials if any(m != DEFAULT_MATERIAL for m in materials) else ())


def material_rows(materials: Sequence[Material]) -> NDArray[np.float64]:
    """Rows (K, material_row.WIDTH), read-only, also for default materials."""
    rows: list[list[Any]] = [[m.friction, m.bounce, m.speed, *m.flow, m.rub, m.roll, m.soft] for m in materials]
    packed = np.array(rows, dtype=np.float64).reshape(-1, material_row.WIDTH)
    packed.flags.writeable = False
    return packed
