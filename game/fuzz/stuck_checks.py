"""Search for a way out of a place where a walker stands under a command."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ..physics import Ellipsoid, Environment, TriangleMesh, Walker, WalkerState

LIFT = 0.02  # m that the bare body is lifted
ROOM = 0.10  # m: free distance that counts as room
FIRST_STEP = 0.002  # m: a round body that goes into a corner at first, and only later past it, is not stuck
GAPS = (0.99, 0.75, 0.5)  # of the skin: the first of them that is free decides about the first step
MAX_LEAN = 84.0  # degrees: a tenth of a direction that leans so far is along the command
HOP_TICKS = 30
HOP_DISTANCE = 0.05  # m by which a hop leaves a place


def free_direction(walker: Walker, mesh: TriangleMesh, state: WalkerState, heading: float, at: Any) -> float | None:
    """A horizontal direction (yaw, radians) with a part along the heading in which the bare body, lifted by 2 cm, has
    10 cm of room, and room for its skin after each 2 cm; its first 2 mm, lifted or not, do not reduce the gap. None if
    there is none.

    at: position of the centre in the frame of the mesh, whose second axis is up
    """
    body = Ellipsoid(state.radii)
    x, y, z = at
    if mesh.sweep(body, (x, y, z), state.yaw, (0.0, LIFT, 0.0)) is not None:
        return None

    def is_free(gap: float, places: Any) -> bool:
        """Whether the body with a part of its skin touches nothing at one of some places."""
        wide = 1.0 + gap * walker.settings.skin
        a, b, c = state.radii
        return not all(len(ids) for ids in mesh.overlap(Ellipsoid((wide * a, wide * b, wide * c)), places, state.yaw))

    gap = next((each for each in GAPS if is_free(each, np.array([at], np.float64))), GAPS[-1])
    for lean in sorted(np.arange(-MAX_LEAN, MAX_LEAN + 0.1, 6.0), key=abs):
        way = heading + np.radians(lean)
        dx, dz = -np.sin(way), -np.cos(way)
        first = np.array([[x, y, z], [x, y + LIFT, z]]) + FIRST_STEP * np.array((dx, 0.0, dz))
        parts = np.linspace(0.2, 1.0, 5)[:, None] * (ROOM * dx, 0.0, ROOM * dz) + (x, y + LIFT, z)
        if (
            mesh.sweep(body, (x, y + LIFT, z), state.yaw, (ROOM * dx, 0.0, ROOM * dz)) is None
            and all(is_free(GAPS[0], part[None]) for part in parts)
            and is_free(gap, first)
        ):
            return float(way)
    return None


def is_stuck(
    walker: Walker,
    mesh: TriangleMesh,
    state: WalkerState,
    row: Any,
    environment: Environment | None = None,
    clock: int = 0,
    room: TriangleMesh | None = None,
) -> bool:
    """True if a walker that stood under a command had room to move; or if there is room but no direction with a jump
    moves it by 5 cm in half a second. (Jumping is how a walker leaves a pit.)

    room: what is near the body, with its centre at the origin and up along the second axis; None: the mesh itself
    """
    there, at = (mesh, state.position) if room is None else (room, (0.0, 0.0, 0.0))
    asked = row["heading"] * RADIANS_PER_HEADING_UNIT - np.arctan2(row["strafe"], row["forward"])
    if free_direction(walker, there, state, asked, at) is not None:
        return True
    if all(free_direction(walker, there, state, way, at) is None for way in np.arange(4) * (np.pi / 2.0)):
        return False
    for heading in range(0, HEADING_UNITS_PER_TURN, HEADING_UNITS_PER_TURN // 16):
        jump = np.arange(HOP_TICKS) == 1
        rows = walker.commands(forward=np.ones(HOP_TICKS), heading=heading, jump=jump)
        end = walker.run(state, rows, mesh, around=environment, clock=clock)["position"][-1]
        if np.linalg.norm(end - state.position) > HOP_DISTANCE:
            return False
    return True
