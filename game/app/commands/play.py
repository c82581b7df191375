"""`play`: open the window; without a display, simulate the commands file of the level instead."""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import error_reason
from ...core.jobs import Jobs
from ..launch import kernel_compilation, level_lookup
from ..launch.display_check import missing_display_reason
from ..launch.level_lookup import UserError
from ..launch.world_setup import has_balls, make_world, prepare_cache_folder, read_script
from .frame import LEVEL_HELP, QUALITIES, Result, add_level, add_output, add_size, parse_path, refuse_inputs
from .sim import walk_lines

if TYPE_CHECKING:
    from ...level import Level
    from ...render.world_view import WorldView
    from ...sim.headless_run import WalkResult
    from ..runs.library.run_library import RunEntry

DEFAULT_LEVEL = "demo"
OUTPUT_FOLDER = "out"  # without a window
STANDING_COMMANDS = "120"  # for a level without a commands file: stand still for two seconds
PICTURE_SIZE = (1280, 720)

SUMMARY = "play a level, or open the main menu"
HELP = """\
Play a level in a window. W A S D or the arrow keys move, the mouse looks around, Space jumps, Ctrl or C
crouches, Shift sprints. Esc: pause, R: restart level, F1: help, F3: debug info, F11: full screen,
F12: screenshot.

Without a display, the commands file of the level is simulated instead, and a report and a picture are
written to the folder `out`."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `play`."""
    add_level(parser, f"{LEVEL_HELP}; without it the main menu opens", nargs="?")
    add_size(parser, "window size, such as 1280x720")
    parser.add_argument("--quality", choices=QUALITIES, help="graphics quality for this session only")
    parser.add_argument("--ghost", type=parse_path, metavar="FILE", help="a run of this level to race against")
    add_output(parser, "write the final state of the player to FILE, as JSON", option="--report")


def run(options: argparse.Namespace) -> Result:
    """Play a level."""
    began = time.perf_counter()
    if options.level is None:
        level, options.spawn = last_played_level()
    else:
        level = level_lookup.load_level(options.level)
        options.spawn = ""
    refuse_inputs(options, level_lookup.level_files(level))
    options.ghost_run = None if options.ghost is None else ghost_run(options.ghost, level)
    if options.ghost_run is not None:
        options.spawn = options.ghost_run.spawn
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is None:
        with Jobs() as jobs:
            compilation = kernel_compilation.KernelCompilation(jobs, is_game=True)
            from ..startup import NoWindowError, play_in_window

            gc.disable()  # objects made before the first frame stay; each collection would scan them again
            try:
                return Result(play_in_window(level, options, compilation, began))
            except NoWindowError as error:
                reason = str(error)
            finally:
                gc.enable()
    return play_headless(level, options, reason)


def ghost_run(file: Path, level: Level) -> RunEntry:
    """The run of a file. UserError where it is no run of this level as it is now, or the level has no end."""
    from ...core.user_folders import has_level_suffix
    from ...sim.trial import LevelEnd, level_end
    from ..runs import progress
    from ..runs.library import run_library

    shown = level_lookup.printable_name(str(file))
    if has_level_suffix(file):
        raise UserError(f"{shown} is a level, not a run")
    entry = run_library.named_run(file)
    if level_end(level) == LevelEnd.NONE:
        raise UserError(f"{level.name} has no end to race to; `replay FILE --show` shows the run")
    if entry.level_hash == progress.cached_level_hash(level) and not entry.is_earlier_version:
        return entry
    name = level_lookup.printable_name(entry.level)
    is_earlier = entry.is_earlier_version or entry.level_file == progress.file_key(level.path)
    other = f"an earlier version of {name}" if is_earlier else f"{name}, not of {level.name}"
    raise UserError(f"{shown} is a run of {other}; `replay FILE --show` shows it")


def last_played_level() -> tuple[Level, str]:
    """The level and the spawn of `Continue`: those played last, or the demo level."""
    from ..runs import progress

    last = progress.last_played()
    if last is not None:
        try:
            level = level_lookup.load_level(str(last[0]))
        except UserError:
            pass  # the file has errors at the moment; the list of levels shows them
        else:
            spawns = [spawn.name for spawn in level.spawns]
            return level, last[1] if last[1] in spawns else ""
    return level_lookup.load_level(DEFAULT_LEVEL), ""


# ---- Without a window


def play_headless(level: Level, options: argparse.Namespace, reason: str) -> Result:
    """Simulate the level's commands file, and leave a report and a picture. `reason`: why there is no window.

    Where the kernels are not kept, they run in Python: the walk takes a second or two then, and compiling some twenty.
    """
    from ...physics import prepare
    from ...physics.numerics import jit

    print(
        f"Cannot open a window ({reason}); `sim`, `shot` and `check` work without one. The level is simulated instead:",
        flush=True,
    )
    if not has_balls(level) and not prepare.complete():
        jit.interpret()
    try:
        return Result(lines=_simulate(level, options))
    finally:
        jit.use_compiled()


def _simulate(level: Level, options: argparse.Namespace) -> list[str]:
    from ...sim import command_script, headless_run
    from ..startup import write_report

    file = Path(level.path).with_suffix(".commands")
    has_commands = file.exists()
    script = read_script(file) if has_commands else command_script.parse_script(STANDING_COMMANDS)
    world = make_world(level)
    result = headless_run.run_walk(world, script)
    folder = Path(OUTPUT_FOLDER)
    if not kernel_compilation.is_writable(folder):
        folder = Path(tempfile.mkdtemp(prefix="walker-"))
    commands = file.name if has_commands else "none; standing still"
    lines = [f"level: {level.name}", f"commands: {commands}", *walk_lines(result)]
    picture = draw_picture(level, result, folder / f"{file.stem}.png", options.quality)
    report = folder / f"{file.stem}.txt"
    write_report(report, "\n".join(lines) + "\n")
    if options.report is not None:
        feet = world.walker_state.feet
        fields = {"mode": "headless", "tick": world.tick, "goal_tick": world.goal_tick, "feet": feet}
        write_report(options.report, json.dumps(fields, indent=1) + "\n")
    return [*lines, f"report: {report}", picture]


def draw_picture(level: Level, result: WalkResult, path: Path, quality: str | None) -> str:
    """Write a 3-D picture, or a map where OpenGL is missing; a line with the path or the error."""
    from ...drawing import run_map
    from ...drawing.canvas import save_canvas
    from ..display import still_image

    try:
        try:
            pose, fov = choose_view(level)
            picture = still_image.render_still(level, pose, PICTURE_SIZE, quality, fov, bakes=False)
        except UserError as error:
            plans = run_map.draw_run_map(level, result.feet, size=PICTURE_SIZE, has_goal_storey=True, is_whole=True)
            save_canvas(plans, path)
            return f"map: {path} ({error})"
        still_image.save_png(picture, path)
    except OSError as error:
        return f"no picture: {path}: {error_reason(error)}"
    return f"picture: {path} (in simple light; the command `shot` bakes the light of a level first)"


def choose_view(level: Level) -> tuple[WorldView, float]:
    """Camera pose of the picture, and its horizontal field of view (degrees): the viewpoint of the thumbnail in a level
    with shots for the title, else what a player sees at the spawn."""
    from ...core.angles import RADIANS_PER_HEADING_UNIT
    from ...render.world_view import fov_setting
    from ..cameras import title_camera
    from ..display import still_image

    world = make_world(level)
    pose = still_image.walker_camera_pose(world, world.start.heading * RADIANS_PER_HEADING_UNIT, 0.0)
    if not title_camera.level_shots(level):
        return pose, 90.0
    camera = title_camera.thumbnail_view(level)
    pose = replace(pose, eye=camera.eye, yaw=camera.yaw, pitch=camera.pitch, up=camera.up, north=camera.north)
    return pose, fov_setting(camera.fov_degrees)
