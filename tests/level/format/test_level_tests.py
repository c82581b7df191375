"""Tests in a level file: what is read, from which file, and that it changes nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from game.level import LevelError, check, load
from game.level.edit import YamlDocument
from game.level.edit.autofix import autofix_level
from game.level.format.findings import SourceSpan
from game.level.format.level_tests.level_test import (
    AtCondition,
    BotKind,
    BotPlayer,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    GoalCondition,
    GroundedCondition,
    InsideCondition,
    LevelTest,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
    TouchesCondition,
    WalkPlayer,
)
from game.level.format.level_tests.tests_file import is_test_finding
from game.sim.replay import fingerprint

HEAD = """\
format: 1
spawn: {at: [0, 0, 6], name: court}
goal: {at: [0, 0, -6]}
surfaces: {ice: {friction: 0.1}}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: ice}
  - box: {from: [8, 0, 8], to: [9, 1, 9], name: crate}
  - target: {at: [0, 1, 0], name: bell}
  - target: {at: [0, 1, 3], name: gong}
  - water: {from: [-5, -3, -5], to: [5, -0.2, 5], name: Pool, intended: [buried]}
  - checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}
"""
some, always, never = (partial(ConditionExpectation, occurrence) for occurrence in Occurrence)
GOAL = GoalCondition()

Written = Callable[[str | bytes], Path]


def read_tests_of(written: Written, tests: str) -> tuple[LevelTest, ...]:
    level = load(written(HEAD + "tests:\n" + tests))
    assert not level.findings, "\n".join(finding.render() for finding in level.findings)
    return level.tests


def test_a_test_is_read_with_its_player_and_fields(written: Written) -> None:
    (walk, bot, random) = read_tests_of(
        written,
        '  - {name: a walk, walk: ["60 forward 1", 30], expect: goal}\n'
        "  - {name: a bot, spawn: court, bot: explore, seed: 7, seconds: 2.5, expect: {goal: never}, skip: too slow}\n"
        "  - {name: random, bot: random, ticks: 40, expect: {stuck: never}, fails: it gets stuck}\n",
    )
    assert walk == LevelTest("a walk", WalkPlayer(("60 forward 1", "30")), (some(GOAL),))
    explorer = BotPlayer(BotKind.EXPLORE, 7)
    assert bot == LevelTest("a bot", explorer, (never(GOAL),), "court", seconds=2.5, skip="too slow")
    never_stuck = CountExpectation(CountKind.STUCK, None, 0)
    assert random == LevelTest("random", BotPlayer(BotKind.RANDOM, 1), (never_stuck,), ticks=40, fails="it gets stuck")
    assert (walk.length(60.0), bot.length(60.0), random.length(60.0)) == (None, 150, 40)
    assert walk.path.name == "level.yaml"
    assert walk.place == SourceSpan(13, 5, 56)


BOX = InsideCondition((0.0, 0.0, -4.0), (4.0, 3.0, 4.0))
POINT = AtCondition((0.0, 0.0, -8.0), 0.5)
EXPECTATIONS = {
    "goal": [some(GOAL)],
    "{goal: reached}": [some(GOAL)],
    "{goal: }": [some(GOAL)],
    "{goal: never}": [never(GOAL)],
    "{goal: {within: 1.5}}": [some(GOAL, 1.5)],
    "{at: {point: [0, 0, -8]}}": [some(POINT)],
    "{at: {point: [0, 0, -8], radius: 2, within: 5}}": [some(AtCondition((0.0, 0.0, -8.0), 2.0), 5.0)],
    "{at: {point: [0, 0, -8], end: true}}": [some(POINT, end=True)],
    "{at: {point: [0, 0, -8], end: false}}": [some(POINT)],
    "{inside: {from: [4, 0, 4], to: [0, 3, -4]}}": [some(BOX)],
    "{inside: {zone: Pool, within: 1}}": [some(InsideCondition(zone="Pool"), 1.0)],
    "{inside: water}": [some(InsideCondition(zone="water"))],
    "{touches: [ice, crate]}": [some(TouchesCondition(("ice",))), some(TouchesCondition(("crate",)))],
    "{never: {touches: [crate, box], inside: {from: [0, 0, -4], to: [4, 3, 4]}, goal: yes}}": [
        never(BOX), never(TouchesCondition(("crate", "box"))), never(GOAL),
    ],
    "{always: {grounded: true, at: {point: [0, 0, -8]}}}": [always(POINT), always(GroundedCondition(True))],
    "{never: {grounded: false}}": [never(GroundedCondition(False))],
    "{grounded: {at_least: 0.9}}": [MeasureExpectation(MeasureKind.GROUNDED, 0.9, None)],
    "{highest: {at_most: 2*1.5}, speed: {at_least: 1, at_most: 6.5}}": [
        MeasureExpectation(MeasureKind.HIGHEST, None, 3.0), MeasureExpectation(MeasureKind.SPEED, 1.0, 6.5),
    ],
    "{targets: 1}": [CountExpectation(CountKind.TARGETS, 1, 1)],
    "{targets: all}": [CountExpectation(CountKind.TARGETS, 2, None)],
    "{targets: gong}": [CountExpectation(CountKind.TARGETS, names=("gong",))],
    "{targets: [gong, bell]}": [CountExpectation(CountKind.TARGETS, names=("gong", "bell"))],
    "{checkpoints: {at_most: 3}}": [CountExpectation(CountKind.CHECKPOINTS, None, 3)],
    "{holes: 0}": [CountExpectation(CountKind.HOLES, 0, 0)],
    "{deaths: {at_most: 0}}": [CountExpectation(CountKind.DEATHS, None, 0)],
    "[{deaths: 0}, goal, {deaths: {at_least: 0}}]": [
        CountExpectation(CountKind.DEATHS, 0, 0), some(GOAL), CountExpectation(CountKind.DEATHS, 0, None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", EXPECTATIONS)
def test_each_expectation_is_read_as_its_condition(written: Written, text: str) -> None:
    (test,) = read_tests_of(written, f"  - {{name: a, walk: [300], expect: {text}}}\n")
    assert list(test.expect) == EXPECTATIONS[text]


@pytest.mark.parametrize(("within", "tick"), [(None, 200), (2.05, 123), (0.71, 42), (9.0, 200)])
def test_last_tick_in_a_walk_of_200_ticks(within: float | None, tick: int) -> None:
    assert some(POINT, within).last_tick(200, 60.0) == tick  # 2.05 * 60 is 122.99999999999999


def test_a_touched_name_is_a_surface_a_kind_of_piece_or_a_name() -> None:
    condition = TouchesCondition(("ice", "stairs", "Tower"))
    assert condition.matches("ice", "box", "box")
    assert condition.matches("default", "stairs", 'stairs "Door"')
    assert condition.matches("default", "room", 'room "Tower"')
    assert condition.matches("default", "room", 'room "Tower": north wall')
    assert not condition.matches("default", "room", 'room "Tower 2"')
    assert not condition.matches("default", "room", "room")


@pytest.mark.parametrize(("name", "is_replay"), [("walk.commands", False), ("walk.txt", False), ("WALK.REPLAY", True)])
def test_a_walk_can_be_a_file_of_commands_or_a_replay(
    written: Written, tmp_path: Path, name: str, is_replay: bool
) -> None:
    folder = tmp_path / "walks"
    folder.mkdir()
    (folder / name).write_text("60 forward 1\n")
    (test,) = read_tests_of(written, f"  - {{name: a, walk: walks/{name}, expect: goal}}\n")
    assert test.player == WalkPlayer((), f"walks/{name}", (folder / name).resolve())
    assert test.player.is_replay == is_replay


def test_a_test_with_a_mistake_is_left_out_alone(written: Written) -> None:
    tests = "".join(
        f"  - {{name: {name}, bot: goal, {key}: goal}}\n" for name, key in (("a", "expect"), ("b", "exepct"))
    )
    level = load(written(HEAD + "tests:\n" + tests + "  - {name: c, bot: goal, expect: goal}\n"))
    assert [test.name for test in level.tests] == ["a", "c"]
    assert all(is_test_finding(finding) for finding in level.findings)
    assert [finding.severity for finding in level.findings] == ["dropped"]


BESIDE = "format: 1\ntests:\n  - {name: b, walk: [60], expect: {deaths: 0}}\n"


def test_the_file_beside_is_read_after_the_level(written: Written, tmp_path: Path) -> None:
    path = written(HEAD + "tests: [{name: a, bot: goal, expect: goal}]\n")
    assert load(path).files == (path,)
    beside = tmp_path / "level.tests.yaml"
    beside.write_text(BESIDE)
    level = load(path)
    assert [(test.name, test.path, test.place.file, test.place.line) for test in level.tests] == [
        ("a", path, "", 12),
        ("b", beside, str(beside), 3),
    ]
    assert level.files == (path, beside)
    assert not level.findings
    assert not check(beside)
    unsaved = load(path, {beside.resolve(): BESIDE.replace("b,", "c,").encode()})
    assert [test.name for test in unsaved.tests] == ["a", "c"]


def test_an_unsaved_file_beside_is_read_before_it_exists(written: Written, tmp_path: Path) -> None:
    path, beside = written(HEAD), tmp_path / "level.tests.yaml"
    assert [test.name for test in load(path, {beside.resolve(): BESIDE.encode()}).tests] == ["b"]


@pytest.mark.parametrize(("old", "new"), [("format: 1", "format: 2"), ("tests:", "level: other.yaml\ntests:")])
def test_a_file_beside_of_another_format_or_level_gives_no_tests(
    written: Written, tmp_path: Path, old: str, new: str
) -> None:
    path = written(HEAD)
    (tmp_path / "level.tests.yaml").write_text(BESIDE.replace(old, new))
    assert not load(path).tests
    assert [is_test_finding(finding) for finding in load(path).findings] == [True]


@pytest.mark.parametrize("named", ["level.yaml", "./level.yaml"])
def test_a_file_beside_may_name_its_level(written: Written, tmp_path: Path, named: str) -> None:
    path = written(HEAD)
    (tmp_path / "level.tests.yaml").write_text(BESIDE.replace("tests:", f"level: {named}\ntests:"))
    assert len(load(path).tests) == 1
    assert not load(path).findings


def test_a_file_of_tests_is_no_level(written: Written, tmp_path: Path) -> None:
    written(HEAD)
    beside = tmp_path / "level.tests.yaml"
    beside.write_text(BESIDE)
    with pytest.raises(LevelError) as error:
        load(beside)
    (finding,) = error.value.findings
    assert finding.message == "this is a file of tests, not a level"
    assert finding.cure == "give the level, level.yaml: its tests are read with it"
    beside.write_text(BESIDE + "  - {name: c, bots: goal, expect: goal}\n")
    assert [finding.message for finding in check(beside)] == ["there is no field `bots`"]
    beside.rename(tmp_path / "quite_another_name.tests.yaml")
    (finding,) = check(tmp_path / "quite_another_name.tests.yaml")
    assert finding.severity == "fatal"
    assert finding.cure == "name the file after its level: `NAME.tests.yaml` belongs to `NAME.yaml`"


@pytest.mark.parametrize(
    "text", ["", "[", "tests: 3\n", "\x00", "a: 1\n", "format: 1\ntests: [[[", "- 1\n", "format: 2\n"]
)
def test_a_damaged_file_beside_leaves_the_level_whole(written: Written, tmp_path: Path, text: str) -> None:
    path = written(HEAD)
    (tmp_path / "level.tests.yaml").write_text(text)
    level = load(path)
    assert not level.tests
    assert level.findings
    assert {finding.file for finding in level.findings} == {str(tmp_path / "level.tests.yaml")}
    assert all(is_test_finding(finding) for finding in level.findings)


def test_tests_of_an_included_file_are_its_own(written: Written, tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]\n" + BESIDE[10:])
    assert not load(written(HEAD + "  - include: {file: part.yaml}\n")).tests


def test_tests_change_no_hash(written: Written, tmp_path: Path) -> None:
    before = load(written(HEAD))
    after = load(written(HEAD + "tests: [{name: a, bot: goal, expect: goal}]\n"))
    assert (len(before.tests), len(after.tests)) == (0, 1)
    assert fingerprint.level_hash(before) == fingerprint.level_hash(after)


def test_clear_mistakes_in_a_file_of_tests_are_fixed(written: Written, tmp_path: Path) -> None:
    written(HEAD)
    beside = tmp_path / "level.tests.yaml"
    wrong = BESIDE + "  - {name: c, bots: goal, expect: {inside: Pol}} # the pool\n"
    beside.write_text(wrong)
    fixed = autofix_level(beside, wrong)
    assert fixed.text == wrong.replace("bots", "bot").replace("Pol}", "Pool}")
    assert not fixed.remaining


def test_edits_of_pieces_keep_the_tests(written: Written) -> None:
    text = HEAD + "\n# the tests\ntests:\n  - {name: a, bot: goal, expect: goal}\n    # the end\n"
    document = YamlDocument(text)
    document.set_field(document.top_pieces()[1], "name", "chest")
    document.insert_piece_after(None, "pillar: {at: [1, 0, 1]}")
    assert document.text == text.replace("crate", "chest").replace(
        "\n\n# the tests", "\n  - pillar: {at: [1, 0, 1]}\n\n# the tests"
    )
    assert len(load(written(document.text)).tests) == 1
