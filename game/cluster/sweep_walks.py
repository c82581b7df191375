"""Measured walks of a sweep: one walk of given commands, or of a bot to the goal, with the settings of one body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.walker_settings import WalkerSettings
from ..level import Level
from ..level.format.level_tests.level_test import BotKind, BotPlayer, LevelTest
from ..sim import World
from ..sim.bots.moves import script_text
from ..sim.command_script import parse_script
from ..sim.headless_run import GoalOutcome, WalkResult, run_walk
from ..testing.errors import LevelTestError
from ..testing.explorer import GoalSearch, search_walk_to_goal

OUTCOMES = {  # meaning; shards hold the index
    "walked": "the commands file was walked; the level has no goal",
    "reached": "the walk reaches the goal",
    "missed": "the walk ends without the goal; with --bot: the walk of the bots misses it among movers and zones",
    "unreachable": "the bots had nothing left to try, and none reached the goal",
    "gave up": "the bots used up their ticks before one reached the goal; a larger --ticks may find a walk",
    "no room": "the body has no room at the spawn",
}
GOAL_BOT = None  # commands of a sweep in which a bot looks for the goal
METRICS = {  # unit and meaning
    "goal_time": ("s", "time at which the goal is reached; empty where it is not"),
    "reached": ("", "1 if the goal is reached, else 0"),
    "goal_distance": ("m", "least distance of the feet from the goal"),
    "max_speed": ("m/s", "highest horizontal speed"),
    "mean_speed": ("m/s", "mean horizontal speed"),
    "distance": ("m", "horizontal length of the path"),
    "final_x": ("m", "feet at the end"),
    "final_height": ("m", "height of the feet at the end"),
    "final_z": ("m", "feet at the end"),
    "highest": ("m", "greatest height of the feet"),
    "lowest": ("m", "least height of the feet"),
    "air_time": ("s", "time without ground below the feet"),
    "falls": ("", "falls below the level"),
    "targets": ("", "targets reached"),
    "walk_time": ("s", "length of the walk; with --bot, to the goal"),
}


def sweep_shard(
    level: Level, settings: WalkerSettings, commands: str | None, ticks: int | None
) -> dict[str, np.ndarray[Any, Any]]:
    """The METRICS of one walk as arrays of one number; not a number where there is none. Three more arrays: outcome
    (1,) i8, the index into OUTCOMES; search_ticks (1,) i8, of all bots together, 0 without bots; walk (n,) u1,
    the commands file of the bots' walk in UTF-8, empty without bots.

    commands: text of a commands file; GOAL_BOT: a bot looks for the goal. ticks: length of the walk, or the most ticks
    that the bots walk together; None: the length of the commands. Where the body has no room at the spawn, all are not
    a number.
    """
    body_level = replace(level, player=settings)
    body_level.__dict__["mesh"] = level.mesh  # cooked once for all bodies
    values = dict.fromkeys(METRICS, np.nan)
    try:
        world = World(body_level)
        search = None if commands is not None else _search_walk(world, ticks)
    except (ValueError, LevelTestError):
        return _shard_arrays(values, "no room", 0, "")
    if search is None:
        values.update(measure_walk(level, run_walk(world, parse_script(commands or ""), ticks)))
        outcome = "walked" if level.goal is None else "reached" if values["reached"] else "missed"
        return _shard_arrays(values, outcome, 0, "")
    text = script_text(search.walk, world.start.heading)
    values.update(measure_walk(level, run_walk(world, parse_script(text), None)))
    failed = "missed" if search.is_reached else "unreachable" if search.is_complete else "gave up"
    return _shard_arrays(values, "reached" if values["reached"] else failed, search.ticks, text)


def _shard_arrays(
    values: Mapping[str, float], outcome: str, search_ticks: int, walk: str
) -> dict[str, np.ndarray[Any, Any]]:
    return {
        **{name: np.array([value], np.float64) for name, value in values.items()},
        "outcome": np.array([list(OUTCOMES).index(outcome)], np.int64),
        "search_ticks": np.array([search_ticks], np.int64),
        "walk": np.frombuffer(walk.encode(), np.uint8),
    }


def _search_walk(world: World, ticks: int | None) -> GoalSearch:
    """The search of the bots. ValueError or LevelTestError where they cannot start."""
    test = LevelTest("sweep", BotPlayer(BotKind.GOAL), (), ticks=ticks)
    return search_walk_to_goal(world.level, test, 1, lambda fraction, places: None)


def measure_walk(level: Level, walk: WalkResult) -> dict[str, float]:
    rate = walk.ticks_per_second
    ticks = len(walk.tick)
    feet = np.vstack([np.asarray(walk.start)[None, :], walk.feet])
    steps = np.hypot(*walk.displacements[:, [0, 2]].T)
    is_reached = walk.goal == GoalOutcome.REACHED
    to_goal = np.nan if level.goal is None else float(np.linalg.norm(feet - np.asarray(level.goal.at), axis=1).min())
    return {
        "goal_time": walk.goal_tick / rate if is_reached else np.nan,
        "reached": float(is_reached),
        "goal_distance": to_goal,
        "max_speed": float(steps.max(initial=0.0)) * rate,
        "mean_speed": float(steps.sum()) * rate / max(ticks, 1),
        "distance": float(steps.sum()),
        "final_x": float(feet[-1, 0]),
        "final_height": float(feet[-1, 1]),
        "final_z": float(feet[-1, 2]),
        "highest": float(feet[:, 1].max()),
        "lowest": float(feet[:, 1].min()),
        "air_time": float((~walk.grounded).sum()) / rate,
        "falls": float(walk.falls),
        "targets": float(walk.targets_reached),
        "walk_time": ticks / rate,
    }
