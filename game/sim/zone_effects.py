"""Checkpoints, kill zones and teleports, and the up direction at a place."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.vectors import Point
from ..physics import WalkerState
from ..physics.character.state import STATE_ROW, STATE_SIZES
from ..physics.environment.layout import zone_effect, zone_row
from ..physics.environment.zones import Zones, depth_inside_zone, transport_north, zone_effects

if TYPE_CHECKING:
    from ..level.build.entities.zones import LevelZone


NO_ZONE = -1
DEFAULT_UP_NORTH: tuple[Point, Point] = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
TELEPORT_CLEARANCE = 0.02  # m between the feet and the landing point, so that nothing pushes the body
_HEAD = struct.Struct("<2q")  # index of the last checkpoint, index of the teleport that the body is in


class ZoneEffects:
    """State of the checkpoints, kill zones and teleports of a level."""

    def __init__(self, areas: Sequence[LevelZone]) -> None:
        self.checkpoints = tuple(area for area in areas if area.kind == "checkpoint")
        self.kills = tuple(area for area in areas if area.kind == "kill")
        self.teleports = tuple(area for area in areas if area.kind == "teleport")
        self.reset()

    def __bool__(self) -> bool:
        return bool(self.checkpoints or self.kills or self.teleports)

    def reset(self) -> None:
        """Forget the checkpoint and the teleport."""
        self.reached, self.current_teleport = NO_ZONE, NO_ZONE
        self.place: WalkerState | None = None  # state at rest in the last checkpoint

    def enter_checkpoint(self, state: WalkerState) -> LevelZone | None:
        """The checkpoint that the walker stands or swims in, where it is not the last one; it becomes the last."""
        if not (state.grounded or state.swimming):
            return None
        index = _last_containing(self.checkpoints, state)
        if index in (NO_ZONE, self.reached):
            return None
        self.reached, self.place = index, state.replace(velocity=(0.0, 0.0, 0.0))
        return self.checkpoints[index]

    def is_in_kill_zone(self, state: WalkerState) -> LevelZone | None:
        """The kill zone that contains the feet or the centre of the body."""
        index = _last_containing(self.kills, state)
        return None if index == NO_ZONE else self.kills[index]

    def enter_teleport(self, state: WalkerState) -> LevelZone | None:
        """The teleport that the walker entered in this tick. Leaving one inside another is no entering."""
        index, before = _last_containing(self.teleports, state), self.current_teleport
        self.current_teleport = index
        return None if index in (NO_ZONE, before) else self.teleports[index]

    def mark_arrival(self, state: WalkerState) -> None:
        """The walker was put elsewhere: a teleport at that place works only after it is left and entered again."""
        self.current_teleport = _last_containing(self.teleports, state)

    def continue_from(self, before: ZoneEffects, state: WalkerState) -> None:
        """Take over the checkpoint of another version of the level, where this one has it too."""
        if before.reached != NO_ZONE and before.checkpoints[before.reached] in self.checkpoints:
            self.reached = self.checkpoints.index(before.checkpoints[before.reached])
            self.place = before.place
        self.mark_arrival(state)

    def byte_size(self, state_size: int = STATE_ROW.itemsize) -> int:
        """Length of `to_bytes`."""
        return _HEAD.size + state_size if self else 0

    def to_bytes(self, state_size: int = STATE_ROW.itemsize) -> bytes:
        """State that a tick depends on, with `state_size` bytes of a walker state; empty for a level without zones."""
        if not self:
            return b""
        place = bytes(state_size) if self.place is None else self.place.to_bytes()[:state_size]
        return _HEAD.pack(self.reached, self.current_teleport) + place

    def from_bytes(self, value: bytes) -> None:
        """Restore the bytes of the same level. ValueError for other bytes."""
        if len(value) not in map(self.byte_size, STATE_SIZES):
            raise ValueError("these bytes are not a saved state of these zones")
        if not self:
            return
        reached, teleport = _HEAD.unpack_from(value)
        if not NO_ZONE <= reached < len(self.checkpoints) or not NO_ZONE <= teleport < len(self.teleports):
            raise ValueError("these bytes are not a saved state of these zones")
        self.place = None if reached == NO_ZONE else WalkerState.from_bytes(value[_HEAD.size :])
        self.reached, self.current_teleport = reached, teleport


def _last_containing(areas: Sequence[LevelZone], state: WalkerState) -> int:
    """Index of the last area that contains the feet or the centre of the body, or NO_ZONE."""
    feet, middle = state.feet, state.position
    for number in range(len(areas) - 1, -1, -1):
        if areas[number].contains(middle) or areas[number].contains(feet):
            return number
    return NO_ZONE


def up_and_north_at(zones: Zones | None, feet: Sequence[float], high: float) -> tuple[Point, Point]:
    """(up, north) for a body at `feet` with its centre `high` m above them: of the last gravity zone that contains the
    centre. North is transported from the default frame.
    """
    x, y, z = feet
    rows = Zones().rows if zones is None else zones.rows
    for k in range(len(rows) - 1, -1, -1):
        if zone_effects(rows, k) & zone_effect.GRAVITY and rows[k, zone_row.GRAVITY_SCALE] > 0.0:
            ux, uy, uz = (float(component) + 0.0 for component in rows[k, zone_row.UP : zone_row.UP + 3])
            if depth_inside_zone(rows, k, x + high * ux, y + high * uy, z + high * uz) >= 0.0:
                (ax, ay, az), (bx, by, bz) = DEFAULT_UP_NORTH
                return (ux, uy, uz), transport_north(ax, ay, az, bx, by, bz, ux, uy, uz, 0.0, 1.0)
    return DEFAULT_UP_NORTH


def teleport_state(state: WalkerState, feet: Point, heading: int, frame: tuple[Point, Point]) -> WalkerState:
    """The walker at rest at `feet`, upright in the frame (up, north), facing `heading`."""
    up, north = frame
    high = state.radii[1] + TELEPORT_CLEARANCE
    x, y, z = (foot + high * axis for foot, axis in zip(feet, up, strict=True))
    row = state.replace(position=(x, y, z), velocity=(0.0, 0.0, 0.0), heading=heading).row()
    row["up"], row["north"], row["grounded"], row["falling"] = up, north, False, 0.0
    return WalkerState(row)
