"""Every expectation holds and fails where a plain loop over the same walk says so, at the same tick."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from game.level import load
from game.level.format.level_tests.level_test import CountExpectation, CountKind, InsideCondition
from game.sim import HoledOut, Respawned, World, command_script
from game.sim.events import CheckpointReached, GoalReached, RespawnReason, TargetReached
from game.testing import expectations, run_test
from tests.testing.conftest import WALK, YARD, level_with

TICKS, RATE = 400, 60.0


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """Feet, ground, surfaces below and events of the walk, tick by tick, without anything of `game.testing`."""
    world = World(load(level_with(tmp_path_factory.mktemp("yard"), "")))
    feet, grounded, events = [world.walker_state.feet], [world.walker_state.grounded], []
    touched = [set()]
    for command, _ in zip(command_script.parse_script(WALK).commands(0), range(TICKS), strict=False):
        events += [(world.tick, event) for event in world.step(command)]
        feet.append(world.walker_state.feet)
        grounded.append(world.walker_state.grounded)
        level = world.level
        touched.append({level.surfaces[level.surface_index[c.triangle]].name for c in world.trace.contacts})
    return SimpleNamespace(feet=feet, grounded=grounded, events=events, touched=touched)


def first(flags, start=0):
    return next(tick for tick, flag in enumerate(flags) if flag and tick >= start)


def event_tick(walked, kind, number=0):
    return [tick for tick, event in walked.events if isinstance(event, kind)][number]


def speeds(walked):
    moves = [0.0]
    for (x, _, z), (a, _, b) in zip(walked.feet, walked.feet[1:], strict=False):
        moves.append(math.hypot(a - x, b - z) * RATE)
    for tick, event in walked.events:
        if isinstance(event, Respawned):
            moves[tick] = 0.0
    return moves


def away(walked, z):
    return [math.dist(feet, (0, 0, z)) for feet in walked.feet]


def on_belt(walked):
    return first("belt" in names for names in walked.touched)


def far(walked, limit):
    return first(speed > limit + 1e-6 for speed in speeds(walked))


def fell(walked):
    return next(t for t, e in walked.events if isinstance(e, Respawned) and e.reason == RespawnReason.FELL)


CASES = {  # expectation, whether it holds, the tick that decides it
    "goal": ("goal: reached", True, lambda w: event_tick(w, GoalReached)),
    "goal in time": ("goal: {within: 5}", True, lambda w: event_tick(w, GoalReached)),
    "goal too late": ("goal: {within: 2}", False, lambda w: 120),
    "goal never": ("goal: never", False, lambda w: event_tick(w, GoalReached)),
    "at": ("at: {point: [0, 0, -4], radius: 0.5}", True, lambda w: first(d <= 0.5 for d in away(w, -4))),
    "at, nowhere": ("at: {point: [3, 0, -4], radius: 0.5}", False, lambda w: TICKS),
    "at the end": ("at: {point: [0, 0, -4], radius: 0.5, end: true}", False, lambda w: TICKS),
    "inside": ("inside: {from: [-1, 0, -5], to: [1, 2, -4]}", True, lambda w: first(-5 <= f[2] <= -4 for f in w.feet)),
    "inside, nowhere": ("inside: {from: [2, 0, -5], to: [3, 2, -4]}", False, lambda w: TICKS),
    "inside a zone": ("inside: first", True, lambda w: first(-3 <= f[2] <= -2 for f in w.feet)),
    "inside a kind": ("inside: {zone: checkpoint, within: 0.2}", False, lambda w: 12),
    "never inside": ("never: {inside: {from: [2, 0, -5], to: [3, 2, -4]}}", True, lambda w: TICKS),
    "never inside, fails": ("never: {inside: second}", False, lambda w: first(-11 <= f[2] <= -10 for f in w.feet)),
    "always at": ("always: {at: {point: [0, 0, 0], radius: 1}}", False, lambda w: first(d > 1 for d in away(w, 0))),
    "always at, holds": ("always: {at: {point: [0, 0, 0], radius: 40}}", True, lambda w: TICKS),
    "always grounded, fails": ("always: {grounded: true}", False, lambda w: first(not g for g in w.grounded)),
    "never in the air": ("never: {grounded: false}", False, lambda w: first(not g for g in w.grounded)),
    "grounded": ("grounded: {at_least: 0.5}", True, lambda w: TICKS),
    "grounded, fails": ("grounded: {at_most: 0.5}", False, lambda w: TICKS),
    "highest": ("highest: {at_most: 0.4}", True, lambda w: TICKS),
    "highest, fails": ("highest: {at_most: 0.2}", False, lambda w: first(f[1] > 0.2 for f in w.feet)),
    "highest, too low": ("highest: {at_least: 2}", False, lambda w: TICKS),
    "speed": ("speed: {at_most: 6.01}", True, lambda w: TICKS),
    "speed, fails on the belt": ("speed: {at_most: 5}", False, lambda w: far(w, 5)),
    "touches": ("touches: [belt]", True, on_belt),
    "touches a piece": ("touches: [Kerb]", True, lambda w: first(f[1] > 0.05 for f in w.feet)),
    "touches, fails": ("touches: [West wall]", False, lambda w: TICKS),
    "never touches": ("never: {touches: [wall]}", True, lambda w: TICKS),
    "never touches, fails": ("never: {touches: [belt]}", False, on_belt),
    "targets": ("targets: 2", True, lambda w: TICKS),
    "targets, all": ("targets: all", True, lambda w: event_tick(w, TargetReached, 1)),
    "targets, in order": ("targets: [red, blue]", True, lambda w: event_tick(w, TargetReached, 1)),
    "targets, another order": ("targets: [blue, red]", False, lambda w: TICKS),
    "targets, too many": ("targets: 1", False, lambda w: event_tick(w, TargetReached, 1)),
    "checkpoints, too few": ("checkpoints: {at_least: 3}", False, lambda w: TICKS),
    "checkpoints": ("checkpoints: [first, second]", True, lambda w: event_tick(w, CheckpointReached, 1)),
    "checkpoints, fails": ("checkpoints: [second, first]", False, lambda w: TICKS),
    "deaths": ("deaths: {at_least: 1}", True, fell),
    "deaths, fails": ("deaths: 0", False, fell),
    "stuck": ("stuck: never", True, lambda w: TICKS),
}  # fmt: skip


@pytest.mark.sample(20)
@pytest.mark.parametrize(("expect", "held", "tick"), CASES.values(), ids=CASES)
def test_each_expectation_is_decided_at_its_tick(expect, held, tick, yard, walked):
    level = yard(f'tests:\n  - name: it\n    walk: ["{WALK}"]\n    expect: {{{expect}}}\n')
    run = run_test(level, level.tests[0])
    (result,) = run.results
    assert (result.held, result.tick) == (held, tick(walked))
    assert run.status == ("passed" if held else "failed")
    assert result.expected
    assert held or result.actual


def test_the_walk_of_these_tests_has_every_kind_of_event(walked):
    kinds = {type(event) for _, event in walked.events}
    assert kinds >= {GoalReached, CheckpointReached, TargetReached, Respawned}
    assert max(speeds(walked)) > 5.5


HOLE = HoledOut(0, 0, "bunker", 3, 3, 1)
STUCK = Respawned(0, RespawnReason.STUCK, (0.0, 0.0, 0.0), None)


@pytest.mark.parametrize(
    ("expectation", "held", "tick"),
    [
        (CountExpectation(CountKind.HOLES, 1, 1), True, 50),
        (CountExpectation(CountKind.HOLES, 2, None), False, 50),
        (CountExpectation(CountKind.HOLES, None, 0), False, 7),
        (CountExpectation(CountKind.HOLES, names=("bunker",)), True, 7),
        (CountExpectation(CountKind.STUCK, None, 0), False, 9),
        (CountExpectation(CountKind.STUCK, 1, None), True, 9),
        (CountExpectation(CountKind.DEATHS, 0, 0), True, 50),
    ],
)
def test_events_are_counted(expectation, held, tick):
    walk = SimpleNamespace(ticks=50, events=[(7, HOLE), (9, STUCK)])
    outcome = expectations.judge(expectation, walk)
    assert (outcome.held, outcome.tick) == (held, tick)


def test_a_zone_that_the_level_does_not_have_has_no_distance(yard):
    assert expectations.distances(InsideCondition(zone="gone"), yard(""), np.zeros((1, 3))) is None


def test_a_mover_is_touched_by_its_name_and_kind(yard):
    mover = (
        "pieces:\n  - mover: {name: lift, at: [0, 1, -4], spin: 1, of: [box: {from: [-3, -0.9, -1], to: [3, 1, 0]}]}"
    )
    walk = 'tests:\n  - {name: it, walk: ["60 forward 1"], expect: {touches: [lift, mover]}}\n'
    level = yard(walk, text=YARD.replace("pieces:", mover))
    assert run_test(level, level.tests[0]).status == "passed"
