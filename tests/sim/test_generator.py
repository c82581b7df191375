"""Courses by a seed: the same for ever, and proven in a world whose doors move."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.level.loader import check_file
from game.physics import Command, Crowd
from game.sim import GoalReached, Respawned, World
from game.sim.bots.ways import field_to
from game.sim.generator.courses import LANE_WIDTH, MAX_DIFFICULTY, TURN, make_course
from game.sim.generator.daily import daily_course
from game.sim.generator.proof import proven_course
from game.sim.replay.fingerprint import level_hash

DIGESTS = {
    (0, 0): "64cfef21d91712ea", (7, 5): "873dcabed15eb63f", (123456789, 10): "951eaedc21f58817",
}  # fmt: skip


@pytest.mark.parametrize(("seed", "difficulty"), DIGESTS)
def test_a_seed_means_the_same_course(seed: int, difficulty: int) -> None:
    text = make_course(seed, difficulty).text
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[seed, difficulty]
    assert f"Course 1-{seed}-{difficulty}" in text


@pytest.mark.parametrize("difficulty", [0, 3, 5, MAX_DIFFICULTY])
def test_a_course_is_proven_in_a_moving_world(difficulty: int) -> None:
    for seed in range(4):
        course, commands = proven_course(seed, difficulty)
        world = World(load(text=course.text))
        events = [event for command in commands for event in world.step(command)]
        assert isinstance(events[-1], GoalReached)
        assert not any(isinstance(event, Respawned) for event in events)
        field = field_to(course.graph, course.level, course.level.goal.at, 1.2)  # type: ignore[union-attr]
        assert 1.0 < field.way_from(course.level.spawns[0].feet).seconds < 60.0
        assert not course.level.findings


DAYS = {  # hash of the level, ticks of the bot
    date(2026, 11, 27): ("ea7d20c5dc8a09d3", 1942),
    date(2027, 1, 1): ("be21c29b6e2d6d08", 1764),
    date(2032, 2, 29): ("d434343ac6fc1740", 2495),
}  # fmt: skip


@pytest.mark.parametrize("day", DAYS)
def test_a_day_has_the_same_course_for_everybody(day: date) -> None:
    daily = daily_course(day.year, day.month, day.day)
    level = load(text=daily.text)
    assert (level_hash(level)[:16], len(daily.commands)) == DAYS[day]
    assert level.name == f"Course of {day}"
    assert not level.findings
    events = [event for world in [World(level)] for command in daily.commands for event in world.step(command)]
    assert isinstance(events[-1], GoalReached)
    assert level.medals is not None
    assert len(daily.commands) / 60.0 < level.medals.gold < level.medals.silver < level.medals.bronze


@pytest.mark.sample(1)
@pytest.mark.parametrize("day", [(2026, 12, 5), (2026, 12, 20), (1, 1, 1)])
def test_the_check_of_a_level_finds_nothing_in_a_course_of_a_day(day: tuple[int, int, int], tmp_path: Path) -> None:
    """Floors beside the lanes end at other heights than the slopes between them."""
    file = tmp_path / "day.yaml"
    file.write_text(daily_course(*day).text)
    assert [finding.render() for finding in check_file(str(file))[0]] == []


def test_nobody_leaves_the_lanes_of_a_day_between_the_posts() -> None:
    level = load(text=daily_course(2026, 11, 24).text)
    world = World(level)
    crowd = Crowd(world.walker, level.mesh, threads=1)
    rows = world.walker.commands([Command(forward=1.0, strafe=k % 3 - 1.0, heading=k * 700) for k in range(94)])
    states = crowd.step([world.walker_state] * len(rows), rows)
    for _ in range(300):
        states = crowd.step(states, rows)
    across, along = states["position"][:, 0], states["position"][:, 2]
    is_in_first = across < LANE_WIDTH + 0.25
    assert ((across > -0.25) & (np.abs(along) < 10.0) & (is_in_first | (along < -10.0 + TURN))).all()
    assert across.max() - across.min() > LANE_WIDTH - 1.0
