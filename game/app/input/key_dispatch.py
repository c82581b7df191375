"""Where a key goes: by the mode of the game, to play, menu, page, F2 mode or the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..settings.mode_names import EDITING, LEAVING, PLAYING, READING_MODES, REWINDING

if TYPE_CHECKING:
    from ..game import Game

LAB_MESSAGE_SECONDS = 1.5  # that what a key of the laboratory did is told
DISMISS_KEYS = ("F1", "ESCAPE", "RETURN", "ENTER", "SPACE")  # what a page to read goes away by


def dispatch_key(game: Game, key: str) -> None:
    """A key went down, by the name that it has when nothing is bound otherwise (`W`, `ESCAPE`, `F3`)."""
    if key == "F3":
        game.debug = not game.debug
    elif key == "F11":
        game.window_requests.append("fullscreen")
    elif key == "F12":
        game.window_requests.append("screenshot")
    elif key == "F5":
        game.toggle_recording()
    elif game.mode == PLAYING:
        _dispatch_play_key(game, key)
    elif game.mode == EDITING:
        game.editor.key_pressed(key)
    elif game.mode == REWINDING:
        game.rewind.key_pressed(key)
    elif game.mode in READING_MODES:
        if key in DISMISS_KEYS:
            game.resume()
        game.menus.scroll_by(key)
    elif game.mode == LEAVING:
        game.held_actions.press(key)
    elif game.menu is not None:
        game.menus.key_pressed(key)
    elif key == "ESCAPE":
        game.window_requests.append("quit")


def _dispatch_play_key(game: Game, key: str) -> None:
    if key == "ESCAPE":
        game.pause()
    elif key == "F1":
        game.show_help()
    elif key == "F2":
        game.editor.enter()
    elif key == "R":
        game.restart()
    elif key == "BACKSPACE":
        game.rewind.enter()
    elif key == "F":
        game.free_camera.toggle()
    elif key == "V":
        game.third_person_camera.toggle()
    elif game.lab is not None and (said := game.lab.key_pressed(key)):
        game.show_message(said, seconds=LAB_MESSAGE_SECONDS)
    else:
        game.held_actions.press(key)
