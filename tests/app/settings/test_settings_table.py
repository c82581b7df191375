"""The table of settings: each steps through its range, and what a file holds is what the table says."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from game.app.settings import settings_file as user
from game.app.settings.settings_table import OPTIONS, OPTIONS_BY_NAME, PAGES, SLIDER, Settings, options_on_page


def test_every_field_of_the_settings_is_in_the_table():
    names = [field.name for field in fields(Settings)]
    assert [*OPTIONS_BY_NAME, "own_keys"] == names
    assert [option for page in PAGES for option in options_on_page(page)] == list(OPTIONS)
    assert set(json.loads(user.settings_text(Settings()))) == set(names)


@pytest.mark.parametrize("option", [each for each in OPTIONS if each.kind == SLIDER], ids=lambda option: option.name)
def test_a_slider_steps_from_minimum_to_maximum_and_knows_its_fraction(option):
    value, values = option.minimum, [option.minimum]
    for _ in range(round((option.maximum - option.minimum) / option.step)):
        value = option.stepped(value, 1)
        values.append(value)
    assert values[-1] == option.stepped(value, 1) == option.maximum
    assert len({option.format_value(value) for value in values}) == len(values), "each step is seen"
    for value in values:
        assert option.value_at_fraction(option.slider_fraction(value)) == pytest.approx(value)
    assert (option.value_at_fraction(-3.0), option.value_at_fraction(3.0)) == (option.minimum, option.maximum)
    assert (option.clamp(-1e300), option.clamp(float("inf"))) == (option.minimum, option.maximum)
    assert option.stepped(option.minimum, -1) == option.minimum
    for invalid in (True, "1", None, float("nan"), [1]):
        with pytest.raises(ValueError, match=f"{option.name} must be a number"):
            Settings().with_value(option.name, invalid)


@pytest.mark.parametrize("option", [each for each in OPTIONS if each.kind != SLIDER], ids=lambda option: option.name)
def test_choices_and_toggles_go_round(option):
    count = len(option.choices) or 2
    value, values = option.default, []
    for _ in range(count):
        values.append(option.format_value(value))
        value = option.stepped(value, 1)
    assert value == option.default
    assert len(set(values)) == count
    assert option.stepped(option.stepped(value, 1), -1) == value
    assert option.slider_fraction(value) is None
    for invalid in (1, "maybe", None, 0.5, []):
        with pytest.raises(ValueError, match=f"{option.name} must be "):
            Settings().with_value(option.name, invalid)
