"""Ghosts beside a replay: the chosen ghost, its body in the picture, and the time difference to it."""

from __future__ import annotations

from ....core.time_format import format_time_difference
from ....core.vectors import Point
from ....render.snapshot import EllipsoidInstance
from ..ghost import GhostPace, GhostReplay

FIRST_SECONDS = 1e-6  # s: a ghost is shown from the start of the clock


class ReplayGhosts:
    """Runs that can be shown beside a replay, as (name, run); one of them, or none, is shown."""

    def __init__(self, ghosts: list[tuple[str, GhostReplay]]) -> None:
        """The first one is shown at first."""
        self._ghosts = ghosts
        self._chosen = 0 if ghosts else -1  # index, -1: none
        self._pace = GhostPace()

    @property
    def label(self) -> str:
        """Name of the shown ghost, `off` where none is shown; empty without ghosts."""
        if not self._ghosts:
            return ""
        return "off" if self._chosen < 0 else self._ghosts[self._chosen][0]

    def choose_next(self) -> None:
        """Show the next ghost, or none after the last."""
        self._chosen = -1 if self._chosen + 1 >= len(self._ghosts) else self._chosen + 1
        self.reset()

    def reset(self) -> None:
        """Forget the place on the ghost's path: another moment is shown."""
        self._pace.reset()

    def ellipsoids_at(self, seconds: float, eye: Point) -> tuple[EllipsoidInstance, ...]:
        """Bodies of the shown ghost, `seconds` after the start of the clock; eye: position of the camera (m)."""
        if self._chosen < 0:
            return ()
        return tuple(self._ghosts[self._chosen][1].ellipsoid_at(max(seconds, FIRST_SECONDS), eye))

    def gap_text(self, centre: Point, seconds: float) -> str:
        """Time difference to the shown ghost at a place, and its name. centre: of the body (m)."""
        if self._chosen < 0:
            return ""
        name, ghost = self._ghosts[self._chosen]
        gap = self._pace.update(ghost.track, centre, seconds)
        return f"Ghost: {name}" if gap is None else f"{format_time_difference(gap)}   to   {name}"
