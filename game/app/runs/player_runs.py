"""Runs of the player: what the game does with the run that is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .assist import Assist
from .movie_job import MovieMaker
from .time_trial import TimeTrial

if TYPE_CHECKING:
    from ..input.player_input import HeldActions
    from ..launch.lab_registry import LabSession
    from ..visuals.feedback import Feedback
    from .recording import ReplayRecording
    from .restart_undo import RestartUndo


class PlayerRuns:
    """What belongs to the run that is played.

    time_trial     the run against the clock
    assist         slow motion and no fail
    movies         the movie that is being made
    recording      the replay file that is being written
    restart_undo   what the last restart would lose
    lab            ghosts and exhibits of the level; None before there is a session
    """

    def __init__(self, feedback: Feedback, held: HeldActions) -> None:
        self.time_trial = TimeTrial(feedback, held)
        self.assist = Assist(self.time_trial)
        self.movies = MovieMaker(feedback)
        self.recording: ReplayRecording | None = None
        self.restart_undo: RestartUndo | None = None
        self.lab: LabSession | None = None
