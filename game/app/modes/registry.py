"""Registry of the modes, one line each."""

from __future__ import annotations

from .editor import EditorMode
from .help import HelpMode, NoticeMode
from .menu import PauseMode
from .mode import Mode
from .photo import PhotoMode
from .play import PlayMode
from .replay import ReplayMode
from .rewind import RewindMode
from .title import TitleMode
from .travel import LoadingMode, TravelMode

MODES: tuple[type[Mode], ...] = (
    LoadingMode,
    PlayMode,
    PauseMode,
    TitleMode,
    HelpMode,
    NoticeMode,
    TravelMode,
    EditorMode,
    RewindMode,
    PhotoMode,
    ReplayMode,
)
