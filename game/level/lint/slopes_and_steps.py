"""Slope and step checks: geometry near the walker's limits, where a player cannot see if it can be walked."""

from __future__ import annotations

import numpy as np

from ..format.schema.pieces import NATURAL_KINDS
from .lint_context import LintContext

SLOPE_LIMIT_MARGIN = 2.0  # degrees on both sides of the slope limit
LEVEL_SLOPE = 0.1  # degrees: a flatter face is level, and every body walks on it
STEP_LIMIT_MARGIN = 0.05  # metres above the step height: such a step looks walkable


def check_slopes(context: LintContext) -> None:
    """Warn about faces within SLOPE_LIMIT_MARGIN of the slope limit."""
    slope = np.degrees(np.arccos(np.clip(context.normals[:, 1], -1.0, 1.0)))
    size = np.linalg.norm(context.high - context.low, axis=1)
    kinds = context.kinds
    borderline = np.nonzero(
        (np.abs(slope - context.body.max_slope) < SLOPE_LIMIT_MARGIN)
        & (slope > LEVEL_SLOPE)
        & (size > 0.3)
        & ~np.isin(kinds, NATURAL_KINDS)
    )[0]
    for face in borderline[np.argsort(-size[borderline], kind="stable")]:
        verb = "can" if slope[face] <= context.body.max_slope else "cannot"
        context.warn_face(
            "steep", int(face),
            f"a slope of {slope[face]:.1f} degrees {verb} be walked, but players cannot see that",
            f"keep {SLOPE_LIMIT_MARGIN:g} degrees from the limit of {context.body.max_slope:g}, "
            "or add `intended: [steep]`",
        )  # fmt: skip


def check_steps(context: LintContext) -> None:
    """Warn about steps just above the step height: a wall with a horizontal top edge and ground on both sides."""
    corners = context.corners
    top = context.high[:, 1]
    on_top = corners[:, :, 1] > top[:, None] - 1e-3
    along = on_top & np.roll(on_top, -1, axis=1)
    edge_length = np.linalg.norm((np.roll(corners, -1, axis=1) - corners)[:, :, ::2], axis=-1)
    edge = np.argmax(np.where(along, edge_length, 0.0), axis=1)
    rows = np.arange(len(corners))
    long_enough = along[rows, edge] & (edge_length[rows, edge] > 0.2)
    chosen = np.nonzero(context.upright & long_enough)[0]
    if not len(chosen):
        return
    middle = (corners[chosen, edge[chosen]] + corners[chosen, (edge[chosen] + 1) % 4]) / 2
    outward = context.normals[chosen][:, ::2]
    height = top[chosen]
    behind = middle[:, ::2] - 0.05 * outward
    back = context.ground_below(behind, height - 2e-3, height + 2e-3)
    front = context.ground_below(middle[:, ::2] + 0.10 * outward, height - 2.0, height + 1e-3)
    over, cover = context.ceiling_above(behind, height, 0.01)
    inside = np.array([face >= 0 and context.is_solid_from_inside(int(face)) for face in cover], dtype=np.bool_)
    rise = height - front.height
    limit = context.body.step_height
    high = (rise > limit + 1e-4) & (rise <= limit + STEP_LIMIT_MARGIN) & np.isfinite(back.height)
    high &= (over - height > context.body.clear_crouch_height) & ~inside
    for k in np.nonzero(high)[0]:
        context.warn_face(
            "step", int(chosen[k]),
            f"the step up from {context.describe_face(int(front.face[k]))} is {rise[k]:.3f} m: "
            f"{(rise[k] - limit) * 1000:.0f} mm too high for {context.player}",
            f"make it at most {limit:.2f} m, or add `intended: [step]`",
        )  # fmt: skip
