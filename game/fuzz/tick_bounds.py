"""Bounds of a tick (docs/limits.md): how far a body may move, rise, drop and speed up, by the state before it.

The bounds follow from the states before and after a tick, its command, the settings and the geometry. The code shares
nothing with the tick's kernels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..physics import WalkerSettings
from ..physics.character.layout import button

STEP_TOLERANCE = 0.0005  # m: a ledge of the step height and this is stepped on
SUBSTEP = 0.15  # m: a longer way on ground is divided into moves with a snap each
LADDER_SPEED = 3.0  # m/s: upper bound of the speed on a ladder


@dataclass(frozen=True)
class TickBounds:
    """Columns of n ticks: the states before and after them in the frame of the body (east, up, south), and limits.

    Displacement, reach, slip, own rise, fall and skin are terms of docs/limits.md.
    """

    settings: WalkerSettings
    before: Any
    after: Any
    rows: Any
    carry: Any  # (n,), m: by the fastest mover, current and conveyor near the body
    steepness: float  # tangent of the steepest walkable face
    faster: float  # largest speed factor of a surface
    heavier: float  # largest factor of gravity
    grip: float  # least friction of a surface

    @property
    def displacement(self) -> Any:
        """Horizontal distance of each tick, m."""
        return np.hypot(*(self.after["position"] - self.before["position"])[:, [0, 2]].T)

    @property
    def rise_of_feet(self) -> Any:
        """Rise of the feet, m."""
        feet = [s["position"][:, 1] - s["radii"][:, 1] for s in (self.before, self.after)]
        return feet[1] - feet[0]

    @property
    def skin(self) -> float:
        """Largest thickness of the skin, m."""
        return float(self.settings.skin * max(self.settings.radii))

    @property
    def fall(self) -> Any:
        """Largest fall of each tick, m."""
        dt = self.settings.dt
        return np.maximum(-self.before["falling"], 0.0) * dt + self.heavier * self.settings.gravity * dt * dt

    @property
    def own_rise(self) -> Any:
        """Largest rise by its own vertical velocity, m. A jump shows in the velocity after the tick."""
        s = self.settings
        at_take_off = self.after["falling"] + self.heavier * s.gravity * s.dt
        return np.maximum(np.maximum(self.before["falling"], at_take_off), 0.0) * s.dt

    @property
    def stance_rise(self) -> Any:
        """Largest rise of the feet of a body that crouches around its centre, m."""
        return np.maximum(self.before["radii"][:, 1] - self.after["radii"][:, 1], 0.0)

    @property
    def reach(self) -> Any:
        """Largest displacement that the velocity and the command explain, m."""
        s = self.settings
        pressed = np.where(self.rows["buttons"] & button.SPRINT != 0, max(s.sprint_speed, s.walk_speed), s.walk_speed)
        own = np.hypot(self.before["velocity"][:, 0], self.before["velocity"][:, 2])
        carried = np.linalg.norm(self.before["carried"], axis=1)
        return (np.maximum(own, self.faster * pressed) + carried) * s.dt + self.carry + self.slip

    @property
    def slip(self) -> Any:
        """Largest displacement by the speed that a slope too steep for its friction adds, m: g sin(a) cos(a) dt²."""
        if self.steepness <= self.grip:
            return 0.0
        s = self.settings
        tangent = min(self.steepness, 1.0)  # sin(a) cos(a) is largest at 45 degrees
        on_ground = self.before["grounded"] | self.after["grounded"]
        return on_ground * (self.heavier * s.gravity * tangent / (1.0 + tangent * tangent) * s.dt * s.dt)

    @property
    def moves_freely(self) -> Any:
        """True in water and on ladders."""
        return self.before["swimming"] | self.after["swimming"] | self.before["climbing"] | self.after["climbing"]

    @property
    def free_reach(self) -> Any:
        """Largest displacement by swimming or climbing, m."""
        s = self.settings
        return (np.linalg.norm(self.before["velocity"], axis=1) + max(s.sprint_speed, LADDER_SPEED)) * s.dt + self.fall

    def displacement_bound(self) -> Any:
        """Reach, a skin, and a change of stance past an edge; in the air also what a slope turns aside."""
        air = ~(self.before["grounded"] & self.after["grounded"])
        s = self.settings
        stance = (self.before["crouched"] != self.after["crouched"]) * (1.0 - s.crouch_height / 2.0 / s.radii[1])
        aside = stance * max(s.radii[0], s.radii[2])
        bound = self.reach + aside + air * (self.fall + self.skin)
        return np.where(self.moves_freely, self.free_reach + self.reach, bound) + self.skin

    def drop_bound(self) -> Any:
        """A snap for each move of 0.15 m, the edge that it leaves, and the slope; the fall in the air.

        A move from an edge follows the tangent plane at the contact, which is no steeper than the slope limit even
        where no face is. That is more than a snap if `snap_down` is less than the length of a move times its tangent.
        """
        s = self.settings
        moves = (self.reach / SUBSTEP).astype(int) + 1
        along_edge = np.minimum(self.reach, SUBSTEP) * math.tan(math.radians(s.max_slope))
        snaps = s.snap_down * moves + np.maximum(s.snap_down, along_edge)
        ground = snaps + self.reach * self.steepness + ~self.after["grounded"] * self.fall
        bound = np.where(self.before["grounded"], ground, self.fall + self.reach)
        return np.where(self.moves_freely, self.free_reach + self.reach, bound) + self.skin + self.carry

    def rise_bound(self) -> Any:
        """Slope on ground; without an edge no more. In the air: the rise, and an edge of the step height or a slope."""
        s = self.settings
        slope = self.displacement * self.steepness + self.carry + self.skin
        stance = self.stance_rise
        air = self.own_rise + s.step_height + STEP_TOLERANCE + slope + stance
        takes_off = self.after["falling"] > 0.0
        bound = np.where(self.before["grounded"] & ~takes_off, slope + s.skin * s.radii[1] + stance, air)
        return np.where(self.moves_freely, self.free_reach + self.reach + s.step_height, bound)
