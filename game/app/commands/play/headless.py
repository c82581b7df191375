"""Play without a window: simulate the commands file of the level, then write a report and a picture."""

from __future__ import annotations

import argparse
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.errors import error_reason
from ...launch.kernel_compilation import is_writable
from ...launch.level_lookup import UserError
from ...launch.world_setup import has_balls, make_world, read_script

if TYPE_CHECKING:
    from ....core.vectors import Point
    from ....level import Level
    from ....physics import TriangleMesh
    from ....render.world_view import WorldView
    from ....sim import World
    from ....sim.headless_run import WalkResult

OUTPUT_FOLDER = "out"
STANDING_COMMANDS = "120"  # script for a level without a commands file: stand still for two seconds
PICTURE_SIZE = (1280, 720)
PICTURE_FOV = 90.0  # degrees, horizontal
HEADING_COUNT = 32  # directions that are compared for the picture from the eye
FAN_DEGREES = (-35.0, -18.0, 0.0, 18.0, 35.0)  # headings of the rays around one direction
FAN_PITCHES = (-14.0, -4.0, 6.0)  # degrees
MAX_VIEW_DISTANCE = 50.0  # m that a ray counts at most
SKY_DISTANCE = 10.0  # m that a ray counts which meets only sky
BLOCKED_FACTOR = 2.0  # times as far as in the spawn's direction: there the picture looks


def play_headless(level: Level, options: argparse.Namespace, reason: str) -> int:
    """Simulate the level's commands file and leave a report and a picture; 0. `reason`: why there is no window.

    Where the kernels are not kept, they run in Python: the walk takes a second or two then, and compiling some twenty.
    """
    from ....physics import prepare
    from ....physics.numerics import jit

    if not has_balls(level) and not prepare.complete():
        jit.interpret()
    try:
        return _simulate(level, options, reason)
    finally:
        jit.use_compiled()


def _simulate(level: Level, options: argparse.Namespace, reason: str) -> int:
    from ....core import atomic_files
    from ....sim import command_script, headless_run
    from ..sim import walk_lines

    print(
        f"Cannot open a window ({reason}); `sim`, `shot` and `check` work without one. The level is simulated instead:",
        flush=True,
    )
    file = Path(level.path).with_suffix(".commands")
    script = read_script(file) if file.exists() else command_script.parse_script(STANDING_COMMANDS)
    world = make_world(level)
    result = headless_run.run_walk(world, script)
    folder = output_folder()
    lines = [
        f"level: {level.name}",
        f"commands: {file.name if file.exists() else 'none; standing still'}",
        *walk_lines(result),
    ]
    picture = draw_picture(level, result, folder / f"{file.stem}.png", options.quality)
    report = folder / f"{file.stem}.txt"
    try:
        atomic_files.write_atomic(report, ("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise UserError(f"{report}: {error_reason(error)}", 1) from None
    for line in [*lines, f"report: {report}", picture]:
        print(line)
    if options.report is not None:
        from ...startup import write_report

        write_report(options.report, report_json(world))
    return 0


def output_folder() -> Path:
    """The folder ./out, or a temporary one where that cannot be written."""
    folder = Path(OUTPUT_FOLDER)
    return folder if is_writable(folder) else Path(tempfile.mkdtemp(prefix="walker-"))


def draw_picture(level: Level, result: WalkResult, path: Path, quality: str | None) -> str:
    """Write a 3-D picture, or a map where OpenGL is missing; a line with the path or the error."""
    from ...display import still_image

    try:
        pose, fov = choose_view(level)
        picture = still_image.render_still(level, pose, PICTURE_SIZE, quality, fov, bakes=False)
        still_image.save_png(picture, path)
        return f"picture: {path} (in simple light; the command `shot` bakes the light of a level first)"
    except UserError as error:
        reason = str(error)
    except OSError as error:
        return f"no picture: {path}: {error_reason(error)}"
    from ....drawing import run_map
    from ....drawing.canvas import save_canvas

    try:
        plans = run_map.draw_run_map(level, result.feet, size=PICTURE_SIZE, has_goal_storey=True, is_whole=True)
        save_canvas(plans, path)
    except OSError as error:
        return f"no picture: {path}: {error_reason(error)}"
    return f"map: {path} ({reason})"


def choose_view(level: Level) -> tuple[WorldView, float]:
    """Camera pose of the picture, and its horizontal field of view (degrees).

    A level with shots for the title is shown from its thumbnail's viewpoint. Elsewhere the picture is what a player
    sees at the spawn; where a wall is in front of it, in the direction in which the player sees farthest.
    """
    from ....core.angles import RADIANS_PER_HEADING_UNIT
    from ...cameras import title_camera
    from ...display import still_image

    world = make_world(level)
    yaw = world.start.heading * RADIANS_PER_HEADING_UNIT
    pose = still_image.walker_camera_pose(world, yaw, 0.0)
    if title_camera.level_shots(level):
        view = title_camera.thumbnail_view(level)
        up, north = (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)
        return replace(pose, eye=view.eye, yaw=view.yaw, pitch=view.pitch, up=up, north=north), view.fov
    if pose.up != (0.0, 1.0, 0.0):
        return pose, PICTURE_FOV
    return replace(pose, yaw=open_yaw(world.mesh, pose.eye, yaw)), PICTURE_FOV


def open_yaw(mesh: TriangleMesh, eye: Point, yaw: float) -> float:
    """`yaw` (rad), or the one in which one sees farthest from `eye`, where that is BLOCKED_FACTOR times as far."""
    import numpy as np

    yaws = yaw + np.arange(HEADING_COUNT) * (2.0 * math.pi / HEADING_COUNT)
    angles = yaws[:, None, None] + np.radians(FAN_DEGREES)[None, :, None]
    pitches = np.broadcast_to(np.radians(FAN_PITCHES), (HEADING_COUNT, len(FAN_DEGREES), len(FAN_PITCHES)))
    rays = np.stack((-np.sin(angles) * np.cos(pitches), np.sin(pitches), -np.cos(angles) * np.cos(pitches)), axis=-1)
    hits = mesh.raycast_many(np.tile(eye, (rays.size // 3, 1)), rays.reshape(-1, 3), max_distance=1000.0)
    seen = np.where(hits.triangle < 0, SKY_DISTANCE, np.minimum(hits.distance, MAX_VIEW_DISTANCE))
    distances = seen.reshape(HEADING_COUNT, -1).mean(axis=1)
    best = int(np.argmax(distances))
    return float(yaws[best]) if distances[best] > BLOCKED_FACTOR * distances[0] else yaw


def report_json(world: World) -> str:
    """The fields of the window's report that exist without a window, as JSON."""
    import json

    state = world.walker_state
    fields = {"mode": "headless", "tick": world.tick, "goal_tick": world.goal_tick, "feet": state.feet}
    return json.dumps(fields, indent=1) + "\n"
