"""Zone: a box with gravity, current or water, a ladder or a launch pad, with the default and range of each quantity.

Plain data: the level format reads defaults and ranges from here without loading the compiled kernels of the physics.
"""

from __future__ import annotations

from dataclasses import dataclass

from .arguments import as_flag, as_integer, as_number
from .vectors import Vector, as_vector, as_velocity

MIN_DIRECTION = 1e-100  # a component whose square is not 0
ZONE_RANGES = {"strength": (0.0, 20.0), "hold": (0.0, 1.0), "drag": (0.1, 50), "buoyancy": (0.0, 10.0)}
BOX_VECTORS = {"centre": 1e9, "half": 1e6}  # largest component, m
DIRECTIONS = ("down", "climb")  # vectors of any length but 0
VELOCITIES = ("current", "launch")  # m/s


@dataclass(frozen=True, slots=True)
class Zone:
    """One oriented box and its effects; None: as around the box. ValueError names the argument.

    centre, half  m: centre, and half sizes along the local east, up and south (above 0)
    heading       65536 to the turn, counter-clockwise from -Z: direction of the local north
    down          direction of gravity, any length but 0; strength: factor of the walker's gravity (0: weightless)
    current       m/s, of air or water, at most MAX_WALKER_SPEED; hold: fraction of it that moves a body on the ground
    water         whether it is full of water; drag (1/s): rate at which water removes speed; buoyancy: 1 carries a
                  body wholly under water, 2 one half under water
    climb         direction towards the ladder, any length but 0
    launch        m/s: velocity that a launch pad gives, at most MAX_WALKER_SPEED
    mover         index of the mover of the environment that carries it (`carried_zones`); -1: none. The box and the
                  vectors are then those at the mover's home
    """

    centre: Vector
    half: Vector
    heading: int = 0
    down: Vector | None = None
    strength: float = 1.0
    current: Vector | None = None
    hold: float = 1.0
    water: bool = False
    drag: float = 4.0
    buoyancy: float = 1.25
    climb: Vector | None = None
    launch: Vector | None = None
    mover: int = -1

    def __post_init__(self) -> None:
        for name, largest in BOX_VECTORS.items():
            object.__setattr__(self, name, as_vector(getattr(self, name), name, largest))
        for name in (*DIRECTIONS, *VELOCITIES):
            value = getattr(self, name)
            if value is None:
                continue
            value = as_velocity(value, name) if name in VELOCITIES else as_vector(value, name, 1e100)
            object.__setattr__(self, name, value)
            if name in DIRECTIONS and not max(map(abs, value)) >= MIN_DIRECTION:
                raise ValueError(f"{name} must have a length over {MIN_DIRECTION:g}, got {value!r}")
        if not all(0.0 < size <= 1e6 for size in self.half):
            raise ValueError(f"half must be sizes over 0 and up to 1e6, not {self.half!r}")
        object.__setattr__(self, "heading", as_integer(self.heading, "heading", None, None))
        object.__setattr__(self, "water", as_flag(self.water, "water"))
        object.__setattr__(self, "mover", as_integer(self.mover, "mover", -1, None))
        for name, (low, high) in ZONE_RANGES.items():
            object.__setattr__(self, name, as_number(getattr(self, name), name, low, high))
