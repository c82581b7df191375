"""Text of signs in several scripts: glyphs, wrapping and size."""

from __future__ import annotations

import numpy as np
import pytest

from game.level import load
from game.level.geometry.faces import with_keys
from game.render import SignAppearance
from game.render.scene.sign_text import build_sign_text, fit_text_to_sign
from game.render.text.glyph_atlas import FONT_PIXELS
from game.text.font_stack import line_width

SCRIPTS = {
    "Latin": "Größe ½ € · łódź œuvre",
    "Greek": "Καλημέρα κόσμε →",
    "Cyrillic": "Осторожно, ступенька!",
    "Hebrew": "שלום עולם (2024)",
    "ideographs": "出口はこちら。緑の扉を開けて、階段を上がってください。",
}


def sign(text: str, width: float = 2.8, height: float = 1.1) -> SignAppearance:
    return SignAppearance(text, (0.0, 1.5, 0.0), 32768, width, height)


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_every_script_is_drawn_within_the_board(text: str) -> None:
    lines, size = fit_text_to_sign(sign(text))
    assert size > 0.1
    assert max(line_width(line, FONT_PIXELS) for line in lines) * size / FONT_PIXELS <= 2.8
    drawn = build_sign_text((sign(text),))
    letters = [char for line in lines for char in line if char != " "]
    assert len(drawn.corners) >= 6 * len(letters)
    inked = np.abs(drawn.corners[:, :3] - (0.0, 1.5, 0.0))
    assert inked[:, 0].max() <= 1.45
    assert inked[:, 1].max() <= 0.6
    assert (drawn.atlas_pixels > 127).any()


def test_a_long_text_without_spaces_is_wrapped_into_a_large_size() -> None:
    lines, size = fit_text_to_sign(sign(SCRIPTS["ideographs"]))
    assert len(lines) >= 3
    assert "".join(lines) == SCRIPTS["ideographs"]
    assert size > 0.2


def test_a_sign_names_the_key_in_use_and_its_board_fits_the_default_one() -> None:
    text = "Throw with {use|the left mouse button}.\n{nothing here}"
    assert with_keys(text, {}) == "Throw with the left mouse button.\n{nothing here}"
    assert with_keys(text, {"use": "E", "jump": "Space"}) == "Throw with E.\n{nothing here}"
    assert with_keys(text, {"use": ""}) == with_keys(text, {})
    drawn = [build_sign_text((sign(one),), keys) for one, keys in ((text, (("use", "E"),)), (with_keys(text, {}), ()))]
    assert len(drawn[0].corners) < len(drawn[1].corners)
    assert np.array_equal(build_sign_text((sign(text),)).corners, drawn[1].corners)


@pytest.mark.parametrize("width", np.linspace(0.8, 4.0, 9).tolist())
def test_no_long_text_ends_with_a_single_word(width: float) -> None:
    text = "Mud slows you down to a third of your speed, but the boards beside it do not"
    lines, size = fit_text_to_sign(sign(text, width))
    assert " ".join(lines) == text
    assert " " in lines[-1]
    assert size > 0.05


@pytest.mark.parametrize("name", ["lab", "waters", "museum/same_again"])
def test_long_signs_of_the_game_are_large_enough_and_end_with_more_than_a_word(name: str) -> None:
    level = load(f"levels/{name}.yaml")
    for board in level.signs:
        text = with_keys(board.text, {})
        if len(text.split()) < 8:
            continue
        lines, size = fit_text_to_sign(sign(text, board.width, board.height))
        assert " " in lines[-1], text
        assert size >= 0.12, text
