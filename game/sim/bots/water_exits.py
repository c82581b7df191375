"""Bots that swim: whether a body gets out of the water in a region that is a trap on foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...physics import Crowd
from ...physics.character.command import command_rows
from . import moves
from .search import BotSearch, CellKey, Points, cell_keys_of, feet_positions

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone
    from ...physics import Environment

MAX_SWIM_STARTS = 48  # places in the region from which bots swim
SWIM_DIRECTIONS = 8  # in which they swim, and towards every ladder
RISE_TICKS = 240  # in which they swim up first, by holding jump
SWIM_TICKS = 720  # that each then swims in one direction
CHECK_INTERVAL_TICKS = 20  # between two checks whether one is out


def leads_out(
    level: Level, search: BotSearch, around: Environment | None, places: list[int], keys: set[CellKey]
) -> bool:
    """Whether a bot that starts at one of `places` swims out of the cells `keys`.

    It is out when it stands elsewhere, with its feet in no water. Half of the bots hold jump while they swim, which
    helps where they can stand; the others hold on to ladders.
    """
    water = [zone for zone in level.all_zones if zone.acts_by("water")]
    ladders = [zone.centre for zone in level.all_zones if zone.acts_by("climb")]
    place = []
    heading = []
    jump = []
    feet = search.places.feet()
    for start in places[:: max(1, -(-len(places) // MAX_SWIM_STARTS))]:
        headings = {k * moves.FULL_TURN // SWIM_DIRECTIONS for k in range(SWIM_DIRECTIONS)}
        for x, _, z in ladders:
            turns = np.arctan2(feet[start, 0] - x, feet[start, 2] - z) / (2.0 * np.pi)
            headings.add(round(turns * moves.FULL_TURN) % moves.FULL_TURN)
        for chosen in sorted(headings):
            place += [start, start]
            heading += [chosen, chosen]
            jump += [False, True]
    states = search.places.states[place]
    crowd = Crowd(search.walker, search.mesh, search.crowd.threads, around)
    rise = command_rows(heading=heading, jump=np.ones(len(place), np.bool_))
    swim = command_rows(heading=heading, forward=np.ones(len(place)), jump=jump)
    for tick in range(RISE_TICKS + SWIM_TICKS):
        states = crowd.step(states, rise if tick < RISE_TICKS else swim, tick)
        search.ticks += len(states)
        if tick % CHECK_INTERVAL_TICKS == CHECK_INTERVAL_TICKS - 1:
            stands = states[states["grounded"] & ~states["sliding"]]
            if _is_any_out(feet_positions(stands), water, keys):
                return True
    return False


def _is_any_out(feet: Points, water: list[LevelZone], keys: set[CellKey]) -> bool:
    """Whether any of these feet is outside the cells and the water."""
    outside = [k for k, key in enumerate(cell_keys_of(feet).tolist()) if key not in keys]
    return any(not any(zone.contains(feet[k].tolist()) for zone in water) for k in outside)
