"""docs/settings.md lists all current settings and keys."""

from __future__ import annotations

from game.app.input.actions import PlayAction
from game.app.settings.settings_table import OPTIONS
from tools.docs import settings_page


def test_the_page_is_what_the_tables_say():
    text = settings_page.PAGE.read_text(encoding="utf-8")
    assert settings_page.page(text) == text, "run `python -m tools.docs.settings_page`"


def test_the_tables_have_every_setting_and_every_key():
    text = settings_page.PAGE.read_text(encoding="utf-8")
    assert all(f"`{option.name}` | {option.sentence} |" in text for option in OPTIONS)
    assert all(f"| {action.label} |" in text for action in PlayAction)
