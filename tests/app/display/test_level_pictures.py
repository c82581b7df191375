"""Pictures of a level in the running game: shown after the first frame, again when they are saved, counted by F3."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image

from game.app.display.still_image import _render_still
from game.app.hot_reload.level_reload import PICTURE_CARD_SECONDS
from game.level import load
from game.render.world_view import WorldView
from tests.app.display.test_level_renderer import context, painter, small  # noqa: F401

LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
surfaces:
  poster: {picture: poster.png, size: 4}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: poster}
kill_height: -10
"""


def paint(path, colour, **options):
    """Save a picture of one colour, as an editor does: in one step."""
    Image.new("RGB", (32, 32), colour).save(path.with_suffix(".new.png"), **options)
    os.replace(path.with_suffix(".new.png"), path)


@pytest.fixture
def poster(painter):  # noqa: F811
    path = painter.path.parent / "poster.png"
    paint(path, "red")
    painter.save(LEVEL)
    painter.drawn.renderer.load_pictures()
    return path


def middle(painter):  # noqa: F811
    return painter.picture()[30:60, 30:60].reshape(-1, 3).mean(axis=0)


def frame_before_the_level(painter):  # noqa: F811
    """A frame that sees the saved files while the level worker is still loading the level."""
    painter.worker.slow = True
    painter.watcher.check()
    painter.player.wait(1 / 60)


@pytest.mark.sample(1)
def test_a_saved_picture_shows_before_its_level_is_read_again(painter, poster):  # noqa: F811
    red = middle(painter)
    assert red[0] > 2 * red[2]
    paint(poster, (0, 0, 255))
    before = painter.reloading.reload_count
    frame_before_the_level(painter)
    painter.drawn.renderer.load_pictures()
    blue = middle(painter)
    assert blue[2] > 2 * blue[0]
    assert painter.reloading.reload_count == before
    painter.worker.slow = False
    painter.settle()
    assert painter.reloading.reload_count == before + 1
    assert not painter.drawn.renderer.is_loading_pictures, "the level names the version that is shown"
    assert np.abs(middle(painter) - blue).max() <= 3


@pytest.mark.full
def test_a_damaged_picture_is_told_once(painter, poster, capsys):  # noqa: F811
    whole = poster.read_bytes()
    poster.write_bytes(whole[: len(whole) // 2])
    painter.settle()
    painter.drawn.renderer.load_pictures()
    painter.frames(2)
    told = "the picture is damaged and not shown"
    assert [card[:2] for card in painter.cards][-1] == ("poster.png", told)
    painter.save(LEVEL.replace("Yard", "Court"))
    assert ("poster.png", told, "save it again") in painter.cards
    assert [line for line in painter.lines if "damaged" in line] == [f"{poster}: {told}: save it again"]
    painter.player.wait(PICTURE_CARD_SECONDS)
    assert painter.cards == []
    pose = WorldView((0.0, 2.0, 0.0), 0.0, -1.0)
    level = load(painter.path)
    _render_still(painter.drawn.ctx, level, pose, (16, 16), "low", 90.0)
    assert capsys.readouterr().err == f"{poster}: {told}: save it again\n"
