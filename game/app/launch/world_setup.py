"""The verbs sim and shot, and what the verbs share."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import kernel_compilation, level_lookup
from .level_lookup import UserError

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.command_script import Script

UNWRITTEN = 1
MISSED = 3


def tell(text: str) -> None:
    """A line about the work, beside what the command gives out."""
    print(text, file=sys.stderr, flush=True)


def sim(options: argparse.Namespace) -> int:
    """Walk a commands file through a level; write the rows, say where it ended."""
    from ...sim import headless_run

    if options.output is not None and options.output.suffix.lower() not in headless_run.SUFFIXES:
        raise UserError(f"{options.output}: the rows are written as {', '.join(headless_run.SUFFIXES)}")
    script = read_script(options.commands)
    if options.technique is None and options.mended:
        raise UserError("--mended needs --technique guide: the method that the defects belong to")
    if options.technique is not None and options.profile:
        raise UserError("--profile looks into our own walker; leave --technique out")
    if options.profile:
        return _profile(options, script)
    level = ready_level(options.level)
    world = make_world(level) if options.technique is None else technique_world(level, options)
    result = headless_run.run(world, script, options.ticks)
    if options.output is not None:
        headless_run.save(result, options.output)
    for line in result.summary():
        print(line)
    return MISSED if result.goal == "goal: missed" else 0


def technique_world(level: Level, options: argparse.Namespace) -> World:
    """A world in which a published method walks; UserError for one that is none."""
    from ...lab import make
    from ...lab.controller_world import TechniqueWorld

    try:
        return TechniqueWorld(level, make(options.technique, mended=filter(None, options.mended.split(","))))
    except ValueError as error:
        raise UserError(str(error)) from None


def _profile(options: argparse.Namespace, script: Script) -> int:
    """Print where the time of the walk goes. The kernels keep laps only in a process that was started for it."""
    from ...physics.character import profile
    from ...physics.walker import MIN_TICKS_TO_COMPILE

    level = ready_level(options.level)
    if not profile.IS_PROFILING:
        call = ["sim", options.level, "--commands", str(options.commands), "--profile"]
        if options.ticks is not None:
            call += ["--ticks", str(options.ticks)]
        root = str(Path(__file__).resolve().parents[3])
        start = (
            f"import sys; sys.path.insert(0, {root!r}); "
            f"from game.app.commands.command_line import main; sys.exit(main(sys.argv[1:]))"
        )
        return subprocess.run(
            [sys.executable, "-c", start, *call], env={**os.environ, profile.PROFILE_VARIABLE: "1"}, check=False
        ).returncode
    from ..commands import profile_table

    tell("compiling the tick with laps in it (some 20 s the first time)")
    ready(ticks=MIN_TICKS_TO_COMPILE)
    world = make_world(level)
    rows = script.rows(world.walker, world.start.heading, options.ticks)
    for line in profile_table.profile(world, rows):
        print(line)
    return 0


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
    from ..display import still_image

    stand = still_image.stand(level, options, script)
    image = still_image.take(level, stand, options.size, options.quality, options.fov)
    still_image.save(image, options.output)
    x, y, z = stand.eye
    print(f"{options.output}: {options.size[0]}x{options.size[1]}, eye at ({x:.2f}, {y:.2f}, {z:.2f})")
    return 0


def _secure() -> None:
    problem = kernel_compilation.secure_cache()
    if problem:
        tell(problem)


def ready_level(name: str) -> Level:
    """The level, with the physics compiled before anything needs it."""
    level = level_lookup.load(name)
    ready()
    return level


def ready(ticks: int = 0) -> None:
    """Compile the physics ahead: the whole tick where so many ticks are worth it, else what a walker needs."""
    _secure()
    kernel_compilation.Preparation().wait(tell)
    from ...physics.walker import MIN_TICKS_TO_COMPILE

    if ticks >= MIN_TICKS_TO_COMPILE:
        from ...physics import prepare

        prepare.compile_whole()


def read_script(path: Path) -> Script:
    """The walk in a commands file; UserError with each mistake at its place."""
    from ...sim import command_script

    try:
        return command_script.read(path)
    except command_script.CommandsError as error:
        raise UserError(str(error)) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{path}: {why.lower()}") from None


def has_balls(level: Level) -> bool:
    """Whether there are balls in the level, or can come to be."""
    return bool(level.balls) or level.play is not None or level.golf is not None


def make_world(level: Level) -> World:
    """The world of a level; UserError where the walker finds no room in it."""
    from ...sim import World

    if has_balls(level):
        from ...physics import prepare

        prepare.compile_balls()
    try:
        return World(level)
    except ValueError as error:
        raise UserError(f"{level.path}: {error}") from None
