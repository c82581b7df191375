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

from ..launch.level_lookup import UserError
from . import check

VERBS = ("play", "check", "sim", "record", "replay", "shot", "import", "doctor")
MISSED = 3
INTERRUPTED = 130
MAX_PIXELS = 16384
MAX_TICKS = 10_000_000

_LEVEL_HELP = "path of a level file, or the name of a level that comes with the game (demo)"
_NEGATIVE = re.compile(r"-[\d.]")

EPILOGUE = f"""\
examples:
  {game.COMMAND}                          open the game at its title
  {game.COMMAND} play levels/demo.yaml    go straight into a level
  {game.COMMAND} check my_level.yaml      say what is wrong with a level, and where
  {game.COMMAND} sim demo --commands levels/demo.commands -o walk.csv
  {game.COMMAND} record demo --commands levels/demo.commands -o walk.replay
  {game.COMMAND} replay walk.replay       walk it again and compare; --show: watch it
  {game.COMMAND} shot demo -o demo.png --at 0,0,6 --heading 0
  {game.COMMAND} import castle.glb -o castle.yaml
  {game.COMMAND} doctor                   say what this machine has and lacks

`{game.COMMAND} VERB --help` tells more about each."""


def console() -> int:
    """What the commands `walker` and `ellipsoid-walker` run."""
    return main(sys.argv[1:])


def main(argv: Sequence[str]) -> int:
    """Run the command line; the exit status."""
    arguments = list(argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "play")
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except UserError as error:
        _complain(str(error))
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our lines has left: nothing to say, and nowhere to flush to when Python ends.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        _complain("there is not enough memory for this")
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _complain(f"{name}{(error.strerror or str(error)).lower()}")
        return 1
    except Exception as error:
        from ..launch import crash_report

        _complain(crash_report.leave(error, arguments))
        return crash_report.STATUS


def _complain(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def _run(arguments: list[str]) -> int:
    options = parser().parse_args(_negative_values(arguments))
    verb: str = options.verb
    if verb == "play":
        from . import play

        return play.play(options)
    if verb == "doctor":
        from . import doctor

        return doctor.doctor()
    if verb in ("record", "replay"):
        from . import replay as replaying

        return {"record": replaying.record, "replay": replaying.replay}[verb](options)
    if verb == "check":
        return check.check(options)
    if verb == "import":
        from . import import_model

        return import_model.run(options)
    from ..launch import world_setup

    return {"sim": world_setup.sim, "shot": world_setup.shot}[verb](options)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        found = re.match(r"argument VERB: invalid choice: (.+?) \(choose", message)
        if found:
            word = found.group(1).strip("'\"")
            near = difflib.get_close_matches(word, VERBS, 1)
            looks_like_level = word.endswith((".yaml", ".yml")) or os.path.exists(word)
            cure = f"play {word}" if looks_like_level else near[0] if near else f"one of {', '.join(VERBS)}"
            message = f"'{word}' is no verb; perhaps: {cure}"
        self.exit(2, f"{message}\n{self.prog} --help tells what there is\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog=game.COMMAND,
        description="A first-person walker: play a level, check it, walk it without a window, picture it.",
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sub = top.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    _add_play(_verb(sub, "play", "play a level, or open the title", PLAY))
    check.add_options(_verb(sub, "check", "say what is wrong with levels, and where", check.TEXT))
    _add_sim(_verb(sub, "sim", "walk a level without a window, by a file of commands", SIM))
    _add_record(_verb(sub, "record", "walk as sim does, and keep all of it in a replay file", RECORD))
    _add_replay(_verb(sub, "replay", "walk a replay file again and compare every tick, or watch it", REPLAY))
    _add_shot(_verb(sub, "shot", "take a picture of a level", SHOT))
    _add_import(_verb(sub, "import", "write a level around a model from elsewhere", IMPORT))
    _verb(sub, "doctor", "say what this machine has and lacks", DOCTOR)
    return top


PLAY = """\
Play a level in a window. Move with W A S D or the arrows, look with the mouse, Space jumps, Ctrl or C
crouches, Shift runs. Esc pauses, R starts again, F1 shows all keys, F3 what the physics does, F11 fills
the screen, F12 takes a picture.

Where there is no display, the level's own commands file is walked instead, and a report and a picture are
left in
the folder `out`."""

SIM = """\
Walk a level without a window, by the commands in a file (docs/commands.md describes it), and say where
that ends. After the file's last line the player stands still.

-o writes one row a tick, by its suffix:
  .npz    numpy arrays position (T,3), velocity (T,3), heading (T,), grounded (T,), tick (T,)
  .csv    the same as a table
  .jsonl  the same, one JSON object a line
Metres, metres a second, headings with 65536 to the turn, counter-clockwise from north (-Z).

status: 0 the goal was reached, or the level has none; 3 the goal was missed"""

RECORD = """\
Walk a level by a commands file, as `sim` does, and keep the walk with every state on the way in a replay
file (docs/replays.md describes it). A file that exists is never written over. In the game F5 does the same.

status: 0 the goal was reached, or the level has none; 3 the goal was missed"""

REPLAY = """\
Walk a replay file again and compare every tick with what was recorded, to the last bit; where it goes
otherwise, name the first such tick, and each field with both values. --show plays it in the window:
Space stops and goes on, left and right go five seconds back and ahead, Esc leaves.

status: 0 every tick came out as recorded
        1 a tick did not
        2 the file cannot be read as a replay
        3 every tick there is came out as recorded, but some are missing: cut off, damaged, not closed"""

SHOT = """\
Take a picture of a level: from its spawn, from a place (--at), or from where a walk has come to (--commands).
Angles are degrees: a heading counter-clockwise from north (-Z), a pitch upwards."""

IMPORT = """\
Write a level around a model: a glTF (.glb, .gltf), an OBJ or a Quake map (.map, as TrenchBroom saves it).
The level refers to the model, so what is saved again in its own program changes the level; only a model out
of the level's reach is copied beside it. A place to begin is looked for on the largest ground that one can
stand on; those of a map are kept, and its lamps. No file is ever written over.

status: 0 the level is written and can be played; 2 it cannot be, and nothing is written"""

DOCTOR = """\
Say in one line each what this machine has of what the game needs, and the cure where something is missing."""


def _verb(sub: argparse._SubParsersAction[_Parser], name: str, help: str, text: str) -> _Parser:
    return sub.add_parser(
        name, help=help, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def _add_play(play: _Parser) -> None:
    play.add_argument("level", nargs="?", metavar="LEVEL", help=f"{_LEVEL_HELP}; without one the title opens")
    play.add_argument("--size", type=_size, metavar="WxH", help="size of the window, such as 1280x720")
    play.add_argument("--quality", choices=("low", "medium", "high"), help="for this time only")
    play.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write where the player was at the end, as JSON, into FILE",
    )
    play.add_argument(
        "--out", type=Path, metavar="FOLDER", help="without a display: where report and picture go (./out)"
    )


def _add_sim(sim: _Parser) -> None:
    sim.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    sim.add_argument(
        "--commands", required=True, type=Path, metavar="FILE", help="the walk (docs/commands.md)"
    )
    sim.add_argument("--ticks", type=_ticks, metavar="N", help="so many ticks, not the length of the walk")
    sim.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the rows: .npz, .csv or .jsonl")
    sim.add_argument("--profile", action="store_true", help="print where the time of a tick goes, and nothing else")
    sim.add_argument(
        "--technique",
        metavar="NAME",
        help="let a published method walk instead (docs/lab.md): guide, article, sliding, probes, repair, mended; "
        "or walker, which is ours",
    )
    sim.add_argument(
        "--mended",
        default="",
        metavar="DEFECTS",
        help="of the guide: which of its defects to leave out: turn,inside,margin,slide,single",
    )


def _add_record(record: _Parser) -> None:
    record.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    record.add_argument("--commands", required=True, type=Path, metavar="FILE", help="the walk (docs/commands.md)")
    record.add_argument("--ticks", type=_ticks, metavar="N", help="so many ticks, not the length of the walk")
    record.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="the replay file to make")


def _add_replay(replay: _Parser) -> None:
    replay.add_argument("file", type=Path, metavar="FILE", help="a replay file")
    replay.add_argument("--level", metavar="LEVEL", help="walk it in this level, not in the one recorded in")
    replay.add_argument(
        "--as-recorded", action="store_true", help="in the level as it was then: the replay carries its text"
    )
    replay.add_argument("--show", action="store_true", help="play it in the window")
    replay.add_argument("--size", type=_size, metavar="WxH", help="with --show: size of the window")
    replay.add_argument("--quality", choices=("low", "medium", "high"), help="with --show: for this time only")
    replay.add_argument("--report", type=Path, metavar="FILE", help="with --show: as of `play`")


def _add_shot(shot: _Parser) -> None:
    shot.add_argument("level", metavar="LEVEL", help=_LEVEL_HELP)
    shot.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="the picture, a .png")
    shot.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="in pixels (1280x720)")
    shot.add_argument("--at", type=_point, metavar="X,Y,Z", help="where the feet are, in metres")
    shot.add_argument("--heading", type=_degrees, metavar="DEG", help="where to look")
    shot.add_argument("--pitch", type=_degrees, metavar="DEG", help="how far up to look")
    shot.add_argument("--commands", type=Path, metavar="FILE", help="walk this (docs/commands.md)")
    shot.add_argument("--tick", type=_ticks, metavar="N", help="for so many ticks (to its end)")
    shot.add_argument("--fov", type=_fov, default=90.0, metavar="DEG", help="across 16:9, 60 to 110 (90)")
    shot.add_argument(
        "--quality", choices=("low", "medium", "high"), help="(high; low where a processor has to draw)"
    )


def _add_import(verb: _Parser) -> None:
    verb.add_argument("model", type=Path, metavar="MODEL", help="a .glb, .gltf, .obj or .map file")
    verb.add_argument("-o", "--output", required=True, type=Path, metavar="LEVEL", help="the level to write, a .yaml")
    verb.add_argument(
        "--units", choices=("m", "cm", "mm", "inch", "foot"), help="what one unit of it is (m; of a .map 1/32 m)"
    )
    verb.add_argument("--up", choices=("y", "z"), help="which of its axes points up (y; of a .map z)")
    verb.add_argument("--scale", type=_factor, default=1.0, metavar="N", help="how many times its size it gets (1)")


def _negative_values(arguments: list[str]) -> list[str]:
    """`--at -1,2,3` as `--at=-1,2,3`: argparse takes what begins with a dash for an option."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1] in ("--at", "--heading", "--pitch") and _NEGATIVE.match(word):
            joined[-1] += "=" + word
        else:
            joined.append(word)
    return joined


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text, re.ASCII)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is no size such as 1280x720")
    width, height = int(match[1]), int(match[2])
    if not (16 <= width <= MAX_PIXELS and 16 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(f"'{text}': each side is 16 to {MAX_PIXELS} pixels")
    return width, height


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no number between -1000000 and 1000000")
    return value


def _degrees(text: str) -> float:
    return _number(text)


def _fov(text: str) -> float:
    value = _number(text)
    if not 60.0 <= value <= 110.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not between 60 and 110 degrees")
    return value


def _factor(text: str) -> float:
    value = _number(text)
    if not 1e-6 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no factor such as 0.01")
    return value


def _point(text: str) -> tuple[float, float, float]:
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is no place such as 0,0,6")
    return _number(parts[0]), _number(parts[1]), _number(parts[2])


def _ticks(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 8 and int(text) <= MAX_TICKS):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of ticks from 0 to {MAX_TICKS}")
    return int(text)
