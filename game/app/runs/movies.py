"""Movies that are made while the game goes on: a child process with a lower priority, its progress and its result; and
the span of a replay that becomes one."""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import atomic_files, user_folders
from ...core.errors import WalkerError, error_reason
from ...core.jobs import Jobs, Worker
from ...core.time_format import format_duration, format_time
from ..input.actions import PlayAction
from .recording import dated_paths, display_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...sim import History, Replay
    from ..cameras.replay_cameras import ReplayCameras
    from ..input.player_input import HeldActions
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback

MOVIES = Worker("movies", niceness=19, cleaning_seconds=5.0)
VIDEO_COMMAND = f"{__name__.partition('.')[0]}.app.commands.video"  # its `make_movie` is above this package
MESSAGE_SECONDS = 10.0  # s that the result is shown
LAST_SECONDS = 30.0  # length of the movie of the last moments (s)
SIZES = {"mp4": (1280, 720), "webp": (640, 360)}
NO_RUN_TEXT = "There is nothing to film yet: play a moment first"
VIEWS: Mapping[str, str] = {"eye": "first", "behind": "third", "fixed": "fixed", "outside": "outside"}  # by camera
MIN_SECONDS = 0.05  # a shorter span is not a movie
MIN_FRACTION = 0.02  # of a movie, after which the time left is told
KILLED_TEXT = "making the movie ended unexpectedly; nothing was kept"


# ---- what the player chooses, and where movies go


@dataclass(slots=True)
class MovieChoice:
    """What the player chooses. span: "last" (30 s) or "run"; offered: the span that the page proposed last.
    format: "mp4" or "webp". view: as of `video`."""

    span: str = "last"
    offered: str = "last"
    format: str = "mp4"
    view: str = "third"


def movie_folder() -> Path:
    """The user's folder of videos, else a folder in the data folder of the game."""
    import platformdirs

    videos = Path(platformdirs.user_videos_dir())
    return videos if videos.is_dir() else user_folders.data_folder() / "movies"


def has_mp4() -> bool:
    """Whether the package with ffmpeg is installed."""
    return importlib.util.find_spec("imageio_ffmpeg") is not None


# ---- one movie in the making


class MovieJob:
    """A movie in the making.

    fraction       of the frames that are done, 0 to 1
    path, size     the finished movie and its bytes; None and 0 before
    problem        why there is none, as a sentence
    is_cancelled   the player did not want it any more
    is_finished    there is a movie, a problem, or nothing any more
    """

    def __init__(self, jobs: Jobs, options: argparse.Namespace) -> None:
        """options: of the command `video`."""
        self.fraction = 0.0
        self.size = 0
        self.path: Path | None = None
        self.problem = ""
        self.is_cancelled = self.is_finished = False
        self._jobs = jobs
        self._options = options
        self._began: float | None = None  # clock reading at the first frame (s)
        try:
            options.output.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._fail(f"{display_path(options.output.parent)}: {error_reason(error)}")
        else:
            jobs.process(MOVIES, run_video_command, options, done=self._receive, progress=self._show_progress)

    def _show_progress(self, fraction: float) -> None:
        self._began = self._began or time.monotonic()
        self.fraction = fraction

    def describe(self) -> str:
        """How far it is, in few words."""
        if self._began is None:
            return "Movie: getting ready"  # Python and the level take a few seconds
        text = f"Movie {self.fraction:.0%}"
        if self.fraction < MIN_FRACTION:
            return text
        left = (time.monotonic() - self._began) * (1.0 - self.fraction) / self.fraction
        return f"{text}, {format_duration(left)} left"

    def _receive(self, future: Future[tuple[Path, int]]) -> None:
        self._jobs.stop(MOVIES)
        try:
            self.path, self.size = future.result()
            self.is_finished = True
        except WalkerError as error:
            self._fail(str(error))
        except MemoryError:
            self._fail("not enough memory")
        except Exception:  # such as an end of the process
            self._fail(KILLED_TEXT)

    def _fail(self, problem: str) -> None:
        """Remove the unfinished movie that a killed process has left."""
        self.problem = problem
        self.is_finished = True
        output = self._options.output
        atomic_files.remove_partial_files(output.parent, names=f".{output.name}.*.part")

    def cancel(self, waits: bool = False) -> None:
        """End the process, which removes what it has written. waits: until that is done."""
        if not self.is_finished:
            self.is_cancelled = self.is_finished = True
            self._jobs.stop(MOVIES, waits)


def run_video_command(options: argparse.Namespace, report: Callable[[float], None]) -> tuple[Path, int]:
    """Make the movie of these options of `video`, in this process; its file and its bytes. report: called with the
    fraction that is done."""
    make_movie = importlib.import_module(VIDEO_COMMAND).make_movie
    result = make_movie(options, report)
    return result.path, result.bytes


def start_movie_job(
    jobs: Jobs,
    replay: Path | bytes,
    span: tuple[float, float] | None,
    format: str,
    view: str,
    *,
    level: str = "",
    fov: float = 90.0,
    folder: Path | None = None,
    orbit: tuple[float, float, float] | None = None,
) -> MovieJob:
    """Begin a movie of a replay file, or of the bytes of one.

    span     seconds from its start; None: all
    format   "mp4" or "webp"
    view     "first", "third", "outside" or "fixed"
    level    name for the file; that of a replay file without it
    folder   of the movie; the user's videos without it
    orbit    of the view "outside": yaw and pitch (radians) and distance (m) of the camera
    OSError where the replay cannot be copied. What fails later is in the job's `problem`.
    """
    path = jobs.folder / "movie.replay" if isinstance(replay, bytes) else replay
    if isinstance(replay, bytes):
        path.write_bytes(replay)
    names = dated_paths(folder or movie_folder(), level or path.stem, f".{format}")
    options = argparse.Namespace(
        file=path,
        output=next(name for name in names if not name.exists()),
        view=view,
        orbit=orbit,
        size=SIZES[format],
        first=None if span is None else max(span[0], 0.0),
        last=None if span is None else span[1],
        speed=1.0,
        fov=fov,
    )
    return MovieJob(jobs, options)


# ---- movies of the game


class MovieMaker:
    """Keeps the movie of the game: the player's choice, and one job at a time."""

    def __init__(self, feedback: Feedback, held: HeldActions, jobs: Jobs) -> None:
        self.feedback = feedback
        self._held = held
        self._jobs = jobs
        self.choice = MovieChoice(format="mp4" if has_mp4() else "webp")
        self.job: MovieJob | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a movie is being made."""
        return self.job is not None and not self.job.is_finished

    def start(self, history: History | None, first: int, level: str, settings: Settings) -> None:
        """Begin the chosen movie of the present run, which begins at the tick `first`; a message says why there is
        none."""
        if history is None or history.end <= max(first, history.first):
            self.feedback.show_message("No movie", NO_RUN_TEXT)
            return
        data = history.data(max(first, history.first), reason="a movie was kept")
        seconds = (history.end - max(first, history.first)) / history.world.settings.ticks_per_second
        begin = max(0.0, seconds - LAST_SECONDS) if self.choice.span == "last" else 0.0
        self.start_replay(data, (begin, seconds), self.choice.view, level, settings)

    def start_replay(
        self,
        replay: Path | bytes,
        span: tuple[float, float],
        view: str,
        level: str,
        settings: Settings,
        orbit: tuple[float, float, float] | None = None,
    ) -> bool:
        """Begin a movie of a span of a replay, in the chosen format; False, with a message, where that fails."""
        if self.is_busy:
            self.feedback.show_message("One movie at a time", "Wait for the first one, or cancel it")
            return False
        try:
            self.job = start_movie_job(
                self._jobs, replay, span, self.choice.format, view, level=level, fov=settings.fov, orbit=orbit
            )
        except OSError as error:
            self.feedback.show_message("No movie", error_reason(error), MESSAGE_SECONDS)
            return False
        return True

    def update(self) -> None:
        """Show the result when a movie is finished. Call once a frame."""
        job = self.job
        if job is None or not job.is_finished:
            return
        self.job = None
        if job.path is not None:
            text = f"{display_path(job.path)}   ·   {self._held.describe(PlayAction.MOVIE)}: open the folder"
            self.feedback.show_message("Movie saved", text, MESSAGE_SECONDS)
        elif job.is_cancelled:
            self.feedback.show_message("Movie cancelled", "Nothing was kept")
        else:
            self.feedback.show_message("No movie", job.problem, MESSAGE_SECONDS)

    @property
    def progress_text(self) -> str:
        """How far the movie is, in few words; empty while none is made."""
        return self.job.describe() if self.job is not None and self.is_busy else ""

    def cancel(self) -> None:
        """Do not make the movie after all."""
        if self.job is not None:
            self.job.cancel()

    def close(self) -> str:
        """End the game: a movie in the making is dropped. Returns a line about it, or nothing."""
        if self.job is None or self.job.is_finished:
            return ""
        self.job.cancel(waits=True)
        self.job = None
        return "The movie was not finished; nothing was kept"


# ---- span of a replay that becomes a movie


class MovieSpan:
    """Start and end of a movie, seconds from the start of the replay; None: not marked.

    A start after the end removes the end, and the other way round. To mark a moment again removes its mark.
    """

    def __init__(self) -> None:
        self.start: float | None = None
        self.end: float | None = None

    def mark_start(self, seconds: float) -> None:
        self.start = None if self.start == seconds else seconds
        if self._is_too_short:
            self.end = None

    def mark_end(self, seconds: float) -> None:
        self.end = None if self.end == seconds else seconds
        if self._is_too_short:
            self.start = None

    @property
    def _is_too_short(self) -> bool:
        return self.start is not None and self.end is not None and self.end - self.start < MIN_SECONDS

    def marks(self, duration: float) -> tuple[tuple[float, str], ...]:
        """Marks of the time line: fraction (0..1) and text."""
        pairs = ((self.start, "movie from"), (self.end, "movie to"))
        return tuple((seconds / duration, text) for seconds, text in pairs if seconds is not None)

    def make_movie(
        self, movies: MovieMaker, replay: Replay, cameras: ReplayCameras, settings: Settings, duration: float
    ) -> None:
        """Begin the movie of the span as the present camera shows it; a message says what is filmed, or why not."""
        first = self.start or 0.0
        last = duration if self.end is None else min(self.end, duration)
        if last - first < MIN_SECONDS:
            movies.feedback.show_message("No movie", "The marks are too close to the end of the replay")
            return
        view = VIEWS[cameras.chosen]
        orbit = cameras.outside_view if cameras.chosen == "outside" else None
        name = _movie_name(replay)
        if movies.start_replay(replay.path, (first, last), view, name, settings, orbit):
            movies.feedback.show_message("Making the movie", f"{format_time(first)} to {format_time(last)}")


def _movie_name(replay: Replay) -> str:
    """Name of the level of a replay, for the file."""
    for part in replay.parts:
        if part.blocks:
            return Path(str(part.level.get("file", ""))).stem or "walk"
    return "walk"
