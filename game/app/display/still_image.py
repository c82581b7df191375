"""A still picture of a level: where to stand, and the way from there to a PNG file."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core import atomic_files
from ...physics import TriangleMesh, WalkerSettings
from ...sim import Session, World, headless_run
from ...sim.mover_setup import movers_in
from ...sim.zone_effects import upright_at
from ..cameras import first_person
from ..hot_reload import lighting_worker
from ..launch.level_lookup import UserError
from ..launch.world_setup import UNWRITTEN, make_world
from ..visuals import ball_visuals

if TYPE_CHECKING:
    from ...level import Level
    from ...sim.command_script import Script

UNIT = 2.0 * math.pi / 65536


@dataclass(frozen=True, slots=True)
class Stand:
    """An eye and where it looks: metres and radians. `seconds` moves what moves in the picture."""

    eye: first_person.Point
    yaw: float
    pitch: float
    goal_reached: bool = False
    seconds: float = 0.0
    targets: tuple[float, ...] = ()
    up: first_person.Point = (0.0, 1.0, 0.0)
    north: first_person.Point = (0.0, 0.0, -1.0)
    world: World | None = None  # whose balls are drawn
    movers: NDArray[np.float64] | None = None


def stand(level: Level, options: argparse.Namespace, script: Script | None) -> Stand:
    """Where the options put the eye: a place, the end of a walk, or the spawn."""
    if options.at is not None:
        height = WalkerSettings().eye * 2.0 * WalkerSettings().radii[1]
        x, y, z = options.at
        yaw, pitch = math.radians(options.heading or 0.0), math.radians(options.pitch or 0.0)
        up, north = upright_at(level.zones, (x, y, z), WalkerSettings().radii[1])
        ex, ey, ez = (foot + height * way for foot, way in zip((x, y, z), up, strict=True))
        world = make_world(level) if level.balls or level.movers else None
        moving = movers_in(level, WalkerSettings().ticks_per_second)
        poses = None if moving is None else moving.poses(options.tick or 0)
        pitch = max(-math.pi / 2, min(math.pi / 2, pitch))
        return Stand((ex, ey, ez), yaw, pitch, up=up, north=north, world=world, movers=poses)
    world = make_world(level)
    yaw, pitch = world.start.heading * UNIT, 0.0
    if script is not None:
        ticks = script.ticks if options.tick is None else options.tick
        headless_run.run(world, script, ticks)
        yaw, pitch = looking(script, world, ticks)
    if options.heading is not None:
        yaw = math.radians(options.heading)
    if options.pitch is not None:
        pitch = max(-math.pi / 2, min(math.pi / 2, math.radians(options.pitch)))
    return standing(world, yaw, pitch)


def looking(script: Script, world: World, ticks: int) -> tuple[float, float]:
    """Yaw and pitch of the view after so many ticks of a script."""
    last = None
    for count, command in enumerate(script.commands(world.start.heading)):
        if count >= ticks:
            break
        last = command
    if last is None:
        return world.start.heading * UNIT, 0.0
    return last.heading * UNIT, last.pitch * UNIT


def standing(world: World, yaw: float, pitch: float) -> Stand:
    """The eye of the walker as it stands."""
    pose = Session(world).pose()
    eye = first_person.Eye(world.mesh, world.settings.eye, pose).follow(pose, 0.0)
    targets = tuple(map(float, world.targets.flags))
    reached, moving = world.goal_tick >= 0, Session(world).movers()
    return Stand(eye, yaw, pitch, reached, world.seconds, targets, pose.up, pose.north, world, moving)


def automatic_quality(context: Any) -> str:
    """The quality where nobody has chosen one: by what draws."""
    from ...render import suggested_quality

    return suggested_quality(context.info["GL_RENDERER"])


def take(
    level: Level, stand: Stand, size: tuple[int, int], quality: str | None, fov: float
) -> NDArray[np.uint8]:
    """The picture (height, width, 3), top row first. UserError names the package where nothing can draw."""
    context = offscreen()
    try:
        return _take(context, level.mesh, level, stand, size, quality or automatic_quality(context), fov)
    finally:
        context.release()


def offscreen() -> Any:
    """A context to draw in without a window; UserError says what to install where there is none."""
    try:
        from ...render import ContextError, offscreen_context
    except ImportError as error:
        raise UserError(f"nothing can draw here: {error}", UNWRITTEN) from None
    try:
        return offscreen_context()
    except ContextError as error:
        raise UserError(f"no picture can be drawn: {error}", UNWRITTEN) from None


def _take(
    context: Any,
    mesh: TriangleMesh,
    level: Level,
    stand: Stand,
    size: tuple[int, int],
    quality: str,
    fov: float,
) -> NDArray[np.uint8]:
    from ...render import Hud, Renderer, Scene, Snapshot, View

    vertical = first_person.vertical_fov(fov)
    moving = movers_in(level, WalkerSettings().ticks_per_second)
    near = first_person.near_plane(mesh, stand.eye, vertical, size[0] / size[1], moving, stand.movers)
    renderer = Renderer(context, Scene.from_level(level), quality, light_cache=lighting_worker.folder())
    shot = Snapshot(
        View(stand.eye, stand.yaw, stand.pitch, vertical, near, stand.up, stand.north),
        Hud(crosshair=False, tint=first_person.tint(level, stand.eye)),
        goal_reached=stand.goal_reached,
        time=stand.seconds,
        targets=stand.targets,
        balls=None if stand.world is None else ball_visuals.look(stand.world, 1.0),
        movers=stand.movers,
    )
    if level.golf is not None:
        from ..visuals import golf_visuals

        shot = golf_visuals.still(shot, level.golf, stand.world)
    if level.exhibits:
        from ...lab import exhibits

        shot = exhibits.still(level.exhibits, shot)
    renderer.render(shot, size)
    image: NDArray[np.uint8] = renderer.image()
    return image


def save(image: NDArray[np.uint8], path: Path) -> None:
    """Write a picture (height, width, 3) as PNG, atomically."""
    from PIL import Image

    from ..maps.top_down_map import png

    atomic_files.write(path, png(Image.fromarray(image)))
