"""Third-person camera (V): on a spring arm that walls shorten, and the ellipsoid of the body that it looks at."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import ease_fraction
from ...core.vectors import Point
from ...physics import Ellipsoid, TriangleMesh
from ...render import Body, EllipsoidInstance, Snapshot
from . import first_person

if TYPE_CHECKING:
    from ...sim import World
    from .camera import CameraFrame


ARM_LENGTH = 3.4  # m from the pivot above the head to the camera
PIVOT_HEIGHT = 0.55  # m above the eye, start of the arm: the body stays below the middle of the picture
CAMERA_RADIUS = 0.20  # m, clearance of the camera from every surface
ARM_GROWTH_RATE = 5.0  # 1/s at which the arm grows again; an obstacle shortens it at once
BLEND_RATE = 9.0  # 1/s of the blend between the eye and the arm
BLEND_EPSILON = 0.02  # blend below which the camera is back at the eye
SURFACE_MARGIN = 1e-3  # m between the camera and the surface that the sweep hit
FADE_START, FADE_END = 0.55, 1.30  # m from the body's centre: nearer the body is not drawn, farther it is opaque
BODY_COLOUR = (0.93, 0.62, 0.30)  # sRGB: warm, against stone, grass and sky


class ThirdPersonCamera:
    """Camera on an arm behind the head.

    enabled    whether the player has chosen it
    position   camera (m)
    """

    def __init__(self) -> None:
        self.enabled = False
        self.position: Point = (0.0, 0.0, 0.0)
        self._blend = 0.0  # fraction of the way from the eye to the arm's end, without walls
        self._arm_length = 0.0  # m

    @property
    def is_active(self) -> bool:
        """Whether the picture is not seen from the eye; true until the camera has come back to it."""
        return self.enabled or self._blend > 0.0

    def toggle(self) -> None:
        """Switch between third person and first person."""
        self.enabled = not self.enabled

    def snap(self) -> None:
        """Skip the smoothing: the body was moved to another place."""
        self._blend, self._arm_length = float(self.enabled), ARM_LENGTH * self.enabled

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the arm; unchanged while the camera is at the eye."""
        if not self._update_blend(frame.seconds, frame.settings.reduce_motion):
            return shot
        self._place_on_arm(shot, frame.session.world)
        return view_from(shot, frame, self.position)

    def _update_blend(self, seconds: float, at_once: bool) -> bool:
        """Advance blend and arm length by `seconds`; returns `is_active`. at_once: no smoothing."""
        if not self.is_active:
            return False
        wanted = float(self.enabled)
        self._blend += (wanted - self._blend) * (1.0 if at_once else ease_fraction(BLEND_RATE, seconds))
        if abs(self._blend - wanted) < BLEND_EPSILON:
            self._blend = wanted
        longest = ARM_LENGTH * self._blend
        self._arm_length += (longest - self._arm_length) * (1.0 if at_once else ease_fraction(ARM_GROWTH_RATE, seconds))
        if not self.enabled:
            self._arm_length = min(self._arm_length, longest)
        return self.is_active

    def _place_on_arm(self, shot: Snapshot, world: World) -> None:
        """Sweep a sphere from the body's centre to the pivot and back along the arm, and set `position`."""
        body, eye = shot.body, shot.view.eye
        assert body is not None
        radius = min(CAMERA_RADIUS, 0.9 * min(body.radii))
        head = np.array(eye) + PIVOT_HEIGHT * self._blend * np.array(shot.view.up)
        start = np.array(body.centre)
        start = start + free_path_fraction(world, shot.movers, start, head - start, radius) * (head - start)
        arm = -ARM_LENGTH * shot.view.basis()[2]
        length = max(0.0, ARM_LENGTH * free_path_fraction(world, shot.movers, start, arm, radius) - SURFACE_MARGIN)
        self._arm_length = min(self._arm_length, length)
        x, y, z = (start + (self._arm_length / ARM_LENGTH) * arm).tolist()
        self.position = (x, y, z)


def free_path_fraction(world: World, poses: Any, start: Any, displacement: Any, radius: float) -> float:
    """Fraction (0 to 1) of the `displacement` (m) that a sphere of `radius` travels from `start` before it hits
    the level or a mover. poses: of the movers (K, 3, 4)."""
    ball, fraction = Ellipsoid((radius,) * 3), 1.0
    for mesh, turn, at in _meshes_in_reach(world, poses, start, float(np.abs(displacement).max()) + radius):
        place, along = turn.T @ (start - at), turn.T @ displacement
        hit = mesh.sweep(ball, tuple(place.tolist()), 0.0, tuple(along.tolist()))
        if hit is not None:
            fraction = min(fraction, hit.fraction)
    return fraction


def _meshes_in_reach(world: World, poses: Any, place: Any, reach: float) -> Iterator[tuple[TriangleMesh, Any, Any]]:
    """Mesh, rotation (3, 3) and position (3,) of the level and of each mover within `reach` metres of `place`."""
    yield world.mesh, np.eye(3), np.zeros(3)
    movers = None if world.around is None else world.around.movers
    if movers is not None and poses is not None and movers.reach(tuple(place.tolist()), reach):
        for mover, pose in zip(movers, poses, strict=True):
            yield mover.mesh, pose[:, :3], pose[:, 3]


def view_from(shot: Snapshot, frame: CameraFrame, at: Point) -> Snapshot:
    """The snapshot seen from `at` (m) in the same direction, with the body as an ellipsoid that fades when near."""
    assert shot.body is not None
    world = frame.session.world
    moving = None if world.around is None else world.around.movers
    near = first_person.near_distance(world.mesh, at, shot.view.fov_degrees, frame.aspect, moving, shot.movers)
    opacity = min(max((math.dist(at, shot.body.centre) - FADE_START) / (FADE_END - FADE_START), 0.0), 1.0)
    bodies = shot.ellipsoids if opacity <= 0.0 else (*shot.ellipsoids, player_ellipsoid(shot.body, opacity))
    return replace(
        shot,
        view=replace(shot.view, eye=at, near=near),
        hud=replace(shot.hud, tint=first_person.underwater_tint(world.level, at)),
        ellipsoids=bodies,
    )


def player_ellipsoid(body: Body, opacity: float = 1.0) -> EllipsoidInstance:
    """The player's body as an ellipsoid, with a visor in its direction of view."""
    return EllipsoidInstance(body.centre, body.radii, BODY_COLOUR, body.yaw, opacity, body.up, body.north, visor=True)
