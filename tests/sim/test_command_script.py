"""The commands file: what it says comes out, to the last heading; mistakes are told at their place."""

import random
import re
import time
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.physics import Command
from game.sim import command_script
from game.sim.command_script import CommandScript, CommandsError, CommandSpan

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"


def headings(script, start=0):
    return [command.heading for command in islice(script.commands(start), script.ticks)]


def problems(text):
    with pytest.raises(CommandsError) as caught:
        command_script.parse_script(text, "walk.commands")
    return [str(problem) for problem in caught.value.problems]


def test_the_example_of_the_manual_loads_and_means_what_its_comments_say():
    (example,) = re.findall(r"```commands\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    script = command_script.parse_script(example)
    assert script.ticks == 60 + 90 + 30 + 1 + 45 + 30
    walk = list(islice(script.commands(0), script.ticks + 2))
    assert walk[0] == Command()
    assert walk[60] == Command(forward=1.0)
    assert walk[179].heading == 16384
    assert walk[180] == Command(forward=1.0, heading=16384, jump=True)
    assert walk[181].sprint
    assert not walk[181].jump
    assert walk[-3].crouch
    assert walk[-3].strafe == -0.5
    assert walk[-3].pitch == round(10 * 65536 / 360)
    still = Command(heading=16384 - 4096, pitch=walk[-3].pitch)
    assert walk[-2:] == [still, still]


def test_use_is_held_for_its_span_and_no_longer():
    walk = list(islice(command_script.parse_script("1\n2 use forward 1\n1 jump").commands(0), 5))
    assert [command.use for command in walk] == [False, True, True, False, False]
    assert [command.jump for command in walk] == [False, False, False, True, False]


@pytest.mark.parametrize("word", [*command_script.NUMBER_RANGES, *command_script.BUTTONS, "#"])
def test_the_manual_names_every_word(word):
    assert f"`{word}" in DOCS.read_text(encoding="utf-8")


@pytest.mark.full
def test_turning_adds_up_without_drift():
    rng = random.Random(20)
    spans = [
        CommandSpan(ticks=rng.randint(1, 97), turn=Fraction(rng.randint(-400_000, 400_000), 1000)) for _ in range(300)
    ]
    script = CommandScript(tuple(spans))
    start = rng.randrange(65536)
    got = headings(script, start)
    exact, tick = Fraction(start), 0
    for span in spans:
        for k in range(1, span.ticks + 1):
            wanted = exact + span.turn * 65536 / 360 * k / span.ticks
            off = (got[tick] - wanted + 32768) % 65536 - 32768
            assert abs(off) <= Fraction(1, 2)
            tick += 1
        exact += span.turn * 65536 / 360


def test_looking_stops_at_straight_up_and_comes_back_from_there():
    script = command_script.parse_script("10 look 170\n10 look -90")
    pitches = [command.pitch for command in islice(script.commands(), 20)]
    assert max(pitches) == 16384
    assert pitches[9] == 16384
    assert pitches[19] == 0


def test_comments_blank_lines_and_foreign_line_ends():
    script = command_script.parse_script("\ufeff".lstrip("\ufeff") + "# first\r\n\r\n  12\tforward  .5 # and so on\r\n")
    assert script.spans == (CommandSpan(ticks=12, forward=0.5),)
    assert command_script.parse_script("").ticks == 0
    assert next(iter(command_script.parse_script("").commands(77))) == Command(heading=77)


@pytest.mark.parametrize(
    ("line", "place", "part"),
    [
        ("forward 1", "1:1", "begins with its ticks"),
        ("0 forward 1", "1:1", "1 or more"),
        ("-5", "1:1", "1 or more"),
        ("1.5", "1:1", "1 or more"),
        ("٣ forward 1", "1:1", "1 or more"),
        ("9999999999", "1:1", "1 or more"),
        ("999999999", "1:1", "ticks in all"),
        ("10 forwad 1", "1:4", "did you mean 'forward'"),
        ("10 fly", "1:4", "known: forward"),
        ("10 forward", "1:11", "needs a number"),
        ("10 forward jump", "1:12", "'jump' is not valid"),
        ("10 forward 1.01", "1:12", "-1 (back) to 1"),
        ("10 forward nan", "1:12", "'nan' is not valid"),
        ("10 turn inf", "1:9", "'inf' is not valid"),
        ("10 turn 1e3", "1:9", "'1e3' is not valid"),
        ("10 turn 400000", "1:9", "360000"),
        ("10 jump turn 5 jump", "1:16", "twice"),
        ("10 turn 5 turn 5", "1:11", "twice"),
        ("10 " + "x" * 5000, "1:4", "..."),
    ],
)
def test_mistakes_are_reported_at_their_place(line, place, part):
    (problem,) = problems(line)
    assert problem.startswith(f"walk.commands:{place}: ")
    assert part in problem
    assert len(problem) < 200


def test_files_of_any_bytes_are_bounded(tmp_path):
    path = tmp_path / "walk.commands"
    path.write_bytes(b"1\n2 jump\n3 \xff")
    with pytest.raises(CommandsError, match=r"walk.commands:3:3: not UTF-8"):
        command_script.read_script(path)
    with open(path, "wb") as file:
        file.truncate(200 << 20)
    begin = time.perf_counter()
    with pytest.raises(CommandsError, match="longer than 4 MiB"):
        command_script.read_script(path)
    assert time.perf_counter() - begin < 10.0
    with pytest.raises(OSError, match="directory"):
        command_script.read_script(tmp_path)


@pytest.mark.full
@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"[0-9]{1,3}( (forward|turn|look|jump|#) ?-?[0-9.]{0,4}){0,4}"))
def test_any_text_is_a_script_or_a_reported_mistake(text):
    try:
        script = command_script.parse_script(text)
    except CommandsError:
        return
    for command in islice(script.commands(), min(script.ticks + 1, 300)):
        assert -16384 <= command.pitch <= 16384
        assert 0 <= command.heading < 65536
