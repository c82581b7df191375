"""`play_headless` where there is no window: the level's own walk, a report and a picture instead of a trace."""

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
STANDING_COMMANDS = "120"  # the walk of a level that has none of its own: stand and look for two seconds
PICTURE_SIZE = (1280, 720)
PICTURE_FOV = 90.0


def play_headless(level: Level, options: argparse.Namespace, preparation: KernelCompilation, why: str) -> int:
    """Walk the level's own commands; leave a report and a picture; always 0, but for a level that is none."""
    from ...core import atomic_files
    from ...sim import command_script, headless_run
    from ..runs.walk_summary import summarise_headless_walk

    print(
        f"Cannot open a window ({why}); `sim`, `shot` and `check` work without one. The level is simulated instead:",
        flush=True,
    )
    preparation.wait_with_progress(print_status)
    own = Path(level.path).with_suffix(".commands")
    script = read_script(own) if own.exists() else command_script.parse_script(STANDING_COMMANDS)
    world = make_world(level)
    result = headless_run.run_walk(world, script)
    folder = output_folder(options.out)
    lines = [
        f"level: {level.name}",
        f"commands: {own.name if own.exists() else 'none; standing still'}",
    ]
    lines += summarise_headless_walk(result)
    picture = draw_picture(level, world, script, result, folder / f"{own.stem}.png", options.quality)
    report = folder / f"{own.stem}.txt"
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


def output_folder(wanted: Path | None) -> Path:
    """`--out`, or ./out, or (with a line about it) a temporary folder where that cannot be written."""
    folder = Path(OUTPUT_FOLDER) if wanted is None else wanted
    if is_writable(folder):
        return folder
    if wanted is not None:
        raise UserError(f"{wanted} is not writable", 1)
    return Path(tempfile.mkdtemp(prefix="walker-"))


def draw_picture(
    level: Level, world: World, script: CommandScript, result: WalkResult, path: Path, quality: str | None
) -> str:
    """Leave a picture and say which: in 3-D, or a map where nothing can draw in 3-D."""
    from ..display import still_image

    try:
        yaw, pitch = still_image.view_angles_at_tick(script, world, script.ticks)
        stand = still_image.walker_camera_pose(world, yaw, pitch)
        still_image.save_png(still_image.render_still(level, stand, PICTURE_SIZE, quality, PICTURE_FOV), path)
        return f"picture: {path}"
    except UserError as error:
        why = str(error)
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    from ...core import atomic_files
    from ..maps import top_down_map

    try:
        atomic_files.write_atomic(
            path, top_down_map.encode_png(top_down_map.draw_map(level, result.feet, PICTURE_SIZE))
        )
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    return f"map: {path} ({why})"


def report_json(world: World) -> str:
    """The same as the window's report, as far as there is such a thing here."""
    import json

    state = world.walker_state
    fields = {"mode": "headless", "tick": world.tick, "goal_tick": world.goal_tick, "feet": state.feet}
    return json.dumps(fields, indent=1) + "\n"
