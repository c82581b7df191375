"""Looking from behind (V): a camera on an arm that gives way to walls, and the ellipsoid that it looks at."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...physics import Ellipsoid, TriangleMesh
from ...render import Body, EllipsoidInstance, Snapshot
from . import first_person

if TYPE_CHECKING:
    from ...sim import World
    from ..game import Game

Point = tuple[float, float, float]

ARM_LENGTH = 3.4  # m from over the head to the camera
PIVOT_HEIGHT = 0.55  # m over the eye, where the arm begins: the body stays below the middle of the picture
CAMERA_RADIUS = 0.20  # m that the camera keeps from every surface
ARM_GROWTH_RATE = 5.0  # 1/s at which the arm grows again; what is in the way shortens it at once
BLEND_RATE = 9.0  # 1/s at which the camera goes from the eye to the arm, and back
BLEND_EPSILON = 0.02  # part under which it is back at the eye
SURFACE_MARGIN = 1e-3  # m that it stays off what the sweep touched
FADE_START, FADE_END = 0.55, 1.30  # m from the body's middle: nearer the body is not drawn, farther it is solid
BODY_COLOUR = (0.93, 0.62, 0.30)  # sRGB: warm, against stone, grass and sky


class ThirdPersonCamera:
    """Where the picture is seen from. `on` while the player wants it from behind; `shows` while it is not the eye."""

    def __init__(self) -> None:
        self.enabled = False
        self.position: Point = (0.0, 0.0, 0.0)
        self._blend = 0.0  # of the way from the eye to the arm's end, without walls
        self._arm_length = 0.0  # m that the arm is long

    @property
    def is_active(self) -> bool:
        """Whether the picture is not seen from the eye."""
        return self.enabled or self._blend > 0.0

    def toggle(self) -> None:
        """From behind, or from the eye again."""
        self.enabled = not self.enabled

    def snap(self) -> None:
        """The body is somewhere else: nothing is eased."""
        self._blend, self._arm_length = float(self.enabled), ARM_LENGTH * self.enabled

    def apply_to_frame(self, shot: Snapshot, game: Game, seconds: float, aspect: float) -> Snapshot:
        """The same moment from behind, `seconds` after the frame before."""
        if not self._update_blend(seconds, game.settings.reduce_motion):
            return shot
        assert game.session is not None
        self._place_on_arm(shot, game.session.world)
        return view_from(shot, game, self.position, aspect)

    def _update_blend(self, seconds: float, at_once: bool) -> bool:
        """Come nearer to what is wanted; whether the picture is not seen from the eye."""
        if not self.is_active:
            return False
        wanted = float(self.enabled)
        self._blend += (wanted - self._blend) * (1.0 if at_once else 1.0 - math.exp(-BLEND_RATE * seconds))
        if abs(self._blend - wanted) < BLEND_EPSILON:
            self._blend = wanted
        longest = ARM_LENGTH * self._blend
        self._arm_length += (longest - self._arm_length) * (
            1.0 if at_once else 1.0 - math.exp(-ARM_GROWTH_RATE * seconds)
        )
        if not self.enabled:
            self._arm_length = min(self._arm_length, longest)
        return self.is_active

    def _place_on_arm(self, shot: Snapshot, world: World) -> None:
        """From the body's middle over the eye and back along the arm: all the way where a small sphere can go."""
        body, eye = shot.body, shot.view.eye
        assert body is not None
        radius = min(CAMERA_RADIUS, 0.9 * min(body.radii))
        head = np.array(eye) + PIVOT_HEIGHT * self._blend * np.array(shot.view.up)
        start = np.array(body.centre)
        start = start + free_path_fraction(world, shot.movers, start, head - start, radius) * (head - start)
        way = -ARM_LENGTH * shot.view.basis()[2]
        length = max(0.0, ARM_LENGTH * free_path_fraction(world, shot.movers, start, way, radius) - SURFACE_MARGIN)
        self._arm_length = min(self._arm_length, length)
        x, y, z = (start + (self._arm_length / ARM_LENGTH) * way).tolist()
        self.position = (x, y, z)


def free_path_fraction(world: World, poses: Any, start: Any, way: Any, radius: float) -> float:
    """The part (0 to 1) of a way from a place that a sphere can go, between the level's walls and the movers."""
    ball, part = Ellipsoid((radius,) * 3), 1.0
    for mesh, turn, at in _meshes_in_reach(world, poses, start, float(np.abs(way).max()) + radius):
        place, along = turn.T @ (start - at), turn.T @ way
        hit = mesh.sweep(ball, tuple(place.tolist()), 0.0, tuple(along.tolist()))
        if hit is not None:
            part = min(part, hit.fraction)
    return part


def _meshes_in_reach(world: World, poses: Any, place: Any, far: float) -> Iterator[tuple[TriangleMesh, Any, Any]]:
    """The level and each mover there is, with its rotation and place."""
    yield world.mesh, np.eye(3), np.zeros(3)
    movers = None if world.around is None else world.around.movers
    if movers is not None and poses is not None and movers.reach(tuple(place.tolist()), far):
        for mover, pose in zip(movers, poses, strict=True):
            yield mover.mesh, pose[:, :3], pose[:, 3]


def view_from(shot: Snapshot, game: Game, at: Point, aspect: float) -> Snapshot:
    """The same moment seen from another place, the same way; the body is in it, where that is not too near to it."""
    assert game.session is not None
    assert shot.body is not None
    world = game.session.world
    moving = None if world.around is None else world.around.movers
    near = first_person.near_distance(world.mesh, at, shot.view.fov_degrees, aspect, moving, shot.movers)
    solid = min(max((math.dist(at, shot.body.centre) - FADE_START) / (FADE_END - FADE_START), 0.0), 1.0)
    bodies = shot.ellipsoids if solid <= 0.0 else (*shot.ellipsoids, player_ellipsoid(shot.body, solid))
    return replace(
        shot,
        view=replace(shot.view, eye=at, near=near),
        hud=replace(shot.hud, tint=first_person.underwater_tint(game.level, at)),
        ellipsoids=bodies,
    )


def player_ellipsoid(body: Body, solid: float = 1.0) -> EllipsoidInstance:
    """The player's ellipsoid as the picture has it, with a visor where it looks to."""
    return EllipsoidInstance(body.centre, body.radii, BODY_COLOUR, body.yaw, solid, body.up, body.north, visor=True)
