"""Options of the long checks that do not go together, and names that cannot be used."""

from __future__ import annotations

import argparse
import os

import pytest

from game.app.commands.command_line import COMMANDS, CommandModule, build_parser, parse_words
from game.cluster.input_differences import describe_differences
from tests.cluster.conftest import ROOM


def has_output(module: CommandModule) -> bool:
    """Whether a command takes -o."""
    parser = argparse.ArgumentParser()
    module.add_options(parser)
    return "-o " in parser.format_usage()


@pytest.mark.parametrize(
    "command",
    [
        ("fuzz", "room.yaml"),
        ("sweep", "room.yaml", "--commands", "walk.commands", "--vary", "walk_speed=1,2"),
        ("check", "room.yaml", "--walk"),
        ("test", "room.yaml"),
    ],
)
def test_processes_and_a_scheduler_exclude_each_other(room, walker, command):
    message = "-n is for this machine, and with --scheduler others do the work; leave one of them out\n"
    assert walker(*command, "-n", "1", "--scheduler", "tcp://127.0.0.1:9") == (2, "", message)


def test_only_an_explicit_number_of_processes_needs_walk(room, walker):
    assert walker("check", "room.yaml")[0] == 0
    assert walker("check", "room.yaml", "-n", "1")[2] == "-n and --scheduler need --walk\n"


@pytest.mark.parametrize("verb", [verb for verb, module in COMMANDS.items() if has_output(module)])
def test_an_empty_name_of_an_output_is_refused(verb, capsys):
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args([verb, "room.yaml", "-o", ""])
    assert ended.value.code == 2
    message = "argument -o/--output: the name is empty; write a name, or set the variable that holds it\n"
    assert capsys.readouterr().err.startswith(message)


def test_a_folder_of_other_options_names_them_as_they_are_written(room, walker):
    sweep = "sweep", "room.yaml", "--commands", "walk.commands", "-n", "1", "-o", "run"
    assert walker(*sweep, "--vary", "walk_speed=1:8:8", "--ticks", "20")[0] == 0
    status, _, err = walker(*sweep, "--vary", "walk_speed=1:8:9")
    assert (status, err) == (
        2,
        "run: the folder belongs to other inputs (--ticks was 20, now none; --vary was walk_speed=1:8:8 (8 values), "
        "now walk_speed=1:8:9 (9 values)); choose another folder with -o, or delete it\n",
    )


@pytest.mark.parametrize(
    ("theirs", "now", "text"),
    [
        ({"bodies": ["level"]}, {"bodies": ["slim", "round"]}, "--body was level, now slim, round"),
        ({"bodies": 7}, {"bodies": ["slim"]}, "--body was 7, now slim"),
        ({"vary": "x"}, {"vary": []}, "--vary was x, now "),
        (
            {"vary": [{"setting": "eye", "values": [0.1, 0.3]}, {"setting": "gravity", "values": [1, "inf"]}]},
            {"vary": [{"setting": "eye", "values": [0.1, 0.2, 0.4, 0.5, 0.9]}]},
            "--vary was eye=0.1,0.3 gravity=1,inf, now eye=0.1,0.2,0.4,0.5,... (5 values)",
        ),
        ({"commands": "1 jump"}, {"commands": "2 jump"}, "--commands has other contents"),
        ({"levels": 3}, {"levels": []}, "the levels have other contents"),
        ({"machine": "Linux x86_64"}, {"machine": "any"}, "machine was Linux x86_64, now any"),
        ({"vary": None, "x": 1}, {"vary": None, "x": 1}, ""),
    ],
)
def test_the_differences_of_two_runs_are_told_in_words(theirs, now, text):
    assert describe_differences(theirs, now) == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders on this system")
@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", None)])
def test_what_is_no_manifest_file_is_named(room, walker, make):
    os.mkdir("run")
    make("run/manifest.json")
    status, _, err = walker("fuzz", "room.yaml", "-o", "run")
    message = "run/manifest.json: this is not a file; delete it, or choose another folder with -o\n"
    assert (status, err) == (2, message)


def test_levels_stand_after_options_too(capsys):
    options = parse_words(["fuzz", "a.yaml", "--ticks", "20", "b.yaml", "--json", "c.yaml"])
    assert (options.levels, options.ticks) == (["a.yaml", "b.yaml", "c.yaml"], 20)
    assert parse_words(["plot", "a.replay", "-o", "x.png", "b.replay"]).inputs == ["a.replay", "b.replay"]
    for words in (["fuzz", "a.yaml", "--tics", "20", "b.yaml"], ["shot", "demo", "-o", "x.png", "y.png"]):
        with pytest.raises(SystemExit):
            parse_words(words)
        assert capsys.readouterr().err.startswith("unrecognized arguments: ")


def test_models_of_a_folder_are_left_out_with_a_line(room, walker, tmp_path):
    plate = "v -9 0 -9\nv -9 0 9\nv 9 0 9\nv 9 0 -9\nf 1 2 3 4\n"
    (tmp_path / "own" / "prefabs").mkdir(parents=True)
    for name in ("own/plate.obj", "own/used.obj", "own/prefabs/bench.obj"):
        (tmp_path / name).write_text(plate)
    ticks = "--ticks", "20", "--shard-ticks", "20", "-n", "1"
    assert walker("fuzz", "own", *ticks)[2] == "own: no level in this folder; name its models to walk them\n"
    (tmp_path / "own" / "room.yaml").write_text(ROOM + "  - model: {file: used.obj, at: [0, -3, 0]}\n")
    status, _, err = walker("fuzz", "own", *ticks)
    assert (status, err) == (0, "1 model (plate.obj) is left out; name a model to walk it\n")
    assert "left out" not in walker("fuzz", "own", "own/plate.obj", *ticks)[2]
