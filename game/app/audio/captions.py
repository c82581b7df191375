"""Captions: sounds that carry meaning, and movers and ghosts that pass, as lines of text with their direction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.vectors import Point
from ...render import Camera, Snapshot
from ...render.hud.palette import theme_for
from ...render.snapshot import ScreenLabel
from .sound_cue import SoundCue

if TYPE_CHECKING:
    from ...sim import World

TEXTS = {
    "target": "Bell",
    "checkpoint": "Checkpoint",
    "door": "Door",
    "splash": "Splash",
    "launch": "Launch pad",
    "ball": "Ball hits",
    "throw": "Ball thrown",
    "fell": "Fall",
    "goal": "Goal",
}
MOVER_TEXT, GHOST_TEXT = "Platform passes", "Ghost passes"
SHOWN_SECONDS = 2.2  # s that a caption is shown after its sound
MAX_LINES = 3
MIN_LOUDNESS = 0.10  # quieter sounds have no caption
SIDE_ANGLE, BEHIND_ANGLE = math.radians(30.0), math.radians(140.0)  # from the view: beyond them, beside and behind
NEAR_DISTANCE = 0.6  # m, a nearer source has no direction
MOVER_DISTANCE, GHOST_DISTANCE = 2.5, 2.5  # m within which they pass
LEAVE_FACTOR = 1.6  # of these distances, beyond which the same one may be announced again
MIN_MOVER_SPEED = 0.3  # m/s
FIRST_LINE, LINE_STEP = 0.80, 0.06  # of the picture's height: the lowest caption, and the next above it


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
            if cue.name in TEXTS and cue.loudness >= MIN_LOUDNESS:
                self._show(TEXTS[cue.name], cue.place)

    def update_passing(self, world: World, poses: Any, ghosts: Sequence[Point], seconds: float) -> None:
        """Add platforms and ghosts that come near. poses: of the movers (K, 3, 4); ghosts: their centres (m)."""
        body = world.walker_state.position
        movers = None if world.around is None else world.around.movers
        if movers is not None and poses is not None and seconds > 0.0:
            before = self._poses if self._poses is not None and len(self._poses) == len(poses) else poses
            for number, (mover, old, pose) in enumerate(zip(movers, before, poses, strict=True)):
                place, speed = _nearest_point(mover, pose, body), float(np.abs(pose - old).max()) / seconds
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

    def lines(self, view: Camera) -> tuple[str, ...]:
        """The captions as text for this view, oldest first."""
        return tuple(_with_direction(caption, view) for caption in self.shown)

    def apply_to_frame(self, shot: Snapshot) -> Snapshot:
        """The snapshot with the captions above the bottom; unchanged under a menu."""
        if not self.shown or shot.hud.panel is not None:
            return shot
        red, green, blue, _ = theme_for(shot.hud.palette, shot.hud.contrast).ink
        labels = tuple(
            ScreenLabel(line, 0.5, FIRST_LINE - LINE_STEP * number, (red, green, blue), centred=True)
            for number, line in enumerate(reversed(self.lines(shot.view)))
        )
        return replace(shot, hud=replace(shot.hud, labels=(*shot.hud.labels, *labels)))


def _nearest_point(mover: Any, pose: Any, body: Point) -> Point:
    """Point of a mover's surface nearest to the body, in the world."""
    turn, at = pose[:, :3], pose[:, 3]
    x, y, z = (turn.T @ (np.array(body) - at)).tolist()
    hit = mover.mesh.closest((x, y, z))
    px, py, pz = (turn @ np.array((x, y, z) if hit is None else hit.point) + at).tolist()
    return (px, py, pz)


def _with_direction(caption: Caption, view: Camera) -> str:
    """`← Bell`, `Bell →`, `Bell (behind)`, or `Bell` for a source ahead or at the player."""
    if caption.place is None or math.dist(caption.place, view.eye) < NEAR_DISTANCE:
        return caption.text
    right, _, forward = view.basis()
    offset = np.subtract(caption.place, view.eye)
    across = float(right @ offset)
    ahead = float(forward @ offset)
    angle = math.atan2(across, ahead)
    if abs(angle) < SIDE_ANGLE:
        return caption.text
    if abs(angle) > BEHIND_ANGLE:
        return f"{caption.text} (behind)"
    return f"{caption.text} →" if angle > 0.0 else f"← {caption.text}"
