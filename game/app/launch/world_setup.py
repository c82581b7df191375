"""Levels, scripts and worlds for the commands: load, compile the physics first, and turn errors into UserError."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import error_reason
from . import kernel_compilation, level_lookup
from .level_lookup import UserError

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.command_script import CommandScript

NOT_WRITTEN_STATUS = 1  # exit status where no picture or window could be made


def print_status(text: str) -> None:
    """Print a line about the progress of the work on stderr; stdout holds the result of the command."""
    print(text, file=sys.stderr, flush=True)


def load_ready_level(name: str) -> Level:
    """Load a level by path or name, with the physics compiled before it is needed."""
    level = level_lookup.load_level(name)
    ensure_compiled(balls=has_balls(level))
    return level


def prepare_cache_folder() -> None:
    """Make sure that compiled kernels have a folder; print a line on stderr where it is only a temporary one."""
    problem = kernel_compilation.ensure_cache_folder()
    if problem:
        print_status(problem)


def ensure_compiled(ticks: int = 0, balls: bool = False) -> None:
    """Compile the kernels that a walker needs, those of balls on request, and all queries and the tick as one kernel
    where `ticks` are enough to pay for it."""
    prepare_cache_folder()
    from ...physics import prepare
    from ...physics.character.tick.run import MIN_TICKS_TO_COMPILE

    needs_whole = ticks >= MIN_TICKS_TO_COMPILE and not prepare.complete()
    steps = [prepare.FIRST, *(("shapes", "whole") if needs_whole else ()), *(("balls",) if balls else ())]
    kernel_compilation.compile_steps(steps, print_status)


def read_script(path: Path) -> CommandScript:
    """Read a commands file; UserError lists each mistake with its line."""
    from ...sim import command_script

    try:
        return command_script.read_script(path)
    except command_script.CommandsError as error:
        raise UserError(str(error)) from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: {error_reason(error)}") from None


def has_balls(level: Level) -> bool:
    """Whether the level has balls, or rules that can create some."""
    return bool(level.balls) or level.play is not None or level.golf is not None


def make_world(level: Level) -> World:
    """Make the world of a level; UserError where the walker has no room at the spawn."""
    from ...sim import World

    if has_balls(level):
        ensure_compiled(balls=True)
    try:
        return World(level)
    except ValueError as error:
        place = level.spawns[0].place
        line = f":{place.line}:{place.column}" if place.line and not place.file else ""
        raise UserError(f"{level.path}{line}: {error}") from None
