"""Names of the game's modes."""

from __future__ import annotations

PREPARING = "preparing"  # no world exists yet
PLAYING = "playing"
PAUSED = "paused"  # a menu is open over play
TITLE = "title"
ENDING = "ending"  # every medal is won
HELP = "help"
NOTICE = "notice"  # a text page is open
LEAVING = "leaving"  # on the way to another level
ARRIVING = "arriving"  # the first pictures of that level are drawn
EDITING = "editing"
REWIND = "rewind"
REPLAY = "replay"  # a recorded run is shown
PHOTO = "photo"  # the world stands still for a picture

TIME_LINES = frozenset({REWIND, REPLAY})
MENU_MODES = frozenset({PAUSED, TITLE, ENDING, HELP, NOTICE})  # the gamepad's left stick moves through a menu or a page
