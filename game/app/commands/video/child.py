"""Child process that makes a movie for the game: the options of `video`, and JSON lines about its progress."""

from __future__ import annotations

import _thread
import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from ....core.background import run_in_thread
from ...launch.child_process import lower_priority
from ...launch.level_lookup import UserError
from . import add_options, make_movie

NICENESS = 10  # priority below the game's


def main(arguments: Sequence[str]) -> int:
    """Make the movie. Standard input is a pipe that the game holds open: its end, or a line, cancels."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which then cancels
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt
    lower_priority(NICENESS)
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--temporary", action="store_true")  # remove the replay at the end: the game may be killed
    options = parser.parse_args(arguments)
    run_in_thread("cancel", _wait_for_end)
    try:
        result = make_movie(options, lambda done, total: _tell(done=done, total=total))
    except UserError as error:
        _tell(problem=str(error))
        return error.code
    except MemoryError:
        _tell(problem="not enough memory")
        return 1
    except KeyboardInterrupt:
        return 1
    finally:
        if options.temporary:
            options.file.unlink(missing_ok=True)
    _tell(path=str(result.path), bytes=result.bytes)
    return 0


def _tell(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def _wait_for_end() -> None:
    """Interrupt the main thread when the game cancels, closes or was killed: nothing half-written stays."""
    os.read(0, 1)  # a thread in sys.stdin.read could not end with the process
    _thread.interrupt_main(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
