"""The movie of a part of a replay: marks on the time line, the view it is filmed from, and its messages."""

from __future__ import annotations

import math

import pytest

from game.app.modes.replay import ReplayMode
from game.app.runs import movies
from game.app.runs.library.replay_player import ReplayRequest
from game.level import load
from game.physics import Command
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import TextRun
from game.sim import History, World
from game.sim.replay import replay_file
from tests.support.player import Player
from tests.support.until import wait_until

YARD = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-60, -60], to: [60, 60]}
"""
SECONDS = 8.0


class StillJob:
    """A movie that stays as far as it is set."""

    is_finished = is_cancelled = False
    fraction, seconds_left, path, problem = 0.25, None, None, ""

    def cancel(self, waits: bool = False) -> None:
        self.is_finished = self.is_cancelled = True


class Viewer:
    """A game without window that shows a replay; `jobs`: arguments of the movies that were started."""

    def __init__(self, folder, monkeypatch):
        path = folder / "yard.yaml"
        path.write_text(YARD, encoding="utf-8")
        self.level = load(path)
        history = History(World(self.level))
        history.run([Command(forward=1.0)] * round(SECONDS * 60))
        self.file = path.with_suffix(".replay")
        history.save(self.file)
        self.jobs = []
        monkeypatch.setattr(movies, "start_movie_job", self.start)
        self.player = Player.in_level(self.level)
        record = replay_file.read_replay(self.file)
        self.game = self.player.game
        self.game.push_mode("replaying", ReplayRequest(record, lambda part: self.level))
        wait_until(lambda: self.player.wait(1 / 60).hud.timeline)

    def start(self, *given, **named):
        self.jobs.append((given, named))
        return StillJob()

    @property
    def mode(self) -> ReplayMode:
        return self.game.modes["replaying"]

    def press(self, *keys):
        for key in keys:
            self.game.key_pressed(key)
            self.game.key_released(key)
        self.player.wait(1 / 60)

    def mark(self, key, seconds):
        self.mode.is_playing = False
        self.mode.seek(seconds)
        self.press(key)

    @property
    def marks(self):
        return {text: fraction * SECONDS for fraction, text in self.player.shown.hud.timeline.marks}

    @property
    def message(self):
        message = self.game.feedback.message
        return ("", "") if message is None else (message.text, message.detail)


@pytest.fixture
def viewer(tmp_path, monkeypatch, kept):
    return Viewer(tmp_path, monkeypatch)


def test_the_marked_part_becomes_a_movie(viewer):
    viewer.mark("S", 1.5)
    viewer.mark("E", 4.0)
    assert viewer.marks == {"movie from": pytest.approx(1.5), "movie to": pytest.approx(4.0)}
    viewer.press("F9")
    ((_, source, span, form, view), named) = viewer.jobs[0]
    assert (source, view, form) == (viewer.file, "first", viewer.game.runs.movies.choice.format)
    assert span == pytest.approx((1.5, 4.0))
    assert (named["level"], named["orbit"]) == ("yard", None)
    assert viewer.message == ("Making the movie", "0:01.50 to 0:04.00")
    assert viewer.player.shown.hud.progress == 0.25
    assert viewer.player.shown.hud.progress_label.startswith("Movie")


@pytest.mark.parametrize(("marks", "span"), [("", (0.0, 8.0)), ("S", (3.0, 8.0)), ("E", (0.0, 3.0))])
@pytest.mark.full
def test_without_a_mark_the_movie_goes_to_the_end_of_the_replay(viewer, marks, span):
    for key in marks:
        viewer.mark(key, 3.0)
    viewer.press("F9")
    assert viewer.jobs[0][0][2] == pytest.approx(span)


def test_a_mark_that_does_not_fit_the_other_one_replaces_it_and_the_same_again_removes_it(viewer):
    viewer.mark("S", 4.0)
    viewer.mark("E", 6.0)
    viewer.mark("S", 7.0)
    assert list(viewer.marks) == ["movie from"]
    viewer.mark("E", 2.0)
    assert viewer.marks == {"movie to": pytest.approx(2.0)}
    viewer.press("E")
    assert viewer.marks == {}
    viewer.mark("S", SECONDS)
    viewer.press("F9")
    assert viewer.jobs == []
    assert viewer.message[0] == "No movie"


@pytest.mark.parametrize(("key", "view"), [("_1", "first"), ("_2", "third"), ("_3", "outside"), ("_4", "fixed")])
@pytest.mark.sample(1)
def test_the_movie_has_the_camera_of_the_replay(viewer, key, view):
    viewer.press(key)
    if view == "outside":
        viewer.game.left_pressed()
        viewer.game.mouse_moved(200.0, -40.0)
        viewer.game.scrolled(-3.0)
        viewer.player.wait(1 / 60)
    viewer.press("F9")
    (given, named) = viewer.jobs[0]
    assert given[4] == view
    assert named["orbit"] == (viewer.mode.cameras.outside_view if view == "outside" else None)


def test_the_movie_key_opens_the_page_that_cancels_while_one_is_made(viewer):
    viewer.press("F9")
    viewer.press("F9")
    assert viewer.game.menu.page.name == "movie"
    assert len(viewer.jobs) == 1
    viewer.press("RETURN")
    assert viewer.message[0] == "Movie cancelled"
    assert viewer.game.mode == "replaying"


@pytest.mark.full
def test_the_result_is_not_hidden_by_another_moment_or_by_the_end(viewer, tmp_path):
    viewer.press("F9")
    viewer.press("END")
    viewer.player.wait(8.0)
    assert viewer.player.shown.hud.message.startswith("End of the run")
    job = viewer.game.runs.movies.job
    job.path, job.is_finished = tmp_path / "yard.webp", True
    viewer.player.wait(0.1)
    assert viewer.player.shown.hud.message == "Movie saved"
    viewer.press("LEFT", "HOME")
    assert viewer.player.shown.hud.message == "Movie saved"


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [(1280, 720), (960, 540), (1920, 1080)])
def test_marks_and_keys_have_room(viewer, size):
    viewer.mark("S", 1.0)
    viewer.mark("E", 6.0)
    items = arrange_hud(viewer.player.shown.hud, size).items
    shown = {run.text for run in items if isinstance(run, TextRun)}
    assert {"movie from", "movie to", "Keep the movie"} <= shown


def test_degrees_of_the_option_are_those_of_the_camera():
    from game.app.commands.video import parse_orbit

    assert parse_orbit("90,-30,4") == pytest.approx((math.pi / 2, -math.pi / 6, 4.0))
