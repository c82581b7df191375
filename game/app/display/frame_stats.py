"""How evenly the frames come, in figures: for the debug view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

STUTTER_FACTOR = 1.5  # times the median: a frame that took longer is one that was seen to stutter


def describe_frame_times(frames: Sequence[float], dropped: float, tick_seconds: float) -> tuple[str, ...]:
    """Lines about the last frames (seconds each): how many a second, median, 99th percentile, longest, how many were
    late; and the ticks that were never made, of `dropped` seconds that the clock went on by and the world did not."""
    if not len(frames):
        return ()
    times = np.asarray(frames) * 1e3
    median = float(np.median(times))
    late = int((times > STUTTER_FACTOR * median).sum())
    missed = round(dropped / tick_seconds)
    rate = f"{1e3 / times.mean():.0f}" if times.mean() > 0.0 else "?"
    return (
        f"frames {rate}/s   median {median:.1f} ms   99th {np.percentile(times, 99):.1f} ms   "
        f"longest {times.max():.1f} ms",
        f"late {late} of {len(times)}   missed ticks {missed}",
    )
