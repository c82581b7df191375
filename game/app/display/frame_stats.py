"""Frame-time statistics for the debug view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...render.materials.picture_textures import PictureFigures

STUTTER_FACTOR = 1.5  # times the median: a longer frame is visible as a stutter


def describe_frame_times(frames: Sequence[float], dropped: float, tick_seconds: float) -> tuple[str, ...]:
    """Lines with rate, median, 99th percentile, maximum and late frames of the last frame times (s), and the number of
    missed ticks: `dropped` seconds of the clock that were not simulated."""
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


def describe_pictures(figures: PictureFigures | None) -> tuple[str, ...]:
    """Line with the number of pictures that are shown and their video memory; none for a level without pictures."""
    if figures is None or not figures.total:
        return ()
    return (f"pictures {figures.ready} of {figures.total}   {figures.memory / 2**20:.1f} MiB of video memory",)
