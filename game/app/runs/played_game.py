"""The game as guidance, menus, door panels and saved sessions see it, and its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .assist import Assist
from .movie_job import MovieMaker
from .time_trial import TimeTrial

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import Session, World
    from ..cameras.camera_set import CameraSet
    from ..hot_reload.level_reload import LevelReloader
    from ..input.player_input import HeldActions, PlayerInput
    from ..launch.lab_registry import LabSession
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback
    from ..visuals.screen import Screen
    from .recording import ReplayRecording
    from .time_trial import RestartUndo


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


class PlayedGame(Protocol):
    """The game as the packages below the modes see it: the part of `GameContext` that they use, and that describes it.

    It is a Protocol because the context imports these packages.
    """

    level: Level
    settings: Settings
    session: Session | None
    input: PlayerInput
    cameras: CameraSet
    feedback: Feedback
    screen: Screen
    runs: PlayerRuns
    hot_reload: LevelReloader | None

    @property
    def mode(self) -> str: ...

    @property
    def world(self) -> World: ...

    def push_mode(self, name: str, subject: Any = None) -> None: ...

    def resume(self) -> None: ...

    def restart(self) -> None: ...
