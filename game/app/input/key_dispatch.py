"""Where a key goes: by the mode of the game, to play, menu, page, F2 mode or the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..settings.mode_names import EDITING, LEAVING, PLAYING, REWINDING, TO_READ

if TYPE_CHECKING:
    from ..game import Game

LAB_SECONDS = 1.5  # that what a key of the laboratory did is told
ONWARD = ("F1", "ESCAPE", "RETURN", "ENTER", "SPACE")  # what a page to read goes away by


def press(game: Game, key: str) -> None:
    """A key went down, by the name that it has when nothing is bound otherwise (`W`, `ESCAPE`, `F3`)."""
    if key == "F3":
        game.debug = not game.debug
    elif key == "F11":
        game.requests.append("fullscreen")
    elif key == "F12":
        game.requests.append("screenshot")
    elif key == "F5":
        game.record()
    elif game.mode == PLAYING:
        _play(game, key)
    elif game.mode == EDITING:
        game.editor.key_pressed(key)
    elif game.mode == REWINDING:
        game.rewinding.key_pressed(key)
    elif game.mode in TO_READ:
        if key in ONWARD:
            game.resume()
        game.menus.scroll_by(key)
    elif game.mode == LEAVING:
        game.held.press(key)
    elif game.menu is not None:
        game.menus.key(key)
    elif key == "ESCAPE":
        game.requests.append("quit")


def _play(game: Game, key: str) -> None:
    if key == "ESCAPE":
        game.pause()
    elif key == "F1":
        game.help()
    elif key == "F2":
        game.editor.enter()
    elif key == "R":
        game.restart()
    elif key == "BACKSPACE":
        game.rewinding.enter()
    elif key == "F":
        game.flying.toggle()
    elif key == "V":
        game.behind.toggle()
    elif game.lab is not None and (said := game.lab.key(key)):
        game.say(said, seconds=LAB_SECONDS)
    else:
        game.held.press(key)
