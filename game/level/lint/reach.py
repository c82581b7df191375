"""Ground that nothing leads to: an upper bound of the ways of players, by steps, jumps, falls and what carries them."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags, Floats
from .clearance import MIN_LEDGE_WIDTH
from .lint_context import LintContext

MIN_UP = 0.3  # of the normal of ground in the widest sense: players slide and jump on steep slopes
MAX_WAVES = 200  # of jumps from one place
MAX_PAIRS = 4_000_000  # of faces that are compared at once; more are compared by their common box
LEAP_MARGIN = 1.0  # m that a leap is longer than its ballistic flight: the size of the body


def is_cut_off(context: LintContext, at: Floats, reach: Floats, below: float) -> bool:
    """Whether no start of the level and nothing that carries players leads to a place (3,), followed backwards.

    reach (3,): half size of the place; below: of the body, below it, m. Only a floor under the place stops players.
    """
    if context.body.gravity == 0.0:
        return False
    ground = context.normals[:, 1] > MIN_UP
    seen = np.zeros(len(ground), np.bool_)
    least = -context.body.jump_height - context.body.step_height
    begin = max(spawn.feet[1] for spawn in context.level.spawns) + 0.1
    low, high = (at - reach - [0.0, below, 0.0])[None], (at + reach)[None]
    over, _ = context.ceiling_above(at[None, ::2], at[None, 1], 0.0)  # what is above it leads nowhere
    if int(context.solids.pieces_around(at[None])[0]) >= 0:  # but players stand on a solid that the place is inside of
        over[0] = np.inf
    for wave in range(MAX_WAVES):
        rest = np.nonzero(ground & ~seen & (context.high[:, 1] >= low[:, 1].min() + least))[0]
        if len(low) * (len(rest) + len(context.carriers[0])) > MAX_PAIRS:
            low, high = low.min(axis=0)[None], high.max(axis=0)[None]
        if len(context.carriers[0]) and _leads_up(context, low, high, *context.carriers).any():
            return False
        found = rest[_leads_up(context, low, high, context.low[rest], context.high[rest])]
        if not wave:
            found = found[context.walkable[found] & (context.breadth[found] > MIN_LEDGE_WIDTH)]
            nearest = np.clip(at, context.low[found], context.high[found])
            roof, _ = context.ceiling_above(nearest[:, ::2], nearest[:, 1], 0.02)
            found = found[(roof > at[1] - reach[1]) & (context.low[found, 1] < over[0])]
        low, high = context.low[found], context.high[found]
        if not len(found):
            return True
        if (low[:, 1] <= begin).any() or (context.faces.mover_numbers[found] > 0).any():
            return False
        seen[found] = True
    return False


def _leads_up(context: LintContext, low: Floats, high: Floats, from_low: Floats, from_high: Floats) -> Flags:
    """Mask (R,) of boxes from whose tops a player may come to one of the boxes low, high (F,3)."""
    body = context.body
    apart = np.maximum(np.maximum(low[:, None] - from_high, from_low - high[:, None]), 0.0)[..., ::2]
    fall = from_high[:, 1] - low[:, 1, None] + body.jump_height
    seconds = np.sqrt(2.0 * body.jump_height / body.gravity) + np.sqrt(2.0 * np.maximum(fall, 0.0) / body.gravity)
    leap = LEAP_MARGIN + max(body.walk_speed, body.sprint_speed) * seconds
    leads: Flags = ((fall >= -body.step_height) & (np.hypot(apart[..., 0], apart[..., 1]) <= leap)).any(axis=0)
    return leads
