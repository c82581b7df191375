"""Geometry checks (lint): warnings about geometry that is valid but seldom intended.

Faces, passages, places, movers: each module asks one question of a level. A flood over the cells on which the player
stands says what is reached. The problems are ranked; one whose place lies in the box of an earlier one is not given.
The field `intended` of a piece turns a warning off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from traceback import walk_tb
from types import TracebackType
from typing import TypeVar

import numpy as np

from ..format.findings import FindingCollector, SourceSpan
from ..geometry.column_grid import TooManyCandidates
from ..level import Level
from . import faces, level_tests, movers, passages, places
from .context import Context, Subject
from .flood import MAX_CELL, MAX_COLUMNS, Flood

__all__ = ["check_geometry"]

T = TypeVar("T")


def check_geometry(level: Level, report: FindingCollector) -> None:
    """Add all warnings about the geometry of a level to `report`."""
    for test in level.tests:
        level_tests.check_walk(test, report)
    context = Context(level, report)
    failures: list[tuple[str, Exception]] = []

    def judge(subject: str, check: Callable[[], T]) -> T | None:
        """The result of a check. If it fails, it is reported later, and the others go on."""
        try:
            return check()
        except Exception as error:
            failures.append((subject, error))
            return None

    flood = judge("what is reached", lambda: Flood(context)) or Flood(context, is_known=False)
    named = places.places_to_reach(context, flood)
    judge("passages", lambda: passages.check_passages(context, flood, [place.cells for place in named]))
    judge("places", lambda: places.check_places(context, flood, named))
    judge("movers", lambda: movers.check_movers(context, flood))
    judge("faces", lambda: faces.check_faces(context, flood))
    context.give()
    if not flood.is_known and np.any(context.walkable & context.static):
        side, most = math.sqrt(flood.ground), MAX_CELL * math.sqrt(MAX_COLUMNS)
        message = (
            f"its ground is as large as a square of {side:.0f} m; what players reach is computed up to {most:.0f} m. "
        )
        message += "Not checked: passages, flights, doorways, slots, ways to the goal "
        message += "and other places, pieces in the air, and signs that nobody reads"
        report.add(
            "warning",
            SourceSpan(),
            "",
            message,
            "`check --walk` looks for them as far as bots come; or make levels with exits of it",
        )
    for subject, error in failures:
        place, label = _judged_piece(error.__traceback__) or (level.origins[0].place, "pieces")
        if isinstance(error, TooManyCandidates):
            message = f"too many faces overlap or lie side by side; the check of {subject} was skipped"
            cure = "spread the pieces out, make fewer copies, or simplify the models"
            report.add("warning", level.origins[0].place, "pieces", message, cure)
        else:
            report.failures.append(error)
            message = f"the check of {subject} failed ({type(error).__name__}: {error})"
            cure = "this is an error of the program; the other checks were made"
            report.add("dropped", place, label, message, cure)


def _judged_piece(traceback: TracebackType | None) -> tuple[SourceSpan, str] | None:
    """Place and label of the piece that a check was judging when it failed: the innermost Subject of its functions."""
    found = None
    for frame, _ in walk_tb(traceback):
        for value in frame.f_locals.values():
            if isinstance(value, Subject):
                found = value.place, value.label
    return found
