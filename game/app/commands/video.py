"""`video`: a movie of a replay, drawn off screen. The game makes its movies by `make_movie` too, in a child process."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import atomic_files
from ...core.errors import error_reason
from ..launch.level_lookup import UserError
from ..launch.progress_line import shown_progress
from ..launch.world_setup import NOT_WRITTEN_STATUS, ensure_compiled
from .frame import Result, add_output, add_size, number_type, parse_number, parse_path

if TYPE_CHECKING:
    from ...sim import Replay
    from ...video import MovieFormat, MovieResult

VIEWS = ("first", "third", "outside", "fixed")
parse_distance = number_type(float, 0.9, 14, "distance (m)")  # from the body, as the wheel moves the outside camera
parse_orbit_pitch = number_type(float, -84, 52, "pitch (degrees) of the outside camera")
parse_speed = number_type(float, 0.05, 20)
parse_fov = number_type(float, 60, 110, "field of view (degrees)")
parse_seconds = number_type(float, 0, 1_000_000, "number of seconds into the replay")

SUMMARY = "make a movie of a replay"
HELP = """\
Make a movie of a replay: .mp4 or .webp, by the name of the output. Each frame shows the exact time of the
replay, however fast this computer draws. mp4 needs the extra [video] (docs/movies.md).

exit status: 0 the movie is written
             1 it could not be made
             2 an option, the replay, its level or the output cannot be used"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `video`."""
    parser.add_argument("file", type=parse_path, metavar="REPLAY", help="a replay file")
    add_output(parser, "movie to write: .mp4 or .webp", (".mp4", ".webp"), required=True, is_new=True)
    parser.add_argument("--view", choices=VIEWS, default="first", help="camera (default: first)")
    parser.add_argument(
        "--orbit",
        type=parse_orbit,
        metavar="YAW,PITCH,M",
        help="with --view outside: direction of view (degrees) and distance, such as 90,-20,4",
    )
    add_size(parser, "size in pixels (default: 1280x720; WebP 640x360)")
    parser.add_argument("--from", dest="first", type=parse_seconds, metavar="S", help="start, seconds into the replay")
    parser.add_argument("--to", dest="last", type=parse_seconds, metavar="S", help="end, seconds into the replay")
    parser.add_argument(
        "--speed", type=parse_speed, default=1.0, metavar="N", help="2: twice as fast; 0.5: slow motion (default: 1)"
    )
    parser.add_argument("--fov", type=parse_fov, default=90.0, metavar="DEG", help="field of view, 60 to 110")


def parse_orbit(text: str) -> tuple[float, float, float]:
    """Yaw and pitch (radians) and distance (m) of `90,-20,4`: degrees and m."""
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not a direction and a distance such as 90,-20,4")
    return math.radians(parse_number(parts[0])), math.radians(parse_orbit_pitch(parts[1])), parse_distance(parts[2])


def run(options: argparse.Namespace) -> Result:
    """Make the movie and say where it is."""
    if options.orbit is not None and options.view != "outside":
        raise UserError("--orbit needs --view outside")
    if options.last is not None and options.last <= (options.first or 0.0):
        raise UserError(f"--to {options.last:g} is not after --from {options.first or 0.0:g}")
    began = time.monotonic()
    with shown_progress("drawing the movie") as show:
        result = make_movie(options, show)
    size = f"{max(1, round(result.bytes / 1e3))} kB" if result.bytes < 1e6 else f"{result.bytes / 1e6:.1f} MB"
    took = time.monotonic() - began
    return Result(
        lines=[f"{result.path}: {result.seconds:.1f} s, {result.frames} frames, {size}, made in {took:.0f} s"]
    )


def make_movie(options: argparse.Namespace, progress: Callable[[float], None]) -> MovieResult:
    """Make the movie of these options. progress: called with the fraction that is done. UserError says why there is
    none."""
    from ...render.scene.lightmap import lightmap_folder
    from ...sim import ReplayError
    from ...video import EncoderSettings, MovieError, find_ffmpeg, format_of, frame_times, write_movie
    from ..display import still_image
    from ..runs.library.replay_levels import StoredLevels
    from .replay import load_replay
    from .replay_game import ReplaySource

    try:
        form = format_of(options.output)
        settings = EncoderSettings(options.size or form.default_size, form.default_fps)
        _check_size(settings.size, form)
        if form.name == "mp4":
            find_ffmpeg()  # before a replay is read and physics compiled
        record = load_replay(options.file)
        times = frame_times(*_checked_span(options, record), settings.fps, options.speed)
        ensure_compiled(ticks=record.ticks)
        remove_video_leftovers(options.output.parent)
        levels = StoredLevels(record).level
        levels(record.parts[0])  # a level that is missing is told before OpenGL is needed
        source = ReplaySource(record, levels, options)
        context = still_image.create_offscreen_context()
        try:
            quality = still_image.automatic_quality(context)
            return write_movie(
                source, times, options.output, settings, context, quality, lightmap_folder(),
                lambda done, total: progress(done / total),
            )  # fmt: skip
        finally:
            context.release()
    except MovieError as error:
        raise UserError(str(error), NOT_WRITTEN_STATUS) from None
    except ReplayError as error:
        raise UserError(f"{options.file}: {error}") from None
    except OSError as error:
        place = error.filename or options.output
        raise UserError(f"{place}: {error_reason(error)}; nothing was kept", NOT_WRITTEN_STATUS) from None


def remove_video_leftovers(folder: Path) -> None:
    """Remove the unfinished movies that killed commands have left in a folder."""
    from ...video import MOVIE_FORMATS

    for form in MOVIE_FORMATS:
        atomic_files.remove_partial_files(folder, names=f".*.{form}.*.part")


def _check_size(size: tuple[int, int], form: MovieFormat) -> None:
    if max(size) > form.max_side:
        raise UserError(f".{form.name} has at most {form.max_side} pixels a side")
    if form.name == "mp4" and any(side % 2 for side in size):
        even = "x".join(str(side + side % 2) for side in size)
        raise UserError(f"an mp4 needs an even width and height: use --size {even}")


def _checked_span(options: argparse.Namespace, record: Replay) -> tuple[float, float]:
    """First and last second of the movie in the replay. UserError for an empty span."""
    if not record.ticks:
        raise UserError(f"{options.file}: it contains no ticks")
    first, last = options.first or 0.0, record.seconds if options.last is None else options.last
    if first >= record.seconds:
        raise UserError(f"--from {first:g} is after the end of the replay ({record.seconds:.1f} s)")
    return first, min(last, record.seconds)
