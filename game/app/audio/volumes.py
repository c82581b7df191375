"""How loud each sound is by the player's settings: footsteps, wind and water, everything else, and all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

FOOTSTEP_PREFIX = "step_"  # footsteps begin so in assets/sounds
AMBIENCE_SOUNDS = frozenset({"outdoors", "indoors", "underwater"})

VolumeFunction = Callable[[str], float]


def volume_function(settings: Settings) -> VolumeFunction:
    """A function that says how loud (0..1) a sound of this name may be."""

    def loud(name: str) -> float:
        if name.startswith(FOOTSTEP_PREFIX):
            return settings.master * settings.footsteps
        return settings.master * (settings.ambience if name in AMBIENCE_SOUNDS else settings.sound)

    return loud
