"""Camera rig: a camera at the end of an arm that grows out of the eye, keeps clear of walls and moves smoothly.

A camera says each frame from where (target) and in which direction (view) it looks, and how far away it stands (arm).
The rig does the rest, by its row in RIGS: the way between the eye and the arm's end, a shorter arm before walls and
ceilings, and the player's figure, which fades when it is near. Third person, orbit, the figure's front and the ball
have a rig. The eye, free flight, the title and the fixed cameras of a replay have no arm: they end in `seen_from`.
Each camera has `apply_to_frame`, which takes the snapshot of a frame and returns it with its view.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import ease_fraction, smoothstep
from ...core.vectors import Floats, Point, to_point
from ...render import Body, Camera, Snapshot
from ...render.world_view import near_distance
from .clearance import SpringArm, free_path_fraction, free_path_fractions
from .hero import REST, HeroPose, hero_ellipsoids

if TYPE_CHECKING:
    from ...sim import Session, World
    from ..audio.sound_events import SoundEvents
    from ..settings.settings_file import Settings


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """Input of a camera for one frame.

    seconds   time since the previous frame (s); 0 while the world stands still
    aspect    width of the picture over its height
    sounds    footsteps that the head bob keeps in step with, None without sound
    hero      pose of the player's figure
    """

    session: Session
    settings: Settings
    seconds: float
    aspect: float
    sounds: SoundEvents | None = None
    hero: HeroPose = REST


@dataclass(frozen=True, slots=True)
class RigKind:
    """Kind of rig.

    radius          m, of the sphere that needs room at the camera
    blend_seconds   s of the way between the eye and the arm's end, more than 0; infinite: the camera stays where `snap`
                    puts it
    fov             degrees, vertical, at the arm's end; None: that of the eye
    follow_rate     1/s at which the camera comes to the arm's end; None: it is there
    clears_aim      whether the figure fades where it covers the middle of the picture
    feels           whether the arm shortens before a wall beside it comes into its way, as body and view turn
    """

    radius: float
    blend_seconds: float = math.inf
    fov: float | None = None
    follow_rate: float | None = None
    clears_aim: bool = False
    feels: bool = True


RIGS: Mapping[str, RigKind] = {
    "behind": RigKind(0.20, 0.40, clears_aim=True),  # the third person
    "orbit": RigKind(0.12, 0.45, 42.0),  # around the body, in rewind and replays
    "figure": RigKind(0.20, 0.70, 46.0, feels=False),  # the front of the player's figure
    "ball": RigKind(0.25, follow_rate=3.5, feels=False),  # behind a golf ball; it begins at the arm's end
}
ASIDE_FRACTIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of an aside that are tried below a ceiling or beside a wall
ASIDE_RATE = 8.0  # 1/s at which an aside follows ceiling and wall
FADE_START, FADE_END = 0.12, 1.00  # m from the body's surface: nearer the body is not drawn, farther it is opaque
AIM_MARGIN = 0.25  # of the radii around the body, within which it fades where it covers the aim
COVERING_OPACITY = 0.3  # of the body where it covers the aim, as between narrow walls under a low ceiling


class Rig:
    """One camera on an arm.

    out     fraction of the way out of the eye, 0 to 1
    place   of the camera (m), None before the first frame
    """

    def __init__(self, name: str) -> None:
        self.kind = RIGS[name]
        self.snap()

    def snap(self, out: float = 0.0) -> None:
        """Skip all smoothing."""
        self.out = out
        self.place: Floats | None = None
        self._asides: Floats | None = None  # fraction of each aside
        self._arm = SpringArm(self.kind.feels)

    def move_out(self, is_out: bool, seconds: float, at_once: bool = False) -> bool:
        """Go on to the arm's end, or back to the eye. Returns whether the camera is not at the eye."""
        if self.out == 0.0 and is_out:
            self.snap()
        step = 1.0 if at_once else seconds / self.kind.blend_seconds
        self.out = min(self.out + step, 1.0) if is_out else max(self.out - step, 0.0)
        return self.out > 0.0

    @property
    def share(self) -> float:
        """`out` with a soft begin and end."""
        return smoothstep(self.out)

    def blend(self, eye: Camera, yaw: float, pitch: float) -> Camera:
        """The view from the eye, turned by `share` of the way to a yaw and a pitch (radians)."""
        fov = eye.fov_degrees if self.kind.fov is None else self.kind.fov
        return between(eye, replace(eye, yaw=yaw, pitch=pitch, fov_degrees=fov), self.share)

    def shoot(
        self, shot: Snapshot, frame: CameraFrame, view: Camera, target: Floats, arm: Floats,
        asides: Sequence[Floats] = (), room: Point | None = None, at_once: bool = False, opacity: float = 1.0,
    ) -> Snapshot:  # fmt: skip
        """The snapshot from the end of an arm (3,), m, at a target (3,), in the direction of `view`.

        asides    (3,) each, m: added to the arm as far as ceilings and walls let them without a shorter arm
        room      place (m) near the target where the sphere has room; the body's centre, which is never in a wall
        at_once   no smoothing
        opacity   largest of the player's figure; 0: without it

        The camera moves along the straight arm, so no wall is ever between it and the target.
        """
        body, world, movers = shot.body, frame.session.world, shot.movers
        assert body is not None
        radius = min(self.kind.radius, 0.9 * min(body.radii))
        seconds = max(frame.seconds, 0.0)
        if at_once:
            self._asides = None
            self._arm.snap()
        eye, centre = np.array(shot.view.eye), np.array(body.centre if room is None else room)
        start = eye + self.share * (target - eye)
        start = centre + free_path_fraction(world, movers, centre, start - centre, radius) * (start - centre)
        if len(asides):
            wanted = np.array([_free_fraction(world, movers, start, arm, aside, radius) for aside in asides])
            if self._asides is None:
                self._asides = wanted
            self._asides = self._asides + ease_fraction(ASIDE_RATE, seconds) * (wanted - self._asides)
            arm = arm + self._asides @ np.array(asides)
        place = self._arm.place(world, movers, start, self.share * arm, np.array(view.up), radius, seconds)
        if self.kind.follow_rate is not None:
            before = eye if self.place is None else self.place
            way = before + ease_fraction(self.kind.follow_rate, seconds) * (place - before) - start
            place = start + free_path_fraction(world, movers, start, way, radius) * way
        self.place = place
        if self.kind.clears_aim:
            opacity = _opacity_before_aim(place, view.basis()[2], body)
        return seen_from(shot, frame, replace(view, eye=to_point(place)), opacity)


def _free_fraction(world: World, poses: Any, start: Floats, arm: Floats, aside: Floats, radius: float) -> float:
    """Fraction (0 to 1) of `aside` (3,), m, that may be added to an arm (3,) and costs it no more than a little of its
    length: less below a ceiling, or beside a wall."""
    arms = arm + np.outer(ASIDE_FRACTIONS, aside)
    free = free_path_fractions(world, poses, start, arms, radius)
    gain = np.clip((free[1:] / max(float(free.max()), 1e-6) - 0.90) / 0.09, 0.0, 1.0)
    return float(np.minimum.accumulate(gain).mean())


def seen_from(shot: Snapshot, frame: CameraFrame, view: Camera, opacity: float = 0.0) -> Snapshot:
    """The snapshot with a view, whose near plane cuts no wall, and the player's figure, which fades when near.

    opacity   largest of the figure; 0: without it
    """
    world = frame.session.world
    moving = None if world.environment is None else world.environment.movers
    near = near_distance(world.mesh, view.eye, view.fov_degrees, frame.aspect, moving, shot.movers)
    shot = replace(shot, view=replace(view, near=near))
    if opacity > 0.0:
        assert shot.body is not None
        offset = np.subtract(view.eye, shot.body.centre)
        distance = float(np.linalg.norm(offset)) * (1.0 - 1.0 / max(_radii_away(offset, shot.body), 1e-9))
        opacity = min((distance - FADE_START) / (FADE_END - FADE_START), opacity)
        figure = hero_ellipsoids(shot.body, frame.hero, opacity) if opacity > 0.0 else ()
        shot = replace(shot, ellipsoids=(*shot.ellipsoids, *figure))
    return shot


def without_figure(shot: Snapshot) -> Snapshot:
    """The snapshot without the player's figure."""
    return replace(shot, ellipsoids=tuple(one for one in shot.ellipsoids if not (one.visor or one.is_part)))


def _opacity_before_aim(at: Floats, forward: Floats, body: Body) -> float:
    """Opacity of the body for a camera at `at` that looks along `forward`: less where the body covers the aim."""
    offset = at - body.centre
    clear = (_radii_away(offset - (offset @ forward) * forward, body) - 1.0) / AIM_MARGIN
    return COVERING_OPACITY + (1.0 - COVERING_OPACITY) * min(max(clear, 0.0), 1.0)


def _radii_away(offset: Floats, body: Body) -> float:
    """Length of an offset from the body's centre (m) in radii of the body; 1 on its surface. The body counts as round
    seen from above, with its larger radius."""
    height = float(offset @ np.array(body.up))
    side = math.sqrt(max(float(offset @ offset) - height * height, 0.0))
    return math.hypot(side / max(body.radii[0], body.radii[2]), height / body.radii[1])


def between(first: Camera, last: Camera, fraction: float) -> Camera:
    """The view after a fraction (0 to 1) of the way from one view to another of the same up."""
    return replace(
        first,
        eye=to_point(first.eye + fraction * np.subtract(last.eye, first.eye)),
        yaw=first.yaw + fraction * shortest_angle(first.yaw, last.yaw),
        pitch=first.pitch + fraction * (last.pitch - first.pitch),
        fov_degrees=first.fov_degrees + fraction * (last.fov_degrees - first.fov_degrees),
    )


def shortest_angle(start: float, end: float) -> float:
    """Signed smallest angle (radians) from `start` to `end`."""
    return (end - start + math.pi) % math.tau - math.pi


def direction_to(offset: Floats) -> tuple[float, float]:
    """Yaw and pitch (radians) of an upright view along an offset (3,)."""
    x, y, z = offset.tolist()
    return math.atan2(-x, -z), math.atan2(y, max(math.hypot(x, z), 1e-6))
