"""A still picture of a level: where to stand, and the way from there to a PNG file."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from game.app import balls, lighting, view
from game.app.levels import UserError
from game.app.verbs import UNWRITTEN, make_world
from game.physics import TriangleMesh, WalkerSettings
from game.sim import Session, World, atomic, headless
from game.sim.movers import movers_in
from game.sim.zones import upright_at

if TYPE_CHECKING:
    from game.level import Level
    from game.sim.commands import Script

UNIT = 2.0 * math.pi / 65536


@dataclass(frozen=True, slots=True)
class Stand:
    """An eye and where it looks: metres and radians. `seconds` moves what moves in the picture."""

    eye: view.Point
    yaw: float
    pitch: float
    goal_reached: bool = False
    seconds: float = 0.0
    targets: tuple[float, ...] = ()
    up: view.Point = (0.0, 1.0, 0.0)
    north: view.Point = (0.0, 0.0, -1.0)
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
        headless.run(world, script, ticks)
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
    eye = view.Eye(world.mesh, world.settings.eye, pose).follow(pose, 0.0)
    targets = tuple(map(float, world.targets.flags))
    reached, moving = world.goal_tick >= 0, Session(world).movers()
    return Stand(eye, yaw, pitch, reached, world.seconds, targets, pose.up, pose.north, world, moving)


def automatic_quality(context: Any) -> str:
    """The quality where nobody has chosen one: by what draws."""
    from game.render import suggested_quality

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
        from game.render import ContextError, offscreen_context
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
    from game.render import Hud, Renderer, Scene, Snapshot, View

    vertical = view.vertical_fov(fov)
    moving = movers_in(level, WalkerSettings().ticks_per_second)
    near = view.near_plane(mesh, stand.eye, vertical, size[0] / size[1], moving, stand.movers)
    renderer = Renderer(context, Scene.from_level(level), quality, light_cache=lighting.folder())
    shot = Snapshot(
        View(stand.eye, stand.yaw, stand.pitch, vertical, near, stand.up, stand.north),
        Hud(crosshair=False, tint=view.tint(level, stand.eye)),
        goal_reached=stand.goal_reached,
        time=stand.seconds,
        targets=stand.targets,
        balls=None if stand.world is None else balls.look(stand.world, 1.0),
        movers=stand.movers,
    )
    if level.golf is not None:
        from game.app import golfing

        shot = golfing.still(shot, level.golf, stand.world)
    if level.exhibits:
        from game.app import exhibits

        shot = exhibits.still(level.exhibits, shot)
    renderer.render(shot, size)
    image: NDArray[np.uint8] = renderer.image()
    return image


def save(image: NDArray[np.uint8], path: Path) -> None:
    """Write a picture (height, width, 3) as PNG, atomically."""
    from PIL import Image

    from game.app.map import png

    atomic.write(path, png(Image.fromarray(image)))
