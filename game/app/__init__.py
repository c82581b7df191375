"""The game: window, input, menu, settings and the command line. The only package that reads a clock."""

import sys


def console() -> object:
    """Run the command line, for the installed commands; the exit status. Ctrl-C during the imports prints nothing."""
    try:
        from .commands.command_line import main
        from .launch import ending_signals
    except KeyboardInterrupt:
        return 130
    try:
        status: object = main(sys.argv[1:])
    except SystemExit as end:
        status = end.code
    ending_signals.end_interrupted(status)
    return status
