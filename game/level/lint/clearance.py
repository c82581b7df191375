"""Places that are too tight or too low for a player who would try to go there."""

from __future__ import annotations

import numpy as np

from ...core import walker_defaults
from ...core.vectors import Floats, Indices
from ..geometry.overlapping_pairs import find_overlapping_pairs, nearest_on_segments
from .lint_context import LintContext

MIN_PASSAGE_WIDTH = 0.30  # metres: a gap between things that is narrower is no passage
MIN_PASSAGE_HEIGHT = 1.0  # metres: less head room than this is a table, no passage
MAX_SAMPLES_PER_SIDE = 5  # along each side of a floor, at most, where head room is looked at
MIN_SAMPLE_SPACING = 0.8  # metres between them, at least
MIN_LEDGE_WIDTH = 0.25  # metres: narrower ledges are nowhere that one stands
LOW_SPACE_KINDS = ("stairs", "spiral_stairs", "ramp")  # the space below them is low by nature


def check_passages(survey: LintContext) -> None:
    """Upright faces that look at each other over a gap that one would try to walk through."""
    chosen = np.nonzero(survey.upright & (survey.high[:, 1] - survey.low[:, 1] > MIN_PASSAGE_HEIGHT))[0]
    reach = walker_defaults.CLEAR_WIDTH / 2
    near = find_overlapping_pairs(survey.low[chosen] - [reach, 0, reach], survey.high[chosen] + [reach, 0, reach])
    i, j = chosen[near[0]], chosen[near[1]]
    low = np.maximum(survey.low[i, 1], survey.low[j, 1])
    tall = np.minimum(survey.high[i, 1], survey.high[j, 1]) - low > MIN_PASSAGE_HEIGHT
    opposed = np.einsum("pd,pd->p", survey.normals[i], survey.normals[j]) < -0.8
    i, j, low = i[tall & opposed], j[tall & opposed], low[tall & opposed]
    one, other = nearest_on_segments(*_footprint(survey, i), *_footprint(survey, j))
    way = other - one
    gap = np.linalg.norm(way, axis=1)
    unit = way / np.maximum(gap, 1e-9)[:, None]
    facing = (np.einsum("pd,pd->p", survey.normals[i][:, ::2], unit) > 0.9) & (
        np.einsum("pd,pd->p", survey.normals[j][:, ::2], unit) < -0.9
    )
    tight = facing & (gap > 1e-3) & (gap < walker_defaults.CLEAR_WIDTH)
    i, j, low, gap, one, unit = i[tight], j[tight], low[tight], gap[tight], one[tight], unit[tight]
    nearest = np.full(len(survey.corners), np.inf)
    np.minimum.at(nearest, i, gap)
    np.minimum.at(nearest, j, gap)
    open_way = (gap >= MIN_PASSAGE_WIDTH) & (gap <= nearest[i] + 1e-6) & (gap <= nearest[j] + 1e-6)
    i, j, low, gap, one, unit = (part[open_way] for part in (i, j, low, gap, one, unit))
    middle = one + unit * (gap / 2)[:, None]
    aside = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    step = walker_defaults.STEP_HEIGHT
    ground = survey.ground_below(middle, low - step - 0.05, low + 0.05)
    entered = np.zeros(len(i), np.bool_)
    for sign in (1.0, -1.0):
        for far in (0.4, 1.0):
            outside = survey.ground_below(middle + sign * far * aside, ground.height - step, ground.height + step)
            entered |= np.isfinite(outside.height)
    for k in np.argsort(gap, kind="stable"):
        if not (np.isfinite(ground.height[k]) and entered[k]):
            continue
        earlier, later = survey.by_file_order(int(i[k]), int(j[k]))
        verb = "can only pass sideways" if gap[k] >= walker_defaults.CLEAR_DEPTH else "cannot pass"
        survey.warn_face(
            "narrow", later,
            f"the gap to {survey.describe_face(earlier)} is {gap[k]:.3g} m wide: a player {verb}",
            f"make it at least {walker_defaults.CLEAR_WIDTH:.2f} m wide, or add `intended: [narrow]`", earlier,
        )  # fmt: skip


def _footprint(survey: LintContext, faces: Indices) -> tuple[Floats, Floats]:
    """The line (P,2), (P,2) that upright faces stand on: their two corners furthest apart on the plan."""
    plan = survey.corners[faces][:, :, ::2]
    start = plan[:, 0]
    far = np.argmax(np.linalg.norm(plan - start[:, None], axis=-1), axis=1)
    end = plan[np.arange(len(faces)), far]
    far = np.argmax(np.linalg.norm(plan - end[:, None], axis=-1), axis=1)
    return plan[np.arange(len(faces)), far], end


def check_head_room(survey: LintContext) -> None:
    """Looked at from places on floors, and on floors under places of ceilings: either may be much the larger."""
    kinds = np.array([origin.kind for origin in survey.level.origins])[survey.faces.origin]
    floors = np.nonzero(survey.walkable & (survey.breadth > MIN_LEDGE_WIDTH))[0]
    sheets = (kinds == "floor") & (survey.normals[:, 1] > 0.0)
    ceilings = np.nonzero(((survey.normals[:, 1] < -0.5) | sheets) & ~np.isin(kinds, LOW_SPACE_KINDS))[0]
    points, below = _sample_points(survey, floors)
    over_floors, _ = _sample_points(survey, ceilings)
    ground = survey.ground_below(
        over_floors[:, ::2],
        over_floors[:, 1] - walker_defaults.CLEAR_HEIGHT,
        over_floors[:, 1] - MIN_PASSAGE_HEIGHT,
        MIN_LEDGE_WIDTH,
    )
    found = np.isfinite(ground.height)
    over_floors[:, 1] = ground.height
    points, below = np.concatenate([points, over_floors[found]]), np.concatenate([below, ground.face[found]])
    ceiling, above = survey.ceiling_above(points[:, ::2], points[:, 1], 0.02)
    clear = ceiling - points[:, 1]
    for k in np.nonzero((clear >= MIN_PASSAGE_HEIGHT) & (clear < walker_defaults.CLEAR_HEIGHT - 1e-6))[0]:
        over, under = int(above[k]), int(below[k])
        downward = survey.normals[over, 1] < 0.0
        same = survey.faces.origin[over] == survey.faces.origin[under]
        kind = survey.origin_of_face(over).kind
        opening = same and kind in ("wall", "arch", "room")
        if opening or (not downward and kind != "floor") or (kind in LOW_SPACE_KINDS and not same):
            continue
        verb = "must crouch" if clear[k] >= walker_defaults.CLEAR_CROUCH_HEIGHT else "cannot pass"
        survey.warn_face(
            "low", over, f"the headroom above {survey.describe_face(under)} is {clear[k]:.2f} m: a player {verb}",
            f"leave at least {walker_defaults.CLEAR_HEIGHT:.2f} m, or add `intended: [low]`", under,
        )  # fmt: skip


def _sample_points(survey: LintContext, faces: Indices) -> tuple[Floats, Indices]:
    """Places (P,3) spread over faces, and the face that each is on."""
    a, b, _, d = (survey.corners[faces, k] for k in range(4))
    sides = np.stack([np.linalg.norm(b - a, axis=1), np.linalg.norm(d - a, axis=1)], axis=1)
    counts = np.clip((sides / MIN_SAMPLE_SPACING).astype(int), 1, MAX_SAMPLES_PER_SIDE)
    places, owner = [np.zeros((0, 3))], [np.zeros(0, np.int64)]
    for across in range(1, MAX_SAMPLES_PER_SIDE + 1):
        for down in range(1, MAX_SAMPLES_PER_SIDE + 1):
            some = faces[(counts[:, 0] == across) & (counts[:, 1] == down)]
            parts = [((u + 0.5) / across, (v + 0.5) / down) for u in range(across) for v in range(down)]
            a, b, c, d = (survey.corners[some, k] for k in range(4))
            for u, v in parts if len(some) else ():
                places.append((a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v)
                owner.append(some)
    return np.concatenate(places), np.concatenate(owner)
