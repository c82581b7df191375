"""The command line as a process: statuses, files, sentences, and never a trace for what a user did."""

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

from game.app.commands import frame
from game.app.commands.command_line import parse_words
from tests.app.conftest import WALK
from tests.support import fork_server
from tests.support.until import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[3]


def quiet(result):
    """No trace, and lines that a terminal can show."""
    assert "Traceback" not in result.stderr + result.stdout
    assert all(char.isprintable() or char in "\n\t" for char in result.stdout + result.stderr)
    return result


def test_help_names_the_verbs_and_each_verb_explains_itself(game):
    top = quiet(game("--help"))
    assert top.returncode == 0
    for verb in ("play", "check", "sim", "record", "replay", "shot", "import", "doctor"):
        assert verb in top.stdout
        own = quiet(game(verb, "--help"))
        assert own.returncode == 0
        assert len(own.stdout) > 200
    assert "bench" not in top.stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["chek", "demo"], "try check"),
        (["frobnicate"], "one of play, check"),
        (["sim"], "required: LEVEL, --commands"),
        (["sim", "x", "--commands", "c", "--ticks", "-1"], "not a number of ticks"),
        (["shot", "x", "-o", "a.png", "--size", "0x0"], "16 to 16384"),
        (["shot", "x", "-o", "a.png", "--at", "1,2"], "not a position such as"),
        (["shot", "x", "-o", "a.png", "--heading", "inf"], "not a number from -1000000 to 1000000"),
        (["shot", "x", "-o", "a.jpg"], "must be a .png"),
        (["shot", "x", "-o", "a.png", "--tick", "0"], "--tick needs --commands"),
        (["shot", "x", "-o", "a.png", "--pitch", "91"], "not a pitch (degrees) from -90 to 90"),
        (["sim", "x", "--commands", "c", "--mended", "turn"], "--mended needs --technique"),
        (["replay", "x", "--size", "800x600"], "--size needs --show"),
        (["replay", "x", "--level", "y", "--as-recorded"], "not allowed with argument"),
        (["record", "x", "--commands", "c", "-o", "walk.csv"], "walk.csv: -o must be a .replay"),
        (["check", "x", "--yes"], "--yes needs --fix"),
        (["check", "x", "-n", "2"], "-n needs --walk"),
        (["shot", "x", "-o", "a.png", "--at", "0,0,0", "--commands", "c"], "exclude each other"),
        (["--frob"], "unrecognized arguments: --frob"),
        (["check", "demo", "--frob"], "unrecognized arguments: --frob\nsee `python run_game.py check --help`"),
        (["demo"], "'demo' is not a command; try play demo"),
        (["check", ""], "LEVEL: the name is empty"),
        (["fuzz", ""], "LEVEL: the name is empty"),
        (["replay", ""], "FILE: the name is empty"),
        (["sim", "demo", "--commands", ""], "--commands: the name is empty"),
    ],
)
@pytest.mark.sample(9)
def test_wrong_arguments_are_status_2_and_a_sentence(game, arguments, part):
    result = quiet(game(*arguments))
    assert result.returncode == 2
    assert part in result.stderr


@pytest.mark.parametrize("text", ["1_000", "+5", " 5 ", "٥", "5,0", "0x5", "", "nan", "1e3", "9" * 5000])
def test_a_number_is_written_with_the_digits_0_to_9_and_no_more(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"is not a number of ticks from 0 to 10000000$"):
        frame.parse_ticks(text)


def test_limits_of_numbers_are_told_without_exponents():
    parse = frame.number_type(float, 1e-6, 1e6)
    assert [parse(text) for text in ("5", ".5", "5.", "1e3", "1.5E-2", "0.000001")] == [5, 0.5, 5, 1000, 0.015, 1e-6]
    with pytest.raises(argparse.ArgumentTypeError, match=r"^'1e7' is not a number from 0\.000001 to 1000000$"):
        parse("1e7")


def test_values_may_begin_with_a_minus():
    shot = parse_words(["shot", "x", "-o", "a.png", "--at", "-1,0,2", "--heading", "-10.5", "--pitch", "-.5"])
    assert (shot.at, shot.heading, shot.pitch) == ((-1.0, 0.0, 2.0), -10.5, -0.5)
    video = parse_words(["video", "x", "-o", "a.mp4", "--orbit", "-90,-45,4"])
    assert video.orbit == pytest.approx((-np.pi / 2, -np.pi / 4, 4.0))


@pytest.mark.parametrize("verb", ["play", "check", "sim", "shot"])
@pytest.mark.parametrize("name", ["nowhere.yaml", "", "x" * 3000, "a\nb", "\x1b[31m", ".", "/dev/null", "demmo"])
@pytest.mark.sample(4)
def test_each_verb_refuses_what_is_no_level_in_a_few_lines(game, walk, verb, name):
    more = {"sim": ["--commands", walk], "shot": ["-o", "a.png"]}.get(verb, [])
    result = quiet(game(verb, name, *more))
    assert result.returncode == 2
    assert (result.stdout + result.stderr).strip()
    assert len(result.stdout + result.stderr) < 3000
    assert "course of the day" not in result.stderr


def test_check_exits_with_the_worst_of_its_levels(game, level_file, tmp_path):
    clean = quiet(game("check", level_file))
    assert (clean.returncode, clean.stdout.strip()[-13:]) == (0, "nothing wrong")
    dropped = tmp_path / "dropped.yaml"
    dropped.write_text(level_file.read_text().replace("pieces:", "pieces:\n  - pilar: {at: [0, 0, 0]}"))
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: 1\npieces: [")
    warned = tmp_path / "warned.yaml"
    warned.write_text(level_file.read_text().replace("pieces:", "surfaces: {ice: {friction: 0.1}}\npieces:"))
    assert game("check", warned).returncode == 0
    assert game("check", "--strict", warned).returncode == 1
    result = quiet(game("check", dropped))
    assert result.returncode == 1
    assert f"{dropped}:5:" in result.stdout
    assert "^" in result.stdout
    assert "pillar" in result.stdout
    assert game("check", level_file, dropped).returncode == 1
    result = quiet(game("check", broken, dropped, level_file))
    assert result.returncode == 2
    assert result.stdout.count("\n") > 4


def test_sim_writes_the_same_bytes_twice_and_reaches_the_goal(game, command, level_file, walk, tmp_path):
    for suffix in ("npz", "csv", "jsonl"):
        files = [tmp_path / f"{i}.{suffix}" for i in range(2)]
        runs = zip((game, command), files, strict=True)  # two interpreters
        results = [quiet(run("sim", level_file, "--commands", walk, "-o", file)) for run, file in runs]
        assert files[0].read_bytes() == files[1].read_bytes()
        assert results[0].stdout == results[1].stdout
        last = results[0].stdout.splitlines()[-1]
        assert last.startswith("goal: reached at tick ")
        assert results[0].returncode == 0
    arrays = np.load(tmp_path / "0.npz")
    assert arrays["position"].shape == (130, 3)
    assert arrays["tick"].tolist() == list(range(1, 131))
    reached = int(last.split()[-1])
    assert arrays["position"][reached - 1][2] == pytest.approx(-7.5, abs=0.1)


def test_sim_exits_with_3_where_the_goal_is_missed_and_0_where_there_is_none(game, level_file, walk, tmp_path):
    missed = quiet(game("sim", level_file, "--commands", walk, "--ticks", "40"))
    assert (missed.returncode, missed.stdout.splitlines()[-1]) == (3, "goal: missed")
    none = tmp_path / "none.yaml"
    none.write_text("\n".join(line for line in level_file.read_text().splitlines() if "goal" not in line))
    result = quiet(game("sim", none, "--commands", walk))
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "goal: none")


def test_mistakes_in_a_commands_file_are_told_at_their_place(game, level_file, tmp_path):
    bad = tmp_path / "bad.commands"
    bad.write_text("10 forward 1\n20 forwad 1\n\n30 turn\n")
    result = quiet(game("sim", level_file, "--commands", bad))
    assert result.returncode == 2
    assert f"{bad}:2:4: 'forwad' is not a command; did you mean 'forward'?" in result.stderr
    assert f"{bad}:4:8: 'turn' needs a number" in result.stderr
    for other in (tmp_path, tmp_path / "none", "/dev/null/x"):
        result = quiet(game("sim", level_file, "--commands", other))
        assert result.returncode == 2
        assert str(other) in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_has_not_the_status_of_a_finding(command, level_file, tmp_path):
    full = tmp_path / "full.sarif"
    full.symlink_to("/dev/full")
    result = quiet(command("check", level_file, "--sarif", full))
    assert (result.returncode, result.stderr) == (2, f"{full}: no space left on device\n")


FULL = "standard output: no space left on device; redirect it to another place\n"


@pytest.mark.parametrize(
    ("words", "stdout", "status", "said"),
    [
        (["--version"], "pipe", 141, ""),
        (["check", "floor.yaml"], "pipe", 141, ""),
        (["check", "floor.yaml", "nowhere.yaml"], "pipe", 141, ""),
        pytest.param(["sim", "floor.yaml", "--commands", "walk.commands"], "pipe", 141, "", marks=pytest.mark.full),
        (["--version"], "/dev/full", 74, FULL),
        (["check", "floor.yaml"], "/dev/full", 74, FULL),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_output_that_nobody_reads_ends_a_command_as_it_ends_cat(
    words, stdout, status, said, level_file, walk, environment
):
    """In a process of its own: Python writes what is left at its exit."""
    reader, writer = os.pipe()
    os.close(reader)
    output = writer if stdout == "pipe" else os.open(stdout, os.O_WRONLY)
    for unbuffered in ("", "1"):
        done = subprocess.run(
            [sys.executable, str(ROOT / "run_game.py"), *words], stdout=output, stderr=subprocess.PIPE, text=True,
            env={**environment, "PYTHONUNBUFFERED": unbuffered}, cwd=level_file.parent, timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (status, said)


@pytest.mark.full
@pytest.mark.parametrize("verb", ["check", "test"])
def test_a_command_runs_with_its_output_closed(level_file, environment, verb):
    call = f'exec "{sys.executable}" "{ROOT / "run_game.py"}" {verb} "{level_file}" >&-'
    done = subprocess.run(call, shell=True, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == (0 if verb == "check" else 5)  # there are no tests in it
    assert "Traceback" not in done.stderr
    assert "INTERNALERROR" not in done.stderr


@pytest.mark.full
def test_ctrl_c_is_quiet(level_file, tmp_path, environment):
    long = tmp_path / "long.commands"
    long.write_text("9000000 forward 1\n")
    said = tmp_path / "said.txt"
    process = fork_server.ForkedProcess(
        ["sim", str(level_file), "--commands", str(long)], environment, tmp_path, said, said
    )
    try:
        wait_until(lambda: process.cpu_seconds() > 0.5)  # it walks
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
    finally:
        process.kill()
        process.wait(SECONDS)
    assert said.read_text() == ""


@pytest.mark.full
def test_shot_is_a_picture_of_the_place_asked_for(game, level_file, walk, tmp_path):
    small = ["--size", "320x180"]
    ahead, up, after = (tmp_path / name for name in ("ahead.png", "up.png", "after.png"))
    result = quiet(game("shot", level_file, "-o", ahead, "--at", "-1,0,2", "--heading", "-10", *small))
    assert result.returncode == 0
    assert "eye at (-1.00, 1.44, 2.00)" in result.stdout
    assert quiet(game("shot", level_file, "-o", up, "--pitch", "80", *small)).returncode == 0
    result = quiet(game("shot", level_file, "-o", after, "--commands", walk, "--tick", "70", *small))
    assert "eye at (0.00, 1.45, -3.8" in result.stdout
    pictures = [np.asarray(Image.open(path)).astype(int) for path in (ahead, up, after)]
    assert all(picture.shape == (180, 320, 3) for picture in pictures)
    sky = pictures[1][60:120, 100:220].mean(axis=(0, 1))
    assert sky[2] > sky[0] + 20
    below = pictures[0][150:, :].mean(axis=(0, 1))
    assert abs(below - sky).max() > 20
    assert abs(pictures[0] - pictures[2]).max() > 20


NO_GL = {"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere", "LIBGL_DRIVERS_PATH": "/nowhere"}


@pytest.mark.full
def test_play_without_a_display_leaves_a_report_and_a_picture(game, level_file, tmp_path):
    level_file.with_suffix(".commands").write_text(WALK)
    report = tmp_path / "report.json"
    result = quiet(game("play", level_file, "--report", report))
    assert result.returncode == 0
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in result.stdout.splitlines()[0]
    here = tmp_path / "here" / "out"
    assert sorted(os.listdir(here)) == ["floor.png", "floor.txt"]
    assert "goal: reached at tick" in (here / "floor.txt").read_text()
    assert Image.open(here / "floor.png").size == (1280, 720)
    assert '"goal_tick": ' in report.read_text()


@pytest.mark.full
def test_play_without_gl_draws_a_map_and_names_the_package(game, level_file, tmp_path):
    level_file.with_suffix(".commands").write_text(WALK)
    result = quiet(game("play", level_file, env=NO_GL))
    assert result.returncode == 0
    assert "map: " in result.stdout
    assert "install the package lib" in result.stdout
    picture = np.asarray(Image.open(tmp_path / "here" / "out" / "floor.png")).astype(int)
    assert picture.shape == (720, 1280, 3)
    red, green, blue = np.moveaxis(picture, 2, 0)
    assert ((red > 180) & (green < 110) & (blue < 110)).sum() > 150, "the path of the walk"


@pytest.mark.full
def test_play_with_a_display_that_does_not_answer(game, level_file):
    result = quiet(game("play", level_file, env={"DISPLAY": ":4711", **NO_GL}))
    assert result.returncode == 0
    assert "the display named by DISPLAY does not answer" in result.stdout


def test_shot_without_gl_names_the_package(game, level_file):
    result = quiet(game("shot", level_file, "-o", "a.png", env=NO_GL))
    assert result.returncode == 1
    assert "install the package lib" in result.stderr


@pytest.mark.full
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_what_an_output_cannot_encode_does_not_end_a_command(tmp_path, environment, encoding):
    file = tmp_path / "höhle 日.yaml"
    file.write_text(
        "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n"
        "  - floor: {from: [-9, -9], to: [9, 9], surfce: '→ 日 \U0001f600'}\n",
        encoding="utf-8",
    )
    model = tmp_path / "würfel.obj"
    model.write_text("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n")
    missing = tmp_path / "日.yaml"
    report = tmp_path / "findings.sarif"
    for words, status in (
        (["check", file, "--sarif", report], 1),
        (["check", file, "--json"], 1),
        (["check", file, "--fix"], 1),
        (["check", missing], 2),
        (["import", model, "-o", tmp_path / "würfel 日.yaml"], 0),
        (["test", file], 5),
        (["doctor"], None),
        (["--help"], 0),
    ):
        command = [sys.executable, str(ROOT / "run_game.py"), *map(str, words)]
        result = subprocess.run(
            command,
            env={**environment, "PYTHONIOENCODING": encoding},
            cwd=tmp_path,
            capture_output=True,
            timeout=SECONDS,
        )
        printed = (result.stdout + result.stderr).decode(encoding)
        assert status is None or result.returncode == status, (words, printed)
        assert "Error" not in printed, words
        assert "crash" not in printed, words
    assert "surfce" in report.read_text(encoding="utf-8")
    assert (tmp_path / "würfel 日.yaml").is_file()
