"""Names of the game's modes, and the groups in which keys have fixed meanings."""

PREPARING = "preparing"  # no world exists yet
PLAYING = "playing"
PAUSED = "paused"  # a menu is open over play
TITLE = "title"
HELP = "help"
NOTICE = "notice"  # a text page is open
LEAVING = "leaving"  # on the way to another level
EDITING = "editing"
REWINDING = "rewinding"
PHOTO = "photo"  # the world stands still for a picture
REPLAYING = "replaying"  # a recorded run is shown

READING_MODES = frozenset({HELP, NOTICE})  # pages without rows: any key closes them
MENU_MODES = frozenset({PAUSED, TITLE}) | READING_MODES  # arrows and Enter select rows
FIXED_KEY_MODES = MENU_MODES | {PREPARING, EDITING}  # keys keep their own meaning, whatever is bound to them
