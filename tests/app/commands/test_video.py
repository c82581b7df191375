"""`video`: frames at exact times of the replay, and wrong input as sentences."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.app.commands import command_line
from game.app.commands.replay_game import ReplaySource
from game.app.commands.video import remove_video_leftovers
from game.app.runs.library.replay_levels import StoredLevels
from game.level import load
from game.physics import Command
from game.sim import ReplayError, World
from game.sim.replay.history import History
from game.sim.replay.replay_file import read_replay
from game.video import MovieError, frame_times
from tests.support import fork_server, gl
from tests.support.player import make_walks_differ
from tests.support.until import SECONDS, wait_until

LEVEL = """\
format: 1
name: A yard
spawns:
  - {name: middle, at: [0, 0, 0], facing: north}
goal: {at: [12, 0, 12], radius: 1}
surfaces:
  grass: {colour: "#8a9a70"}
  red: {colour: "#c04020"}
pieces:
  - box: {from: [-15, -1, -15], to: [15, 0, 15], surface: grass}
  - box: {from: [-3, 0, -9], to: [-2, 2, -8], surface: red}
  - box: {from: [2, 0, -12], to: [4, 1, -10], surface: red}
"""
WALK_TICKS = 180


@pytest.fixture(scope="module")
def gl_driver() -> None:
    gl.context().release()


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of a walk, half a turn in the third."""
    folder = tmp_path_factory.mktemp("replay")
    (folder / "yard.yaml").write_text(LEVEL)
    history = History(World(load(folder / "yard.yaml")))
    for tick in range(WALK_TICKS):
        history.step(Command(forward=1.0, heading=max(0, tick - 120) * 540, pitch=-900, jump=tick == 60))
    history.save(folder / "walk.replay")
    return folder / "walk.replay"


def options(view: str = "first", **changes: object) -> argparse.Namespace:
    return argparse.Namespace(**({"view": view, "orbit": None, "fov": 90.0} | changes))


def source(replay: Path, scratch: Path, view: str = "first", **changes: object) -> ReplaySource:
    record = read_replay(replay)
    scratch.mkdir(exist_ok=True)
    return ReplaySource(record, StoredLevels(record).level, options(view, **changes))


def positions(replay: Path) -> np.ndarray:
    """Recorded centres of the walker before each tick and at the end."""
    (part,) = read_replay(replay).parts
    return np.concatenate(
        [block.states["position"][:-1] for block in part.blocks] + [part.blocks[-1].states["position"][-1:]]
    )


def run_command(*arguments: object) -> tuple[int, str]:
    told = subprocess.run(
        [sys.executable, "run_game.py", "video", *map(str, arguments)], capture_output=True, text=True, timeout=240
    )
    assert "Traceback" not in told.stderr
    return told.returncode, told.stdout + told.stderr


# Times


@pytest.mark.parametrize("fps", [60, 30, 24, 15, 7])
@pytest.mark.sample(1)
def test_a_frame_shows_the_recorded_place_of_its_time(fps: int, replay: Path, tmp_path: Path) -> None:
    recorded = positions(replay)
    times = frame_times(0.0, 3.0, fps)
    for at, (_, shot) in zip(times, source(replay, tmp_path).snapshots(times, 16 / 9), strict=True):
        k, alpha = min(int(at * 60 + 1e-9), WALK_TICKS - 1), 0.0
        alpha = at * 60 - k
        expected = recorded[k] + alpha * (recorded[k + 1] - recorded[k])
        assert shot.body is not None
        assert shot.body.centre == pytest.approx(expected.tolist(), abs=1e-9)


def test_a_replay_that_leads_elsewhere_is_refused(replay: Path, tmp_path: Path, monkeypatch) -> None:
    make_walks_differ(monkeypatch, after=90)
    with pytest.raises(ReplayError, match="leads elsewhere"):
        list(source(replay, tmp_path).snapshots(frame_times(0.0, 3.0, 30), 16 / 9))


# Levels


def test_a_level_that_has_changed_is_filmed_as_it_was(replay: Path, tmp_path: Path) -> None:
    copy = tmp_path / "walk.replay"
    copy.write_bytes(replay.read_bytes())
    changed = LEVEL.replace("to: [15, 0, 15]", "to: [15, 0, 14]")
    assert changed != LEVEL
    (replay.parent / "yard.yaml").write_text(changed)
    try:
        record = read_replay(copy)
        levels = StoredLevels(record)
        assert float(levels.level(record.parts[0]).mesh.triangles12[:, [2, 5, 8]].max()) == 15.0
        assert levels.level(record.parts[0]) is levels.level(record.parts[0])
    finally:
        (replay.parent / "yard.yaml").write_text(LEVEL)


# The command


@pytest.mark.usefixtures("gl_driver")
@pytest.mark.parametrize("name", ["walk.webp", "walk.mp4"])
@pytest.mark.full
def test_the_command_writes_a_movie(name: str, replay: Path, tmp_path: Path) -> None:
    from game.video import find_ffmpeg

    if name.endswith("mp4"):
        try:
            find_ffmpeg()
        except MovieError as error:
            pytest.skip(str(error))
    target = tmp_path / name
    status, told = run_command(replay, "-o", target, "--size", "96x54", "--view", "third")
    assert status == 0, told
    assert ("3.0 s, 90 frames" if name.endswith("mp4") else "3.0 s, 60 frames") in told
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if not name.endswith("mp4"):
        with Image.open(target) as image:
            assert image.size == (96, 54)
            assert image.n_frames > 20
    before = target.read_bytes()
    status, told = run_command(replay, "-o", target, "--size", "96x54")
    assert (status, "exists already" in told) == (2, True)
    assert target.read_bytes() == before


@pytest.mark.usefixtures("gl_driver")
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.full
@pytest.mark.parametrize(("ending", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_ctrl_c_kill_and_a_closed_terminal_leave_nothing(
    replay: Path, tmp_path: Path, ending: str, status: int
) -> None:
    process = subprocess.Popen(
        [sys.executable, "run_game.py", "video", str(replay), "-o", str(tmp_path / "a.webp"), "--speed", "0.05",
         "--size", "320x180"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=fork_server.IN_CHILD,
    )  # fmt: skip
    try:
        wait_until(lambda: list(tmp_path.glob(".*.part")))
        process.send_signal(getattr(signal, ending))
        _, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == status
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


WRONG = {
    "not a replay": (("README.md", "-o", "a.webp"), "not a replay"),
    "another suffix": (("{replay}", "-o", "a.gif"), "must be one of .mp4, .webp"),
    "a missing folder": (("{replay}", "-o", "{folder}/no/a.webp"), "create it first"),
    "a folder as output": (("{replay}", "-o", "{folder}/folder.webp"), "exists already"),
    "an odd mp4": (("{replay}", "-o", "a.mp4", "--size", "641x360"), "even width and height: use --size 642x360"),
    "a huge mp4": (("{replay}", "-o", "a.mp4", "--size", "9000x20"), "at most 8192 pixels"),
    "before the start": (("{replay}", "-o", "a.webp", "--from=-1"), "from 0 to 1000000"),
    "after the end": (("{replay}", "-o", "a.webp", "--from", "9"), "after the end of the replay (3.0 s)"),
    "an empty span": (("{replay}", "-o", "a.webp", "--from", "2", "--to", "1"), "is not after"),
    "no speed": (("{replay}", "-o", "a.webp", "--speed", "0"), "from 0.05 to 20"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("arguments", "expected"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_a_sentence(
    arguments: tuple[str, ...], expected: str, replay: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.webp").mkdir()
    words = [word.format(replay=replay, folder=tmp_path) for word in arguments]
    words = [str(tmp_path / word) if word in ("a.webp", "a.gif", "a.mp4", "movie") else word for word in words]
    try:
        status = command_line.main(["video", *words])
    except SystemExit as stop:
        status = int(stop.code or 0)
    told = capsys.readouterr().err
    assert status == 2
    assert expected in told
    assert "Traceback" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["folder.webp"]


def test_the_next_movie_removes_what_a_killed_one_left(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    kept = [f".other.mp4.{os.getpid()}.part", f".notes.txt.{ended.pid}.part"]
    for name in (f".other.mp4.{ended.pid}.part", *kept):
        (tmp_path / name).write_bytes(b"half")
    remove_video_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
