"""Aim of a level in words: the sentence of its file, or one that is made of what the level contains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.time_format import count_noun, format_count
from ...sim.trial import LevelEnd, level_end
from ..runs.target_words import target_noun

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World

_LAST_STEP = re.compile(r",? then (.+)$")
_DEFAULT_LAST_STEP = {"holes": "walk to the flag"}
REACH_GOAL = "reach the light"
DONE = "You have finished this level. Look around, or play it again for a better time."
DONE_WITH_EXITS = "You have finished this level. Go on through a door, or play it again for a better time."


def describe_aim(level: Level, world: World | None = None) -> str:
    """The aim of a level, in one sentence. world: with the present progress: `Find 2 more bells, then ...`."""
    aim = level.aim or _default_aim(level)
    if world is None or level_end(level) == LevelEnd.NONE:
        return aim
    if world.goal_tick >= 0 or _is_all_done(world):
        return DONE_WITH_EXITS if level.exits else DONE
    last_step = _last_step(level, aim)
    if world.golf is not None and (world.holes_missing or (level.goal is None and world.golf.holes_left)):
        hole = world.golf.current_hole
        name = hole.name if hole is not None and len(world.golf.course.holes) > 1 else "the hole"
        return _join(f"Play the ball into {name}", last_step) if world.golf.card else aim
    count = world.targets_left
    if world.targets_missing or (level.goal is None and count):
        if count == len(level.targets):
            return aim
        return _join(f"Find {count} more {count_noun(count, target_noun(level))}", last_step)
    waited = level.goal is not None and level.goal.after and (level.targets or world.golf is not None)
    return _sentence(last_step) if waited and last_step else aim


def describe_collection(level: Level) -> str:
    """The things to collect: `3 bells`, `Par 3`; empty where nothing is."""
    if level.golf is not None:
        holes = level.golf.holes
        par = f"Par {sum(hole.par for hole in holes)}"
        return par if len(holes) == 1 else f"{len(holes)} holes   ·   {par}"
    count = len(level.targets)
    return format_count(count, target_noun(level)) if count else ""


def _is_all_done(world: World) -> bool:
    if world.level.goal is not None:
        return False
    if world.level.targets:
        return not world.targets_left
    return world.golf is not None and not world.golf.holes_left


def _default_aim(level: Level) -> str:
    """The aim of a level whose file does not say it."""
    steps = []
    after = "" if level.goal is None else level.goal.after
    if level.golf is not None and (level.goal is None or after == "holes"):
        count = len(level.golf.holes)
        steps.append("Play the ball into the hole" if count == 1 else f"Play the ball into the {count} holes")
    elif level.targets and (level.goal is None or after == "targets"):
        steps.append(f"Find the {describe_collection(level) or 'targets'}".replace("the 1 ", "the "))
    if level.goal is not None:
        steps.append(_DEFAULT_LAST_STEP.get(after, REACH_GOAL))
    if not steps:
        steps.append("Choose a door" if len(level.exits) > 1 else "Look around")
        if level.play is not None and level.play.throws:
            steps[0] = "Look around and throw balls"
    return _join(steps[0], *steps[1:])


def _last_step(level: Level, aim: str) -> str:
    """The part of the aim after `then`, without its full stop; that of a level with a goal where there is none."""
    found = _LAST_STEP.search(aim)
    if found is not None:
        return found[1].rstrip(".")
    return "" if level.goal is None else _DEFAULT_LAST_STEP.get(level.goal.after, REACH_GOAL)


def _join(first: str, *then: str) -> str:
    return _sentence(", then ".join((first, *filter(None, then))))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
