"""Editor mode as its tools and panels see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ....core.vectors import Vector

if TYPE_CHECKING:
    from ....level import Level
    from ...input.player_input import PlayerInput
    from ..picking import PickHit


class EditedGame(Protocol):
    """Part of the game that editing reads."""

    level: Level
    input: PlayerInput


class EditorHost(Protocol):
    """Editor mode as tools and panels see it.

    snaps       whether movements snap to corners and edges
    direction   unit vector through the cross-hair, or through the pointer while that is free
    """

    grid: float
    picked: PickHit | None

    @property
    def context(self) -> EditedGame: ...

    @property
    def shift(self) -> bool: ...

    @property
    def eye(self) -> Vector: ...

    @property
    def direction(self) -> Vector: ...

    @property
    def snaps(self) -> bool: ...

    def show_message(self, text: str, urgent: bool = False) -> None: ...

    def notify_saved(self) -> None: ...

    def queue_edit(self, edit: Callable[[], None]) -> None: ...

    def close_panel(self) -> None: ...

    def fly_to(self, at: Vector, size: float) -> None: ...

    def fly_to_selection(self) -> None: ...

    def open_line(self, file: Path, line: int) -> None: ...
