"""The player's body (B): a slider for each setting, a preset, and a button that writes them into the level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ....core.walker_settings import DEFAULT_SETTINGS, SETTING_RANGES, WALKER_PRESETS, WalkerSettings
from ....level.build.entities.player import body_settings
from ....level.edit import EditRefused, format_number
from ....level.format.schema.player import MAX_NUMBER, PLAYER_SETTINGS
from ...input.actions import Action
from ..edit_tools import EditTools
from .form_panel import FormField, FormPanel
from .side_panel import SidePanelRow

USUAL = "usual"  # word for no preset
FINE_FACTOR = 0.1  # of the step, with Shift
LEAST_POSITIVE = 0.01  # of settings that are above 0
RADII_LABELS = ("Half width", "Half height", "Half depth")


@dataclass(frozen=True, slots=True)
class SliderScale:
    """Label of a setting, step of a key, and value at the right end of its slider. Typed values may be larger."""

    label: str
    step: float
    end: float


SLIDERS = {
    "radii": SliderScale("", 0.05, 1.5),
    "crouch_height": SliderScale("Crouched height", 0.05, 3.0),
    "eye": SliderScale("Eye", 0.02, 0.95),
    "walk_speed": SliderScale("Walking speed", 0.25, 15.0),
    "sprint_speed": SliderScale("Sprinting speed", 0.25, 20.0),
    "crouch_speed": SliderScale("Crouched speed", 0.25, 10.0),
    "acceleration": SliderScale("Acceleration", 5.0, 200.0),
    "deceleration": SliderScale("Deceleration", 5.0, 200.0),
    "air_control": SliderScale("Air control", 0.05, 1.0),
    "gravity": SliderScale("Gravity", 0.5, 40.0),
    "fall_limit": SliderScale("Fall limit", 5.0, 200.0),
    "jump_height": SliderScale("Jump height", 0.1, 10.0),
    "coyote_time": SliderScale("Late jump", 0.02, 1.0),
    "jump_buffer": SliderScale("Early jump", 0.02, 1.0),
    "max_slope": SliderScale("Steepest slope", 1.0, 89.0),
    "step_height": SliderScale("Step height", 0.05, 1.5),
    "snap_down": SliderScale("Step down", 0.05, 1.5),
}


class BodyPanel(FormPanel):
    """The body. Each valid change is applied at once; Enter writes it into the level.

    settings   of the body that the walker has
    """

    title = "The player's body"
    button = "Write into the level"
    key_strip = (
        ("Up Down", "choose"), ("Left Right", "change"), ("Shift", "finer"), ("0-9", "type"), ("R", "usual value"),
        ("W A S D", "walk"), ("V", "from behind"), ("Enter", "write"), ("Esc", "cancel"),
    )  # fmt: skip

    def __init__(
        self,
        tools: EditTools,
        settings: WalkerSettings,
        preset: str,
        apply: Callable[[WalkerSettings], bool],
        write: Callable[[str, WalkerSettings], None],
    ) -> None:
        """apply: gives the walker this body, False where it has no room; write: writes preset and body."""
        super().__init__(tools)
        self.settings = settings
        self._apply = apply
        self._write = write
        self._preset = FormField("preset", "Preset", preset or USUAL, unit="", words=(USUAL, *WALKER_PRESETS))
        places = [(name, axis) for name in PLAYER_SETTINGS for axis in range(3 if name == "radii" else 1)]
        self._sliders = [_slider(name, axis, settings) for name, axis in places]
        self._shown = [field.text for field in self.fields()]

    def fields(self) -> list[FormField]:
        return [self._preset, *self._sliders]

    @property
    def preset(self) -> str:
        """The chosen preset; empty for the usual body."""
        return "" if self._preset.text == USUAL else self._preset.text

    def run(self) -> None:
        self._read_fields()
        self._write(self.preset, self.settings)

    def rows(self) -> tuple[SidePanelRow, ...]:
        return tuple(
            replace(row, fraction=self._fraction(row.subject), hint=_hint(row.subject))
            if isinstance(row.subject, FormField) and not row.subject.words
            else row
            for row in super().rows()
        )

    def _fraction(self, field: FormField) -> float:
        """Position of the slider, 0..1."""
        name, axis = _setting_of(field)
        value = _value(self.settings, name, axis)
        end = min(SLIDERS[name].end, field.high)
        return min(max((value - field.low) / max(end - field.low, 1e-9), 0.0), 1.0)

    def handle_action(self, action: Action) -> None:
        fine = self.view.shift
        field = self._chosen_field()
        if field is not None and fine:
            field.step *= FINE_FACTOR
        try:
            super().handle_action(action)
        finally:
            if field is not None and fine:
                field.step /= FINE_FACTOR
        self._take_changes()

    def text_typed(self, text: str) -> None:
        super().text_typed("".join(char for char in text if char.isdigit() or char in ".,"))
        self._take_changes()

    def reset_row(self) -> None:
        """Give the chosen setting the value of the preset."""
        field = self._chosen_field()
        if field is not None and not field.words:
            name, axis = _setting_of(field)
            field.text = format_number(_value(body_settings(self.preset, {}), name, axis))
            self._is_fresh = True
            self._take_changes()

    def _take_changes(self) -> None:
        """Apply what has changed since the last call. A body without room is taken back."""
        texts = [field.text for field in self.fields()]
        if texts == self._shown:
            return
        if texts[0] != self._shown[0]:
            self._show(body_settings(self.preset, {}))
        before = self.settings
        try:
            self._read_fields()
        except EditRefused:
            self._shown = texts  # a number that is being typed
            return
        if self.settings != before and not self._apply(self.settings):
            self.settings = before
            self._preset.text = self._shown[0]
            self._show(before)
            self._is_fresh = True
        self._shown = [field.text for field in self.fields()]

    def _read_fields(self) -> None:
        """Take the settings from the fields. EditRefused with the limits of one that is no number. Settings that the
        body is too small for are lowered."""
        radius_up = self._sliders[1].number()
        typed = self._chosen_field() if not self._is_fresh else None
        values: dict[str, Any] = {}
        for field in self._sliders:
            name, _ = _setting_of(field)
            field.high = min(SETTING_RANGES[name].high_for(radius_up), MAX_NUMBER)
            if field is not typed and name != "radii" and _parsed(field) > field.high:
                field.text = format_number(field.high)
            values.setdefault(name, []).append(field.number())
        plain: dict[str, Any] = {
            name: tuple(numbers) if name == "radii" else numbers[0] for name, numbers in values.items()
        }
        self.settings = replace(self.settings, **plain)

    def _show(self, settings: WalkerSettings) -> None:
        for field in self._sliders:
            name, axis = _setting_of(field)
            field.text = format_number(_value(settings, name, axis))
            field.high = min(SETTING_RANGES[name].high_for(settings.radii[1]), MAX_NUMBER)


def _slider(name: str, axis: int, settings: WalkerSettings) -> FormField:
    bounds = SETTING_RANGES[name]
    scale = SLIDERS[name]
    return FormField(
        f"{name} {axis}",
        RADII_LABELS[axis] if name == "radii" else scale.label,
        format_number(_value(settings, name, axis)),
        scale.step,
        LEAST_POSITIVE if bounds.is_positive else bounds.low,
        min(bounds.high_for(settings.radii[1]), MAX_NUMBER),
        bounds.unit,
    )


def _setting_of(field: FormField) -> tuple[str, int]:
    name, _, axis = field.name.partition(" ")
    return name, int(axis)


def _value(settings: WalkerSettings, name: str, axis: int) -> float:
    value = getattr(settings, name)
    return float(value[axis] if name == "radii" else value)


def _parsed(field: FormField) -> float:
    try:
        return float(field.text)
    except ValueError:
        return 0.0


def _hint(field: FormField) -> str:
    """Meaning, name in the level file, limits and usual value."""
    name, axis = _setting_of(field)
    usual = format_number(_value(DEFAULT_SETTINGS, name, axis))
    limits = f"{format_number(field.low)} to {format_number(field.high)}"
    return f"{SETTING_RANGES[name].meaning} In the file: {name}, {limits} {field.unit}".rstrip() + f", usually {usual}"
