"""Where a processor draws, the picture is as sharp as thirty frames a second allow, and does not waver."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.display.level_renderer import WINDOW_FRAMES, DynamicResolution

LEAST = 0.5


def drawn(whole: float, frames: int, sharpness: DynamicResolution, fixed: float = 0.008) -> list[float]:
    """The scales of so many frames, which at scale 1 take `whole` seconds, `fixed` of them whatever the scale."""
    chance, scales = np.random.default_rng(3), []
    for _ in range(frames):
        late = chance.random() < 0.2  # other work on the machine
        sharpness.update((fixed + (whole - fixed) * sharpness.scale**2) * (3.0 if late else chance.uniform(0.95, 1.05)))
        scales.append(sharpness.scale)
    return scales


@pytest.mark.parametrize("whole", [0.010, 0.03, 0.06, 0.08, 0.1, 0.5])
def test_the_resolution_settles_where_the_frame_rate_holds(whole: float) -> None:
    sharpness = DynamicResolution(0.8, LEAST)
    settled = drawn(whole, 1500, sharpness)[-600:]
    assert len(set(settled)) == 1
    seconds = 0.008 + (whole - 0.008) * settled[0] ** 2
    assert seconds <= 1.06 / 30 or settled[0] == LEAST
    wider = 0.008 + (whole - 0.008) * (settled[0] + 0.08) ** 2
    assert settled[0] == 0.8 or wider > 0.85 / 30, "it could have been sharper"


def test_a_single_late_frame_changes_nothing() -> None:
    sharpness = DynamicResolution(0.68, LEAST)
    for frame in range(10 * WINDOW_FRAMES):
        sharpness.update(0.9 if frame % WINDOW_FRAMES == 5 else 0.02)
    assert sharpness.scale == 0.68
