"""Command line: a registry of commands, the parser, and exit statuses. A mistake of the user is one sentence.

A module of the registry has SUMMARY (for the list of commands), HELP (its description), `add_options` and `run`, which
returns a `Result` (frame.py). It imports NumPy, numba and graphics inside `run`, so that `--help` and `check` start at
once.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from ... import COMMAND, DISTRIBUTION
from ...core.errors import error_reason
from ...core.user_folders import has_level_suffix
from ..launch import crash_hooks, ending_signals, standard_output
from ..launch.level_lookup import UserError, printable_text
from . import (
    check,
    diff,
    doctor,
    frame,
    fuzz,
    import_model,
    play,
    plot,
    prepare,
    record,
    replay,
    shot,
    sim,
    test,
    video,
)

NO_OUTPUT_STATUS = 74  # exit status where standard output cannot be written: EX_IOERR of sysexits.h
INTERRUPTED_STATUS = 130
READER_LEFT_STATUS = 141  # of a Unix program whose reader ends first, as in `check demo | head -1`: 128 and SIGPIPE


class CommandModule(Protocol):
    SUMMARY: str
    HELP: str

    def add_options(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace) -> frame.Result: ...


COMMANDS: dict[str, CommandModule] = {
    "play": play,
    "check": check,
    "test": test,
    "fuzz": fuzz,
    "sim": sim,
    "record": record,
    "replay": replay,
    "diff": diff,
    "plot": plot,
    "shot": shot,
    "video": video,
    "import": import_model,
    "prepare": prepare,
    "doctor": doctor,
}

EPILOGUE = f"""\
examples:
  {COMMAND}                          start the game in the main menu
  {COMMAND} play levels/demo.yaml    play a level directly
  {COMMAND} check my_level.yaml      list the errors in a level
  {COMMAND} test my_level.yaml       run the tests of a level
  {COMMAND} fuzz demo --ticks 100000 walk at random, and check every tick
  {COMMAND} sim demo --commands levels/demo.commands -o walk.csv
  {COMMAND} record demo --commands levels/demo.commands -o walk.replay
  {COMMAND} replay walk.replay       verify a replay; --show: watch it
  {COMMAND} diff old.yaml new.yaml --commands walk.commands   compare a walk in two versions of a level
  {COMMAND} plot walk.replay -o walk.png   draw a walk on the plan of its level
  {COMMAND} shot demo -o demo.png --at 0,0,6 --heading 0
  {COMMAND} video walk.replay -o walk.mp4  make a movie of a replay
  {COMMAND} import castle.glb -o castle.yaml
  {COMMAND} prepare                  compile the physics ahead
  {COMMAND} doctor                   check this computer

`{COMMAND} COMMAND --help` describes each command."""


def main(argv: Sequence[str]) -> int:
    """Run the command line; the exit status."""
    arguments = list(argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "play")
    standard_output.replace_unencodable()
    with standard_output.lost_errors():
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        with crash_hooks.watch(arguments), ending_signals.raised(), standard_output.named_output():
            return _run_or_explain(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        standard_output.discard_output()
        return READER_LEFT_STATUS
    except standard_output.OutputError as error:
        standard_output.discard_output()
        _print_error(f"{error.filename}: {error_reason(error)}; redirect it to another place")
        return NO_OUTPUT_STATUS


def _print_error(text: str) -> None:
    print("\n".join(map(printable_text, text.split("\n"))), file=sys.stderr, flush=True)


def _run_or_explain(arguments: list[str]) -> int:
    """Run a command; an error becomes a sentence and a status, but for those of standard output."""
    try:
        return _parse_and_run(arguments)
    except (BrokenPipeError, standard_output.OutputError):
        raise
    except UserError as error:
        _print_error(str(error))
        return error.code
    except MemoryError:
        _print_error("not enough memory")
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _print_error(f"{name}{error_reason(error)}")
        return frame.UNREADABLE_STATUS
    except Exception as error:
        from ..launch import crash_report

        _print_error(crash_report.write_crash_report(error, arguments))
        return crash_report.CRASH_STATUS


def _parse_and_run(arguments: list[str]) -> int:
    """Run a command and print its result. With --json, all that is printed but the document goes to standard error."""
    options = parse_words(arguments)
    is_json = getattr(options, "json", False)
    if sys.stdout is None and is_json:  # closed by the shell, as with >&-
        raise UserError("standard output is closed, and --json prints there; redirect it to a file", NO_OUTPUT_STATUS)
    with contextlib.redirect_stdout(sys.stderr if is_json else sys.stdout or io.StringIO()):
        frame.check_needs(options)
        frame.check_outputs(options)
        result = COMMANDS[options.verb].run(options)
        for line in result.lines:
            print(printable_text(line))
    if is_json:
        from ...reports.documents import format_document

        sys.stdout.write(format_document(options.verb, {"status": result.status, **result.fields()}))
    return result.status


def parse_words(words: Sequence[str]) -> argparse.Namespace:
    """The options of a command line. Levels, and the inputs of `plot`, may also stand after options."""
    parser = build_parser()
    options, left = parser.parse_known_args(words)
    inputs = getattr(options, "levels", getattr(options, "inputs", None))
    if left and (not isinstance(inputs, list) or any(word.startswith("-") for word in left)):
        parser.prog += f" {options.verb}"  # whose help `error` names
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    if inputs is not None:
        inputs += left
    return options


class _ArgumentParser(argparse.ArgumentParser):
    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        # A word that matches is a value, and no option: also the -1,2,3 of `--at`, for which argparse has no public way
        self._negative_number_matcher = re.compile(r"-[\d.]")

    def error(self, message: str) -> NoReturn:
        match = re.match(r"argument COMMAND: invalid choice: (.+?) \(choose", message)
        if match:
            from ...level import find_level

            word = match.group(1).strip("'\"")
            similar = difflib.get_close_matches(word, COMMANDS, 1)
            looks_like_level = has_level_suffix(word) or os.path.exists(find_level(word))
            cure = f"play {word}" if looks_like_level else similar[0] if similar else f"one of {', '.join(COMMANDS)}"
            message = f"'{word}' is not a command; try {cure}"
        self.exit(2, f"{message}\nsee `{self.prog} --help`\n")


class _VersionAction(argparse.Action):
    """Print name and version. The metadata of the package is read only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from ... import __version__

        print(f"{DISTRIBUTION} {__version__}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    top = _ArgumentParser(
        prog=COMMAND,
        description="A first-person walker: play levels, check them, simulate them without a window, take pictures.",
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_VersionAction, nargs=0, help="print name and version, then exit")
    subparsers = top.add_subparsers(dest="verb", metavar="COMMAND", required=True, parser_class=_ArgumentParser)
    for name, module in COMMANDS.items():
        module.add_options(
            subparsers.add_parser(
                name,
                help=module.SUMMARY,
                description=module.HELP,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )
    return top
