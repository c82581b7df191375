"""Pictures of a level in the running game: shown after the first frame, again when they are saved, counted by F3."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image

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
