"""Bots in small levels: each finding and its words where something is wrong, none where it is fixed, and walks that
show it."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from game.app.commands.check.walk import summarise_walk
from game.fuzz.random_walks import wander
from game.level import check, load
from game.physics import Walker
from game.reports.bot_finding_messages import BotFindingWriter
from game.sim import Respawned, World, command_script
from game.sim.bots import moves
from game.sim.bots.exploration import ExplorationStage, LevelExploration
from game.sim.bots.walk_findings import BotFinding, BotReport, FallDetails, FindingKind, report_exploration
from tests.support.explored_levels import explore_level

pytestmark = pytest.mark.jit
TURN = 65536

FOLDER = Path(__file__).with_name("walked")
BROKEN = {  # level -> kind, line, words of the message, words of the cure
    "island": (
        FindingKind.FALL,
        5,
        ("over its edge at (0.0, -2.0)", "(-2.0, -2.0) and (2.0, 2.0)"),
        "`intended: [fall]`",
    ),
    "hole": (FindingKind.FALL, 6, ("over its edge at (1.",), "put ground below"),
    "pit": (FindingKind.PIT, 7, ("a player cannot get out at (", "4.0 m2, 2.0 m deep"), "`intended: [pit]`"),
    "basin": (FindingKind.PIT, 7, ("a player cannot get out of the water at (",), "`intended: [pit]`"),
    "stuck": (FindingKind.STUCK, 11, ("a player gets stuck at (",), "`intended: [pit]`"),
    "vault": (FindingKind.UNREACHED, 6, ("no player can reach 12 m2",), "`intended: [unreached]`"),
}
BARRED = {  # level whose goal is not reached -> what `check` says of that
    "door": "the opening is 0.47 m wide: a player cannot pass",
    "crawl": "the opening is 1.05 m high, too low to stand: a player cannot pass",
    "slope": "a slope of 46.4 degrees cannot be walked up",
    "ledge": "the step up to it is 1.52 m high",
}
FIXED = [*(f"{name}_mended" for name in BROKEN), "cell_mended", "solid", "pool", "open_island"]
QUICK = {"island", "pit", "door_mended"}
broken, fixed = (
    pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.full) for n in names])
    for names in (BROKEN, FIXED)
)


@cache
def walked(name: str) -> BotReport:
    """The bots' report on a level of the folder."""
    return explore_level(load(FOLDER / f"{name}.yaml"))


def only(name: str) -> BotFinding:
    told = walked(name).findings
    assert len(told) == 1, [one.kind for one in told]
    return told[0]


def shown(name: str, tmp_path: Path) -> tuple[World, list[object], list[np.ndarray]]:
    """The world after the finding's own commands file, its events and the feet after each tick."""
    path = tmp_path / "shown.commands"
    path.write_text(only(name).commands, encoding="utf-8")
    script = command_script.read_script(path)
    world = World(load(FOLDER / f"{name}.yaml"))
    events: list[object] = []
    feet = []
    for _, command in zip(range(script.ticks), script.commands(world.start.heading), strict=False):
        events += world.step(command)
        feet.append(np.array(world.walker_state.feet))
    return world, events, feet


@broken
def test_each_fault_gives_one_finding_at_its_line_in_words(name):
    found, (kind, line, words, cure) = only(name), BROKEN[name]
    assert (found.kind, found.place.line) == (kind, line)
    assert walked(name).is_complete
    writer = BotFindingWriter(load(FOLDER / f"{name}.yaml"))
    finding = writer.finding(found)
    assert (finding.severity, finding.line, finding.kind) == ("warning", line, kind.value)
    assert finding.file.endswith(f"{name}.yaml")
    assert finding.excerpt
    for part in words:
        assert part in finding.message
    assert cure in finding.cure
    assert writer.commands_file(found) == f"# {finding.where}: {finding.message}\n{found.commands}"


@pytest.mark.parametrize(
    ("piece", "height", "cure"),
    [
        (1, 0.9, "make it over 1.4 m high"),
        (1, 0.0, "the player leaves below its top, at an opening or an end of it: close that over 1.4 m high"),
        (0, 0.0, "add a wall or rail over 1.4 m high"),
        (2, 0.0, "add a wall or rail over 1.4 m high"),
    ],
)
def test_a_low_rail_is_to_be_made_higher_and_its_open_end_closed(piece, height, cure):
    text = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
    beam = "  - box: {from: [-0.2, -0.1, -20], to: [0.2, 0, -9]}\n"
    level = load(text=f"{text}  - box: {{from: [-9, 0, -9], to: [9, 0.9, -8.8]}}\n{beam}")
    fall = FallDetails((0.0, 0.0), (1.0, 0.0), None)
    found = BotFinding(FindingKind.FALL, level.origins[piece].place, "", fall, (0.0, height, -9.0))
    assert BotFindingWriter(level).finding(found).cure.startswith(cure)


@pytest.mark.parametrize("name", ["slope", *(pytest.param(n, marks=pytest.mark.full) for n in BARRED if n != "slope")])
def test_what_bots_do_not_reach_has_its_reason_in_the_check(name):
    assert not any(answer.is_reached for answer in walked(name).goal_answers)
    assert any(BARRED[name] in finding.message for finding in check(FOLDER / f"{name}.yaml"))


def test_a_finding_holds_what_was_measured():
    pit = only("pit").details
    assert (pit.area, pit.depth) == pytest.approx((4.0, 2.0), abs=0.05)
    assert not pit.in_water
    assert only("island").details.low == pytest.approx((-2.0, -2.0), abs=0.1)


@pytest.mark.full
@fixed
def test_a_fixed_level_has_no_findings(name):
    assert walked(name).findings == ()
    assert walked(name).is_complete


@pytest.mark.parametrize("name", ["island", pytest.param("hole", marks=pytest.mark.full)])
def test_the_walk_of_a_fall_falls(name, tmp_path):
    _, events, _ = shown(name, tmp_path)
    assert [event.reason for event in events if isinstance(event, Respawned)] == ["fell"]


def test_the_walk_into_the_pit_ends_where_restless_walking_does_not_lead_out(tmp_path):
    world, events, feet = shown("pit", tmp_path)
    assert not events
    assert feet[-1][1] < -1.9
    walker = world.walker
    for seed in range(3):
        states = walker.run(world.walker_state, wander(walker, 2000, seed), world.mesh)
        assert states["position"][:, 1].max() < 0.9 - 0.5  # the centre; upright on the ground it is at 0.9


@pytest.mark.full
def test_the_walk_that_gets_stuck_ends_where_no_key_helps(tmp_path):
    world, events, _ = shown("stuck", tmp_path)
    assert not events
    walker, state = world.walker, world.walker_state
    for heading in range(0, TURN, TURN // 8):
        for keys in ({}, {"jump": np.arange(60) % 20 == 1}, {"crouch": True}):
            rows = walker.commands(forward=np.ones(60), heading=heading, **keys)
            way = walker.run(state, rows, world.mesh)["position"] - np.array(state.position)
            assert np.hypot(way[:, 0], way[:, 2]).max() < 0.3


@broken
def test_a_walk_is_short(name):
    most = {"island": 2, "pit": 3}.get(name, 8)  # to the island: one way ahead, the fall
    assert only(name).commands.count("\n") <= most


@pytest.mark.full
def test_a_goal_that_nobody_reaches_from_the_first_spawn():
    told = walked("cell").findings
    assert [(one.kind, one.place.line) for one in told] == [("spawn", 5), ("goal", 9)]
    assert 2.0 <= told[1].details.distance < 3.0
    marks = {mark.kind: ticks for mark, ticks in walked("cell").target_ticks}
    assert marks == {"goal": None, "spawn": None}
    spawn, goal = map(BotFindingWriter(load(FOLDER / "cell.yaml")).finding, told)
    assert "no player can get from the first spawn to the spawn '" in spawn.message
    assert "nearest place reached is 2." in goal.message


@pytest.mark.full
def test_an_interrupted_exploration_reports_only_what_was_found():
    def stop(stage: ExplorationStage, part: float, places: int) -> None:
        if stage == ExplorationStage.JUMPING:
            raise KeyboardInterrupt

    walking = LevelExploration(load(FOLDER / "cell.yaml"), progress=stop)
    with pytest.raises(KeyboardInterrupt):
        walking.explore()
    walked = report_exploration(walking)
    assert not walked.is_complete
    assert walked.findings == ()
    assert len(walked.reached) > 40
    walking = LevelExploration(load(FOLDER / "island.yaml"), progress=stop)
    with pytest.raises(KeyboardInterrupt):
        walking.explore()
    assert [one.kind for one in report_exploration(walking).findings] == ["fall"]


def test_an_exploration_that_is_interrupted_at_its_begin_has_a_summary():
    def stop(stage: ExplorationStage, part: float, places: int) -> None:
        if stage == ExplorationStage.FINDING_GROUND:
            raise KeyboardInterrupt

    walking = LevelExploration(load(FOLDER / "cell.yaml"), progress=stop)
    with pytest.raises(KeyboardInterrupt):
        walking.explore()
    walking.is_interrupted = True
    lines = summarise_walk(walking.level, report_exploration(walking))
    assert lines[0].endswith(" m away")
    assert lines[1] == "explored: 0 ticks in 0 tries; the ground was not looked for yet"
    assert lines[2].startswith("the search was not finished: it was interrupted; ")


def test_a_walk_written_down_is_the_same_walk():
    rng = random.Random(7)
    walker = Walker()
    for start in (0, 5461, 40_001):
        walk = moves.merge_equal_steps(
            moves.HeldKeys(
                rng.randrange(1, 40),
                rng.choice([rng.randrange(TURN), 4096 * rng.randrange(16)]),
                rng.choice([0.0, 1.0]),
                rng.choice([0.0, 1.0]),
                rng.randrange(8),
            )
            for _ in range(60)
        )
        read = command_script.parse_script(moves.script_text(walk, start)).rows(walker, start)
        rows = moves.walk_command_rows(walk)
        for name in ("forward", "strafe", "buttons"):
            np.testing.assert_array_equal(read[name], rows[name])
        np.testing.assert_array_equal(read["heading"] % TURN, rows["heading"] % TURN)
