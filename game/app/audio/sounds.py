"""Sounds: the table of those that the game plays, and the cue that starts one.

The sounds of footsteps, `step_KIND_NUMBER`, follow the surfaces of a level (`level/format/surfaces.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.vectors import Point


@dataclass(frozen=True, slots=True)
class RumbleEffect:
    """Strength of the strong (low) and the weak (high) motor, 0 to 1, at full loudness, and the duration (s)."""

    strong: float
    weak: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound of the game.

    caption      its text; "" for none
    rumble       what a gamepad does with it
    volume       field of the settings
    is_endless   it is played again and again, without a gap
    is_placed    it is a part of the world: walls, rooms and water change it
    file         of assets/sounds, where it has another name
    """

    caption: str = ""
    rumble: RumbleEffect | None = None
    volume: str = "sound"
    is_endless: bool = False
    is_placed: bool = True
    file: str = ""


def _loop(volume: str = "ambience", is_placed: bool = True) -> Sound:
    return Sound(volume=volume, is_endless=True, is_placed=is_placed)


SOUNDS: Mapping[str, Sound] = {
    # Of the walker and the world
    "bump": Sound("Bump"),
    "checkpoint": Sound("Checkpoint", RumbleEffect(0.0, 0.7, 0.20)),
    "door": Sound("Door"),
    "fell": Sound("Fall"),
    "goal": Sound("Goal", RumbleEffect(0.5, 0.8, 0.45)),
    "gravity": Sound("Gravity turns"),
    "jump": Sound(),
    "land": Sound(rumble=RumbleEffect(0.8, 0.3, 0.16)),
    "launch": Sound("Launch pad", RumbleEffect(0.4, 0.6, 0.15)),
    "splash": Sound("Splash"),
    "swim": Sound(),
    "target": Sound("Bell"),
    # Of balls
    "ball": Sound("Ball hits"),
    "stroke": Sound("Ball hits", RumbleEffect(0.3, 0.8, 0.12), file="ball"),
    "throw": Sound("Ball thrown", RumbleEffect(0.2, 0.6, 0.10)),
    # Loops
    "flow": _loop(),
    "indoors": _loop(is_placed=False),
    "lamp": _loop(),
    "mover": _loop("sound"),
    "outdoors": _loop(is_placed=False),
    "slide": _loop("sound"),
    "torch": _loop(),
    "underwater": _loop(is_placed=False),
    "wind": _loop(),
    # Of menus
    "menu_back": Sound(is_placed=False),
    "menu_choose": Sound(is_placed=False),
    "menu_move": Sound(is_placed=False),
    "music": _loop("music", is_placed=False),
}
FOOTSTEP = Sound(volume="footsteps")


def sound_of(name: str) -> Sound:
    """The sound of this name. All that are not in the table are footsteps."""
    return SOUNDS.get(name, FOOTSTEP)


@dataclass(frozen=True, slots=True)
class SoundCue:
    """A sound to play once: its name, its loudness 0..1, and `pitch` as a factor of its playback speed.

    loudness: at the player's ear. place: of the source (m), which gives the direction; None: at the player.
    hidden: 0 in sight of the ear to 1 behind a wall.
    """

    name: str
    loudness: float = 1.0
    pitch: float = 1.0
    place: Point | None = None
    hidden: float = 0.0
