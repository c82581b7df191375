"""Sounds: the table of those that the game plays, the cue that starts one, and what a gamepad does with it.

The sounds of footsteps, `step_KIND_NUMBER`, follow the surfaces of a level (`level/format/surfaces.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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


# Rumble. pyglet has force feedback for gamepads on Linux (evdev; the user needs write access to the device) and on
# Windows (XInput), each with a strong and a weak motor. On macOS, and for DirectInput gamepads, its methods do nothing.

MIN_STRENGTH = 0.02  # below which nothing is felt


def strongest_effect(cues: Iterable[SoundCue], strength: float) -> RumbleEffect | None:
    """The effect of the loudest of these sounds that have one, scaled by `strength` (0 to 1); None for none."""
    found = [(cue.loudness, effect) for cue in cues if (effect := sound_of(cue.name).rumble) is not None]
    if not found:
        return None
    loud, effect = max(found, key=lambda pair: pair[0] * (pair[1].strong + pair[1].weak))
    scale = min(max(loud, 0.0), 1.0) * min(max(strength, 0.0), 1.0)
    if scale * max(effect.strong, effect.weak) < MIN_STRENGTH:
        return None
    return RumbleEffect(scale * effect.strong, scale * effect.weak, effect.seconds)


class Rumble:
    """Plays effects on the opened gamepads. A gamepad that fails once is left alone from then on."""

    def __init__(self) -> None:
        self._failed: set[int] = set()

    def play(self, controllers: Iterable[Any], effect: RumbleEffect | None) -> None:
        """Start an effect on pyglet controllers. Errors of the system are ignored: play goes on without it."""
        if effect is None:
            return
        for controller in controllers:
            if id(controller) in self._failed:
                continue
            try:
                if effect.strong > 0.0:
                    controller.rumble_play_strong(effect.strong, effect.seconds)
                if effect.weak > 0.0:
                    controller.rumble_play_weak(effect.weak, effect.seconds)
            except Exception:  # unplugged, no permission, or no force feedback
                self._failed.add(id(controller))
