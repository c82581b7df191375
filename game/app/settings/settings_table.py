"""Settings table: page, label, sentence, default and range of every setting, for the menu, the file and the docs.

The metadata of the fields of `Settings` is the table; `OPTIONS` lists it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..input.actions import MOVEMENT_ACTIONS, PlayAction
from . import key_bindings
from .key_bindings import KeyBindings
from .key_presets import PRESETS

SLIDER = "slider"
CHOICE = "choice"
TOGGLE = "toggle"
QUALITIES = ("low", "medium", "high")
PAGES: Mapping[str, str] = {
    "display": "Display",
    "comfort": "Comfort",
    "assist": "Assist",
    "reading": "Accessibility",
    "mouse": "Mouse",
    "gamepad": "Gamepad",
    "keys": "Keys",
    "sound": "Sound",
}
NO_FRAME_CAP = "none"


@dataclass(frozen=True, slots=True)
class SettingOption:
    """One setting. A slider has a range `minimum` to `maximum` and a `step`; a choice has `choices` and their `names`.

    `unit` follows the number of a slider; "%" shows a fraction as a percentage.
    """

    name: str
    page: str
    label: str
    sentence: str
    kind: str
    default: Any
    minimum: float = 0.0
    maximum: float = 0.0
    step: float = 0.0
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unit: str = ""

    def clamp(self, value: Any) -> Any:
        """The value, cut to the range; ValueError for a value of the wrong kind."""
        if self.kind == TOGGLE:
            if not isinstance(value, bool):
                raise ValueError(f"{self.name} must be true or false")
            return value
        if self.kind == CHOICE:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{self.name} must be one of {', '.join(filter(None, self.choices))}")
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:  # nan is not itself
            raise ValueError(f"{self.name} must be a number")
        return float(min(max(value, self.minimum), self.maximum))

    def format_value(self, value: Any) -> str:
        """The value as text for a page."""
        if self.kind == TOGGLE:
            return "On" if value else "Off"
        if self.kind == CHOICE:
            return self.names[self.choices.index(value)]
        if self.unit == "%":
            return f"{100.0 * value:.0f} %"
        digits = 0 if self.step >= 1.0 else 1 if self.step >= 0.1 else 2
        return f"{value:.{digits}f}{self.unit}"

    def slider_fraction(self, value: Any) -> float | None:
        """Position of a slider, 0 to 1; None for other kinds."""
        return (value - self.minimum) / (self.maximum - self.minimum) if self.kind == SLIDER else None

    def value_at_fraction(self, fraction: float) -> Any:
        """The value of a slider at a position (0 to 1), on its steps."""
        steps = round((self.maximum - self.minimum) * min(max(fraction, 0.0), 1.0) / self.step)
        return self.clamp(round(self.minimum + steps * self.step, 6))

    def stepped(self, value: Any, by: int) -> Any:
        """The value `by` steps further: a slider stops at its ends, choices and toggles wrap around."""
        if self.kind == TOGGLE:
            return bool(value) ^ bool(by % 2)
        if self.kind == CHOICE:
            return self.choices[(self.choices.index(value) + by) % len(self.choices)]
        return self.clamp(round(value + by * self.step, 6))


def _slider(page: str, label: str, values: tuple[float, float, float, float], unit: str, text: str) -> Any:
    """values: the least, the default, the largest, and a step."""
    minimum, default, maximum, step = values
    about = {"page": page, "label": label, "sentence": text, "kind": SLIDER, "step": step, "unit": unit}
    return field(default=default, metadata={**about, "minimum": minimum, "maximum": maximum})


def _toggle(page: str, label: str, default: bool, text: str) -> Any:
    return field(default=default, metadata={"page": page, "label": label, "sentence": text, "kind": TOGGLE})


def _choice(page: str, label: str, default: str, named: Mapping[str, str], text: str) -> Any:
    about = {"page": page, "label": label, "sentence": text, "kind": CHOICE}
    return field(default=default, metadata={**about, "choices": tuple(named), "names": tuple(named.values())})


_HOLD_CHOICES = {"hold": "Hold", "toggle": "Toggle"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The player's settings, immutable. Each field is one option of the table; `own_keys`: changed key bindings."""

    borderless: bool = _toggle("display", "Full screen", False, "Fills the screen, without a window border. Also: F11.")
    vsync: bool = _toggle("display", "V-sync", True, "Prevents screen tearing. Off: slightly less delay.")
    frame_cap: str = _choice(
        "display",
        "Frame rate limit",
        NO_FRAME_CAP,
        {NO_FRAME_CAP: "Unlimited", "60": "60 fps", "120": "120 fps"},
        "Limits the frames per second, for a quieter, cooler computer.",
    )
    quality: str = _choice(
        "display",
        "Quality",
        "",
        {"": "Automatic", **{name: name.capitalize() for name in QUALITIES}},
        "Detail of light, shadows and surfaces. Automatic: chosen to suit the graphics hardware.",
    )
    fov: float = _slider(
        "display",
        "Field of view",
        (60.0, 90.0, 110.0, 1.0),
        "°",
        "Horizontal angle of view on a 16:9 screen. Wider can reduce motion sickness.",
    )
    interface_scale: float = _slider(
        "display",
        "Interface size",
        (0.7, 1.0, 1.6, 0.05),
        "%",
        "Size of menus, messages and markers, at most what fits the window.",
    )
    trial_clock: bool = _toggle(
        "display",
        "Show run timer",
        True,
        "Shows the time of a run from the first step to the goal, and the gap to your best.",
    )
    ghost: bool = _toggle("display", "Show best-run ghost", True, "See your best run as a transparent figure.")
    goal_marker: bool = _toggle(
        "display", "Show goal marker", True, "Marks the goal, the next target or the next hole, with its distance."
    )
    hints: bool = _toggle(
        "display", "Show hints", True, "Shows the key for what is in front of you, until you have used it once."
    )
    ball_camera: bool = _toggle(
        "display",
        "Follow the golf ball",
        True,
        "The camera follows a ball in flight. Off, or Reduce motion: your own view.",
    )
    reduce_motion: bool = _toggle(
        "comfort",
        "Reduce motion",
        False,
        "Nothing moves the view but you: no bob, dip, roll or fades, and still menus. Smooth stairs is separate.",
    )
    head_bob: float = _slider(
        "comfort", "Head bob", (0.0, 0.0, 1.0, 0.1), "%", "How much the view moves with each step. Off at 0 %."
    )
    step_smoothing: bool = _toggle(
        "comfort", "Smooth stairs", True, "The camera glides over stairs. Off: it moves up and down with each step."
    )
    crouch: str = _choice(
        "comfort",
        "Crouch",
        "hold",
        _HOLD_CHOICES,
        "Hold the key to crouch, or press once to crouch and again to stand up.",
    )
    sprint: str = _choice(
        "comfort", "Sprint", "hold", _HOLD_CHOICES, "Hold the key to sprint, or press once to sprint and again to walk."
    )
    gravity_view: str = _choice(
        "comfort",
        "When gravity turns",
        "smooth",
        {"smooth": "Smooth roll", "cut": "Cut"},
        "How the view follows when gravity changes its direction. Cut: at once, without a roll.",
    )
    platform_view: bool = _toggle(
        "comfort", "Turn with platforms", True, "A rotating platform under your feet turns the view with it."
    )
    walk: str = _choice(
        "assist",
        "Walk",
        "hold",
        _HOLD_CHOICES,
        "Hold the keys to walk, or press once to walk and again to stop. One key for forward: Auto-walk.",
    )
    jump: str = _choice(
        "assist",
        "Jump, swim up",
        "hold",
        _HOLD_CHOICES,
        "Hold the key to swim up, or press once to keep jumping and swimming up until you press it again.",
    )
    use: str = _choice(
        "assist",
        "Throw or hit",
        "hold",
        _HOLD_CHOICES,
        "Hold the key for the strength and release it, or press once to start and again to throw or hit.",
    )
    rewind_key: str = _choice(
        "assist",
        "Rewind",
        "hold",
        _HOLD_CHOICES,
        "Hold to go back in time, or press once to start and again to stop. The run then has no time and no medal.",
    )
    turn_speed: float = _slider(
        "assist",
        "Turn speed of keys",
        (20.0, 120.0, 360.0, 10.0),
        "°/s",
        "Speed of turning and looking by keys. The keys: one-handed layouts, or your own.",
    )
    game_speed: float = _slider(
        "assist",
        "Game speed",
        (0.5, 1.0, 1.0, 0.05),
        "%",
        "Slower than 100 % the run has no time, no medal and no ghost.",
    )
    no_fail: bool = _toggle(
        "assist",
        "No fail",
        False,
        "After a fall you are back at the last safe place and lose nothing. The run then has no time and no medal.",
    )
    text_size: float = _slider(
        "reading",
        "Text size",
        (0.8, 1.0, 2.0, 0.05),
        "%",
        "Size of text, besides the interface size. Headings grow less.",
    )
    high_contrast: bool = _toggle(
        "reading", "High contrast", False, "White text on black: opaque panels with outlines."
    )
    outlines: bool = _toggle(
        "reading", "Outlines", False, "Thick lines around ledges, steps, goals, targets, checkpoints and hazards."
    )
    captions: bool = _toggle(
        "reading", "Captions", False, "Shows sounds as text with their direction: bells, balls, splashes, platforms."
    )
    palette: str = _choice(
        "reading",
        "Colours",
        "usual",
        {"usual": "Default", "safe": "Colour-blind safe"},
        "Colour-blind safe: colours (Okabe and Ito) that differ for every kind of colour vision.",
    )
    sensitivity: float = _slider(
        "mouse", "Sensitivity", (0.02, 0.12, 0.5, 0.01), "°", "How far the view turns for each pixel of mouse movement."
    )
    invert_x: bool = _toggle("mouse", "Invert horizontal", False, "Moving the mouse right looks left.")
    invert_y: bool = _toggle("mouse", "Invert vertical", False, "Moving the mouse forward looks down.")
    pad_dead_zone: float = _slider(
        "gamepad", "Dead zone", (0.05, 0.2, 0.6, 0.01), "%", "How far a stick must move before it has an effect."
    )
    pad_speed: float = _slider(
        "gamepad",
        "Turn speed",
        (30.0, 180.0, 360.0, 10.0),
        "°/s",
        "Speed with the stick fully left or right. Up and down it is two thirds of that.",
    )
    pad_invert_x: bool = _toggle("gamepad", "Invert horizontal", False, "Pushing the stick right looks left.")
    pad_invert_y: bool = _toggle("gamepad", "Invert vertical", False, "Pushing the stick forward looks down.")
    rumble: float = _slider(
        "gamepad", "Rumble", (0.0, 0.5, 1.0, 0.1), "%", "Strength for landings, hits and checkpoints. Off at 0 %."
    )
    keys: str = _choice(
        "keys",
        "Layout",
        "qwerty",
        {name: preset.label for name, preset in PRESETS.items()},
        "The default keys, also for one hand. Each layout remembers your changes to it.",
    )
    master: float = _slider(
        "sound", "Master volume", (0.0, 1.0, 1.0, 0.05), "%", "Volume of the whole game. Silent at 0 %."
    )
    sound: float = _slider(
        "sound", "Effects", (0.0, 0.7, 1.0, 0.05), "%", "Volume of jumps, landings, balls, lifts, events and menus."
    )
    footsteps: float = _slider("sound", "Footsteps", (0.0, 0.7, 1.0, 0.05), "%", "Volume of your own steps.")
    ambience: float = _slider(
        "sound", "Ambience", (0.0, 0.5, 1.0, 0.05), "%", "Volume of wind, water, lamps and room sounds."
    )
    music: float = _slider("sound", "Music", (0.0, 0.2, 1.0, 0.05), "%", "Volume of the music. Off at 0 %.")
    own_keys: key_bindings.KeyOverrides = ()

    def with_value(self, name: str, value: Any) -> Settings:
        """A copy with one field set, cut to its range; ValueError for a value of the wrong kind."""
        return replace(self, **{name: OPTIONS_BY_NAME[name].clamp(value)})

    @property
    def key_bindings(self) -> KeyBindings:
        """The key bindings of the chosen preset with the changed keys."""
        return KeyBindings.from_preset(self.keys, self.own_keys)

    @property
    def toggled_actions(self) -> frozenset[PlayAction]:
        """The held actions whose key is pressed once to start and again to stop."""
        latching = (PlayAction.CROUCH, PlayAction.SPRINT, PlayAction.JUMP, PlayAction.USE)
        chosen = {action for action in latching if getattr(self, action) == "toggle"}
        if self.walk == "toggle":
            chosen.update(MOVEMENT_ACTIONS)
        return PRESETS[self.keys].toggles | chosen

    def with_bindings(self, bound: KeyBindings) -> Settings:
        """A copy with other key bindings of the chosen preset."""
        return replace(self, own_keys=bound.as_overrides(self.own_keys))


OPTIONS: tuple[SettingOption, ...] = tuple(
    SettingOption(name=each.name, default=each.default, **each.metadata) for each in fields(Settings) if each.metadata
)
OPTIONS_BY_NAME: Mapping[str, SettingOption] = {option.name: option for option in OPTIONS}


def options_on_page(page: str) -> tuple[SettingOption, ...]:
    """The settings of a page, from top to bottom."""
    return tuple(option for option in OPTIONS if option.page == page)
