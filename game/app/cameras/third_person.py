"""Third-person camera (V): on a spring arm that walls shorten, and the ellipsoid of the body that it looks at."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import ease_fraction
from ...core.vectors import Floats, Point
from ...render import Body, Snapshot, world_view
from .clearance import SpringArm, free_path_fraction, free_path_fractions
from .hero import hero_ellipsoids

if TYPE_CHECKING:
    from ...sim import World
    from .camera import CameraFrame


ARM_LENGTH = 3.4  # m from the eye back to the camera
ARM_LIFT = 0.55  # m that the arm rises over its length: the body stays below the middle of the picture
ARM_SIDE = 0.5  # m that it goes to the right: the body covers neither the aim nor what is ahead
FRACTIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of ARM_LIFT and ARM_SIDE that are tried below a ceiling and beside a wall
LIFT_RATE = 8.0  # 1/s at which lift and side follow ceiling and wall
CAMERA_RADIUS = 0.20  # m, clearance of the camera from every surface
BLEND_RATE = 9.0  # 1/s of the blend between the eye and the arm
BLEND_EPSILON = 0.02  # blend below which the camera is back at the eye
FADE_START, FADE_END = 0.12, 1.00  # m from the body's surface: nearer the body is not drawn, farther it is opaque
AIM_MARGIN = 0.25  # of the radii around the body, within which it fades where it covers the aim
COVERING_OPACITY = 0.3  # of the body where it covers the aim, as between narrow walls under a low ceiling


class ThirdPersonCamera:
    """Camera on an arm behind the head.

    enabled    whether the player has chosen it
    position   camera (m)
    """

    def __init__(self) -> None:
        self.enabled = False
        self.position: Point = (0.0, 0.0, 0.0)
        self._blend = 0.0  # fraction of the way from the eye to the arm's end, without walls
        self._arm = SpringArm()
        self._lift: float | None = None  # fraction of ARM_LIFT that ceilings leave
        self._side = 1.0  # fraction of ARM_SIDE that walls leave

    @property
    def is_active(self) -> bool:
        """Whether the picture is not seen from the eye; true until the camera has come back to it."""
        return self.enabled or self._blend > 0.0

    def toggle(self) -> None:
        """Switch between third person and first person."""
        self.enabled = not self.enabled

    def snap(self) -> None:
        """Skip the smoothing: the body was moved to another place."""
        self._blend = float(self.enabled)
        self._lift = None
        self._arm.snap()

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the arm; unchanged while the camera is at the eye."""
        if not self._update_blend(frame.seconds, frame.settings.reduce_motion):
            return shot
        if frame.settings.reduce_motion:  # the arm takes its length at once
            self._lift = None
            self._arm.snap()
        self._place_on_arm(shot, frame.session.world, frame.seconds)
        assert shot.body is not None
        forward = shot.view.basis()[2]
        return view_from(shot, frame, self.position, _opacity_before_aim(self.position, forward, shot.body))

    def _update_blend(self, seconds: float, at_once: bool) -> bool:
        """Advance the blend by `seconds`; returns `is_active`. at_once: no smoothing."""
        if not self.is_active:
            return False
        if self._blend == 0.0:
            self._lift = None
            self._arm.snap()
        wanted = float(self.enabled)
        self._blend += (wanted - self._blend) * (1.0 if at_once else ease_fraction(BLEND_RATE, seconds))
        if abs(self._blend - wanted) < BLEND_EPSILON:
            self._blend = wanted
        return self.is_active

    def _place_on_arm(self, shot: Snapshot, world: World, seconds: float) -> None:
        """Set `position`: from the eye backwards and up, as far as there is room.

        The arm starts at the eye, which is inside the body and so never in a wall, and the camera moves along the
        straight line to the arm's end: no wall is ever between the two, and at length 0 the view is that of the eye.
        """
        body = shot.body
        eye = np.array(shot.view.eye)
        assert body is not None
        radius = min(CAMERA_RADIUS, 0.9 * min(body.radii))
        centre = np.array(body.centre)
        start = centre + free_path_fraction(world, shot.movers, centre, eye - centre, radius) * (eye - centre)
        up = np.array(shot.view.up)
        right, _, forward = shot.view.basis()
        arm = -ARM_LENGTH * forward
        lift = _free_fraction(world, shot.movers, start, arm, ARM_LIFT * up, radius)
        side = _free_fraction(world, shot.movers, start, arm, ARM_SIDE * right, radius)
        self._approach(lift, side, seconds)
        assert self._lift is not None
        arm = arm + self._lift * ARM_LIFT * up + self._side * ARM_SIDE * right
        end = self._arm.place(world, shot.movers, start, arm, up, radius, seconds)
        x, y, z = (eye + self._blend * (end - eye)).tolist()
        self.position = (x, y, z)

    def _approach(self, lift: float, side: float, seconds: float) -> None:
        """Approach these fractions of ARM_LIFT and ARM_SIDE."""
        if self._lift is None:
            self._lift, self._side = lift, side
        share = ease_fraction(LIFT_RATE, max(seconds, 0.0))
        self._lift += (lift - self._lift) * share
        self._side += (side - self._side) * share


def _free_fraction(world: World, poses: Any, start: Any, arm: Floats, more: Floats, radius: float) -> float:
    """Fraction (0 to 1) of `more` (3,), m, that may be added to an arm (3,) and costs it no more than a little of its
    length: less below a ceiling, or beside a wall."""
    arms = arm + np.outer(FRACTIONS, more)
    free = free_path_fractions(world, poses, start, arms, radius)
    gain = np.clip((free[1:] / max(float(free.max()), 1e-6) - 0.90) / 0.09, 0.0, 1.0)
    return float(np.minimum.accumulate(gain).mean())


def view_from(shot: Snapshot, frame: CameraFrame, at: Point, max_opacity: float = 1.0) -> Snapshot:
    """The snapshot seen from `at` (m) in the same direction, with the figure, which fades when near."""
    assert shot.body is not None
    world = frame.session.world
    moving = None if world.environment is None else world.environment.movers
    near = world_view.near_distance(world.mesh, at, shot.view.fov_degrees, frame.aspect, moving, shot.movers)
    opacity = min(max((_distance_to_body(at, shot.body) - FADE_START) / (FADE_END - FADE_START), 0.0), max_opacity)
    bodies = shot.ellipsoids if opacity <= 0.0 else (*shot.ellipsoids, *hero_ellipsoids(shot.body, frame.hero, opacity))
    return replace(
        shot,
        view=replace(shot.view, eye=at, near=near),
        ellipsoids=bodies,
    )


def without_figure(shot: Snapshot) -> Snapshot:
    """The snapshot without the player's figure."""
    return replace(shot, ellipsoids=tuple(one for one in shot.ellipsoids if not (one.visor or one.is_part)))


def _opacity_before_aim(at: Point, forward: Floats, body: Body) -> float:
    """Opacity of the body for a camera at `at` that looks along `forward`: less where the body covers the aim."""
    offset = np.subtract(at, body.centre)
    clear = (_radii_away(offset - (offset @ forward) * forward, body) - 1.0) / AIM_MARGIN
    return COVERING_OPACITY + (1.0 - COVERING_OPACITY) * min(max(clear, 0.0), 1.0)


def _distance_to_body(at: Point, body: Body) -> float:
    """Distance (m) from `at` to the body along the line to its centre, at most 0 inside."""
    offset = np.subtract(at, body.centre)
    return float(np.linalg.norm(offset)) * (1.0 - 1.0 / max(_radii_away(offset, body), 1e-9))


def _radii_away(offset: Floats, body: Body) -> float:
    """Length of an offset from the body's centre (m) in radii of the body; 1 on its surface. The body counts as round
    seen from above, with its larger radius."""
    height = float(offset @ np.array(body.up))
    side = math.sqrt(max(float(offset @ offset) - height * height, 0.0))
    return math.hypot(side / max(body.radii[0], body.radii[2]), height / body.radii[1])
