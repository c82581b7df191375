"""`play` where there is no window: the level's own walk, a report and a picture instead of a trace."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..launch.kernel_compilation import Preparation, writable
from ..launch.level_lookup import UserError
from ..launch.world_setup import make_world, read_script, tell

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.command_script import Script
    from ...sim.headless_run import Run

FOLDER = "out"
STILL = "120"  # the walk of a level that has none of its own: stand and look for two seconds
SIZE = (1280, 720)
FOV = 90.0


def play(level: Level, options: argparse.Namespace, preparation: Preparation, why: str) -> int:
    """Walk the level's own commands; leave a report and a picture; always 0, but for a level that is none."""
    from ...core import atomic_files
    from ...sim import command_script, headless_run

    print(
        f"There is no window to play in ({why}); `sim`, `shot` and `check` work without one, "
        "and so does this walk:",
        flush=True,
    )
    preparation.wait(tell)
    own = Path(level.path).with_suffix(".commands")
    script = read_script(own) if own.exists() else command_script.parse(STILL)
    world = make_world(level)
    result = headless_run.run(world, script)
    folder = output_folder(options.out)
    lines = [
        f"level: {level.name}",
        f"walk: {own.name if own.exists() else 'none of its own; standing still'}",
    ]
    lines += result.summary()
    picture = draw(level, world, script, result, folder / f"{own.stem}.png", options.quality)
    report = folder / f"{own.stem}.txt"
    try:
        atomic_files.write(report, ("\n".join(lines) + "\n").encode())
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
    folder = Path(FOLDER) if wanted is None else wanted
    if writable(folder):
        return folder
    if wanted is not None:
        raise UserError(f"{wanted}: nothing can be written there", 1)
    return Path(tempfile.mkdtemp(prefix="walker-"))


def draw(
    level: Level, world: World, script: Script, result: Run, path: Path, quality: str | None
) -> str:
    """Leave a picture and say which: in 3-D, or a map where nothing can draw in 3-D."""
    from ..display import still_image

    try:
        yaw, pitch = still_image.looking(script, world, script.ticks)
        stand = still_image.standing(world, yaw, pitch)
        still_image.save(still_image.take(level, stand, SIZE, quality, FOV), path)
        return f"picture: {path}"
    except UserError as error:
        why = str(error)
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    from ...core import atomic_files
    from ..maps import top_down_map

    try:
        atomic_files.write(path, top_down_map.png(top_down_map.draw(level, result.feet, SIZE)))
    except OSError as error:
        return f"no picture: {path}: {(error.strerror or str(error)).lower()}"
    return f"map: {path} ({why})"


def report_json(world: World) -> str:
    """The same as the window's report, as far as there is such a thing here."""
    import json

    state = world.walker_state
    fields = {"mode": "headless", "tick": world.tick, "goal_tick": world.goal_tick, "feet": state.feet}
    return json.dumps(fields, indent=1) + "\n"
