"""Entry point of the standalone program: starts the game, or `-m MODULE` or `-c CODE` for its child processes."""

import multiprocessing
import runpy
import sys


def main() -> None:
    """Run the arguments as Python itself would."""
    multiprocessing.freeze_support()  # the process of a job ends here
    words = sys.argv[1:]
    if len(words) >= 2 and words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif len(words) >= 2 and words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        from game.app import console

        sys.exit(console())


if __name__ == "__main__":
    main()
