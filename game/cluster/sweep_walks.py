"""Measured walks of a sweep: one walk of given commands, or of a bot to the goal, with the settings of one body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..core.walker_settings import WalkerSettings
from ..level import Level
from ..level.format.level_tests import BotKind, BotPlayer, LevelTest
from ..sim import World
from ..sim.bots.moves import script_text
from ..sim.command_script import CommandScript, parse_script
from ..sim.headless_run import GoalOutcome, WalkResult, run_walk
from ..testing.errors import LevelTestError
from ..testing.explorer import find_walk_to_goal

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
    """The METRICS of one walk as arrays of one number; not a number where there is none.

    commands: text of a commands file; GOAL_BOT: a bot looks for the goal. ticks: length of the walk, or the most ticks
    that the bots walk together; None: the length of the commands. Where the body has no room at the spawn, all are not
    a number.
    """
    body_level = replace(level, player=settings)
    body_level.__dict__["mesh"] = level.mesh  # cooked once for all bodies
    values = dict.fromkeys(METRICS, np.nan)
    try:
        world = World(body_level)
        script, length = _plan_walk(world, commands, ticks)
    except (ValueError, LevelTestError):
        return {name: np.array([value]) for name, value in values.items()}
    values.update(measure_walk(level, run_walk(world, script, length)))
    return {name: np.array([value], np.float64) for name, value in values.items()}


def _plan_walk(world: World, commands: str | None, ticks: int | None) -> tuple[CommandScript, int | None]:
    """The commands of the walk and its length. ValueError or LevelTestError where the bots cannot start."""
    if commands is not None:
        return parse_script(commands), ticks
    test = LevelTest("sweep", BotPlayer(BotKind.GOAL), (), ticks=ticks)
    walk = find_walk_to_goal(world.level, test, 1, lambda fraction, places: None)
    return parse_script(script_text(walk, world.start.heading)), None


def measure_walk(level: Level, walk: WalkResult) -> dict[str, float]:
    """The METRICS of a walk."""
    rate, ticks = walk.ticks_per_second, len(walk.tick)
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
