"""Players of level tests: walks, replays and bots; and tests that cannot be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.level import load
from game.level.format.level_tests.level_test import LevelTest, WalkPlayer
from game.sim import History, World, command_script, verify
from game.sim.replay import replay_file
from game.testing import run_test
from game.testing.artefacts import record_walk
from tests.testing.conftest import WALK, YARD, level_with

ROOM = """\
format: 1
name: Room
spawn: {at: [0, 0, 2], facing: north}
goal: {at: [0, 0, -1.2], radius: 0.5}
pieces:
  - room: {from: [-2, 0, -2], to: [2, 3, 3]}
  - box: {from: [-2, 0, -0.4], to: [2, HEIGHT, 0.4]}
"""


def only(level):
    (test,) = level.tests
    return run_test(level, test)


def test_a_walk_is_as_long_as_its_commands(yard):
    run = only(yard('tests:\n  - {name: it, walk: ["10 forward 1", "20"], expect: {deaths: 0}}\n'))
    assert (run.status, run.ticks) == ("passed", 30)


@pytest.mark.parametrize(("length", "ticks"), [("ticks: 5", 5), ("seconds: 2", 120)])
def test_a_length_cuts_the_walk_or_makes_it_longer(length, ticks, yard):
    run = only(yard(f'tests:\n  - {{name: it, walk: ["10 forward 1"], {length}, expect: {{deaths: 0}}}}\n'))
    assert run.ticks == ticks


def test_a_known_failure_and_a_skip_count_as_good(yard):
    tests = """tests:
  - {name: a, walk: ["10"], expect: {at: {point: [0, 0, 0]}}, skip: not today}
  - {name: b, walk: ["10"], expect: {at: {point: [0, 9, 0]}}, fails: known}
  - {name: c, walk: ["10"], expect: {at: {point: [0, 0, 0]}}, fails: known}
"""
    level = yard(tests)
    skipped, known, mended = (run_test(level, test) for test in level.tests)
    assert (skipped.status, skipped.message, skipped.ticks) == ("skipped", "not today", 0)
    assert (known.status, known.message, known.is_good) == ("expected failure", "known", True)
    assert (mended.status, mended.is_good) == ("failed", False)
    assert "fails: known" in mended.message


def recorded(level, path: Path, ticks=150, restart_at=None, return_at=None):
    history = History(world := World(level))
    for tick, command in zip(range(ticks), command_script.parse_script(WALK).commands(0), strict=False):
        if tick == restart_at:
            world.restart()
            history.restarted()
        if tick == return_at:
            world.return_to_checkpoint()
            history.returned()
        history.step(command)
    history.save(path)
    return world


def test_a_replay_is_walked_with_its_restarts_and_returns(tmp_path):
    level = load(level_with(tmp_path, ""))
    world = recorded(level, tmp_path / "walk.replay", restart_at=100, return_at=130)
    test = "tests:\n  - {name: it, walk: walk.replay, expect: {at: {point: [0, 0, 0], end: true, radius: 30}}}\n"
    level = load(level_with(tmp_path, test))
    run = only(level)
    assert run.ticks == 150
    assert run.walk.world.walker_state == world.walker_state
    assert run.walk.relocations == [101, 131]
    again = replay_file.decode_replay(record_walk(run.walk, 150, ""), Path("again.replay"))
    assert [block.restarts.nonzero()[0].tolist() for block in again.parts[0].blocks] == [[], [], [0]]
    assert [block.returns.nonzero()[0].tolist() for block in again.parts[0].blocks] == [[], [], [30]]
    assert verify(again, lambda part: level).divergence is None


def test_replays_that_do_not_fit_are_refused_in_words(tmp_path):
    other = load(level_with(tmp_path, "", name="other", text=YARD.replace("Yard", "Other").replace("-18]", "-19]")))
    recorded(other, tmp_path / "other.replay")
    (tmp_path / "noise.replay").write_bytes(b"noise" * 40)
    (tmp_path / "empty.replay").write_bytes(b"")
    level = load(level_with(tmp_path, ""))
    for name, words in {
        "other.replay": "is of the level 'Other'",
        "noise.replay": "noise.replay",
        "empty.replay": "the file is empty",
        "gone.replay": "no such file",
    }.items():
        test = LevelTest("it", WalkPlayer(file=name, path=tmp_path / name), ())
        run = run_test(level, test)
        assert run.status == "error"
        assert words in run.message.lower() or words in run.message
        assert run.cure


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Run `check` on the yard in the test's folder: exit status and output."""
    monkeypatch.chdir(tmp_path)

    def run():
        return main(["check", "yard.yaml"]), capsys.readouterr().out

    return run


def test_check_reports_a_replay_that_is_damaged_or_of_another_level(tmp_path, check):
    tests = "tests:\n  - {name: it, walk: walk.replay, expect: {deaths: 0}}\n"
    place = f"yard.yaml:{YARD.count(chr(10)) + 2}:22: tests.walk: "
    replay = tmp_path / "walk.replay"
    recorded(load(level_with(tmp_path, "")), replay, ticks=20)
    level_with(tmp_path, tests)
    status, shown = check()
    assert (status, "tests.walk" in shown) == (0, False)
    replay.write_bytes(b"noise" * 40)
    status, shown = check()
    assert (status, place in shown) == (1, True)
    replay.unlink()
    other = YARD.replace("Yard", "Other").replace("-18]", "-19]")
    recorded(load(level_with(tmp_path, "", name="other", text=other)), replay, ticks=20)
    status, shown = check()
    assert (status, place in shown) == (1, True)
    assert "the replay is of the level 'Other' [dropped]" in shown
    assert "choose a replay of this level" in shown


def test_check_names_the_file_of_tests_with_a_damaged_replay(tmp_path, check):
    level_with(tmp_path, "")
    (tmp_path / "walk.replay").write_bytes(b"noise" * 40)
    (tmp_path / "yard.tests.yaml").write_text(
        "format: 1\ntests:\n  - {name: it, walk: walk.replay, expect: {deaths: 0}}\n"
    )
    status, shown = check()
    assert (status, "yard.tests.yaml:3:22: tests.walk: " in shown) == (1, True)


@pytest.mark.parametrize("name", ["gone.commands", "bad.commands"])
def test_a_commands_file_that_is_gone_or_wrong_is_an_error_in_words(name, tmp_path):
    (tmp_path / "bad.commands").write_text("10 forwards 1\n")
    level = load(level_with(tmp_path, ""))
    run = run_test(level, LevelTest("it", WalkPlayer(file=name, path=tmp_path / name), ()))
    assert run.status == "error"
    assert name in run.message
    assert "\n" not in run.message


def test_a_spawn_without_room_is_an_error(yard):
    level = yard("", text=YARD.replace("pieces:", "pieces:\n  - floor: {from: [4, -2], to: [8, 2], y: 0.5}"))
    run = run_test(level, LevelTest("it", WalkPlayer(lines=("10",)), (), spawn="side"))
    assert run.status == "error"
    assert "side" in run.message


RANDOM = "".join(
    f"  - {{name: r{k}, bot: random, seed: {seed}, ticks: 300, expect: {{stuck: never}}}}\n"
    for k, seed in enumerate((1, 1, 2))
)


def test_random_walks_depend_on_the_seed_alone(yard):
    level = yard("tests:\n" + RANDOM)
    hashes = [run_test(level, test).walk.hash for test in level.tests]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """The room with a wall that can be jumped, and with one that cannot, explored once for all of its tests."""
    folder = tmp_path_factory.mktemp("rooms")
    tests = """tests:
  - {name: quick, bot: goal, expect: {goal: {within: 20}}}
  - {name: somebody, bot: explore, expect: {goal: {within: 20}}}
  - {name: nobody, bot: explore, expect: {never: {inside: {from: [-2, 0, -2], to: [2, 3, -0.5]}}}}
  - {name: there, bot: explore, expect: {inside: {from: [-2, 0, -2], to: [2, 3, -0.5]}}}
  - {name: never, bot: explore, expect: {goal: never}}
"""
    levels = {}
    for name, height in (("low", "1.0"), ("high", "2.9")):
        path = folder / f"{name}.yaml"
        path.write_text(ROOM.replace("HEIGHT", height) + tests, encoding="utf-8")
        levels[name] = load(path)
    return levels


@pytest.mark.jit
def test_a_search_that_was_cut_off_decides_no_never(tmp_path):
    never = "never: {inside: {from: [-2, 0, -2], to: [2, 3, -0.5]}}"
    tests = f"tests:\n  - {{name: nobody, bot: explore, seconds: 2, expect: {{{never}}}}}\n"
    path = tmp_path / "cut.yaml"
    path.write_text(ROOM.replace("HEIGHT", "1.0") + tests, encoding="utf-8")
    level = load(path)
    run = run_test(level, level.tests[0])
    assert run.status == "failed"
    assert run.results[0].actual.startswith("not decided: ")
    assert "leave out the length" in run.results[0].actual


@pytest.mark.jit
@pytest.mark.parametrize("name", ["low", pytest.param("high", marks=pytest.mark.full)])
def test_bots_tell_what_somebody_can_and_nobody_can(name, rooms):
    from game.testing.explorer import ExplorationCache

    level, cache = rooms[name], ExplorationCache(rooms[name])
    runs = {test.name: run_test(level, test, cache) for test in level.tests}
    low = name == "low"
    statuses = {key: run.status for key, run in runs.items()}
    wanted = dict.fromkeys(("somebody", "there"), low) | dict.fromkeys(("nobody", "never"), not low)
    assert {key: statuses[key] == "passed" for key in wanted} == wanted
    for key, run in runs.items():
        if run.status == "failed" and key != "quick":
            assert run.walk is not None
            assert run.results[0].actual
    if low:
        assert runs["quick"].results[0].held
        fast = runs["quick"].results[0].tick
        nobody = runs["nobody"]
        *_, z = nobody.walk.feet[nobody.results[0].tick]
        assert -2 <= z <= -0.5
        assert not any(-2 <= feet[2] <= -0.5 for feet in nobody.walk.feet[: nobody.results[0].tick])
        assert 30 < fast < 300
    else:
        outcome = runs["quick"].results[0]
        assert f"nearest at tick {outcome.nearest_tick}: " in outcome.actual
        assert "no bot got there" in runs["somebody"].results[0].actual


@pytest.mark.full
@pytest.mark.jit
def test_what_bots_reach_counts_only_where_it_shows_in_the_world(tmp_path):
    text = ROOM.replace("HEIGHT", "0.1")
    path = "path: [[0, 0, 0], [0, 0.01, 0]]"
    door = f"  - mover: {{name: door, at: [0, 0, 1], {path}, of: [box: {{from: [-3, 0, 0], to: [3, 2.9, 0.2]}}]}}\n"
    lava = "  - kill: {name: lava, from: [-2, 0, -1.9], to: [2, 1, 0]}\n"
    tests = """tests:
  - {name: somebody, bot: explore, expect: {inside: BOX}}
  - {name: nobody, bot: explore, expect: {never: {inside: BOX}}}
""".replace("BOX", "{from: [-2, 0, -1.6], to: [2, 3, -0.8]}")
    passed = {}
    for name, pieces in {"open": "", "door": door, "lava": lava, "lava behind a door": door + lava}.items():
        file = tmp_path / "a.yaml"
        file.write_text(text + pieces + tests, encoding="utf-8")
        level = load(file)
        passed[name] = {test.name for test in level.tests if run_test(level, test).status == "passed"}
    assert passed == {key: {"nobody"} for key in ("door", "lava", "lava behind a door")} | {"open": {"somebody"}}
