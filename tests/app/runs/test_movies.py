"""Movies made while one plays: result, cancel, quit, and every failure; no half-written file and no process stays."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PIL import Image

from game.app.game import Game
from game.app.input.player_input import HeldActions
from game.app.menus.pages import MoviePage
from game.app.runs import movies
from game.app.settings.settings_file import Settings
from game.app.visuals.feedback import Feedback
from game.core.jobs import Jobs, start_resource_tracker
from game.level import load
from tests.support import gl
from tests.support.child_processes import child_processes, is_running, needs_proc
from tests.support.player import Player
from tests.support.until import wait_until

SIZE = (64, 36)
requires_gl = pytest.mark.usefixtures("gl_driver")


@pytest.fixture
def gl_driver() -> None:
    """Skips where there is no GL library."""
    gl.context().release()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of movies, and small ones. The process in which Python tracks semaphores runs already."""
    start_resource_tracker()
    folder = tmp_path / "movies"
    monkeypatch.setenv("WALKER_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_VIDEOS_DIR", str(tmp_path / "no videos"))
    monkeypatch.setattr(movies, "SIZES", dict.fromkeys(movies.SIZES, SIZE))
    monkeypatch.setattr(movies, "MOVIES", replace(movies.MOVIES, niceness=0))  # else it waits on a busy machine
    return folder


class Walking(Player):
    """A player who walks ahead."""

    def __init__(self, seconds: float) -> None:
        super().__init__(Game(load("levels/surfaces.yaml"), Settings(), ""))
        self.game.key_pressed("W")
        self.wait(seconds)
        self.game.runs.movies.choice.format = "webp"

    def wait_for_movie(self) -> None:
        wait_until(lambda: self.wait(0.05) and not self.game.runs.movies.is_busy)
        self.wait(0.05)

    @property
    def message(self) -> tuple[str, str]:
        message = self.game.feedback.message
        return ("", "") if message is None else (message.text, message.detail)

    def keep_movie(self, span: str = "last") -> None:
        self.game.key_pressed("F9")
        assert self.game.menu is not None
        assert self.game.menu.page.name == "movie"
        if span == "run":
            self.game.key_pressed("RIGHT")
        assert self.game.runs.movies.choice.span == span
        for _ in range(3):
            self.game.key_pressed("DOWN")
        self.game.key_pressed("RETURN")
        assert self.game.mode == "playing"


@requires_gl
@pytest.mark.full
def test_a_movie_is_kept_while_the_game_goes_on(folder: Path) -> None:
    player = Walking(2.0)
    player.keep_movie()
    tick = player.game.world.tick
    player.wait(0.5)
    assert player.game.world.tick > tick
    assert player.shown.hud.counter.startswith("Movie")
    assert player.shown.hud.progress is None, "nothing lies over play"
    player.wait_for_movie()
    assert player.message[0] == "Movie saved"
    assert player.message[1].endswith(": open the folder")
    (movie,) = folder.iterdir()
    assert str(movie) in player.message[1], "with its folder"
    with Image.open(movie) as image:
        assert image.size == SIZE
        total = 0
        for k in range(image.n_frames):
            image.seek(k)
            image.load()
            total += image.info["duration"]
        assert total == pytest.approx(2000, abs=60)
    assert player.shown.hud.counter == ""


@requires_gl
@pytest.mark.full
@needs_proc
def test_the_game_ends_while_a_movie_is_made(folder: Path) -> None:
    player = Walking(8.0)
    others = child_processes()
    player.keep_movie("run")
    (child,) = child_processes() - others
    player.game.key_pressed("ESCAPE")
    player.game.modes["paused"].run_action("quit")
    assert player.game.menu.page.name == "confirm"
    assert "movie" in player.game.menu.page.text
    assert player.game.screen.requests == []
    player.game.modes["paused"].run_action("quit")
    assert player.game.screen.requests == ["quit"]
    line = player.game.close()
    assert "not finished" in line
    assert list(folder.iterdir()) == []
    assert child not in child_processes()


def test_the_chosen_span_stays_while_the_same_run_is_open() -> None:
    def page(offered: str) -> str:
        MoviePage(maker, lambda menu, path: None, offered)
        return maker.choice.span

    maker = movies.MovieMaker(Feedback(), HeldActions(), Jobs())
    assert (page("last"), page("run")) == ("last", "run"), "in play, then at the goal"
    maker.choice.span = "last"
    assert (page("run"), page("last"), page("run")) == ("last", "last", "run"), "the next run begins anew"


def test_the_counter_says_how_far_a_movie_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(movies.time, "monotonic", lambda: now[0])
    jobs = Mock(folder=tmp_path)
    job = movies.start_movie_job(jobs, b"", None, "webp", "third", level="a")
    assert job.describe() == "Movie: getting ready"
    show = jobs.process.call_args.kwargs["progress"]
    show(0.01)
    assert job.describe() == "Movie 1%"
    now[0] += 10.0
    show(0.25)
    assert job.describe() == "Movie 25%, 0:30 left"


def test_before_the_first_tick_there_is_nothing_to_film() -> None:
    player = Walking(0.0)
    player.game.key_released("W")
    game = player.game
    game.runs.movies.start(game.session.history, 0, "demo", game.settings)
    assert player.message == ("No movie", movies.NO_RUN_TEXT)
    assert game.runs.movies.job is None


def test_an_unwritable_folder_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x")
    monkeypatch.setenv("WALKER_DATA", str(in_the_way))
    player = Walking(0.5)
    player.keep_movie()
    player.wait(0.05)
    assert player.message[0] == "No movie"
    assert "not a directory" in player.message[1]
    assert in_the_way.read_text() == "x"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_for_the_copy_of_the_replay(tmp_path: Path) -> None:
    player = Walking(0.5)
    (player.game.jobs.folder / "movie.replay").symlink_to("/dev/full")
    player.keep_movie()
    assert player.message[0] == "No movie"
    assert "space" in player.message[1]
    player.game.close()


KILLED_GAME = """
import sys, time
from pathlib import Path
from game.app.runs.movies import start_movie_job
from game.core.jobs import Jobs
replay, folder = Path(sys.argv[1]), Path(sys.argv[2])
job = start_movie_job(Jobs(), replay.read_bytes(), None, "webp", "first", level="walk", folder=folder)
sys.stdin.read()
"""


@pytest.mark.full
@needs_proc
def test_a_killed_game_leaves_no_child_no_movie_and_no_copy_of_the_replay(tmp_path: Path) -> None:
    player = Walking(1.0)
    player.game.session.history.save(tmp_path / "walk.replay")
    copies = tmp_path / "copies"
    copies.mkdir()
    game = subprocess.Popen(
        [sys.executable, "-c", KILLED_GAME, str(tmp_path / "walk.replay"), str(tmp_path / "out")],
        stdin=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(copies), "PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    try:
        wait_until(lambda: child_processes(game.pid) and list(copies.glob("*/*.replay")))
        children = child_processes(game.pid)
    finally:
        game.kill()
        game.communicate()
    wait_until(lambda: not any(map(is_running, children)))
    assert list(copies.iterdir()) == []
    assert not list((tmp_path / "out").glob(".*.part"))
