"""HUD layout: labels, scrolling, sizes, contrast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from game.render import Card, CardRow, Hud, Panel, PanelRow, ScreenLabel, menu_row_rectangles
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import RoundedBox, TextRun
from game.render.text import fonts
from game.render.text.glyph_atlas import signed_distance_field

MENU = Hud(
    panel=Panel(
        "Paused",
        (PanelRow("Resume", selected=True), PanelRow("Mouse sensitivity", "1.00", fraction=0.4), PanelRow("Quit")),
        footer="Esc to go on",
    )
)


def test_a_label_whose_point_a_card_covers_is_left_out() -> None:
    """It would stand beside the card, far from its point."""
    card = Card("Selected", "", tuple(CardRow(f"row {number}", "1") for number in range(8)))
    labels = tuple(
        ScreenLabel(text, x, y, (1.0, 1.0, 1.0)) for text, x, y in (("under", 0.05, 0.1), ("free", 0.6, 0.6))
    )
    items = arrange_hud(Hud(cards=(card,), labels=labels), (1280, 720)).items
    texts = {item.text for item in items if isinstance(item, TextRun)}
    assert {"row 3", "free"} <= texts
    assert "under" not in texts


def test_long_findings_wrap_and_scroll_inside_their_panel() -> None:
    words = "\n".join(f"levels/demo.yaml:{n}:3: something that is wrong here and takes many words" for n in range(80))
    content = Panel("Findings", text=words, width=500)
    whole = arrange_hud(Hud(panel=content), (1280, 720))
    assert whole.max_scroll > 720
    box = next(item for item in whole.items if isinstance(item, RoundedBox) and item.radius > 10)
    for scroll in (0.0, 300.0, whole.max_scroll, 1e6):
        layout = arrange_hud(Hud(panel=replace(content, scroll=scroll)), (1280, 720))
        top, bottom = layout.scroll_band
        assert box.y < top < bottom < box.y + box.height
        lines = [item for item in layout.items if isinstance(item, TextRun) and item.clipped]
        assert all(item.x + fonts.text_width(item.text, item.size) <= box.x + box.width for item in lines)
        seen = [item.text for item in lines if top < item.y <= bottom]
        assert (":0:3:" in seen[0]) == (scroll == 0.0)
        assert (f":{79}:3:" in " ".join(seen)) == (scroll >= whole.max_scroll)


def test_text_scale_grows_text_and_interface_scale_grows_everything() -> None:
    def sizes(**more: float) -> dict[str, int]:
        layout = arrange_hud(Hud(panel=MENU.panel, **more), (1280, 720))
        return {item.text: item.size for item in layout.items if isinstance(item, TextRun)}

    usual, letters, interface = sizes(), sizes(text=2.0), sizes(scale=1.5)
    for text in usual:
        assert interface[text] == pytest.approx(1.5 * usual[text], abs=1)
    assert letters["Resume"] == 2 * usual["Resume"]
    assert letters["Paused"] - usual["Paused"] == letters["Resume"] - usual["Resume"]
    small, large = (menu_row_rectangles(Hud(panel=MENU.panel, text=text), (1280, 720)) for text in (1.0, 2.0))
    assert large[0][3] > 1.2 * small[0][3]


def test_the_distance_field_is_the_exact_distance() -> None:
    generator = np.random.default_rng(3)
    for _ in range(5):
        shape = np.zeros((28, 33), bool)
        for _ in range(3):
            y, x = generator.integers(2, 20, 2)
            shape[y : y + generator.integers(1, 8), x : x + generator.integers(1, 12)] = True
        field = signed_distance_field(shape, 6)
        inside, outside = np.argwhere(shape), np.argwhere(~shape)
        for y in range(0, 28, 3):
            for x in range(0, 33, 3):
                others = outside if shape[y, x] else inside
                away = np.sqrt(((others - (y, x)) ** 2).sum(axis=1).min()) - 0.5
                expected = np.clip(away if shape[y, x] else -away, -6, 6)
                assert field[y, x] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (1920, 1080), (2560, 1080)])
@pytest.mark.parametrize("text", [1.0, 2.0])
def test_the_title_stands_on_black_in_high_contrast(size: tuple[int, int], text: float) -> None:
    rows = (PanelRow("Continue", "The turning stairs   12:34.56", selected=True), PanelRow("Quit"))
    content = Panel(rows=rows, layout="title", footer="Up Down choose   ·   Enter open")
    layout = arrange_hud(Hud(panel=content, text=text, scale=1.6, contrast=True), size)
    first = layout.items[0]
    assert isinstance(first, RoundedBox)
    assert (first.colour, first.height) == ((0.0, 0.0, 0.0, 1.0), size[1])
    runs = [item for item in layout.items if isinstance(item, TextRun)]
    assert max(run.x + fonts.text_width(run.text, run.size) for run in runs) <= first.width
    assert max(x + width for x, _, width, _ in layout.row_rectangles) <= first.width
