"""Reading modes: the list of keys (F1), and the reason why a door cannot be opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...render import Panel
from ..input.actions import Action, MenuAction, PlayAction
from ..menus.menu_controller import MENU_CONTEXTS
from ..settings.mode_names import HELP, NOTICE, PAUSED, PLAYING
from .mode import Mode

DISMISS_ACTIONS = (MenuAction.HELP, MenuAction.BACK, MenuAction.CONFIRM, MenuAction.CHOOSE, PlayAction.MENU)
NOTICE_WIDTH = 760.0  # of the panel: findings quote lines of a file


class ReadingMode(Mode):
    """A page of text over another mode; most keys close it."""

    contexts = MENU_CONTEXTS

    def focus_lost(self, reason: str = "") -> None:
        if self.below is not None and self.below.name != PLAYING:
            self.below.focus_lost(reason)
        else:
            self.game.pop_mode()
            self.game.push_mode(PAUSED, reason)

    @property
    def back_key(self) -> str:
        """Key that closes the page, on the device in use."""
        return self.game.input.held.labels(MenuAction.BACK)

    def handle_action(self, action: Action) -> None:
        if action in DISMISS_ACTIONS:
            self.game.resume()
        else:
            self.game.menus.scroll_by(action)

    def left_pressed(self) -> None:
        self.game.resume()


class HelpMode(ReadingMode):
    name = HELP

    def enter(self, subject: Any = None) -> None:
        self.game.stop_input()

    def panel(self) -> Panel | None:
        shown = self.help_panel() if self.below is None else self.below.help_panel()
        return replace(shown, back="Continue", scroll=self.game.menus.scroll, back_key=self.back_key)


class NoticeMode(ReadingMode):
    """Findings of a level that an exit leads to and that cannot be played. The subject is their text."""

    name = NOTICE

    def enter(self, subject: Any = None) -> None:
        self.text = str(subject)

    def panel(self) -> Panel | None:
        return Panel(
            title="This door cannot be opened",
            text=self.text,
            back="Continue",
            width=NOTICE_WIDTH,
            scroll=self.game.menus.scroll,
            back_key=self.back_key,
        )
