"""The opening picture in a window of any shape."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import game
from game.app.display import splash
from tests.support import gl

ICONS = game.shipped("assets") / "icon"


@pytest.fixture(scope="module")
def ctx():
    context = gl.context()
    yield context
    context.release()


@pytest.mark.parametrize("size", [(1280, 720), (640, 640), (321, 181), (1000, 200)])
@pytest.mark.sample(1)
def test_the_splash_stands_in_the_middle_upright_and_undistorted(ctx, size):
    screen = ctx.simple_framebuffer(size)
    held = SimpleNamespace(screen=screen)
    for name in ("texture", "framebuffer", "copy_framebuffer"):
        setattr(held, name, getattr(ctx, name))
    assert splash.draw_splash(held, size)
    drawn = np.frombuffer(screen.read(components=3), np.uint8).reshape(size[1], size[0], 3)[::-1].astype(float)
    with Image.open(ICONS / "opening.png") as file:
        picture = file.convert("RGB")
    scale = min(size[0] / picture.width, size[1] / picture.height)
    wide, high = round(picture.width * scale), round(picture.height * scale)
    left, top = (size[0] - wide) // 2, (size[1] - high) // 2
    inside = drawn[top : top + high, left : left + wide]
    wanted = np.asarray(picture.resize((wide, high), Image.Resampling.BILINEAR)).astype(float)
    # Averaged over 16 x 9 fields: what filters differ in has gone, where the parts are has not.
    assert np.abs(fields(inside) - fields(wanted)).max() < 12.0
    assert np.abs(fields(inside[::-1]) - fields(wanted)).max() > 30.0


def fields(image):
    rows = np.array_split(image, 9, axis=0)
    return np.array([[part.mean(axis=(0, 1)) for part in np.array_split(row, 16, axis=1)] for row in rows])
