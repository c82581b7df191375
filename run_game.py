"""Command line of the game: play, check, simulate and render levels. See `python run_game.py --help`."""

import sys

from game.app.commands.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
