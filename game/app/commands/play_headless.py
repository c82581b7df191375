"""Play without a window: simulate the commands file of the level, then write a report and a picture."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..launch.kernel_compilation import KernelCompilation, is_writable
from ..launch.level_lookup import UserError
from ..launch.world_setup import make_world, print_status, read_script

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.command_script import CommandScript
    from ...sim.headless_run import WalkResult

OUTPUT_FOLDER = "out"
STANDING_COMMANDS = "120"  # script for a level without a commands file: stand still for two seconds
PICTURE_SIZE = (1280, 720)
PICTURE_FOV = 90.0


def play_headless(level: Level, options: argparse.Namespace, compilation: KernelCompilation, reason: str) -> int:
    """Simulate the level's commands file and leave a report and a picture; 0. `reason`: why there is no window."""
    from ...core import atomic_files
    from ...sim import command_script, headless_run
    from ..runs.walk_summary import summarise_headless_walk

    print(
        f"Cannot open a window ({reason}); `sim`, `shot` and `check` work without one. The level is simulated instead:",
        flush=True,
    )
    compilation.wait_with_progress(print_status)
    file = Path(level.path).with_suffix(".commands")
    script = read_script(file) if file.exists() else command_script.parse_script(STANDING_COMMANDS)
    world = make_world(level)
    result = headless_run.run_walk(world, script)
    folder = output_folder(options.out)
    lines = [
        f"level: {level.name}",
        f"commands: {file.name if file.exists() else 'none; standing still'}",
        *summarise_headless_walk(result),
    ]
    picture = draw_picture(level, world, script, result, folder / f"{file.stem}.png", options.quality)
    report = folder / f"{file.stem}.txt"
    try:
        atomic_files.write_atomic(report, ("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise UserError(f"{report}: {(error.strerror or str(error)).lower()}", 1) from None
    for line in [*lines, f"report: {report}", picture]:
        print(line)
    if options.report is not None:
        from ..startup import write_report

        write_report(options.report, report_json(world))
    return 0


def output_folder(requested: Path | None) -> Path:
    """The folder of `--out`, or ./out, or a temporary folder where ./out cannot be written."""
    folder = Path(OUTPUT_FOLDER) if requested is None else requested
    if is_writable(folder):
        return folder
    if requested is not None:
        raise UserError(f"{requested} is not writable", 1)
    return Path(tempfile.mkdtemp(prefix="walker-"))


def draw_picture(
    level: Level, world: World, script: CommandScript, result: WalkResult, path: Path, quality: str | None
) -> str:
    """Write a 3-D picture, or a map where OpenGL is missing; a line with the path or the error."""
    from ..display import still_image

    try:
        yaw, pitch = still_image.view_angles_at_tick(script, world, script.ticks)
        pose = still_image.walker_camera_pose(world, yaw, pitch)
        still_image.save_png(still_image.render_still(level, pose, PICTURE_SIZE, quality, PICTURE_FOV), path)
        return f"picture: {path}"
    except UserError as error:
        reason = str(error)
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    from ...core import atomic_files
    from ...maps import map_canvas, top_down_map

    try:
        atomic_files.write_atomic(path, map_canvas.encode_png(top_down_map.draw_map(level, result.feet, PICTURE_SIZE)))
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    return f"map: {path} ({reason})"


def report_json(world: World) -> str:
    """The fields of the window's report that exist without a window, as JSON."""
    import json

    state = world.walker_state
    fields = {"mode": "headless", "tick": world.tick, "goal_tick": world.goal_tick, "feet": state.feet}
    return json.dumps(fields, indent=1) + "\n"
