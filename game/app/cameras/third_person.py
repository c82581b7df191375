"""Looking from behind (V): a camera on an arm that gives way to walls, and the ellipsoid that it looks at."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...physics import Ellipsoid, TriangleMesh
from ...render import Body, EllipsoidLook, Snapshot
from . import first_person

if TYPE_CHECKING:
    from ...sim import World
    from ..game import Game

Point = tuple[float, float, float]

ARM = 3.4  # m from over the head to the camera
ABOVE = 0.55  # m over the eye, where the arm begins: the body stays below the middle of the picture
CLEAR = 0.20  # m that the camera keeps from every surface
OUT_RATE = 5.0  # 1/s at which the arm grows again; what is in the way shortens it at once
PART_RATE = 9.0  # 1/s at which the camera goes from the eye to the arm, and back
HERE = 0.02  # part under which it is back at the eye
HAIR = 1e-3  # m that it stays off what the sweep touched
NEAR_BODY, FAR_BODY = 0.55, 1.30  # m from the body's middle: nearer the body is not drawn, farther it is solid
COLOUR = (0.93, 0.62, 0.30)  # sRGB: warm, against stone, grass and sky


class Behind:
    """Where the picture is seen from. `on` while the player wants it from behind; `shows` while it is not the eye."""

    def __init__(self) -> None:
        self.on = False
        self.at: Point = (0.0, 0.0, 0.0)
        self._part = 0.0  # of the way from the eye to the arm's end, without walls
        self._arm = 0.0  # m that the arm is long

    @property
    def shows(self) -> bool:
        """Whether the picture is not seen from the eye."""
        return self.on or self._part > 0.0

    def toggle(self) -> None:
        """From behind, or from the eye again."""
        self.on = not self.on

    def jump(self) -> None:
        """The body is somewhere else: nothing is eased."""
        self._part, self._arm = float(self.on), ARM * self.on

    def over(self, shot: Snapshot, game: Game, seconds: float, aspect: float) -> Snapshot:
        """The same moment from behind, `seconds` after the frame before."""
        if not self._follow(seconds, game.settings.reduce_motion):
            return shot
        assert game.session is not None
        self._place(shot, game.session.world)
        return seen_from(shot, game, self.at, aspect)

    def _follow(self, seconds: float, at_once: bool) -> bool:
        """Come nearer to what is wanted; whether the picture is not seen from the eye."""
        if not self.shows:
            return False
        wanted = float(self.on)
        self._part += (wanted - self._part) * (1.0 if at_once else 1.0 - math.exp(-PART_RATE * seconds))
        if abs(self._part - wanted) < HERE:
            self._part = wanted
        longest = ARM * self._part
        self._arm += (longest - self._arm) * (1.0 if at_once else 1.0 - math.exp(-OUT_RATE * seconds))
        if not self.on:
            self._arm = min(self._arm, longest)
        return self.shows

    def _place(self, shot: Snapshot, world: World) -> None:
        """From the body's middle over the eye and back along the arm: all the way where a small sphere can go."""
        body, eye = shot.body, shot.view.eye
        assert body is not None
        radius = min(CLEAR, 0.9 * min(body.radii))
        head = np.array(eye) + ABOVE * self._part * np.array(shot.view.up)
        start = np.array(body.centre)
        start = start + free(world, shot.movers, start, head - start, radius) * (head - start)
        way = -ARM * shot.view.axes()[2]
        length = max(0.0, ARM * free(world, shot.movers, start, way, radius) - HAIR)
        self._arm = min(self._arm, length)
        x, y, z = (start + (self._arm / ARM) * way).tolist()
        self.at = (x, y, z)


def free(world: World, poses: Any, start: Any, way: Any, radius: float) -> float:
    """The part (0 to 1) of a way from a place that a sphere can go, between the level's walls and the movers."""
    ball, part = Ellipsoid((radius,) * 3), 1.0
    for mesh, turn, at in _meshes(world, poses, start, float(np.abs(way).max()) + radius):
        place, along = turn.T @ (start - at), turn.T @ way
        hit = mesh.sweep(ball, tuple(place.tolist()), 0.0, tuple(along.tolist()))
        if hit is not None:
            part = min(part, hit.fraction)
    return part


def _meshes(world: World, poses: Any, place: Any, far: float) -> Iterator[tuple[TriangleMesh, Any, Any]]:
    """The level and each mover there is, with its rotation and place."""
    yield world.mesh, np.eye(3), np.zeros(3)
    movers = None if world.around is None else world.around.movers
    if movers is not None and poses is not None and movers.reach(tuple(place.tolist()), far):
        for mover, pose in zip(movers, poses, strict=True):
            yield mover.mesh, pose[:, :3], pose[:, 3]


def seen_from(shot: Snapshot, game: Game, at: Point, aspect: float) -> Snapshot:
    """The same moment seen from another place, the same way; the body is in it, where that is not too near to it."""
    assert game.session is not None
    assert shot.body is not None
    world = game.session.world
    moving = None if world.around is None else world.around.movers
    near = first_person.near_plane(world.mesh, at, shot.view.fov_degrees, aspect, moving, shot.movers)
    solid = min(max((math.dist(at, shot.body.centre) - NEAR_BODY) / (FAR_BODY - NEAR_BODY), 0.0), 1.0)
    bodies = shot.ellipsoids if solid <= 0.0 else (*shot.ellipsoids, look_of(shot.body, solid))
    return replace(
        shot,
        view=replace(shot.view, eye=at, near=near),
        hud=replace(shot.hud, tint=first_person.tint(game.level, at)),
        ellipsoids=bodies,
    )


def look_of(body: Body, solid: float = 1.0) -> EllipsoidLook:
    """The player's ellipsoid as the picture has it, with a visor where it looks to."""
    return EllipsoidLook(body.centre, body.radii, COLOUR, body.yaw, solid, body.up, body.north, visor=True)
