"""Smooth edges: a filter after the frame where there is no multisampling and a graphics card draws."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

from game.render.gl.context import read_image, unbind_framebuffer
from game.render.gl.programs import ShaderCache
from game.render.gl.quality import QUALITIES
from game.render.gl.render_pass import PassContext
from game.render.passes.post_processing import UpscalePass

SIDE = 64


def drawn(ctx: Any, source: np.ndarray, smooth: bool) -> np.ndarray:
    """Grey picture (SIDE, SIDE) that the pass makes of another one of the same size."""
    pixels = np.repeat(source[:, :, None], 4, axis=2).astype(np.uint8)
    texture, target = ctx.texture((SIDE, SIDE), 4, pixels[::-1].tobytes()), ctx.simple_framebuffer((SIDE, SIDE), 4)
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    programs = ShaderCache(ctx, None)
    upscale = UpscalePass(PassContext(ctx, programs, QUALITIES["low"], True), smooth)
    upscale.draw(texture, target)
    image = read_image(target)[:, :, 0].astype(float)
    unbind_framebuffer(ctx)
    for resource in (upscale, programs, target, texture):
        resource.release()
    return image


def half_plane(slope: float) -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    return np.where(y - SIDE / 2 > slope * (x - SIDE / 2), 200.0, 40.0)


@pytest.mark.parametrize("slope", [0.2, 0.5, 1.0])
def test_the_stairs_of_an_edge_become_a_slope_and_faces_stay(ctx: Any, slope: float) -> None:
    source = half_plane(slope)
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    distance = (y - SIDE / 2 - slope * (x - SIDE / 2)) / np.hypot(1.0, slope)
    exact = 40.0 + 160.0 * np.clip(distance + 0.5, 0.0, 1.0)
    inner = (slice(8, -8), slice(8, -8))
    before, after = (np.abs(drawn(ctx, source, smooth) - exact)[inner] for smooth in (False, True))
    assert np.square(after).mean() < 0.6 * np.square(before).mean()
    assert after[np.abs(distance[inner]) > 3.0].max() <= 1.0, "away from the edge nothing changes"
