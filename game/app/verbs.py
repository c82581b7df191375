"""The verbs that open no window: check, sim and shot."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from game.app import levels, preparing
from game.app.levels import UserError

if TYPE_CHECKING:
    from game.level import Level
    from game.sim import World
    from game.sim.commands import Script

STATUS = {"fatal": 2, "dropped": 1, "warning": 0}
UNWRITTEN = 1
WRONG = 2
MISSED = 3


def tell(text: str) -> None:
    """A line about the work, beside what the command gives out."""
    print(text, file=sys.stderr, flush=True)


def check(options: argparse.Namespace) -> int:
    """List the findings of each level; the largest status."""
    _secure()
    return max(_check(name, options.strict) for name in options.levels)


def _check(name: str, strict: bool) -> int:
    from game.level import check

    try:
        path = levels.find(name)
    except UserError as error:
        tell(str(error))
        return error.code
    findings = check(levels.shown(path))
    for finding in findings:
        print(finding.render())
    counts = {kind: sum(finding.severity == kind for finding in findings) for kind in STATUS}
    said = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    print(f"{levels.shown(path)}: {said or 'nothing wrong'}")
    worst = max((STATUS[finding.severity] for finding in findings), default=0)
    return max(worst, 1) if strict and findings else worst


def sim(options: argparse.Namespace) -> int:
    """Walk a commands file through a level; write the rows, say where it ended."""
    from game.sim import headless

    if options.output is not None and options.output.suffix.lower() not in headless.SUFFIXES:
        raise UserError(f"{options.output}: the rows are written as {', '.join(headless.SUFFIXES)}")
    script = read_script(options.commands)
    world = make_world(ready_level(options.level))
    result = headless.run(world, script, options.ticks)
    if options.output is not None:
        headless.save(result, options.output)
    for line in result.summary():
        print(line)
    return MISSED if result.goal == "goal: missed" else 0


def shot(options: argparse.Namespace) -> int:
    """Take one picture of a level."""
    if options.output.suffix.lower() != ".png":
        raise UserError(f"{options.output}: pictures are written as .png")
    if options.commands is not None and options.at is not None:
        raise UserError("--at and --commands both say where to stand; give one of them")
    if options.tick is not None and options.commands is None:
        raise UserError("--tick needs --commands: the walk that it counts")
    script = None if options.commands is None else read_script(options.commands)
    level = ready_level(options.level)
    from game.app import picture

    stand = picture.stand(level, options, script)
    image = picture.take(level, stand, options.size, options.quality, options.fov)
    picture.save(image, options.output)
    print(f"{options.output}: {options.size[0]}x{options.size[1]}, eye at ({', '.join(f'{v:.2f}' for v in stand.eye)})")
    return 0


def _secure() -> None:
    problem = preparing.secure_cache()
    if problem:
        tell(problem)


def ready_level(name: str) -> Level:
    """The level, with the physics compiled before anything needs it."""
    levels.find(name)
    _secure()
    preparing.Preparation().wait(tell)
    return levels.load(name)


def read_script(path: Path) -> Script:
    """The walk in a commands file; UserError with each mistake at its place."""
    from game.sim import commands

    try:
        return commands.read(path)
    except commands.CommandsError as error:
        raise UserError(str(error)) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{path}: {why.lower()}") from None


def make_world(level: Level) -> World:
    """The world of a level; UserError where the walker finds no room in it."""
    from game.sim import World

    try:
        return World(level)
    except ValueError as error:
        raise UserError(f"{level.path}: {error}") from None
