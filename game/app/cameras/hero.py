"""The player's figure: the ellipsoid with feet and a pack, which leans, squashes and hops. It is drawn only."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import Spring
from ...core.vectors import Colour, Floats, to_point
from ...render import Body, Camera, EllipsoidInstance
from ..audio.sound_events import STEP_LENGTH, STEP_LENGTH_PER_SPEED

if TYPE_CHECKING:
    from ...physics import WalkerState

BODY_COLOUR = (0.93, 0.62, 0.30)  # sRGB: warm, against stone, grass and sky
FOOT_COLOUR = (0.20, 0.22, 0.27)
PACK_COLOUR = (0.22, 0.42, 0.50)
USUAL_RADIUS = 0.35  # m across, of the body for which the sizes below are made
FOOT_RADII = (0.12, 0.075, 0.18)  # m
PACK_RADII = (0.20, 0.27, 0.13)
FOOT_SIDE, FOOT_FORWARD = 0.15, 0.05  # m from the middle
MAX_SWING, MAX_LIFT = 0.26, 0.12  # m of a foot, at FULL_SPEED
FULL_SPEED = 4.0  # m/s
STRIDE_IN_AIR = 0.35  # of 1, see `HeroPose.stride`
LEAN_PER_ACCELERATION = 0.03  # radians per m/s2
MAX_LEAN = 0.20  # radians
LEAN_RATE, SQUASH_RATE = 9.0, 17.0  # 1/s of the springs
SQUASH_PER_SPEED, MAX_SQUASH = 0.55, 5.0  # 1/s of squash per m/s of a landing; its limit
HOP_SECONDS, HOP_HEIGHT, HOPS = 0.42, 0.28, 3  # at the goal


@dataclass(frozen=True, slots=True)
class HeroPose:
    """Pose of the figure. lean, pitch: radians to the right and ahead. squash: change of height as a fraction. hop: m.
    step: turns of the step cycle. stride: 0 at rest to 1."""

    lean: float = 0.0
    pitch: float = 0.0
    squash: float = 0.0
    hop: float = 0.0
    step: float = 0.0
    stride: float = 0.0


REST = HeroPose()


class Hero:
    """Animation of the figure of one game, from the states of the walker. `pose`: of the present frame."""

    def __init__(self) -> None:
        self.pose = REST
        self._lean, self._pitch, self._squash = Spring(), Spring(), Spring()
        self._velocity = np.zeros(3)
        self._fall_speed = 0.0
        self._hop_seconds = math.inf

    def hop(self) -> None:
        """Begin to hop: the goal is reached."""
        self._hop_seconds = 0.0

    def update(self, state: WalkerState, body: Body, seconds: float, still: bool) -> None:
        """Advance by `seconds`; still: without lean, squash and hops."""
        up, velocity = np.array(state.up), np.array(state.velocity)
        right, _, forward = _axes(body)
        speed = float(np.linalg.norm(velocity - (velocity @ up) * up))
        change = (velocity - self._velocity) / max(seconds, 1e-3) if state.grounded and seconds > 0.0 else np.zeros(3)
        for spring, axis in ((self._lean, right), (self._pitch, forward)):
            wanted = min(max(LEAN_PER_ACCELERATION * float(change @ axis), -MAX_LEAN), MAX_LEAN)
            spring.offset -= wanted
            spring.advance(seconds, LEAN_RATE)
            spring.offset += wanted
        if state.grounded and self._fall_speed > 0.0:
            self._squash.speed = -min(SQUASH_PER_SPEED * self._fall_speed, MAX_SQUASH)
        self._squash.advance(seconds, SQUASH_RATE)
        self._fall_speed = 0.0 if state.grounded else max(-float(velocity @ up), 0.0)
        self._velocity = velocity
        self._hop_seconds += seconds
        phase = self._hop_seconds / HOP_SECONDS
        hop = 4.0 * HOP_HEIGHT * (phase % 1.0) * (1.0 - phase % 1.0) if phase < HOPS else 0.0
        step = (self.pose.step + step_turns(speed * seconds, speed)) % 1.0
        stride = stride_at(speed, state.grounded)
        self.pose = HeroPose(self._lean.offset, self._pitch.offset, self._squash.offset, hop, step, stride)
        if still:
            self.pose = HeroPose(step=step, stride=stride)


def step_turns(distance: Any, speed: Any) -> Any:
    """Turns of the step cycle over a distance (m) at a speed (m/s): numbers or arrays."""
    return 0.5 * distance / (STEP_LENGTH + STEP_LENGTH_PER_SPEED * speed)


def stride_at(speed: float, grounded: bool) -> float:
    """Stride of a `HeroPose` at a speed (m/s)."""
    return min(speed / FULL_SPEED, 1.0) if grounded else STRIDE_IN_AIR


def _axes(body: Body) -> tuple[Floats, Floats, Floats]:
    """Unit vectors right, up and forward of a body."""
    return Camera(body.centre, body.yaw, 0.0, up=body.up, north=body.north).basis()


def hero_ellipsoids(body: Body, pose: HeroPose = REST, opacity: float = 1.0) -> tuple[EllipsoidInstance, ...]:
    """The figure of a body: the ellipsoid with its visor, the pack and the feet."""
    right, up, forward = _axes(body)
    wide, tall, deep = body.radii
    scale = min(wide, deep) / USUAL_RADIUS
    feet = np.array(body.centre) + (pose.hop - tall) * up
    tilted = up + math.tan(pose.lean) * right + math.tan(pose.pitch) * forward
    tilted /= np.linalg.norm(tilted)
    ahead = forward - (forward @ tilted) * tilted
    ahead /= np.linalg.norm(ahead)
    tall *= 1.0 + pose.squash
    thinner = 1.0 - 0.5 * pose.squash
    centre = feet + tall * tilted

    def part(at: Floats, radii: Floats, colour: Colour, upwards: Floats, to: Floats) -> EllipsoidInstance:
        return EllipsoidInstance(
            to_point(at), to_point(radii), colour, 0.0, opacity, to_point(upwards), to_point(to), is_part=True
        )

    whole = part(centre, np.array((wide * thinner, tall, deep * thinner)), BODY_COLOUR, tilted, ahead)
    pack_at = centre - 0.86 * deep * thinner * ahead + 0.12 * tall * tilted
    parts = [part(pack_at, scale * np.array(PACK_RADII), PACK_COLOUR, tilted, ahead)]
    for side in (-1.0, 1.0):
        angle = 2.0 * math.pi * pose.step + (math.pi / 2.0) * side
        at = feet + scale * (
            side * FOOT_SIDE * right
            + (FOOT_FORWARD + pose.stride * MAX_SWING * math.sin(angle)) * forward
            + (FOOT_RADII[1] + pose.stride * MAX_LIFT * max(math.cos(angle), 0.0)) * up
        )
        parts.append(part(at, scale * np.array(FOOT_RADII), FOOT_COLOUR, up, forward))
    return (replace(whole, is_part=False, visor=True), *parts)
