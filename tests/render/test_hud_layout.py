"""Where the HUD's parts stand, in pixels; and the letters that they are written with."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from game.render import Hud, Panel, Row, fonts, row_boxes, slider_span
from game.render.hud_layout import Box, Text, lay_out

MENU = Hud(
    panel=Panel(
        "Paused",
        (Row("Resume", selected=True), Row("Mouse sensitivity", "1.00", fraction=0.4), Row("Quit")),
        footer="Esc to go on",
    )
)
FULL = Hud(
    lines=("speed 4.00 m/s", "tick 12"),
    message="You made it!",
    submessage="1 min 12.4 s",
    hint="R to start again",
    panel=Panel(
        "Everything",
        (Row("One", "1", True, 0.5), Row("Two")),
        (("W A S D", "walk"), ("Space", "jump")),
        "some words " * 30,
        "footer",
    ),
    progress=0.3,
)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 360), (3840, 2160), (800, 600), (333, 217)])
@pytest.mark.parametrize("scale", [0.5, 1.0, 1.5])
def test_everything_stays_on_the_screen(size: tuple[int, int], scale: float) -> None:
    hud = Hud(**{name: getattr(FULL, name) for name in ("lines", "hint", "progress")}, scale=scale)
    for shown in (hud, Hud(panel=MENU.panel, scale=scale)):
        for item in lay_out(shown, size).items:
            if isinstance(item, Text) and scale <= 1.0 and size[1] > 300:
                assert 0 <= item.x <= size[0] - fonts.width(item.text, item.size) + 1
                assert 0 < item.y <= size[1]


def test_rows_are_apart_inside_the_panel_and_as_many_as_asked() -> None:
    rows = row_boxes(MENU, (1280, 720))
    assert len(rows) == 3
    for (x, y, width, height), below in pairwise(rows):
        assert y + height < below[1]
        assert 400 < x < x + width < 880
    span = slider_span(MENU, (1280, 720), 1)
    assert span is not None
    assert rows[1][0] < span[0] < span[1] < rows[1][0] + rows[1][2]
    assert slider_span(MENU, (1280, 720), 0) is None
    assert row_boxes(Hud(), (1280, 720)) == ()


def test_long_findings_are_folded_and_cut_with_a_count() -> None:
    words = "\n".join(f"levels/demo.yaml:{n}:3: something that is wrong here and takes many words" for n in range(80))
    layout = lay_out(Hud(panel=Panel("Findings", text=words, width=500)), (1280, 720))
    lines = [item for item in layout.items if isinstance(item, Text)]
    assert max(item.y for item in lines) <= 720
    assert lines[-1].text.startswith("... and ")
    box = next(item for item in layout.items if isinstance(item, Box) and item.radius > 10)
    assert all(item.x + fonts.width(item.text, item.size) <= box.x + box.width for item in lines)


def test_the_crosshair_is_in_the_middle_and_gone_behind_a_menu() -> None:
    dots = [item for item in lay_out(Hud(), (1280, 720)).items if isinstance(item, Box)]
    assert all(abs(dot.x + dot.width / 2 - 640) < 0.01 and abs(dot.y + dot.height / 2 - 360) < 0.01 for dot in dots)
    assert not lay_out(Hud(crosshair=False), (1280, 720)).items
    assert all(item.width > 10 or item.height > 1 for item in lay_out(MENU, (1280, 720)).items if isinstance(item, Box))


def test_folding_keeps_every_word_and_no_line_is_wider_than_asked() -> None:
    text = "the quick brown fox jumps over the lazy dog and a_word_that_is_far_too_long_for_any_line_at_all"
    lines = fonts.fold(text, 16, 120.0)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(fonts.width(line, 16) for line in lines) <= 120.0
    assert fonts.fold("a\n\nb", 16, 100.0) == ["a", "", "b"]


def test_letters_that_the_font_lacks_have_a_stand_in() -> None:
    assert fonts.drawn_as("A") == "A"
    assert fonts.drawn_as("°") == "°"
    assert fonts.drawn_as("é") == "e"
    assert fonts.drawn_as("–") == "-"
    assert fonts.drawn_as("漢") == "?"
    assert fonts.drawn_as("\n") == "?"


def test_the_distance_field_is_the_distance() -> None:
    generator = np.random.default_rng(3)
    for _ in range(5):
        shape = np.zeros((28, 33), bool)
        for _ in range(3):
            y, x = generator.integers(2, 20, 2)
            shape[y : y + generator.integers(1, 8), x : x + generator.integers(1, 12)] = True
        field = fonts.distance_field(shape, 6)
        inside, outside = np.argwhere(shape), np.argwhere(~shape)
        for y in range(0, 28, 3):
            for x in range(0, 33, 3):
                others = outside if shape[y, x] else inside
                away = np.sqrt(((others - (y, x)) ** 2).sum(axis=1).min()) - 0.5
                expected = np.clip(away if shape[y, x] else -away, -6, 6)
                assert field[y, x] == pytest.approx(expected, abs=1e-5)
