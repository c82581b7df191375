"""Rumble of the gamepad: short effects for landings, hits and checkpoints, started by the sounds of a frame.

pyglet has force feedback for gamepads on Linux (evdev; the user needs write access to the device) and on Windows
(XInput), each with a strong and a weak motor. On macOS, and for DirectInput gamepads, its methods do nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .sounds import RumbleEffect, SoundCue, sound_of

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
