"""Command line of the game: play, check, simulate and render levels. See `python run_game.py --help`."""

import sys

if __name__ == "__main__":
    try:
        from game.app import console
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(console())
