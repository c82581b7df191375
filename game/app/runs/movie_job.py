"""Movies that are made while the game goes on: a child process with a lower priority, its progress and its result; and
the span of a replay that becomes one."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import atomic_files, user_folders
from ...core.background import run_in_thread
from ...core.errors import error_reason
from ...core.time_format import format_duration, format_time
from ..launch.child_process import ChildProcess, module_command
from .recording import RunRecorder, dated_paths, display_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...sim import Replay
    from ..cameras.replay_cameras import ReplayCameras
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback

CHILD_MODULE = f"{__name__.partition('.')[0]}.app.commands.video.child"
CANCEL_SECONDS = 5.0  # s that a cancelled child may take to remove its file
MESSAGE_SECONDS = 10.0  # s that the result is shown
LAST_SECONDS = 30.0  # length of the movie of the last moments (s)
SIZES = {"mp4": (1280, 720), "webp": (640, 360)}
NO_RUN_TEXT = "There is nothing to film yet: play a moment first"
VIEWS: Mapping[str, str] = {"eye": "first", "behind": "third", "fixed": "fixed", "outside": "outside"}  # by camera
MIN_SECONDS = 0.05  # a shorter span is not a movie
KILLED_TEXT = "making the movie ended unexpectedly; nothing was kept"


# ---- what the player chooses, and where movies go


@dataclass(slots=True)
class MovieChoice:
    """What the player chooses. span: "last" (30 s) or "run"; result_span: the same on the result page. format: "mp4" or
    "webp". view: as of `video`.
    """

    span: str = "last"
    result_span: str = "run"
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
    """

    def __init__(self, replay: Path, output: Path, options: tuple[str, ...], is_temporary: bool) -> None:
        """replay: a replay file, which is removed at the end where `is_temporary`."""
        self.output = output
        self.fraction = 0.0
        self.size = 0
        self.path: Path | None = None
        self.problem = ""
        self.is_cancelled = False
        self._replay = replay
        self._is_temporary = is_temporary
        self._began: float | None = None  # clock reading of the first frame (s)
        self._child: ChildProcess | None = None
        self._lock = threading.Lock()
        temporary = ("--temporary",) if is_temporary else ()
        command = module_command(CHILD_MODULE, str(replay), "-o", str(output), *options, *temporary)
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            self._child = ChildProcess(command, self._read_progress, has_input=True, encoding="utf-8")
        except OSError as error:
            self.problem = f"{display_path(output.parent)}: {error_reason(error)}"
            self._remove_leftovers()

    @property
    def is_finished(self) -> bool:
        """Whether there is a movie, a problem, or nothing any more."""
        return self._child is None or self._child.is_read

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time to the end (s); None at first."""
        if self._began is None or self.fraction < 0.02:
            return None
        return (time.monotonic() - self._began) * (1.0 - self.fraction) / self.fraction

    def _read_progress(self, child: ChildProcess) -> None:
        """Read the child's lines of JSON until it ends."""
        for line in child.stdout:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                if "done" in told:
                    self._began = self._began or time.monotonic()
                    self.fraction = min(max(told["done"] / max(told["total"], 1), 0.0), 1.0)
                elif "path" in told:
                    self.path = Path(told["path"])
                    self.size = int(told["bytes"])
                    self.fraction = 1.0
                elif "problem" in told:
                    self.problem = str(told["problem"])
        child.process.wait()
        if self.path is None and not self.problem and not self.is_cancelled:
            self.problem = KILLED_TEXT
        self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        """Remove the copy of the replay, and the file of a child that was killed."""
        with contextlib.suppress(OSError):
            if self._is_temporary:
                self._replay.unlink()
        if self._child is not None and self.path is None:
            with contextlib.suppress(OSError):
                atomic_files.temporary_path(self.output, self._child.process.pid).unlink()

    def cancel(self, wait: bool = False) -> None:
        """End the child, which removes what it has written. wait: until that is done."""
        if self._child is None or self.is_finished:
            return
        self.is_cancelled = True
        if wait:
            self._end_child()
        else:
            run_in_thread("cancel movie", self._end_child)

    def _end_child(self) -> None:
        child = self._child
        with self._lock:
            assert child is not None
            with contextlib.suppress(OSError, ValueError):
                child.stdin.close()  # the child takes this as its end
            with contextlib.suppress(Exception):
                child.process.wait(CANCEL_SECONDS)
            child.stop()


def start_movie_job(
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
    is_temporary = isinstance(replay, bytes)
    if isinstance(replay, bytes):
        handle, name = tempfile.mkstemp(prefix="walker-movie-", suffix=".replay")
        path = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(replay)
        except OSError:
            path.unlink(missing_ok=True)
            raise
    else:
        path = replay
    width, height = SIZES[format]
    options = ["--view", view, "--size", f"{width}x{height}", "--fov", f"{fov:g}"]
    if span is not None:
        options += ["--from", f"{max(span[0], 0.0):.6f}", "--to", f"{span[1]:.6f}"]
    if orbit is not None:
        yaw, pitch, distance = orbit
        options.append(f"--orbit={math.degrees(yaw):.3f},{math.degrees(pitch):.3f},{distance:.3f}")
    names = dated_paths(folder or movie_folder(), level or path.stem, f".{format}")
    output = next(name for name in names if not name.exists())
    return MovieJob(path, output, tuple(options), is_temporary)


# ---- movies of the game


class MovieMaker:
    """Keeps the movie of the game: the player's choice, and one job at a time."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        self.choice = MovieChoice(format="mp4" if has_mp4() else "webp")
        self.job: MovieJob | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a movie is being made."""
        return self.job is not None and not self.job.is_finished

    def start(self, recorder: RunRecorder | None, level: str, settings: Settings, is_result: bool = False) -> None:
        """Begin the chosen movie of the present run; a message says why there is none.

        is_result: the choice was made on the result page.
        """
        if recorder is None or recorder.seconds <= 0.0:
            self.feedback.show_message("No movie", NO_RUN_TEXT)
            return
        span = self.choice.result_span if is_result else self.choice.span
        first = max(0.0, recorder.seconds - LAST_SECONDS) if span == "last" else 0.0
        data = recorder.file_bytes("a movie was kept")
        self.start_replay(data, (first, recorder.seconds), self.choice.view, level, settings)

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
                replay, span, self.choice.format, view, level=level, fov=settings.fov, orbit=orbit
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
            self.feedback.show_message("Movie saved", display_path(job.path), MESSAGE_SECONDS)
        elif job.is_cancelled:
            self.feedback.show_message("Movie cancelled", "Nothing was kept")
        else:
            self.feedback.show_message("No movie", job.problem, MESSAGE_SECONDS)

    def progress(self) -> tuple[float | None, str]:
        """Fraction and label of the progress bar; None while no movie is made."""
        job = self.job
        if job is None or job.is_finished:
            return None, ""
        if job.fraction == 0.0 and not job.is_cancelled:
            return 0.0, "Movie: getting ready"  # Python and the level take a few seconds
        left = job.seconds_left
        more = "" if left is None else f", {format_duration(left)} left"
        return job.fraction, "Cancelling the movie" if job.is_cancelled else f"Movie {job.fraction:.0%}{more}"

    def cancel(self) -> None:
        """Do not make the movie after all."""
        if self.job is not None:
            self.job.cancel()

    def close(self) -> str:
        """End the game: a movie in the making is dropped. Returns a line about it, or nothing."""
        if self.job is None or self.job.is_finished:
            return ""
        self.job.cancel(wait=True)
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
        if part.chunks:
            return Path(str(part.level.get("file", ""))).stem or "walk"
    return "walk"
