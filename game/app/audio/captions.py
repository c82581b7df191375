"""Captions: sounds that carry meaning, and movers and ghosts that pass, as lines of text with their direction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.vectors import Point
from .sounds import SoundCue, sound_of

if TYPE_CHECKING:
    from ...sim import World

MOVER_TEXT = "Platform passes"
GHOST_TEXT = "Ghost passes"
SHOWN_SECONDS = 2.2  # s that a caption is shown after its sound
MAX_LINES = 3
MIN_LOUDNESS = 0.10  # quieter sounds have no caption
SIDE_ANGLE = math.radians(30.0)  # from the view; a source beyond it is beside
BEHIND_ANGLE = math.radians(140.0)  # from the view; a source beyond it is behind
NEAR_DISTANCE = 0.6  # m, a nearer source has no direction
MOVER_DISTANCE = 2.5  # m within which a mover passes
GHOST_DISTANCE = 2.5  # m within which a ghost passes
LEAVE_FACTOR = 1.6  # of these distances, beyond which the same one may be announced again
MIN_MOVER_SPEED = 0.3  # m/s


@dataclass(frozen=True, slots=True)
class Caption:
    """A text, the place of its source (m; None: the player), and the reading of the clock (s) at which it ends."""

    text: str
    place: Point | None
    until: float


class Captions:
    """The captions on the screen, newest last."""

    def __init__(self) -> None:
        self.shown: list[Caption] = []
        self._now = 0.0
        self._passing: set[tuple[str, int]] = set()
        self._poses: Any = None

    def update(self, cues: Iterable[SoundCue], seconds: float) -> None:
        """Add the sounds that begin in this frame of `seconds`, and remove what has been shown long enough."""
        self._now += max(seconds, 0.0)
        self.shown = [caption for caption in self.shown if caption.until > self._now]
        for cue in cues:
            caption = sound_of(cue.name).caption
            if caption and cue.loudness >= MIN_LOUDNESS:
                self._show(caption, cue.place)

    def update_passing(self, world: World, poses: Any, ghosts: Sequence[Point], seconds: float) -> None:
        """Add platforms and ghosts that come near. poses: of the movers (K, 3, 4); ghosts: their centres (m)."""
        body = world.walker_state.position
        movers = None if world.environment is None else world.environment.movers
        if movers is not None and poses is not None and seconds > 0.0:
            before = self._poses if self._poses is not None and len(self._poses) == len(poses) else poses
            for number, (mover, old, pose) in enumerate(zip(movers, before, poses, strict=True)):
                place = _nearest_point(mover, pose, body)
                speed = float(np.abs(pose - old).max()) / seconds
                if number == world.walker_state.mover or (
                    speed < MIN_MOVER_SPEED and ("m", number) not in self._passing
                ):
                    continue
                self._pass("m", number, MOVER_TEXT, place, math.dist(place, body) / MOVER_DISTANCE)
            self._poses = np.array(poses)
        for number, place in enumerate(ghosts):
            self._pass("g", number, GHOST_TEXT, place, math.dist(place, body) / GHOST_DISTANCE)

    def _pass(self, kind: str, number: int, text: str, place: Point, distance: float) -> None:
        """Announce once what comes nearer than distance 1; again after it was farther than LEAVE_FACTOR."""
        if distance < 1.0 and (kind, number) not in self._passing:
            self._passing.add((kind, number))
            self._show(text, place)
        elif distance > LEAVE_FACTOR:
            self._passing.discard((kind, number))

    def _show(self, text: str, place: Point | None) -> None:
        self.shown = [caption for caption in self.shown if caption.text != text][-(MAX_LINES - 1) :]
        self.shown.append(Caption(text, place, self._now + SHOWN_SECONDS))

    def lines(self, eye: Point, right: Any, forward: Any) -> tuple[str, ...]:
        """The captions as text, oldest first, for a view from `eye` (m) with these axes, unit vectors (3,)."""
        return tuple(_with_direction(caption, eye, right, forward) for caption in self.shown)


def _nearest_point(mover: Any, pose: Any, body: Point) -> Point:
    """Point of a mover's surface nearest to the body, in the world."""
    turn = pose[:, :3]
    at = pose[:, 3]
    x, y, z = (turn.T @ (np.array(body) - at)).tolist()
    hit = mover.mesh.closest((x, y, z))
    px, py, pz = (turn @ np.array((x, y, z) if hit is None else hit.point) + at).tolist()
    return (px, py, pz)


def _with_direction(caption: Caption, eye: Point, right: Any, forward: Any) -> str:
    """`← Bell`, `Bell →`, `Bell (behind)`, or `Bell` for a source ahead or at the player."""
    if caption.place is None or math.dist(caption.place, eye) < NEAR_DISTANCE:
        return caption.text
    offset = np.subtract(caption.place, eye)
    angle = math.atan2(float(right @ offset), float(forward @ offset))
    if abs(angle) < SIDE_ANGLE:
        return caption.text
    if abs(angle) > BEHIND_ANGLE:
        return f"{caption.text} (behind)"
    return f"{caption.text} →" if angle > 0.0 else f"← {caption.text}"
