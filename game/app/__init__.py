"""The game: window, input, menu, settings and the command line. The only package that reads a clock."""

import sys


def console() -> int:
    """Run the command line, for the installed commands; the exit status. Ctrl-C during the imports prints nothing."""
    try:
        from .commands.command_line import main
    except KeyboardInterrupt:
        return 130
    return main(sys.argv[1:])
