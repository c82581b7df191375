"""Registry of the modes, one line each. The editor is imported when it is first entered: the game starts without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..settings.mode_names import EDITING
from .ending import EndingMode
from .help import HelpMode, NoticeMode
from .menu import PauseMode
from .mode import Mode
from .photo import PhotoMode
from .play import PlayMode
from .replay import ReplayMode
from .rewind import RewindMode
from .title import TitleMode
from .travel import ArrivalMode, LoadingMode, TravelMode

if TYPE_CHECKING:
    from ..game import Game

MODES: tuple[type[Mode], ...] = (
    LoadingMode,
    PlayMode,
    PauseMode,
    TitleMode,
    EndingMode,
    HelpMode,
    NoticeMode,
    TravelMode,
    ArrivalMode,
    RewindMode,
    ReplayMode,
    PhotoMode,
)


class ModeTable(dict[str, Mode]):
    """Modes of a game by name. The editor is made when it is first asked for.

    threaded   whether the modes run longer work in threads
    """

    def __init__(self, game: Game, mode_types: Sequence[type[Mode]], threaded: bool = False) -> None:
        """mode_types: of two with the same name the later one counts."""
        super().__init__({mode_type.name: mode_type(game) for mode_type in mode_types})
        self._game = game
        self.threaded = threaded
        if threaded:
            for mode in self.values():
                mode.use_threads()

    def __missing__(self, name: str) -> Mode:
        if name != EDITING:
            raise KeyError(name)
        from .editor import EditorMode

        mode = self[name] = EditorMode(self._game)
        if self.threaded:
            mode.use_threads()
        return mode
