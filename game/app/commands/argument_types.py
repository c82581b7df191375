"""Argument types and arguments that several commands share. The types raise ArgumentTypeError with one sentence."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...core.errors import error_reason

GOAL_MISSED_STATUS = 3  # exit status of a simulation that does not reach the goal of its level
MAX_PIXELS = 16384
MAX_TICKS = 10_000_000
QUALITIES = ("low", "medium", "high")
LEVEL_HELP = "a level file, the name of a shipped level (such as demo), or daily: the course of the day"
LEVELS_HELP = "a level file, the name of a shipped level (such as demo), or a folder of levels"
GOAL_STATUS_HELP = "exit status: 0 the goal was reached, or the level has none; 3 the goal was missed"


def add_script_arguments(parser: argparse.ArgumentParser) -> None:
    """The level, the commands file and the number of ticks of a simulation."""
    parser.add_argument("level", type=parse_level, metavar="LEVEL", help=LEVEL_HELP)
    parser.add_argument("--commands", required=True, type=Path, metavar="FILE", help="commands file (docs/commands.md)")
    parser.add_argument(
        "--ticks", type=parse_ticks, metavar="N", help="number of ticks (default: the length of the commands file)"
    )


def add_output_option(
    parser: argparse.ArgumentParser, text: str, metavar: str = "FILE", required: bool = False
) -> None:
    """The option `-o`, with a text for its help."""
    parser.add_argument("-o", "--output", type=parse_output, required=required, metavar=metavar, help=text)


def parse_level(text: str) -> str:
    """A level as it is written; for `daily` and `daily/2026-12-24` the file of the course of that day."""
    from ..runs.library import daily_files

    try:
        day = None if os.path.exists(text) else daily_files.named_day(text)
        return text if day is None else str(daily_files.make_files(day))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: there is no such day; write daily/2026-12-24") from None
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the course of the day cannot be written: {error_reason(error)}") from None


def parse_output(text: str) -> Path:
    """Path of an output. An empty name, which Path takes for the current folder, comes from an unset variable."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; write a name, or set the variable that holds it")
    return Path(text)


def parse_size(text: str) -> tuple[int, int]:
    """Width and height in pixels of `1280x720`."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text, re.ASCII)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x720")
    width, height = int(match[1]), int(match[2])
    if not (16 <= width <= MAX_PIXELS and 16 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(f"'{text}': width and height must be 16 to {MAX_PIXELS} pixels")
    return width, height


def parse_number(text: str) -> float:
    """A number between -1000000 and 1000000."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between -1000000 and 1000000")
    return value


def parse_between(low: float, high: float, unit: str, text: str) -> float:
    """A number between two others. unit: for the message, with a space before it."""
    value = parse_number(text)
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is not between {low:g} and {high:g}{unit}")
    return value


parse_fov = partial(parse_between, 60.0, 110.0, " degrees")


def parse_scale(text: str) -> float:
    """A scale factor, 1e-6 to 1e6."""
    value = parse_number(text)
    if not 1e-6 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a factor such as 0.01")
    return value


def parse_point(text: str) -> tuple[float, float, float]:
    """A position in metres of `0,0,6`."""
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not a position such as 0,0,6")
    return parse_number(parts[0]), parse_number(parts[1]), parse_number(parts[2])


def parse_integer(low: int, high: int, what: str) -> Callable[[str], int]:
    """The type of an integer between two others. what: the noun of the message."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= 20 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a {what} from {low} to {high}")
        return int(text)

    return parse


parse_ticks = parse_integer(0, MAX_TICKS, "number of ticks")
