"""Doors tell what is behind them: one name everywhere, the player's best time, and no crash for a bad file."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from game.app.display import door_panels
from game.app.display.door_panels import (
    NOT_FINISHED,
    PROGRESS_SIGN,
    DoorPanels,
    describe_exit,
    panels_of,
)
from game.app.menus import level_library, thumbnails
from game.app.runs import progress
from game.app.runs.library import daily_files
from game.app.runs.progress import BestRun, LevelRecord
from game.app.visuals import panel_pictures
from game.app.visuals.panel_pictures import PanelText
from game.core import user_folders
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from tests.support.until import wait_until

LEVELS = sorted(path for path in SHIPPED_LEVELS.glob("**/*.yaml") if not is_tests_file(path))
ROOM = """\
format: 1
name: My room
spawn: {at: [0, 0, 3]}
exits: [{at: [0, 0, -3.4], to: other.yaml, name: Elsewhere}]
pieces:
  - floor: {from: [-4, -4], to: [4, 4]}
  - wall: {from: [-4, -4], to: [4, -4], height: 3}
  - sign: {text: Your progress, at: [2.5, 1.5, -3.8], facing: south, width: 1, height: 0.5}
"""
OTHER = (
    "format: 1\nname: Another room\nabout: Look around. Then leave.\npieces: [floor: {from: [-4, -4], to: [4, 4]}]\n"
)


@pytest.fixture(autouse=True)
def _refreshes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_panels, "REFRESH_SECONDS", 0.0)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room.yaml").write_text(ROOM, encoding="utf-8")
    (tmp_path / "other.yaml").write_text(OTHER, encoding="utf-8")
    return tmp_path / "room.yaml"


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.relative_to(SHIPPED_LEVELS).as_posix())
@pytest.mark.sample(3)
def test_an_exit_has_the_name_of_the_level_behind_it(path: Path) -> None:
    """List, door sign, panel, title card and message show one name."""
    level = load(path)
    signs = {" ".join(sign.text.split()) for sign in level.signs}
    for exit_ in level.exits:
        if exit_.path.resolve() == path.resolve():
            continue
        assert exit_.name == load(exit_.path).name
        assert describe_exit(level, exit_).title == exit_.name
        if path.name in ("demo.yaml", "hall.yaml"):
            assert exit_.name in signs


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.relative_to(SHIPPED_LEVELS).as_posix())
@pytest.mark.sample(12)
def test_the_first_sentence_of_a_level_fits_on_a_panel(path: Path) -> None:
    about = level_library.read_header(path).about
    assert about, "a door says what is done behind it"
    assert len(about.partition(". ")[0]) <= 100


@pytest.mark.full
def test_a_panel_shows_the_best_time_of_this_player() -> None:
    level = load(SHIPPED_LEVELS / "demo.yaml")
    waters = next(exit_ for exit_ in level.exits if exit_.to == "waters.yaml")
    assert describe_exit(level, waters).status == NOT_FINISHED
    target = load(waters.path)
    progress.record_visit(target, target.spawns[0].name)
    progress.record_finish(target, target.spawns[0].name, None)  # without time
    assert describe_exit(level, waters).status == "Finished"
    progress.record_finish(target, target.spawns[0].name, BestRun(83.4))
    text = describe_exit(level, waters)
    assert (text.title, text.status) == ("The water gardens", "Best 1:23.40")
    assert text.line == "Swim, dive and climb to the island."
    assert Path(text.picture).name == "waters.jpg"
    museum = next(exit_ for exit_ in level.exits if exit_.to.startswith("museum"))
    assert describe_exit(level, museum).status == ""  # there is nothing to finish


@pytest.mark.full
def test_progress_counts_the_levels_that_were_finished() -> None:
    assert level_library.won_of_game() == ("0 of 9 levels", "0 of 9 medals", "0 of 3 golf holes")
    level = load(SHIPPED_LEVELS / "golf" / "one.yaml")
    progress.record_visit(level, level.spawns[0].name)
    assert level_library.won_of_game() == ("0 of 9 levels", "0 of 9 medals", "0 of 3 golf holes")
    progress.record_finish(level, level.spawns[0].name, BestRun(40.0, strokes=3))
    assert level_library.won_of_game() == ("1 of 9 levels", "1 of 9 medals", "1 of 3 golf holes")
    hall = load(SHIPPED_LEVELS / "demo.yaml")
    golf = next(exit_ for exit_ in hall.exits if exit_.to == "golf/one.yaml")
    assert (describe_exit(hall, golf).status, describe_exit(hall, golf).medal) == ("Best 3 strokes", "silver")
    surfaces = load(SHIPPED_LEVELS / "surfaces.yaml")
    progress.record_visit(surfaces, surfaces.spawns[0].name)
    progress.record_finish(surfaces, surfaces.spawns[0].name, BestRun(1.0))
    assert level_library.won_of_game() == ("2 of 9 levels", "2 of 9 medals, 1 gold", "1 of 3 golf holes")
    assert [describe_exit(hall, exit_).is_won for exit_ in hall.exits].count(True) == 2
    assert not level_library.has_ending()
    for entry in level_library.find_levels():
        if entry.shipped and entry.group in level_library.PROGRESS_GROUPS:
            level = load(entry.path)
            progress.record_visit(level, level.spawns[0].name)
            strokes = 1 if entry.group == "Golf" else None
            progress.record_finish(level, level.spawns[0].name, BestRun(1.0, strokes=strokes))
    assert level_library.has_ending()
    assert describe_exit(hall, golf, shows_progress=False).status == ""  # a picture for everybody


def wait_for_panels(panels: DoorPanels, condition) -> None:
    wait_until(lambda: panels._jobs.update() or condition())


def ready(panels: DoorPanels, level, eye, count: int) -> tuple:
    wait_for_panels(panels, lambda: len(panels.decals(level, eye)) >= count)
    return panels.decals(level, eye)


@pytest.mark.full
def test_panels_appear_one_by_one_and_only_near_the_player() -> None:
    level, panels = load(SHIPPED_LEVELS / "demo.yaml"), DoorPanels(Jobs())
    assert panels.decals(level, (-1.5, 1.4, 17.6)) == ()
    assert panels._places == {}  # at the gate nothing is prepared
    decals = ready(panels, level, (-1.0, 1.4, -14.0), 9)
    assert len(decals) == 9  # eight doors and the progress board
    assert panels.decals(level, (-1.0, 1.4, -14.0))[0].picture is decals[0].picture  # not drawn anew
    assert panels.decals(level, (-1.5, 1.4, 17.6)) == ()


@pytest.mark.full
def test_a_new_best_time_changes_the_panels_of_the_level_that_is_played(room: Path) -> None:
    level, panels, eye = load(room), DoorPanels(Jobs()), (0.0, 1.4, 0.0)
    before = ready(panels, level, eye, 2)[0].picture
    target = load(SHIPPED_LEVELS / "waters.yaml")
    progress.record_finish(target, target.spawns[0].name, BestRun(50.0))
    wait_for_panels(panels, lambda: panels.decals(level, eye)[0].picture is not before)


@pytest.mark.full
def test_a_level_of_the_players_own_has_panels_too(room: Path) -> None:
    level = load(room)
    text = describe_exit(level, level.exits[0])
    assert (text.title, text.line, text.status, text.picture) == ("Another room", "Look around.", "", "")
    assert len(ready(DoorPanels(Jobs()), level, (0.0, 1.4, 0.0), 2)) == 2  # the door and the board
    assert len(panels_of(level, (0.0, 1.4, 0.0))) == 1  # a picture for everybody has no progress board
    assert PROGRESS_SIGN in {sign.text for sign in level.signs}


@pytest.mark.sample(2)
@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"name: [", b"x" * 20000, b"name: \x00\x01\n"])
def test_a_door_to_a_bad_file_has_its_name_and_no_more(room: Path, content: bytes | None) -> None:
    level, other = load(room), room.with_name("other.yaml")
    if content is None:
        other.unlink()
    else:
        other.write_bytes(content)
    text = describe_exit(level, level.exits[0])
    assert (text.status, text.picture) == ("", "")
    assert len(panels_of(level, (0.0, 1.4, 0.0))) == 1


def test_a_picture_that_is_damaged_leaves_the_panel_plain(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = room.with_name("broken.jpg")
    broken.write_bytes(b"\xff\xd8 broken")
    monkeypatch.setattr(door_panels, "_picture_of", lambda path: str(broken))
    assert len(panels_of(load(room), (0.0, 1.4, 0.0))) == 1


def test_an_error_while_a_panel_is_drawn_leaves_the_plain_door(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(door_panels, "describe_exit", fail)
    assert panels_of(load(room), (0.0, 1.4, 0.0)) == ()
    assert len(ready(DoorPanels(Jobs()), load(room), (0.0, 1.4, 0.0), 1)) == 1  # the progress board


@pytest.mark.full
def test_the_pictures_of_a_level_that_was_left_are_dropped(room: Path) -> None:
    panels, eye = DoorPanels(Jobs()), (0.0, 1.4, 0.0)
    first, second = load(room), load(room)
    ready(panels, first, eye, 2)
    panels.decals(second, (90.0, 0.0, 0.0))
    assert panels.decals(second, (90.0, 0.0, 0.0)) == ()
    assert len(ready(panels, second, eye, 2)) == 2


def test_a_level_that_was_never_drawn_is_asked_for_and_the_panel_shows_its_picture(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, asked = room.with_name("other.yaml"), set()
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, str(room.parent / "cache"))
    worker = thumbnails.ThumbnailWorker(Jobs())
    monkeypatch.setattr(worker, "request", asked.update)
    level, panels, eye = load(room), DoorPanels(Jobs()), (0.0, 1.4, 0.0)
    panels.thumbnails = worker
    assert ready(panels, level, eye, 2)[0].picture.pixels[200, 256, 0] < 100
    assert asked == {other}
    folder = thumbnails.thumbnail_folder()
    folder.mkdir(parents=True)
    monkeypatch.setattr(thumbnails, "_context", lambda: None)
    thumbnails.make_thumbnail(other, folder)
    written = folder / f"{thumbnails.thumbnail_key(other)}.json"
    picture = folder / "other.jpg"
    Image.new("RGB", (48, 27), (200, 60, 30)).save(picture)
    written.write_text(json.dumps({"name": "Another room", "picture": str(picture), "finding": ""}))
    wait_for_panels(panels, lambda: panels.decals(level, eye)[0].picture.pixels[200, 256, 0] > 150)


def test_the_course_of_today_says_how_yesterday_and_the_last_week_went(monkeypatch) -> None:
    bests = {1: BestRun(41.2), 3: BestRun(50.0), 7: BestRun(60.0), 8: BestRun(10.0)}
    days = {daily_files.level_file(daily_files.today() - timedelta(days=day)): run for day, run in bests.items()}
    monkeypatch.setattr(progress, "level_record", lambda path: LevelRecord(finished=path in days, best=days.get(path)))
    today = level_library.find_levels()[0]
    assert today.description.endswith("Yesterday: 0:41.20. Last seven days: 3 of 7 finished.")
    yesterday = daily_files.level_file(daily_files.today() - timedelta(days=1))
    days[yesterday] = None  # after a rewind
    today = level_library.find_levels()[0]
    assert today.description.endswith("Yesterday: finished. Last seven days: 3 of 7 finished.")
    del days[yesterday]
    today = level_library.find_levels()[0]
    assert today.description.endswith("Yesterday: not finished. Last seven days: 2 of 7 finished.")


def test_the_doors_of_levels_that_are_won_are_lit() -> None:
    lit, dark = (panel_pictures.draw_panel(PanelText("A", is_won=won)).pixels for won in (True, False))
    assert lit[512, 8, :3].sum() > 2 * dark[512, 8, :3].sum()
