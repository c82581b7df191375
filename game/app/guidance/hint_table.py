"""Table of the hints: the name of each, its text with the keys of the device in hand, and how long it is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...text.key_symbols import key_symbol, key_symbols
from ..input.actions import PlayAction
from ..settings.key_bindings import key_label
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


def is_pressed_once(action: PlayAction, held: HeldActions, settings: Settings) -> bool:
    """Whether one press starts an action and the next one ends it: it toggles, or its key is the mouse wheel."""
    if action is PlayAction.REWIND:
        return settings.rewind_key == "toggle"
    by_wheel = not held.uses_gamepad and held.bindings.is_on_wheel(action)
    return by_wheel or action in settings.toggled_actions or held.is_latched(action)


def _hold(action: PlayAction, held: HeldActions, settings: Settings) -> str:
    """`Hold Ctrl`, or `Ctrl` where one press is enough."""
    key = held.describe(action)
    return key if is_pressed_once(action, held, settings) else f"Hold {key}"


def strike_text(held: HeldActions, settings: Settings) -> str:
    """`Hold E, release to hit`, or `E, again to hit` where one press is enough."""
    end = "again to hit" if is_pressed_once(PlayAction.USE, held, settings) else "release to hit"
    return f"{_hold(PlayAction.USE, held, settings)}, {end}"


def _walk_text(held: HeldActions, settings: Settings) -> str:
    if held.uses_gamepad:
        return f"{key_symbol('Left stick')} to move"
    tap = held.bindings.keys_of(PlayAction.AUTO_WALK)[0]
    taps = f"{key_symbol(key_label(tap))} or " if tap.startswith("MOUSE_") else ""  # it walks until the next press
    return f"{taps}{key_symbols(held.bindings.movement_keys)} to move"


def _look_text(held: HeldActions, settings: Settings) -> str:
    if held.uses_gamepad:
        return f"{key_symbol('Right stick')} to look"
    turn_keys = "" if held.bindings.preset == "touchpad" else held.bindings.turn_keys
    return f"{key_symbols(turn_keys or 'Mouse')} to look"


def _rewind_text(held: HeldActions, settings: Settings) -> str:
    return f"{_hold(PlayAction.REWIND, held, settings)}: rewind and try again"


HINTS: tuple[Hint, ...] = (  # the first that is needed is shown
    Hint("swim", lambda held, settings: f"You swim where you look   ·   {held.describe(PlayAction.JUMP)}: swim up"),
    Hint("climb", lambda held, _: f"Walk into the ladder to climb   ·   {held.describe(PlayAction.JUMP)}: let go"),
    Hint("crouch", lambda held, settings: f"{_hold(PlayAction.CROUCH, held, settings)}: crouch"),
    Hint("jump", lambda held, settings: f"{held.describe(PlayAction.JUMP)}: jump"),
    Hint("rewind", _rewind_text, BRIEF_SECONDS),
    Hint("walk", _walk_text),
    Hint("look", _look_text),
    Hint("throw", lambda held, settings: f"{held.describe(PlayAction.USE)}: throw a ball"),
    Hint("ghosts", lambda held, settings: f"{key_symbols('1 to 6')}: add a ghost that walks with you"),
    Hint("aim", lambda held, settings: f"Press {held.describe(PlayAction.AIM)}: what to do, and where", BRIEF_SECONDS),
    Hint("sprint", lambda held, settings: f"{_hold(PlayAction.SPRINT, held, settings)}: sprint", BRIEF_SECONDS),
)
STARTING_HINTS = ("walk", "look")  # shown side by side
