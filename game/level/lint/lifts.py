"""Check of lifts: movers that press the player who stands on them against a static floor or ceiling."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats, Indices
from ..build.entities.mover_paths import MoverPath
from .clearance import MIN_LEDGE_WIDTH, sample_points
from .lint_context import LintContext, describe_point

POSE_SPACING = 0.3  # m between two poses of a lift that are compared with what is above it
MAX_POSES = 400  # of one keyframe
MAX_SAMPLES = 200  # points of the deck of one lift
MIN_UPRIGHT = 0.7  # sine of the slope of a keyframe, at least: a flatter one pushes the player aside
SAME_CEILING = 0.05  # m by which the height of a ceiling may change along a keyframe
CABIN_HEIGHT = 0.5  # m: a face of the lift this far above another one is a roof, not its deck


@dataclass(frozen=True, slots=True)
class _Crush:
    """The place (3,) of a deck's point where the room above is least, that room (m), and the face above."""

    place: Floats
    room: float
    face: int


def check_lifts(context: LintContext) -> None:
    """Warn about lifts on which a player cannot stay: at some place the whole deck has too little room above it.

    Only movers that neither turn nor swing are judged, and only those parts of the deck on which a player can stand
    somewhere else on the way.
    """
    indices = {origin.place: index for index, origin in reversed(list(enumerate(context.level.origins)))}
    for number, path in enumerate(context.paths, start=1):
        if not path.period or path.mover.motion.turns:
            continue
        crush = _find_crush(context, path, _deck_points(context, path, number))
        if crush is not None:
            above = context.describe_face(crush.face)
            message = (
                f"the lift presses the player against {above}: at {describe_point(crush.place)} it leaves "
                f"{crush.room:.2f} m above its deck"
            )
            cure = (
                f"leave {context.body.clear_height:.2f} m: move the stop, make a hole above the lift, or add "
                "`intended: [low]`"
            )
            context.warn_origin("low", indices[path.mover.place], message, cure)


def _deck_points(context: LintContext, path: MoverPath, number: int) -> Floats:
    """Points (n,3) on the walkable faces of a mover, relative to its position, without the roof of a cabin."""
    own = (context.faces.mover_numbers == number) & context.walkable
    points, _ = sample_points(context, np.nonzero(own & (context.breadth > MIN_LEDGE_WIDTH))[0])
    points = points[:: len(points) // MAX_SAMPLES + 1]
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    below = own[context.face_of[triangle]] & (height < points[point, 1] - CABIN_HEIGHT)
    deck: Floats = np.delete(points, point[below], axis=0) - path.stops()[1][0]
    return deck


def _find_crush(context: LintContext, path: MoverPath, deck: Floats) -> _Crush | None:
    """The pose with the least room above a deck, among those in which no part of it has room; None if there is none.

    Each upright keyframe is judged by itself. A deck that comes down through a floor is no crush: the player stays on
    the floor. So the same ceiling must leave room for the player at another pose of the keyframe.
    """
    found = []
    for start, offset in zip(path.origins, path.offsets, strict=True):
        length = float(np.linalg.norm(offset))
        if not len(deck) or abs(offset[1]) < MIN_UPRIGHT * length or length == 0.0:
            continue
        count = min(MAX_POSES, math.ceil(length / POSE_SPACING)) + 1
        points = path.home + start + np.linspace(0.0, 1.0, count)[:, None, None] * offset + deck
        ceiling, face = _static_ceiling(context, points.reshape(-1, 3))
        ceiling, face = ceiling.reshape(count, len(deck)), face.reshape(count, len(deck))
        room = ceiling - points[..., 1]
        used = np.nonzero((room >= context.body.clear_height).any(axis=0))[0]
        if not len(used):
            continue
        blocked = np.nonzero(room[:, used].max(axis=1) < context.body.clear_crouch_height)[0]
        for pose in blocked.tolist():
            k = int(used[np.argmax(room[pose, used])])
            same = (ceiling[:, k] < ceiling[pose, k] + SAME_CEILING) & (ceiling[:, k] > ceiling[pose, k] - SAME_CEILING)
            if room[same, k].max() >= context.body.clear_height:
                found.append(_Crush(points[pose, k], float(room[pose, k]), int(face[pose, k])))
    return min(found, key=lambda crush: crush.room, default=None)


def _static_ceiling(context: LintContext, points: Floats) -> tuple[Floats, Indices]:
    """Height and face (n,) of the lowest static face above points (n,3); inf and -1 where there is none."""
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    face = context.face_of[triangle]
    fits = (height > points[point, 1] + 0.02) & (context.faces.mover_numbers[face] == 0)
    point, height, face = point[fits], height[fits], face[fits]
    lowest = np.full(len(points), np.inf)
    above = np.full(len(points), -1, np.int64)
    order = np.argsort(-height, kind="stable")
    lowest[point[order]] = height[order]
    above[point[order]] = face[order]
    return lowest, above
