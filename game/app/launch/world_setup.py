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
    from ...sim.command_script import CommandScript

NOT_WRITTEN_STATUS = 1
GOAL_MISSED_STATUS = 3


def print_status(text: str) -> None:
    """A line about the work, beside what the command gives out."""
    print(text, file=sys.stderr, flush=True)


def run_sim(options: argparse.Namespace) -> int:
    """Walk a commands file through a level; write the rows, say where it ended."""
    from ...sim import headless_run
    from ..runs.walk_summary import summarise_headless_walk

    if options.output is not None and options.output.suffix.lower() not in headless_run.OUTPUT_SUFFIXES:
        raise UserError(f"{options.output}: the output must be one of {', '.join(headless_run.OUTPUT_SUFFIXES)}")
    script = read_script(options.commands)
    if options.technique is None and options.mended:
        raise UserError("--mended needs --technique guide")
    if options.technique is not None and options.profile:
        raise UserError("--profile does not work with --technique")
    if options.profile:
        return _profile(options, script)
    level = load_ready_level(options.level)
    world = make_world(level) if options.technique is None else reference_controller_world(level, options)
    result = headless_run.run_walk(world, script, options.ticks)
    if options.output is not None:
        headless_run.save_walk(result, options.output)
    for line in summarise_headless_walk(result):
        print(line)
    return GOAL_MISSED_STATUS if result.goal == headless_run.GoalOutcome.MISSED else 0


def reference_controller_world(level: Level, options: argparse.Namespace) -> World:
    """A world in which a published method walks; UserError for one that is none."""
    from .lab_registry import ControllerWorld, create_controller

    try:
        return ControllerWorld(
            level, create_controller(options.technique, mended=filter(None, options.mended.split(",")))
        )
    except ValueError as error:
        raise UserError(str(error)) from None


def _profile(options: argparse.Namespace, script: CommandScript) -> int:
    """Print where the time of the walk goes. The kernels keep laps only in a process that was started for it."""
    from ...physics.character import profile
    from ...physics.walker import MIN_TICKS_TO_COMPILE

    level = load_ready_level(options.level)
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

    print_status("compiling with profiling (about 20 s the first time)")
    ensure_compiled(ticks=MIN_TICKS_TO_COMPILE)
    world = make_world(level)
    rows = script.rows(world.walker, world.start.heading, options.ticks)
    for line in profile_table.profile_walk(world, rows):
        print(line)
    return 0


def run_shot(options: argparse.Namespace) -> int:
    """Take one picture of a level."""
    if options.output.suffix.lower() != ".png":
        raise UserError(f"{options.output}: the picture must be a .png")
    if options.commands is not None and options.at is not None:
        raise UserError("--at and --commands exclude each other")
    if options.tick is not None and options.commands is None:
        raise UserError("--tick needs --commands")
    script = None if options.commands is None else read_script(options.commands)
    level = load_ready_level(options.level)
    from ..display import still_image

    stand = still_image.camera_pose_from_options(level, options, script)
    image = still_image.render_still(level, stand, options.size, options.quality, options.fov)
    still_image.save_png(image, options.output)
    x, y, z = stand.eye
    print(f"{options.output}: {options.size[0]}x{options.size[1]}, eye at ({x:.2f}, {y:.2f}, {z:.2f})")
    return 0


def _ensure_cache() -> None:
    problem = kernel_compilation.ensure_cache_folder()
    if problem:
        print_status(problem)


def load_ready_level(name: str) -> Level:
    """The level, with the physics compiled before anything needs it."""
    level = level_lookup.load_level(name)
    ensure_compiled()
    return level


def ensure_compiled(ticks: int = 0) -> None:
    """Compile the physics ahead: the whole tick where so many ticks are worth it, else what a walker needs."""
    _ensure_cache()
    kernel_compilation.KernelCompilation().wait_with_progress(print_status)
    from ...physics.walker import MIN_TICKS_TO_COMPILE

    if ticks >= MIN_TICKS_TO_COMPILE:
        from ...physics import prepare

        prepare.compile_whole()


def read_script(path: Path) -> CommandScript:
    """The walk in a commands file; UserError with each mistake at its place."""
    from ...sim import command_script

    try:
        return command_script.read_script(path)
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
