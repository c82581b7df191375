"""Line breaks of texts in the HUD, on signs and on maps."""

from __future__ import annotations

import pytest

from game.render.text import fonts
from game.text.fitting import elide_text, shorten_lines, wrap_text
from game.text.font_stack import line_width

SIZE = 20


def wrap(text: str, like: str) -> list[str]:
    """Lines of a text in the width of another one."""
    return fonts.wrap_text(text, SIZE, line_width(like, SIZE) + 0.5)


def test_ideographs_break_without_spaces() -> None:
    assert wrap("出口はこちらです", "出口はこ") == ["出口はこ", "ちらです"]
    assert wrap("ABC出口です", "ABC出") == ["ABC出", "口です"]


def test_no_line_begins_with_closing_punctuation_or_ends_with_opening() -> None:
    assert wrap("出口はこ。ちら", "出口はこ") == ["出口は", "こ。ちら"]
    assert wrap("出口は「こちら", "出口は「") == ["出口は", "「こちら"]
    assert wrap("サッカ", "サ") == ["サ", "ッ", "カ"]  # too narrow for the rule


def test_a_no_break_space_holds_words_together() -> None:
    assert wrap("ab 10\u00a0km", "ab 10 k") == ["ab", "10\u00a0km"]
    assert wrap("ab 10 km", "ab 10 k") == ["ab 10", "km"]
    assert wrap("出\u2060口出口", "出口") == ["出\u2060口", "出口"]


def test_a_path_is_broken_after_its_slashes() -> None:
    assert wrap("levels/museum/hall.yaml:12", "levels/museum/h") == ["levels/museum/", "hall.yaml:12"]
    assert wrap("10 1/2 m", "10 1/2") == ["10 1/2", "m"]
    assert wrap("10 1/2", "10 1/") == ["10", "1/2"]


def test_soft_hyphens_and_zero_width_spaces_are_places_to_break() -> None:
    assert wrap("Donau\u00addampf\u00adschiff", "Donaudampf-") == ["Donaudampf-", "schiff"]
    assert wrap("Donau\u00addampf", "Donaudampf") == ["Donaudampf"]
    assert wrap("one\u200btwo", "onet") == ["one", "two"]
    assert line_width("one\u200btwo", SIZE) == line_width("onetwo", SIZE)


def test_a_long_word_is_broken_between_letters_with_their_accents() -> None:
    lines = wrap("x\u0302" * 10, "xxx")
    assert lines == ["x\u0302" * 3, "x\u0302" * 3, "x\u0302" * 3, "x\u0302"]
    assert fonts.elide_text("x\u0302" * 10, SIZE, line_width("xxx…", SIZE) + 0.5) == "x\u0302" * 3 + "…"


@pytest.mark.parametrize(
    "text", ["", " ", "a", "a  b", "出" * 50, "\u00a0" * 9, "\u200b\u00ad", "\u0301\u0301", "a\n\n出"]
)
def test_any_text_keeps_its_characters(text: str) -> None:
    for width in (1.0, 30.0, 300.0):
        lines = fonts.wrap_text(text, SIZE, width)
        dropped = str.maketrans("", "", " \n\u200b\u00ad")
        assert "".join(lines).translate(dropped) == text.translate(dropped)


def test_texts_of_maps_are_wrapped_and_cut_by_their_width() -> None:
    lines = shorten_lines(wrap_text("出口はこちらです " * 8 + "Größenordnung", 12, 120.0), 3, 12, 120.0)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert max(line_width(line, 12) for line in lines) <= 120.0
    assert elide_text("Größe", 30, 500.0) == "Größe"
    assert line_width(elide_text("W" * 90, 30, 300.0), 30) <= 300.0
