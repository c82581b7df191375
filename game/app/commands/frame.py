"""Frame of the commands. What a command says of itself, and what `command_line` does with it:

arguments    `add_options` declares them with the functions below. `add_need` says that an option needs another one.
             argparse refuses wrong arguments, with status 2
outputs      are checked before the work: suffix, package, folder, and that none of them is an input
errors       a mistake of the user is a UserError with one sentence; an error of the program leaves a crash report
result       `run` returns a Result: exit status, lines for standard output, fields for JSON
JSON         with `--json` the document alone is on standard output, and all else on standard error
progress     on standard error, by `launch.progress_line.shown_progress` and `launch.world_setup.print_status`
exit status  0: done; 1: something was found, or nothing could be made; 2: an argument, an input or an output cannot be
             used; 3: the goal was missed, or the file is cut off; others: command_line
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ...core.errors import error_reason
from ...core.file_reading import REPLAY_SUFFIX
from ..launch.level_lookup import UserError, entrance_file, level_files

if TYPE_CHECKING:
    from ...level import Level

UNREADABLE_STATUS = 2  # exit status where an argument, an input or an output cannot be used
GOAL_MISSED_STATUS = 3  # of a simulation that does not reach the goal of its level
GOAL_STATUS_HELP = """\
exit status: 0 the goal was reached, or the level has none
             2 a file cannot be read, or the output cannot be written
             3 the goal was missed"""
LEVEL_HELP = "a level file, the name of a shipped level (such as demo), or daily: the course of the day"
LEVELS_HELP = "a level file, the name of a shipped level (such as demo), or a folder of levels"
TABLE_SUFFIXES = (".npz", ".csv", ".jsonl")
PACKAGES = {".html": "plotly"}  # that an output needs, by its suffix
INPUTS = ("level", "levels", "inputs", "file", "a", "b", "commands", "ghost", "model")  # options that name inputs
QUALITIES = ("low", "medium", "high")
MAX_PIXELS = 16384
MAX_PROCESSES = 1024
MAX_TICKS = 10_000_000
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a command. status: its exit status; lines: for people; fields: gives those of its JSON document
    (game/reports/schemas) beside `status`."""

    status: int = 0
    lines: Sequence[str] = ()
    fields: Callable[[], Mapping[str, object]] = dict


# ---- Inputs and options


def add_level(parser: argparse.ArgumentParser, help: str = LEVEL_HELP, nargs: str | None = None) -> None:
    parser.add_argument("level", type=parse_level, nargs=nargs, metavar="LEVEL", help=help)


def add_levels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", type=parse_level, nargs="+", metavar="LEVEL", help=LEVELS_HELP)


def add_script(parser: argparse.ArgumentParser) -> None:
    """The level, the commands file and the number of ticks of a simulation."""
    add_level(parser)
    add_commands(parser, "commands file", required=True)
    parser.add_argument(
        "--ticks", type=parse_ticks, metavar="N", help="number of ticks (default: the length of the commands file)"
    )


def add_commands(parser: argparse.ArgumentParser, help: str, required: bool = False) -> None:
    text = f"{help} (docs/commands.md)"
    parser.add_argument("--commands", required=required, type=parse_path, metavar="FILE", help=text)


def add_size(parser: argparse.ArgumentParser, help: str, default: tuple[int, int] | None = None) -> None:
    parser.add_argument("--size", type=parse_size, default=default, metavar="WxH", help=help)


def add_processes(parser: argparse.ArgumentParser, help: str, default: int | None = None) -> None:
    number = number_type(int, 1, MAX_PROCESSES, "number of processes")
    parser.add_argument("-n", type=number, default=default, metavar="N", help=help)


def add_json(parser: argparse.ArgumentParser) -> None:
    text = "print one JSON document, and nothing else, on standard output"
    parser.add_argument("--json", action="store_true", help=text)


def add_need(parser: argparse.ArgumentParser, option: str, other: str) -> None:
    """An option has an effect only where another one is given."""
    parser.set_defaults(needs=(*(parser.get_default("needs") or ()), (option, other)))


def check_needs(options: argparse.Namespace) -> None:
    """UserError where an option is given without the one that it needs."""
    fields = {output.option: output.field for output in getattr(options, "outputs", ())}
    for pair in getattr(options, "needs", ()):
        values = (getattr(options, fields.get(name, name.lstrip("-"))) for name in pair)
        is_given, is_other_given = (value is not None and value is not False for value in values)
        if is_given and not is_other_given:
            raise UserError(f"{pair[0]} needs {pair[1]}")


# ---- Outputs


@dataclass(frozen=True, slots=True)
class Output:
    """An option that names a file or folder to write. field: of the options; suffixes: one of which the name has;
    is_new: an existing file is not overwritten."""

    field: str
    option: str
    suffixes: tuple[str, ...]
    is_folder: bool
    is_new: bool


def add_output(
    parser: argparse.ArgumentParser,
    help: str,
    suffixes: Sequence[str] = (),
    option: str = "-o",
    metavar: str = "FILE",
    required: bool = False,
    default: Path | None = None,
    is_new: bool = False,
) -> None:
    """An option for an output: a file, or a folder where that is its metavar."""
    names = ("-o", "--output") if option == "-o" else (option,)
    action = parser.add_argument(
        *names, type=parse_path, required=required, metavar=metavar, help=help, default=default
    )
    output = Output(action.dest, option, tuple(suffixes), metavar == "FOLDER", is_new)
    parser.set_defaults(outputs=(*(parser.get_default("outputs") or ()), output))


def check_outputs(options: argparse.Namespace) -> None:
    """Check all outputs before the work. UserError for a suffix that is not allowed, a package that is missing, and an
    output that is also an input; OSError where a file cannot be written."""
    from ...core import atomic_files

    for output, path in _given_outputs(options):
        suffix = path.suffix.lower()
        if output.suffixes and suffix not in output.suffixes:
            wanted = ", ".join(output.suffixes)
            raise UserError(f"{path}: {output.option} must be {'one of' if ',' in wanted else 'a'} {wanted}")
        package = PACKAGES.get(suffix) if output.suffixes else None
        if package is not None and find_spec(package) is None:
            other = ", ".join(one for one in output.suffixes if one not in PACKAGES)
            cure = f"python -m pip install {package} (or choose {other})"
            raise UserError(f"{path}: {suffix} files need the package {package}: {cure}")
        if output.is_new and os.path.lexists(path):
            raise UserError(f"{path}: the file exists already and is not overwritten; choose another name")
        # A folder is created; the folder that it is in is not.
        atomic_files.check_target(path / "file" if output.is_folder and path.exists() else path)
    given = (getattr(options, name, None) for name in INPUTS)
    refuse_inputs(options, (one for value in given for one in (value if isinstance(value, list) else [value]) if one))


def refuse_inputs(options: argparse.Namespace, inputs: Iterable[str | Path]) -> None:
    """UserError where an output is the same file as an input, also by a link. inputs: paths, and names of levels.

    Devices and pipes are never refused: to write there destroys nothing.
    """
    inputs = tuple(inputs)
    for output, path in _given_outputs(options):
        if path.is_file() and any(_is_same_file(path, one) for one in inputs):
            raise UserError(f"{path}: {output.option} is also an input of this command; choose another file")


def _given_outputs(options: argparse.Namespace) -> list[tuple[Output, Path]]:
    outputs = ((output, getattr(options, output.field)) for output in getattr(options, "outputs", ()))
    return [(output, path) for output, path in outputs if path is not None]


def _is_same_file(output: Path, name: str | Path) -> bool:
    """Whether an input is the output; False for an input that cannot be found, which its reader reports."""
    from ...level import find_level

    try:
        is_path = isinstance(name, Path) or name.lower().endswith(REPLAY_SUFFIX)
        return os.path.samefile(output, name if is_path else find_level(entrance_file(str(name))))
    except (OSError, ValueError, UserError):
        return False


def load_input_level(options: argparse.Namespace, name: str) -> Level:
    """The level of that name, with the physics compiled. UserError where an output is one of its files."""
    from ..launch.world_setup import load_ready_level

    level = load_ready_level(name)
    refuse_inputs(options, level_files(level))
    return level


# ---- Types of arguments. They raise ArgumentTypeError with one sentence


def parse_path(text: str) -> Path:
    """Path of a file or folder. ArgumentTypeError for an empty name, which comes from an unset variable: Path takes it
    for the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; write a name, or set the variable that holds it")
    return Path(text)


def parse_level(text: str) -> str:
    """A level as it is written; for `daily` and `daily/2026-12-24` the file of the course of that day."""
    parse_path(text)
    from ..runs.library import daily_files

    try:
        day = None if os.path.exists(text) else daily_files.named_day(text)
        return text if day is None else str(daily_files.make_files(day))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: there is no such day; write daily/2026-12-24") from None
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the course of the day cannot be written: {error_reason(error)}") from None


def parse_size(text: str) -> tuple[int, int]:
    """Width and height in pixels of `1280x720`."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text, re.ASCII)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x720")
    width, height = int(match[1]), int(match[2])
    if not (16 <= width <= MAX_PIXELS and 16 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(f"'{text}': width and height must be 16 to {MAX_PIXELS} pixels")
    return width, height


def number_type(
    kind: Callable[[str], Number], low: float, high: float, what: str = "number"
) -> Callable[[str], Number]:
    """The type of a number between two others. kind: int or float. what: the noun of the message."""

    def parse(text: str) -> Number:
        if NUMBER.fullmatch(text):  # kind() also takes spaces, underscores and the digits of other scripts
            with contextlib.suppress(ValueError):
                value = kind(text)
                if low <= value <= high:
                    return value
        limits = " to ".join(f"{Decimal(str(limit)).normalize():f}" for limit in (low, high))
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a {what} from {limits}")

    return parse


parse_number = number_type(float, -1_000_000, 1_000_000)
parse_ticks = number_type(int, 0, MAX_TICKS, "number of ticks")


def parse_point(text: str) -> tuple[float, float, float]:
    """A position in metres of `0,0,6`."""
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not a position such as 0,0,6")
    return parse_number(parts[0]), parse_number(parts[1]), parse_number(parts[2])
