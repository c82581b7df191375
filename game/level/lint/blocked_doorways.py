"""Checks of doorways: those that a box or another solid closes, and steps between rooms that share a wall."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from ..build.entities.landmarks import WallOpening
from ..build.level_assembly import describe_origin
from ..build.shared_walls import PlacedRoom, placed_rooms
from ..format.schema.pieces import SHEET_KINDS, WALL_KINDS
from ..geometry.overlapping_pairs import find_boxes_near
from .doorways import PlacedOpening, describe_opening, placed_openings
from .lint_context import LintContext

EDGE = 0.02  # m from the edge of a doorway to the first of its points, and from its wall to those in front of it
SAMPLES_ACROSS = 13
SAMPLE_HEIGHT = 0.1  # m between two points of a column
BESIDE_WALL = 0.3  # m from a shared wall at which the floors of its rooms are compared
MAX_STEP = 1.5  # m: a higher one looks like a ledge, and not like a step that was forgotten


def check_blocked_doorways(context: LintContext) -> None:
    """Warn about doorways that a solid piece closes: nowhere is it open over the height of a body that crouches."""
    openings = [one for one in placed_openings(context) if one.opening.kind == "doorway"]
    done: set[tuple[int, WallOpening]] = set()
    for k in _near_solid_pieces(context, openings):
        opening = openings[k]
        key = (opening.origin, opening.opening)
        blocker = -1 if key in done else _closing_piece(context, opening)
        if blocker < 0:
            continue
        done.add(key)
        origins = context.level.origins
        if "closed" not in origins[opening.origin].intended | origins[blocker].intended:
            rows = np.nonzero(context.faces.origin == blocker)[0]
            nearest = np.argmin(np.abs(context.low[rows] - opening.centre).sum(axis=1))  # of its copies
            closing = context.describe_face(int(rows[nearest]))
            message = f"{describe_opening(opening)} is closed by {closing}"
            cure = "move one of them, or add `intended: [closed]`"
            label = origins[opening.origin].label
            context.report.add("warning", opening.opening.place, label, message, cure)


def _near_solid_pieces(context: LintContext, openings: list[PlacedOpening]) -> list[int]:
    """Numbers of the openings in the box of a static piece that is no wall."""
    chosen = (context.faces.mover_numbers == 0) & ~np.isin(context.kinds, (*WALL_KINDS, *SHEET_KINDS))
    if not openings or not chosen.any():
        return []
    pieces, which = np.unique(context.faces.origin[chosen], return_inverse=True)
    low, high = np.full((len(pieces), 3), np.inf), np.full((len(pieces), 3), -np.inf)
    np.minimum.at(low, which.reshape(-1), context.low[chosen])
    np.maximum.at(high, which.reshape(-1), context.high[chosen])
    bounds = [opening.bounds(EDGE) for opening in openings]
    near, _ = find_boxes_near(np.array([box[0] for box in bounds]), np.array([box[1] for box in bounds]), low, high)
    numbers: list[int] = np.unique(near).tolist()
    return numbers


def _closing_piece(context: LintContext, opening: PlacedOpening) -> int:
    """The piece that closes an opening, in the middle of its wall or just before it; -1 if none does."""
    across = np.linspace(EDGE, opening.width - EDGE, SAMPLES_ACROSS)
    up = np.arange(EDGE, opening.height, SAMPLE_HEIGHT)
    for through in (opening.depth / 2.0, -EDGE, opening.depth + EDGE):
        start = opening.base + through * opening.out
        points = start + across[:, None, None] * opening.along + up[:, None] * np.array([0.0, 1.0, 0.0])
        around = context.solids.pieces_around(points.reshape(-1, 3)).reshape(len(across), len(up))
        least = min(context.body.clear_crouch_height, opening.height) / SAMPLE_HEIGHT - 1.0
        wide = _longest_free(np.array([-(_longest_free(column) >= least) for column in around]))  # open columns
        if not wide or (wide + 1) * (across[1] - across[0]) < context.body.clear_depth:
            found = around[around >= 0]
            blocker = int(np.bincount(found).argmax())
            if context.level.origins[blocker].kind not in WALL_KINDS:
                return blocker
    return -1


def _longest_free(column: Indices) -> int:
    """Length of the longest run of points that are in no piece."""
    ends = np.concatenate([[-1], np.nonzero(column >= 0)[0], [len(column)]])
    return int(np.diff(ends).max()) - 1


def check_shared_floors(context: LintContext) -> None:
    """Warn about doorways between rooms that share a wall, with a step that the player cannot climb."""
    rooms = placed_rooms(context.level.faces)
    openings = [one for one in placed_openings(context) if one.opening.kind == "doorway" and one.room is not None]
    if not openings or not any(room.shell.shared for room in rooms):
        return
    sides = np.array(
        [[one.centre + side * (one.depth / 2 + BESIDE_WALL) * one.out for side in (-1, 1)] for one in openings]
    )
    points = sides.reshape(-1, 3)
    ground = context.ground_below(points[:, ::2], points[:, 1] - MAX_STEP, points[:, 1] + MAX_STEP)
    heights = ground.height.reshape(-1, 2)
    with np.errstate(invalid="ignore"):
        steps = np.abs(heights[:, 1] - heights[:, 0])
    done: set[tuple[int, WallOpening]] = set()
    reported: list[Floats] = []  # where: doorways of both rooms in one place are one mistake
    for k in np.nonzero((steps > context.body.step_height + 1e-3) & (steps <= MAX_STEP))[0].tolist():
        opening = openings[k]
        key = (openings[k].origin, openings[k].opening)
        beyond = _shared_neighbour(opening, rooms, sides[k, 1])
        if beyond is None or key in done:
            continue
        done.add(key)
        if any(np.hypot(*(opening.centre - place)[::2]) < opening.width for place in reported):
            continue
        reported.append(opening.centre)
        origins = context.level.origins
        if "step" not in origins[opening.origin].intended | origins[beyond.origin].intended:
            message = (
                f"{describe_opening(opening)} has a step of {steps[k]:.3g} m: the floor of "
                f"{describe_origin(origins[beyond.origin])} is at another height; {context.player} climbs "
                f"{context.body.step_height:.2f} m"
            )
            cure = "give both rooms one height, put stairs or a ramp at the doorway, or add `intended: [step]`"
            context.report.add("warning", opening.opening.place, origins[opening.origin].label, message, cure)


def _shared_neighbour(opening: PlacedOpening, rooms: list[PlacedRoom], point: Floats) -> PlacedRoom | None:
    """The room beyond an opening that shares its wall: a point (3,) just beyond it is in the room's plan."""
    own = opening.room
    for room in rooms:
        if own is None or not (own.shell.shared or room.shell.shared) or (room.at == own.at).all():
            continue
        low, high = np.array(room.shell.hollow)
        local = np.linalg.inv(room.axes) @ (point - room.at) + low
        if ((local > low) & (local < high))[::2].all() and low[1] - MAX_STEP < local[1] < high[1]:
            return room
    return None
