"""Interface of the game for guidance, menus, door panels and saved sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import Session, World
    from ..cameras.camera_set import CameraSet
    from ..hot_reload.level_reload import LevelReloader
    from ..input.player_input import PlayerInput
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback
    from ..visuals.screen import Screen
    from .player_runs import PlayerRuns


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
