"""Cracks: edges that were meant to meet and do not."""

from __future__ import annotations

import numpy as np

from game.level.geometry_findings.survey import Survey
from game.level.pairs import overlapping, separation

CRACK = (1e-4, 0.015)  # metres between floors that were meant to meet


def cracks(survey: Survey) -> None:
    """Floors at one height that nearly meet."""
    chosen = np.nonzero(survey.walkable)[0]
    reach = CRACK[1]
    near = overlapping(survey.low[chosen] - reach / 2, survey.high[chosen] + reach / 2)
    i, j = chosen[near[0]], chosen[near[1]]
    other_piece = survey.faces.origin[i] != survey.faces.origin[j]
    i, j = i[other_piece], j[other_piece]
    gap = separation(survey.corners[i][:, :, ::2], survey.corners[j][:, :, ::2])
    for k in np.nonzero((gap > CRACK[0]) & (gap < CRACK[1]))[0]:
        earlier, later = survey.in_order(int(i[k]), int(j[k]))
        survey.tell(
            "crack",
            later,
            f"a crack of {gap[k] * 1000:.1f} mm between this and {survey.named(earlier)}",
            "make them meet",
        )
