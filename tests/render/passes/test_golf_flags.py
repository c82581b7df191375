"""Golf flags: pole and waving cloth in the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from game.render.camera import Camera
from game.render.gl.quality import QUALITIES
from tests.render.conftest import ground, picture_of, plain


def test_a_flag_has_a_pole_and_a_cloth_that_waves(ctx: Any) -> None:
    scene = plain([ground(20.0)], [(0.4, 0.4, 0.4)])
    quality = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64)
    pictures = []
    for flags, seconds in (((), 0.0), (((0.0, 0.0, 0.0),), 0.0), (((0.0, 0.0, 0.0),), 0.4)):
        flying = replace(scene, flags=flags)
        pictures.append(picture_of(ctx, flying, quality, Camera((0.0, 1.2, 4.0)), (240, 240), True, time=seconds))
    without, still, later = pictures
    assert (np.abs(still - without).max(axis=2) > 20).sum() > 200
    assert (np.abs(later - still).max(axis=2) > 20).sum() > 20
