"""Names of the game's modes, and the modes and keys whose meaning no binding changes."""

from __future__ import annotations

from collections.abc import Mapping

PREPARING = "preparing"  # no world exists yet
PLAYING = "playing"
PAUSED = "paused"  # a menu is open over play
TITLE = "title"
HELP = "help"
NOTICE = "notice"  # a text page is open
LEAVING = "leaving"  # on the way to another level
EDITING = "editing"
BODY = "body"  # the player's body is changed in the editor, and tried
REWINDING = "rewinding"
PHOTO = "photo"  # the world stands still for a picture
REPLAYING = "replaying"  # a recorded run is shown

READING_MODES = frozenset({HELP, NOTICE})  # pages without rows: any key closes them
MENU_MODES = frozenset({PAUSED, TITLE}) | READING_MODES  # arrows and Enter select rows
FIXED_KEY_MODES = MENU_MODES | {PREPARING, EDITING}  # keys keep their own meaning, whatever is bound to them
# Keys that keep their own name in a mode, whatever is bound to them: its help names them so.
FIXED_KEYS_OF_MODE: Mapping[str, frozenset[str]] = {
    PHOTO: frozenset({"T", "Y", "N", "M", "B", "H", "X", "R", "HOME"}),
    BODY: frozenset(
        {"UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN", "TAB", "BACKSPACE", "DELETE", "R", "V", "MINUS", "EQUAL"}
    ),
    REPLAYING: frozenset({"SPACE", "HOME", "END", "G", "S", "E", "1", "2", "3", "4", "_1", "_2", "_3", "_4"}),
}
