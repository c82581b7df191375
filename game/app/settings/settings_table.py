"""Every setting in one table: its page, name, sentence, default and range. Pages, files and documentation follow it.

The fields of `Settings` carry what `OPTIONS` lists: there is no second place where a setting is written down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from . import key_bindings
from .key_bindings import Bindings

SLIDER, CHOICE, TOGGLE = "slider", "choice", "toggle"
QUALITIES = ("low", "medium", "high")
PAGES: Mapping[str, str] = {
    "display": "Display",
    "comfort": "Comfort",
    "reading": "Text and colours",
    "mouse": "Mouse",
    "gamepad": "Gamepad",
    "keys": "Keys",
    "sound": "Sound",
}
NO_CAP = "none"


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. Sliders go from `least` to `most` by `step`; choices have values, and the names of these.

    `unit` stands behind the number of a slider; "%" shows a part of 1 as a percentage.
    """

    name: str
    page: str
    label: str
    sentence: str
    kind: str
    default: Any
    least: float = 0.0
    most: float = 0.0
    step: float = 0.0
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unit: str = ""

    def cut(self, value: Any) -> Any:
        """The value, cut to the range; ValueError in words for what can be no value of this setting."""
        if self.kind == TOGGLE:
            if not isinstance(value, bool):
                raise ValueError(f"{self.name} is true or false")
            return value
        if self.kind == CHOICE:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{self.name} is one of {', '.join(filter(None, self.choices))}")
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
            raise ValueError(f"{self.name} is a number")
        return float(min(max(value, self.least), self.most))

    def shown(self, value: Any) -> str:
        """The value as a page shows it."""
        if self.kind == TOGGLE:
            return "on" if value else "off"
        if self.kind == CHOICE:
            return self.names[self.choices.index(value)]
        if self.unit == "%":
            return f"{100.0 * value:.0f} %"
        digits = 0 if self.step >= 1.0 else 1 if self.step >= 0.1 else 2
        return f"{value:.{digits}f}{self.unit}"

    def part(self, value: Any) -> float | None:
        """How far a slider stands, 0 to 1; None where there is no slider."""
        return (value - self.least) / (self.most - self.least) if self.kind == SLIDER else None

    def at(self, part: float) -> Any:
        """The value of a slider at a part (0 to 1) of its length, on its steps."""
        steps = round((self.most - self.least) * min(max(part, 0.0), 1.0) / self.step)
        return self.cut(round(self.least + steps * self.step, 6))

    def moved(self, value: Any, by: int) -> Any:
        """The value so many steps on: a slider stops at its ends, choices and toggles go round."""
        if self.kind == TOGGLE:
            return bool(value) ^ bool(by % 2)
        if self.kind == CHOICE:
            return self.choices[(self.choices.index(value) + by) % len(self.choices)]
        return self.cut(round(value + by * self.step, 6))


def _slider(page: str, label: str, least: float, default: float, most: float, step: float, unit: str, text: str) -> Any:
    about = {"page": page, "label": label, "sentence": text, "kind": SLIDER}
    return field(default=default, metadata={**about, "least": least, "most": most, "step": step, "unit": unit})


def _toggle(page: str, label: str, default: bool, text: str) -> Any:
    return field(default=default, metadata={"page": page, "label": label, "sentence": text, "kind": TOGGLE})


def _choice(page: str, label: str, default: str, named: Mapping[str, str], text: str) -> Any:
    about = {"page": page, "label": label, "sentence": text, "kind": CHOICE}
    return field(default=default, metadata={**about, "choices": tuple(named), "names": tuple(named.values())})


_CAPS = {NO_CAP: "none"} | {str(rate): f"{rate} a second" for rate in (30, 60, 75, 90, 120, 144, 165, 240)}
_HOLD = {"hold": "hold", "toggle": "press once"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the player has set. Each field is one option of the table; `own_keys` are the keys bound anew."""

    borderless: bool = _toggle(
        "display", "Full screen", False, "Fills the screen that the window is on, without borders. F11 does it too."
    )
    vsync: bool = _toggle(
        "display", "Wait for the screen", True, "Shows each picture whole (vsync). Off: a little sooner, but torn."
    )
    frame_cap: str = _choice(
        "display", "Most frames", NO_CAP, _CAPS, "Draws no more pictures a second than this: a quieter, cooler machine."
    )
    quality: str = _choice(
        "display",
        "Quality",
        "",
        {"": "automatic", **{name: name for name in QUALITIES}},
        "How finely light, shadow and surfaces are drawn. Automatic chooses by what draws them.",
    )
    fov: float = _slider(
        "display",
        "Field of view",
        60.0,
        90.0,
        110.0,
        1.0,
        "°",
        "How much is seen at once, across a picture of 16:9. More is easier on some stomachs.",
    )
    interface_scale: float = _slider(
        "display", "Interface size", 0.7, 1.0, 1.6, 0.05, "%", "How large menus, messages and marks are drawn."
    )
    trial_clock: bool = _toggle(
        "display", "Clock", True, "Shows the time of a run from the first step to the goal, and how far ahead it is."
    )
    ghost: bool = _toggle("display", "Ghost", True, "Your best run walks beside you, as glass.")
    reduce_motion: bool = _toggle(
        "comfort",
        "Reduce motion",
        False,
        "No head bob, no dip on landing, and the view behind the title stands still.",
    )
    head_bob: float = _slider(
        "comfort", "Head bob", 0.0, 0.0, 1.0, 0.1, "%", "How much the view moves with each step. None at 0 %."
    )
    step_smoothing: bool = _toggle(
        "comfort", "Smooth stairs", True, "The view glides over steps. Off: it goes up and down with each of them."
    )
    crouch: str = _choice(
        "comfort", "Crouch", "hold", _HOLD, "Crouch while the key is held, or press once to crouch and again to rise."
    )
    sprint: str = _choice(
        "comfort", "Run", "hold", _HOLD, "Run while the key is held, or press once to run and again to walk."
    )
    text_size: float = _slider(
        "reading", "Text size", 0.8, 1.0, 1.5, 0.05, "%", "How large letters are, whatever the size of the interface."
    )
    high_contrast: bool = _toggle(
        "reading", "High contrast", False, "White on black: panels without a view through them, and lines around them."
    )
    palette: str = _choice(
        "reading",
        "Colours",
        "usual",
        {"usual": "usual", "safe": "colour-blind safe"},
        "The safe ones (after Okabe and Ito) can be told apart with any kind of colour vision.",
    )
    sensitivity: float = _slider(
        "mouse", "Sensitivity", 0.02, 0.12, 0.5, 0.01, "°", "How far the view turns for each pixel the mouse moves."
    )
    invert_x: bool = _toggle("mouse", "Invert left and right", False, "The mouse to the right looks to the left.")
    invert_y: bool = _toggle("mouse", "Invert up and down", False, "The mouse forward looks down.")
    pad_dead_zone: float = _slider(
        "gamepad", "Dead zone", 0.05, 0.2, 0.6, 0.01, "%", "How far a stick must lean, any way, before it counts."
    )
    pad_curve: float = _slider(
        "gamepad",
        "Response curve",
        1.0,
        2.0,
        3.0,
        0.1,
        "",
        "At 1 the view turns in proportion to the stick; more is finer near its middle.",
    )
    pad_speed_x: float = _slider(
        "gamepad", "Speed across", 30.0, 180.0, 360.0, 10.0, "°/s", "How fast the view turns with the stick at its end."
    )
    pad_speed_y: float = _slider(
        "gamepad", "Speed up and down", 30.0, 120.0, 360.0, 10.0, "°/s", "How fast the view rises and falls likewise."
    )
    pad_invert_x: bool = _toggle("gamepad", "Invert left and right", False, "The stick to the right looks to the left.")
    pad_invert_y: bool = _toggle("gamepad", "Invert up and down", False, "The stick pushed forward looks down.")
    keys: str = _choice(
        "keys",
        "Keyboard",
        "qwerty",
        {name: preset.label for name, preset in key_bindings.PRESETS.items()},
        "The keys to begin with. Each set remembers what you bind anew in it.",
    )
    master: float = _slider("sound", "Everything", 0.0, 1.0, 1.0, 0.05, "%", "How loud the game is. Silent at 0 %.")
    sound: float = _slider(
        "sound", "Sounds", 0.0, 0.7, 1.0, 0.05, "%", "How loud jumps, landings, balls and what happens are."
    )
    footsteps: float = _slider("sound", "Footsteps", 0.0, 0.7, 1.0, 0.05, "%", "How loud your own steps are.")
    ambience: float = _slider("sound", "Wind and water", 0.0, 0.5, 1.0, 0.05, "%", "How loud the places are.")
    own_keys: key_bindings.Own = ()

    def changed(self, name: str, value: Any) -> Settings:
        """The same with one field set, cut to its range; ValueError in words for what is no such value."""
        if name == "own_keys":
            return replace(self, own_keys=key_bindings.read(value))
        return replace(self, **{name: OPTION[name].cut(value)})

    @property
    def bound(self) -> Bindings:
        """The keys in force."""
        return Bindings.of(self.keys, self.own_keys)

    def rebound(self, bound: Bindings) -> Settings:
        """The same with other keys of the chosen set."""
        return replace(self, own_keys=bound.into(self.own_keys))


OPTIONS: tuple[Option, ...] = tuple(
    Option(name=each.name, default=each.default, **each.metadata) for each in fields(Settings) if each.metadata
)
OPTION: Mapping[str, Option] = {option.name: option for option in OPTIONS}


def on_page(page: str) -> tuple[Option, ...]:
    """The settings of a page, from top to bottom."""
    return tuple(option for option in OPTIONS if option.page == page)
