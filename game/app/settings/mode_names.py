"""What a game can be at: the words of `Game.mode`. By it a key finds its meaning, and a frame what it shows."""

PREPARING = "preparing"  # there is no world yet
PLAYING = "playing"
PAUSED = "paused"  # a menu is open over play
TITLE = "title"
HELP = "help"
NOTICE = "notice"  # a text to read, which `Game.notice` is
LEAVING = "leaving"  # on the way to another level
EDITING = "editing"
REWINDING = "rewinding"

READING_MODES = frozenset({HELP, NOTICE})  # pages without a menu: one key, and they are gone
MENU_MODES = frozenset({PAUSED, TITLE}) | READING_MODES  # arrows and Enter are those of a page
FIXED_KEY_MODES = MENU_MODES | {PREPARING, EDITING}  # keys mean what they are, whatever is bound to them
