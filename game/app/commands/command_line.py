"""The command line and its verbs. A user's mistake is one sentence and a status."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import math
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import game

from ..launch import crash_hooks
from ..launch.level_lookup import UserError
from . import check

COMMANDS = ("play", "check", "sim", "record", "replay", "shot", "import", "doctor")
GOAL_MISSED_STATUS = 3
INTERRUPTED_STATUS = 130
MAX_PIXELS = 16384
MAX_TICKS = 10_000_000

_LEVEL_HELP = "a level file, or the name of a shipped level (such as demo)"
_NEGATIVE_PATTERN = re.compile(r"-[\d.]")

EPILOGUE = f"""\
examples:
  {game.COMMAND}                          start the game in the main menu
  {game.COMMAND} play levels/demo.yaml    play a level directly
  {game.COMMAND} check my_level.yaml      list the errors in a level
  {game.COMMAND} sim demo --commands levels/demo.commands -o walk.csv
  {game.COMMAND} record demo --commands levels/demo.commands -o walk.replay
  {game.COMMAND} replay walk.replay       verify a replay; --show: watch it
  {game.COMMAND} shot demo -o demo.png --at 0,0,6 --heading 0
  {game.COMMAND} import castle.glb -o castle.yaml
  {game.COMMAND} doctor                   check this computer

`{game.COMMAND} COMMAND --help` describes each command."""


def console() -> int:
    """What the commands `walker` and `ellipsoid-walker` run."""
    return main(sys.argv[1:])


def main(argv: Sequence[str]) -> int:
    """Run the command line; the exit status."""
    arguments = list(argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "play")
    try:
        with crash_hooks.watch(arguments):
            status = _parse_and_run(arguments)
        sys.stdout.flush()
        return status
    except UserError as error:
        _print_error(str(error))
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        # Whoever read our lines has left: nothing to say, and nowhere to flush to when Python ends.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        _print_error("not enough memory")
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _print_error(f"{name}{(error.strerror or str(error)).lower()}")
        return 1
    except Exception as error:
        from ..launch import crash_report

        _print_error(crash_report.write_crash_report(error, arguments))
        return crash_report.CRASH_STATUS


def _print_error(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def _parse_and_run(arguments: list[str]) -> int:
    options = build_parser().parse_args(_join_negative_values(arguments))
    verb: str = options.verb
    if verb == "play":
        from . import play

        return play.run_play(options)
    if verb == "doctor":
        from . import doctor

        return doctor.run_doctor()
    if verb in ("record", "replay"):
        from . import replay as replaying

        return {"record": replaying.run_record, "replay": replaying.run_replay}[verb](options)
    if verb == "check":
        return check.run_check(options)
    if verb == "import":
        from .level_import import model_to_level

        return model_to_level.run_import(options)
    from ..launch import world_setup

    return {"sim": world_setup.run_sim, "shot": world_setup.run_shot}[verb](options)


class _ArgumentParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        found = re.match(r"argument COMMAND: invalid choice: (.+?) \(choose", message)
        if found:
            word = found.group(1).strip("'\"")
            near = difflib.get_close_matches(word, COMMANDS, 1)
            looks_like_level = word.endswith((".yaml", ".yml")) or os.path.exists(word)
            cure = f"play {word}" if looks_like_level else near[0] if near else f"one of {', '.join(COMMANDS)}"
            message = f"'{word}' is not a command; try {cure}"
        self.exit(2, f"{message}\nsee `{self.prog} --help`\n")


class _Version(argparse.Action):
    """Print name and version, which are read only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"{game.DISTRIBUTION} {game.__version__}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _ArgumentParser(
        prog=game.COMMAND,
        description="A first-person walker: play levels, check them, simulate them without a window, take pictures.",
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print name and version, then exit")
    sub = top.add_subparsers(dest="verb", metavar="COMMAND", required=True, parser_class=_ArgumentParser)
    _add_play(_add_command(sub, "play", "play a level, or open the main menu", PLAY_HELP))
    check.add_options(_add_command(sub, "check", "list the errors in levels", check.CHECK_HELP))
    _add_sim(_add_command(sub, "sim", "simulate a commands file in a level, without a window", SIM_HELP))
    _add_record(_add_command(sub, "record", "simulate like sim and save a replay file", RECORD_HELP))
    _add_replay(_add_command(sub, "replay", "verify a replay file tick by tick, or watch it", REPLAY_HELP))
    _add_shot(_add_command(sub, "shot", "take a picture of a level", SHOT_HELP))
    _add_import(_add_command(sub, "import", "make a level from a 3D model", IMPORT_HELP))
    _add_command(sub, "doctor", "check what this computer has and lacks", DOCTOR_HELP)
    return top


PLAY_HELP = """\
Play a level in a window. W A S D or the arrow keys move, the mouse looks around, Space jumps, Ctrl or C
crouches, Shift sprints. Esc: pause, R: restart level, F1: help, F3: debug info, F11: full screen,
F12: screenshot.

Without a display, the commands file of the level is simulated instead, and a report and a picture are
written to the folder `out`."""

SIM_HELP = """\
Simulate the commands of a file (format: docs/commands.md) in a level, without a window, and print the
result. After the last line of the file the player stands still.

-o writes one row per tick; the format follows from the file name:
  .npz    NumPy arrays position (T,3), velocity (T,3), heading (T,), grounded (T,), tick (T,)
  .csv    the same as a table
  .jsonl  the same, one JSON object per line
Units: metres, metres per second; headings: 65536 per turn, counter-clockwise from north (-Z).

exit status: 0 the goal was reached, or the level has none; 3 the goal was missed"""

RECORD_HELP = """\
Simulate a commands file in a level, like `sim`, and save the commands and the state of every tick in a
replay file (format: docs/replays.md). An existing file is never overwritten. In the game, F5 records.

exit status: 0 the goal was reached, or the level has none; 3 the goal was missed"""

REPLAY_HELP = """\
Simulate a replay file again and compare every tick, bit by bit, with the recorded one. The first tick
that differs is printed, with both values of each field. --show plays the replay in a window: Space pauses,
Left and Right skip five seconds, Esc quits.

exit status: 0 every tick is as recorded
             1 a tick differs
             2 the file is not a replay or cannot be read
             3 every tick in the file is as recorded, but some are missing: cut off, damaged, not closed"""

SHOT_HELP = """\
Take a picture of a level: from its spawn, from a position (--at), or from a tick of a commands file
(--commands). Angles are in degrees: headings counter-clockwise from north (-Z), pitch upwards."""

IMPORT_HELP = """\
Make a level from a model: glTF (.glb, .gltf), OBJ or a Quake map (.map, as TrenchBroom saves it). The
level refers to the model file, so saving the model again changes the level; a model in a folder that the
level may not refer to is copied next to the level. The spawn is placed on the largest area that a player
can stand on; the spawns and lights of a Quake map are kept. An existing file is never overwritten.

exit status: 0 the level is written and can be played; 2 it cannot be played, and nothing is written"""

DOCTOR_HELP = """\
Check what the game needs on this computer, one line each: Python, packages, display, OpenGL, folders,
gamepads and sound. Where something is missing, the line says what to do.

exit status: 0 everything is there; 1 something is missing"""


def _add_command(sub: argparse._SubParsersAction[_ArgumentParser], name: str, help: str, text: str) -> _ArgumentParser:
    return sub.add_parser(name, help=help, description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def _add_play(play: _ArgumentParser) -> None:
    play.add_argument("level", nargs="?", metavar="LEVEL", help=f"{_LEVEL_HELP}; without it the main menu opens")
    play.add_argument("--size", type=_parse_size, metavar="WxH", help="window size, such as 1280x720")
    play.add_argument("--quality", choices=("low", "medium", "high"), help="graphics quality for this session only")
    play.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write the final state of the player to FILE, as JSON",
    )
    play.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="without a display: folder of the report and the picture (default: ./out)",
    )


def _add_sim(sim: _ArgumentParser) -> None:
    sim.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    sim.add_argument("--commands", required=True, type=Path, metavar="FILE", help="commands file (docs/commands.md)")
    sim.add_argument(
        "--ticks", type=_parse_ticks, metavar="N", help="number of ticks (default: the length of the commands file)"
    )
    sim.add_argument("-o", "--output", type=Path, metavar="FILE", help="write one row per tick: .npz, .csv or .jsonl")
    sim.add_argument("--profile", action="store_true", help="only print how the time of a tick is spent")
    sim.add_argument(
        "--technique",
        metavar="NAME",
        help="use a published method instead (docs/lab.md): guide, article, sliding, probes, repair, mended; "
        "or walker, the game's own",
    )
    sim.add_argument(
        "--mended",
        default="",
        metavar="DEFECTS",
        help="with --technique guide: the defects to fix, such as turn,inside,margin,slide,single",
    )


def _add_record(record: _ArgumentParser) -> None:
    record.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    record.add_argument("--commands", required=True, type=Path, metavar="FILE", help="commands file (docs/commands.md)")
    record.add_argument(
        "--ticks", type=_parse_ticks, metavar="N", help="number of ticks (default: the length of the commands file)"
    )
    record.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="replay file to write")


def _add_replay(replay: _ArgumentParser) -> None:
    replay.add_argument("file", type=Path, metavar="FILE", help="a replay file")
    replay.add_argument("--level", metavar="LEVEL", help="use this level instead of the recorded one")
    replay.add_argument("--as-recorded", action="store_true", help="use the level text stored in the replay")
    replay.add_argument("--show", action="store_true", help="play the replay in a window")
    replay.add_argument("--size", type=_parse_size, metavar="WxH", help="with --show: window size")
    replay.add_argument(
        "--quality", choices=("low", "medium", "high"), help="with --show: graphics quality for this session only"
    )
    replay.add_argument(
        "--report", type=Path, metavar="FILE", help="with --show: write the final state to FILE, as JSON"
    )


def _add_shot(shot: _ArgumentParser) -> None:
    shot.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    shot.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="picture to write, a .png")
    shot.add_argument(
        "--size", type=_parse_size, default=(1280, 720), metavar="WxH", help="size in pixels (default: 1280x720)"
    )
    shot.add_argument("--at", type=_parse_point, metavar="X,Y,Z", help="position of the feet, in metres")
    shot.add_argument("--heading", type=_parse_degrees, metavar="DEG", help="heading of the view")
    shot.add_argument("--pitch", type=_parse_degrees, metavar="DEG", help="pitch of the view")
    shot.add_argument(
        "--commands", type=Path, metavar="FILE", help="simulate this commands file first (docs/commands.md)"
    )
    shot.add_argument("--tick", type=_parse_ticks, metavar="N", help="with --commands: number of ticks (default: all)")
    shot.add_argument(
        "--fov",
        type=_parse_fov,
        default=90.0,
        metavar="DEG",
        help="horizontal field of view at 16:9, 60 to 110 (default: 90)",
    )
    shot.add_argument(
        "--quality",
        choices=("low", "medium", "high"),
        help="graphics quality (default: high; low without a graphics card)",
    )


def _add_import(verb: _ArgumentParser) -> None:
    verb.add_argument("model", type=Path, metavar="MODEL", help="a .glb, .gltf, .obj or .map file")
    verb.add_argument("-o", "--output", required=True, type=Path, metavar="LEVEL", help="level file to write, a .yaml")
    verb.add_argument(
        "--units",
        choices=("m", "cm", "mm", "inch", "foot"),
        help="length of one unit of the model (default: m; for a .map 1/32 m)",
    )
    verb.add_argument("--up", choices=("y", "z"), help="axis of the model that points up (default: y; for a .map z)")
    verb.add_argument("--scale", type=_parse_factor, default=1.0, metavar="N", help="scale factor (default: 1)")


def _join_negative_values(arguments: list[str]) -> list[str]:
    """`--at -1,2,3` as `--at=-1,2,3`: argparse takes what begins with a dash for an option."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1] in ("--at", "--heading", "--pitch") and _NEGATIVE_PATTERN.match(word):
            joined[-1] += "=" + word
        else:
            joined.append(word)
    return joined


def _parse_size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text, re.ASCII)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x720")
    width, height = int(match[1]), int(match[2])
    if not (16 <= width <= MAX_PIXELS and 16 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(f"'{text}': width and height must be 16 to {MAX_PIXELS} pixels")
    return width, height


def _parse_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between -1000000 and 1000000")
    return value


def _parse_degrees(text: str) -> float:
    return _parse_number(text)


def _parse_fov(text: str) -> float:
    value = _parse_number(text)
    if not 60.0 <= value <= 110.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not between 60 and 110 degrees")
    return value


def _parse_factor(text: str) -> float:
    value = _parse_number(text)
    if not 1e-6 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a factor such as 0.01")
    return value


def _parse_point(text: str) -> tuple[float, float, float]:
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not a position such as 0,0,6")
    return _parse_number(parts[0]), _parse_number(parts[1]), _parse_number(parts[2])


def _parse_ticks(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 8 and int(text) <= MAX_TICKS):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of ticks from 0 to {MAX_TICKS}")
    return int(text)
