"""The figures about frames."""

from __future__ import annotations

from game.app.modes import hud_builder


def test_statistics_of_even_and_of_late_frames():
    assert hud_builder.describe_frame_times([], 0.0, 1 / 60) == ()
    even = hud_builder.describe_frame_times([1 / 50] * 200, 0.0, 1 / 60)
    assert even == (
        "frames 50/s   median 20.0 ms   99th 20.0 ms   longest 20.0 ms",
        "late 0 of 200   missed ticks 0",
    )
    frames = [0.010] * 97 + [0.0151, 0.0149, 0.110]
    first, second = hud_builder.describe_frame_times(frames, 0.5, 1 / 60)
    assert first == "frames 90/s   median 10.0 ms   99th 16.0 ms   longest 110.0 ms"
    assert second == "late 2 of 100   missed ticks 30"


def test_no_time_at_all_is_no_rate():
    assert hud_builder.describe_frame_times([0.0, 0.0], 0.0, 1 / 60)[0].startswith("frames ?/s")
