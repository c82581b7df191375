"""Checkpoints, kill zones and teleports, and the up direction at a place."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.vectors import Flags, Floats, Point
from ..level.build.entities.zones import RunRole
from ..physics import WalkerState
from ..physics.character.state import STATE_ROW
from ..physics.environment.carried_zones import carry_point, mover_pose_at, point_at_home
from ..physics.environment.layout import zone_row
from ..physics.environment.zones import Zones, depth_inside_zone, transport_north, zone_effects

if TYPE_CHECKING:
    from ..level.build.entities.zones import LevelZone
    from ..physics.environment.movers import Movers


NO_ZONE = -1
DEFAULT_UP_NORTH: tuple[Point, Point] = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
TELEPORT_CLEARANCE = 0.02  # m between the feet and the landing point, so that nothing pushes the body
_HEAD = struct.Struct("<2q")  # index of the last checkpoint, index of the teleport that the body is in


class Triggers:
    """State of the checkpoints, kill zones and teleports of a level.

    movers: those that carry zones. tick: of the world, at which the movers are; the world sets it before each question.
    """

    def __init__(self, zones: Sequence[LevelZone], movers: Movers | None = None) -> None:
        self._movers = movers
        self.tick = 0
        self.checkpoints, self.kills, self.teleports = (
            tuple(zone for zone in zones if zone.facts.role is role)
            for role in (RunRole.CHECKPOINT, RunRole.KILL, RunRole.TELEPORT)
        )
        self.reset()

    def __bool__(self) -> bool:
        return bool(self.checkpoints or self.kills or self.teleports)

    def reset(self) -> None:
        """Forget the checkpoint and the teleport."""
        self.reached = NO_ZONE
        self.current_teleport = NO_ZONE
        # State at rest in the last checkpoint; of one that a mover carries: where it is with the mover at home
        self.place: WalkerState | None = None

    def enter_checkpoint(self, state: WalkerState) -> LevelZone | None:
        """The checkpoint that the walker stands or swims in, where it is not the last one; it becomes the last."""
        if not (state.grounded or state.swimming):
            return None
        index = self._last_containing(self.checkpoints, state)
        if index in (NO_ZONE, self.reached):
            return None
        self.place = state.replace(velocity=(0.0, 0.0, 0.0))
        self.reached = index
        mover = self.checkpoints[index].mover
        if mover >= 0:
            self.place = self.place.replace(position=self._at_home(mover, state.position))
        return self.checkpoints[index]

    def respawn_state(self) -> WalkerState | None:
        """State at rest in the last checkpoint, where that is now; None before the first."""
        mover = -1 if self.reached == NO_ZONE else self.checkpoints[self.reached].mover
        if self.place is None or mover < 0 or self._movers is None:
            return self.place
        pose = mover_pose_at(self._movers, mover, self.tick)
        return self.place.replace(position=carry_point(pose, self._movers[mover].at, self.place.position))

    def is_in_kill_zone(self, state: WalkerState) -> LevelZone | None:
        """The kill zone that contains the feet or the centre of the body."""
        index = self._last_containing(self.kills, state)
        return None if index == NO_ZONE else self.kills[index]

    def enter_teleport(self, state: WalkerState) -> LevelZone | None:
        """The teleport that the walker entered in this tick. Leaving one inside another is no entering."""
        index = self._last_containing(self.teleports, state)
        before = self.current_teleport
        self.current_teleport = index
        return None if index in (NO_ZONE, before) else self.teleports[index]

    def mark_arrival(self, state: WalkerState) -> None:
        """The walker was put elsewhere: a teleport at that place works only after it is left and entered again."""
        self.current_teleport = self._last_containing(self.teleports, state)

    def continue_from(self, before: Triggers, state: WalkerState) -> None:
        """Take over the checkpoint of another version of the level, where this one has it too."""
        if before.reached != NO_ZONE and before.checkpoints[before.reached] in self.checkpoints:
            self.reached = self.checkpoints.index(before.checkpoints[before.reached])
            self.place = before.place
        self.mark_arrival(state)

    def byte_size(self) -> int:
        return _HEAD.size + STATE_ROW.itemsize if self else 0

    def to_bytes(self) -> bytes:
        """State that a tick depends on; empty for a level without zones."""
        if not self:
            return b""
        place = bytes(STATE_ROW.itemsize) if self.place is None else self.place.to_bytes()
        return _HEAD.pack(self.reached, self.current_teleport) + place

    def from_bytes(self, value: bytes) -> None:
        """Restore the bytes of the same level. ValueError for other bytes."""
        if len(value) != self.byte_size():
            raise ValueError("these bytes are not a saved state of these zones")
        if not self:
            return
        reached, teleport = _HEAD.unpack_from(value)
        if not NO_ZONE <= reached < len(self.checkpoints) or not NO_ZONE <= teleport < len(self.teleports):
            raise ValueError("these bytes are not a saved state of these zones")
        self.place = None if reached == NO_ZONE else WalkerState.from_bytes(value[_HEAD.size :])
        self.reached = reached
        self.current_teleport = teleport

    def contains(self, zone: LevelZone, point: Point) -> bool:
        """True if the point lies in the zone, where that is now."""
        return zone.contains(point if zone.mover < 0 else self._at_home(zone.mover, point))

    def _at_home(self, mover: int, point: Point) -> Point:
        """A point of the world with the mover at home."""
        if self._movers is None:
            return point
        return point_at_home(mover_pose_at(self._movers, mover, self.tick), self._movers[mover].at, point)

    def _last_containing(self, zones: Sequence[LevelZone], state: WalkerState) -> int:
        """Index of the last zone that contains the feet or the centre of the body, or NO_ZONE."""
        feet = state.feet
        middle = state.position
        for number in range(len(zones) - 1, -1, -1):
            if self.contains(zones[number], middle) or self.contains(zones[number], feet):
                return number
        return NO_ZONE


def in_kill_boxes(boxes: Sequence[LevelZone], feet: Floats, centre: Floats) -> Flags:
    """(n,): whether bodies with these feet and centres (n,3) are in one of the boxes."""
    inside: Flags = np.zeros(len(feet), np.bool_)
    for box in boxes:
        inside |= box.contains_points(feet) | box.contains_points(centre)
    return inside


def up_and_north_at(zones: Zones | None, feet: Sequence[float], high: float) -> tuple[Point, Point]:
    """(up, north) for a body at `feet` with its centre `high` m above them: of the last gravity zone that contains the
    centre. North is transported from the default frame.
    """
    x, y, z = feet
    rows = Zones().rows if zones is None else zones.rows
    for k in range(len(rows) - 1, -1, -1):
        if zone_effects(rows, k) & zone_row.HAS_GRAVITY and rows[k, zone_row.STRENGTH] > 0.0:
            ux, uy, uz = (float(component) + 0.0 for component in rows[k, zone_row.UP : zone_row.UP + 3])
            if depth_inside_zone(rows, k, x + high * ux, y + high * uy, z + high * uz) >= 0.0:
                up, north = DEFAULT_UP_NORTH
                return (ux, uy, uz), transport_north(up, north, (ux, uy, uz), 0.0, 1.0)
    return DEFAULT_UP_NORTH


def off_platform(state: WalkerState) -> WalkerState:
    """The state on no moving platform, for a place that was kept: its platform has moved on, or is gone."""
    return state if state.mover < 0 else state.replace(position=state.position)  # a new position is on none


def teleport_state(state: WalkerState, feet: Point, heading: int, frame: tuple[Point, Point]) -> WalkerState:
    """The walker at rest at `feet`, upright in the frame (up, north), facing `heading`."""
    up, north = frame
    high = state.radii[1] + TELEPORT_CLEARANCE
    x, y, z = (foot + high * axis for foot, axis in zip(feet, up, strict=True))
    row = state.replace(position=(x, y, z), velocity=(0.0, 0.0, 0.0), heading=heading).row()
    row["up"], row["north"] = up, north
    row["grounded"] = False
    row["falling"] = 0.0
    return WalkerState(row)
