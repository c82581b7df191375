"""Still image: the camera pose for a picture of a level, offscreen rendering, the PNG file, and screenshots."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core import atomic_files, user_folders
from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.errors import error_reason
from ...render.world_view import WorldView, vertical_fov, walker_view
from ...sim import Session, World, headless_run
from ...sim.level_rules import up_and_north_at
from ..launch.level_lookup import UNREADABLE_PICTURE, UserError
from ..launch.progress_line import shown_progress
from ..launch.world_setup import NOT_WRITTEN_STATUS, make_world, print_status
from . import door_panels

if TYPE_CHECKING:
    from ...level import Level
    from ...render import Renderer, Snapshot
    from ...sim.command_script import CommandScript

MAX_FILE_NUMBER = 10_000
DATA_SUBFOLDER = "pictures"  # in the user's data folder


def camera_pose_from_options(level: Level, options: argparse.Namespace, script: CommandScript | None) -> WorldView:
    """Camera pose of the options of `shot`: at a position, at the end of a simulation, or at the spawn."""
    if options.at is not None:
        height = level.player.eye_height
        x, y, z = options.at
        yaw, pitch = math.radians(options.heading or 0.0), math.radians(options.pitch or 0.0)
        up, north = up_and_north_at(level.zones, (x, y, z), level.player.radii[1])
        ex, ey, ez = (foot + height * axis for foot, axis in zip((x, y, z), up, strict=True))
        world = make_world(level) if level.balls or level.movers else None
        moving = level.environment.movers
        poses = None if moving is None else moving.poses(options.tick or 0)
        pitch = max(-math.pi / 2, min(math.pi / 2, pitch))
        return WorldView((ex, ey, ez), yaw, pitch, up=up, north=north, world=world, movers=poses)
    world = make_world(level)
    yaw, pitch = world.start.heading * RADIANS_PER_HEADING_UNIT, 0.0
    if script is not None:
        ticks = script.ticks if options.tick is None else options.tick
        headless_run.run_walk(world, script, ticks)
        yaw, pitch = view_angles_at_tick(script, world, ticks)
    if options.heading is not None:
        yaw = math.radians(options.heading)
    if options.pitch is not None:
        pitch = max(-math.pi / 2, min(math.pi / 2, math.radians(options.pitch)))
    return walker_camera_pose(world, yaw, pitch)


def view_angles_at_tick(script: CommandScript, world: World, ticks: int) -> tuple[float, float]:
    """Yaw and pitch (rad) of the view after so many ticks of a script."""
    last = None
    for count, command in enumerate(script.commands(world.start.heading)):
        if count >= ticks:
            break
        last = command
    if last is None:
        return world.start.heading * RADIANS_PER_HEADING_UNIT, 0.0
    return last.heading * RADIANS_PER_HEADING_UNIT, last.pitch * RADIANS_PER_HEADING_UNIT


def walker_camera_pose(world: World, yaw: float, pitch: float) -> WorldView:
    """Camera pose of the walker's eye in the present state of the world."""
    return walker_view(
        world.mesh, world.walker_state, world.settings.eye, yaw, pitch, goal_reached=world.goal_tick >= 0,
        seconds=world.seconds, targets=tuple(map(float, world.reached_targets)), world=world,
        movers=Session(world).movers(),
    )  # fmt: skip


def automatic_quality(context: Any) -> str:
    """The quality that suits the graphics driver, where none is chosen."""
    from ...render import suggested_quality

    return suggested_quality(context.info["GL_RENDERER"])


def render_still(
    level: Level, stand: WorldView, size: tuple[int, int], quality: str | None = None, fov: float = 90.0,
    bakes: bool = True,
) -> NDArray[np.uint8]:  # fmt: skip
    """The picture (height, width, 3) u1, top row first. quality: None for that of the graphics driver. fov: horizontal
    at 16:9, degrees. bakes: bake light that is not kept yet, which takes half a minute without a graphics card.
    UserError names the missing package where OpenGL is missing."""
    context = create_offscreen_context()
    try:
        return _render_still(context, level, stand, size, quality or automatic_quality(context), fov, bakes)
    finally:
        context.release()


def create_offscreen_context() -> Any:
    """An OpenGL context without a window; UserError says what to install where that fails."""
    try:
        from ...render import ContextError, offscreen_context
    except ImportError as error:
        raise UserError(f"no graphics available: {error}", NOT_WRITTEN_STATUS) from None
    try:
        return offscreen_context()
    except ContextError as error:
        raise UserError(f"cannot draw a picture: {error}", NOT_WRITTEN_STATUS) from None


def _render_still(
    context: Any,
    level: Level,
    stand: WorldView,
    size: tuple[int, int],
    quality: str,
    fov: float,
    bakes: bool = True,
) -> NDArray[np.uint8]:
    renderer = lit_renderer(context, level, quality) if bakes else quick_renderer(context, level, quality)
    renderer.render(still_snapshot(level, stand, size, fov), size)
    for path in renderer.pictures.unreadable:
        print_status(": ".join((str(path), *UNREADABLE_PICTURE)))
    image: NDArray[np.uint8] = renderer.image()
    return image


def lit_renderer(context: Any, level: Level, quality: str) -> Renderer:
    """A renderer of the level whose light is baked; shows the progress meanwhile."""
    from ...render import Renderer, Scene
    from ...render.scene.lightmap import lightmap_folder

    folder = lightmap_folder()
    with shown_progress("drawing the picture and baking its light") as on_light:
        return Renderer(context, Scene.from_level(level), quality, light_cache=folder, on_light=on_light)


def quick_renderer(context: Any, level: Level, quality: str) -> Renderer:
    """A renderer of the level with the light that is kept, or else that of an open sky."""
    from ...render import Renderer, Scene
    from ...render.scene.lightmap import lightmap_folder

    folder = lightmap_folder()
    renderer = Renderer(context, Scene.from_level(level), quality, eager=False, bakes=False, light_cache=folder)
    renderer.load_pictures()
    return renderer


def still_snapshot(level: Level, stand: WorldView, size: tuple[int, int], fov: float) -> Snapshot:
    """What the renderer draws at a pose, for a picture of `size` pixels. fov: horizontal at 16:9, degrees."""
    shot = stand.snapshot(level, size, vertical_fov(fov))
    shot = replace(shot, decals=door_panels.panels_of(level, stand.eye))
    if level.golf is not None:
        from ..visuals import golf_visuals

        shot = golf_visuals.add_static_ball(shot, level.golf, stand.world)
    if level.exhibits:
        from ..launch.lab_registry import add_static_exhibits

        shot = add_static_exhibits(level.exhibits, shot)
    return shot


MAX_PHOTO_SIDE = 8192  # px: larger targets may not fit into graphics memory


def photograph(renderer: Renderer, shot: Snapshot, size: tuple[int, int], factor: int) -> NDArray[np.uint8]:
    """The snapshot without HUD as a picture (height, width, 3) of `factor` times the window's size (pixels)."""
    from ...render import Hud

    factor = max(1, min(factor, MAX_PHOTO_SIDE // max(size)))
    scale, renderer.scale = renderer.scale, renderer.quality.scale  # dynamic resolution may have lowered it
    renderer.load_pictures()
    try:
        renderer.render(replace(shot, hud=Hud(crosshair=False)), (factor * size[0], factor * size[1]))
        image: NDArray[np.uint8] = renderer.image()
        return image
    finally:
        renderer.scale = scale


def save_png(image: NDArray[np.uint8], path: Path) -> None:
    """Write a picture (height, width, 3) as PNG, atomically."""
    from PIL import Image

    from ...drawing.canvas import encode_png

    atomic_files.write_atomic(path, encode_png(Image.fromarray(image)))


def screenshot_folder() -> Path:
    """The user's pictures folder; where there is none, the folder `pictures` of the game's data."""
    import platformdirs

    pictures = Path(platformdirs.user_pictures_dir())
    return pictures if pictures.is_dir() else user_folders.data_folder() / DATA_SUBFOLDER


def next_free_name(folder: Path) -> Path:
    """The first path of walker-0001.png, walker-0002.png ... that does not exist."""
    for number in range(1, MAX_FILE_NUMBER):
        path = folder / f"walker-{number:04d}.png"
        if not path.exists():
            return path
    raise OSError(f"{folder} has no free file name left")


def save_screenshot(image: NDArray[np.uint8]) -> tuple[str, str]:
    """Save a picture; two lines for the player, also where that fails."""
    try:
        folder = screenshot_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = next_free_name(folder)
        save_png(image, path)
    except OSError as error:
        return "Screenshot failed", error_reason(error)
    return "Screenshot saved", user_folders.describe_file(path)
