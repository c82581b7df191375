"""Table of the hints: the name of each, its text with the keys of the device in hand, and how long it is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.key_symbols import key_symbol, key_symbols
from ..settings.settings_table import Settings

if TYPE_CHECKING:
    from ..input.player_input import HeldActions

BRIEF_SECONDS = 10.0  # s that a hint is shown which is useful but not needed to go on


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint. text: made of the keys and the settings. seconds: longest time that it is shown in one level."""

    name: str
    text: Callable[[HeldActions, Settings], str]
    seconds: float = math.inf


def _hold(setting: str, held: HeldActions, settings: Settings) -> str:
    """`Hold Ctrl`, or `Ctrl` where one press is enough."""
    key = held.describe(setting)
    return key if setting in settings.toggled_actions else f"Hold {key}"


def _walk_text(held: HeldActions, settings: Settings) -> str:
    return f"{key_symbol('Left stick') if held.uses_gamepad else key_symbols(held.bindings.movement_keys)} to move"


def _look_text(held: HeldActions, settings: Settings) -> str:
    if held.uses_gamepad:
        return f"{key_symbol('Right stick')} to look"
    turn_keys = "" if held.bindings.preset == "touchpad" else held.bindings.turn_keys
    return f"{key_symbols(turn_keys or 'Mouse')} to look"


HINTS: tuple[Hint, ...] = (  # the first that is needed is shown
    Hint("aim_stroke", lambda held, settings: f"Release {held.describe('use')} at the power you want"),
    Hint(
        "strike", lambda held, settings: f"Hold {held.describe('use')}, release to hit   ·   Look up to loft the ball"
    ),
    Hint("swim", lambda held, settings: f"You swim where you look   ·   {held.describe('jump')}: swim up"),
    Hint("climb", lambda held, settings: f"Walk into the ladder to climb   ·   {held.describe('jump')}: let go"),
    Hint("crouch", lambda held, settings: f"{_hold('crouch', held, settings)}: crouch"),
    Hint("jump", lambda held, settings: f"{held.describe('jump')}: jump"),
    Hint("rewind", lambda held, settings: f"Hold {held.describe('rewind')}: rewind and try again", BRIEF_SECONDS),
    Hint("walk", _walk_text),
    Hint("look", _look_text),
    Hint("throw", lambda held, settings: f"{held.describe('use')}: throw a ball"),
    Hint("ghosts", lambda held, settings: f"{key_symbols('1 to 6')}: add a ghost that walks with you"),
    Hint("aim", lambda held, settings: f"Press {held.describe('aim')}: what to do, and where", BRIEF_SECONDS),
    Hint("sprint", lambda held, settings: f"{_hold('sprint', held, settings)}: sprint", BRIEF_SECONDS),
)
STARTING_HINTS = ("walk", "look")  # shown side by side
