"""Span of a replay that becomes a movie: its start and end are marked while it is watched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ....core.time_format import format_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....sim import Replay
    from ...cameras.replay_cameras import ReplayCameras
    from ...settings.settings_file import Settings
    from ..movie_job import MovieMaker
    from .replay_player import ReplayRequest

VIEWS: Mapping[str, str] = {"eye": "first", "behind": "third", "fixed": "fixed", "outside": "outside"}  # by camera
MIN_SECONDS = 0.05  # a shorter span is not a movie
STARTED_TEXT = "Making the movie"


class MovieSpan:
    """Start and end of a movie, seconds from the start of the replay; None: not marked.

    A start after the end removes the end, and the other way round. To mark a moment again removes its mark.
    """

    def __init__(self) -> None:
        self.start: float | None = None
        self.end: float | None = None

    def mark_start(self, seconds: float) -> None:
        self.start = None if self.start == seconds else seconds
        if self._is_too_short:
            self.end = None

    def mark_end(self, seconds: float) -> None:
        self.end = None if self.end == seconds else seconds
        if self._is_too_short:
            self.start = None

    @property
    def _is_too_short(self) -> bool:
        return self.start is not None and self.end is not None and self.end - self.start < MIN_SECONDS

    def marks(self, duration: float) -> tuple[tuple[float, str], ...]:
        """Marks of the time line: fraction (0..1) and text."""
        pairs = ((self.start, "movie from"), (self.end, "movie to"))
        return tuple((seconds / duration, text) for seconds, text in pairs if seconds is not None)

    def make_movie(
        self, movies: MovieMaker, request: ReplayRequest, cameras: ReplayCameras, settings: Settings, duration: float
    ) -> None:
        """Begin the movie of the span as the present camera shows it; a message says what is filmed, or why not."""
        first = self.start or 0.0
        last = duration if self.end is None else min(self.end, duration)
        if last - first < MIN_SECONDS:
            movies.feedback.show_message("No movie", "The marks are too close to the end of the replay")
            return
        view = VIEWS[cameras.chosen]
        orbit = cameras.outside_view if cameras.chosen == "outside" else None
        name = movie_name(request.replay)
        if movies.start_replay(request.source, (first, last), view, name, settings, orbit):
            movies.feedback.show_message(STARTED_TEXT, f"{format_time(first)} to {format_time(last)}")


def movie_name(replay: Replay) -> str:
    """Name of the level of a replay, for the file."""
    for part in replay.parts:
        if part.chunks:
            return Path(str(part.level.get("file", ""))).stem or "walk"
    return "walk"
