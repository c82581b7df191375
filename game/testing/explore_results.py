"""Evaluation of the expectations of a level test with `bot: explore`.

Thousands of bots walk at once, in the static mesh. Each state of a bot is compared with the expectations. The earliest
walks that decide an expectation are repeated in the complete world, and only what happens there counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ..level import Level
from ..level.format.level_tests.level_test import (
    AtCondition,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    Expectation,
    GoalCondition,
    InsideCondition,
    LevelTest,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
)
from ..sim.bots.exploration import MAX_EXPLORE_TICKS
from ..sim.bots.minimise import WalkMinimiser
from ..sim.bots.moves import BotWalk, MoveAttempt, walk_ticks
from ..sim.bots.search import TargetKind
from ..sim.events import ExitReached, TargetReached
from . import conditions, expectations, walk_inputs
from .errors import LevelTestError
from .expectations import Outcome
from .explorer import ExplorationCache, ExploredProgress, Explorer, is_about_goal, is_watched
from .recorded_walk import TestedWalk

MAX_MINIMISE_TICKS = 30_000  # walked to simplify one walk
FALL_TICKS = 1200  # after a walk of a bot over an edge, until the body has left the level
COUNTED_TARGETS = {CountKind.TARGETS: TargetKind.TARGET, CountKind.EXITS: TargetKind.EXIT}


def check_explorable(expectation: Expectation) -> None:
    """LevelTestError where the bots cannot decide an expectation."""
    if isinstance(expectation, ConditionExpectation | MeasureExpectation) and expectation.window.end:
        raise LevelTestError("`bot: explore` has no end at which it could look", "remove `end`")
    if isinstance(expectation, MeasureExpectation) and None not in (expectation.at_least, expectation.at_most):
        raise LevelTestError("`bot: explore` tests one bound of a quantity", "make two expectations of it")
    if isinstance(expectation, CountExpectation) and not expectation.names:
        if expectation.kind in (*COUNTED_TARGETS, CountKind.DEATHS):
            return
    elif is_watched(expectation) or is_about_goal(expectation):
        return
    raise LevelTestError(
        "`bot: explore` cannot test this expectation",
        "it tests at, inside, goal, grounded: true or false, highest, lowest, speed, targets, exits and deaths; "
        "use a walk, `bot: goal` or `bot: random`",
    )


def check_goal_conditions(level: Level, test: LevelTest) -> None:
    """LevelTestError where bots would have to collect targets or play holes before the goal counts."""
    if any(map(is_about_goal, test.expect)) and level.goal is not None and level.goal.after:
        raise LevelTestError(
            f"the goal waits for all {level.goal.after}, which bots do not collect", "use a walk or a replay"
        )


def judge_exploration(
    level: Level, test: LevelTest, cache: ExplorationCache, progress: ExploredProgress
) -> tuple[list[Outcome], TestedWalk | None, int]:
    """(results of a test with `bot: explore`, the walk of its first failure or else of its first success, ticks that
    all bots walked)."""
    for expectation in test.expect:
        check_explorable(expectation)
    check_goal_conditions(level, test)
    explorer = cache.explore(test, test.expect, progress)
    outcomes: list[Outcome] = []
    walks: list[tuple[bool, TestedWalk]] = []
    for expectation in test.expect:
        outcome, walk = _judge_one(explorer, expectation)
        outcomes.append(outcome)
        if walk is not None:
            walks.append((outcome.held, walk))
    witness = next((walk for held, walk in sorted(walks, key=lambda item: item[0])), None)
    return outcomes, witness, explorer.search.ticks


def _judge_one(explorer: Explorer, expectation: Expectation) -> tuple[Outcome, TestedWalk | None]:
    if isinstance(expectation, CountExpectation) and expectation.kind in COUNTED_TARGETS:
        return _judge_targets(explorer, expectation)
    is_wanted, attempts = _wants_a_witness(expectation), explorer.attempts_for(expectation)
    at_once = (explorer.search.walk_through(attempt) for attempt in attempts)
    waiting = filter(None, map(explorer.wait, attempts))
    for bot_walk in itertools.chain(at_once, waiting):
        extra = FALL_TICKS if isinstance(expectation, CountExpectation) else 1
        walk = repeat_bot_walk(explorer, bot_walk, extra)
        outcome = expectations.judge(expectation, walk, walk.ticks)
        if outcome is not None and outcome.held == is_wanted:
            return (outcome, walk) if is_wanted else _simplify(explorer, expectation, bot_walk, (outcome, walk))
    expected = describe_expectation(expectation, explorer)
    explored = describe_exploration(explorer)
    exploration = explorer.exploration
    if not is_wanted and not exploration.is_complete and exploration.max_ticks < MAX_EXPLORE_TICKS:
        return Outcome(
            False, 0, expected, f"not decided: {explored}, all that the test allows; leave out its length"
        ), None
    if not is_wanted:
        return Outcome(True, 0, expected, f"no bot showed otherwise: {explored}"), None
    if attempts and is_about_goal(expectation):
        walk = repeat_bot_walk(explorer, explorer.search.walk_through(attempts[0]), 1)
        seconds = conditions.describe_number((walk.ticks - 1) / walk.ticks_per_second)
        actual = f"the fastest bot is at the goal after {seconds} s: {explored}"
        if _is_blocked(explorer, attempts):
            actual = f"reached, but not while the movers move: without them {actual}"
        return Outcome(False, walk.ticks, expected, actual), walk
    if isinstance(expectation, MeasureExpectation) and expectation.kind != MeasureKind.SPEED:
        place = explorer.extreme_place(highest=expectation.kind == MeasureKind.HIGHEST)
        walk = repeat_bot_walk(explorer, explorer.search.walk_to(place), 1)
        actual = f"no bot did: {explored}; the {expectation.kind} is {conditions.describe_position(walk.feet[-1])}"
        return Outcome(False, walk.ticks, expected, actual), walk
    point = _wanted_point(expectation, explorer.level)
    if point is None:
        return Outcome(False, 0, expected, f"no bot did: {explored}"), None
    if _is_blocked(explorer, attempts):
        walk = repeat_bot_walk(explorer, explorer.search.walk_through(attempts[0]), 1)
        return Outcome(False, walk.ticks, expected, f"reached, but not while the movers move: {explored}"), walk
    walk = repeat_bot_walk(explorer, explorer.search.walk_to(explorer.nearest_place(point)), 1)
    feet = walk.feet[-1]
    away = float(np.linalg.norm(feet - np.array(point)))
    nearest = conditions.describe_position(feet)
    actual = f"no bot got there: {explored}; the nearest place {nearest} is {away:.2f} m away"
    return Outcome(False, walk.ticks, expected, actual), walk


def _is_blocked(explorer: Explorer, attempts: Sequence[MoveAttempt]) -> bool:
    """Whether bots found a way in the static mesh, which no wait opens in the world with its movers."""
    return bool(attempts and explorer.level.movers) and explorer.wait(attempts[0]) is None


def _simplify(
    explorer: Explorer, expectation: Expectation, bot_walk: BotWalk, found: tuple[Outcome, TestedWalk]
) -> tuple[Outcome, TestedWalk]:
    """A shorter walk of a bot that also fails the expectation in the world; the found walk if there is none."""
    watch = next((watch for one, watch in explorer.watches if one is expectation), None)
    if watch is None:
        return found
    start = explorer.exploration.world.walker_state
    minimiser = WalkMinimiser(explorer.search, start, MAX_MINIMISE_TICKS)
    shorter = minimiser.minimise(bot_walk, watch.shows)
    if len(shorter) >= len(bot_walk):
        return found
    walk = repeat_bot_walk(explorer, shorter, 1)
    outcome = expectations.judge(expectation, walk, walk.ticks)
    return found if outcome is None or outcome.held else (outcome, walk)


def _wants_a_witness(expectation: Expectation) -> bool:
    """True if one walk is enough for the expectation to hold; False if one walk is enough for it to fail."""
    if isinstance(expectation, ConditionExpectation):
        return expectation.occurrence == Occurrence.SOMETIMES
    if isinstance(expectation, MeasureExpectation):
        return (expectation.at_least if expectation.kind == MeasureKind.LOWEST else expectation.at_most) is None
    return isinstance(expectation, CountExpectation) and expectation.at_most is None and bool(expectation.at_least)


def _wanted_point(expectation: Expectation, level: Level) -> tuple[float, float, float] | None:
    condition = expectation.condition if isinstance(expectation, ConditionExpectation) else None
    if isinstance(condition, AtCondition):
        return condition.point
    if isinstance(condition, InsideCondition):
        if condition.low is not None and condition.high is not None:
            x, y, z = ((low + high) / 2 for low, high in zip(condition.low, condition.high, strict=True))
            return x, y, z
        return next((zone.centre for zone in conditions.zones_named(level, condition.zone)), None)
    return level.goal.at if isinstance(condition, GoalCondition) and level.goal is not None else None


def _judge_targets(explorer: Explorer, expectation: CountExpectation) -> tuple[Outcome, TestedWalk | None]:
    """The number of targets or exits that some bot reached, in the world too."""
    kind = COUNTED_TARGETS[expectation.kind]
    witness: TestedWalk | None = None
    reached: set[int] = set()
    for number, attempt in explorer.attempts_by_target(kind).items():
        walk = repeat_bot_walk(explorer, explorer.search.walk_through(attempt), 1)
        if number not in _reached_targets(walk, kind) and (waiting := explorer.wait(attempt)) is not None:
            walk = repeat_bot_walk(explorer, waiting, 1)
        if number in _reached_targets(walk, kind):
            reached.add(number)
            witness = walk
        witness = witness or walk
    count, low, high = len(reached), expectation.at_least, expectation.at_most
    held = (low is None or count >= low) and (high is None or count <= high)
    missed = [
        target.name or f"number {target.number + 1}"
        for target in explorer.search.targets
        if target.kind == kind and target.number not in reached
    ]
    actual = f"the bots reached {count}" + (f", not {', '.join(missed)}" if missed else "")
    expected = expectations.describe_count(expectation)
    return Outcome(
        held, 0 if witness is None else witness.ticks, expected, f"{actual}: {describe_exploration(explorer)}"
    ), witness


def _reached_targets(walk: TestedWalk, kind: TargetKind) -> set[int]:
    """Indices, in the level's list of a kind, of the targets or exits that a walk reached."""
    level, happened = walk.world.level, [event for _, event in walk.events]
    if kind == TargetKind.EXIT:
        exits = [event.exit for event in happened if isinstance(event, ExitReached)]
        return {k for k, exit_ in enumerate(level.exits) if any(exit_ is one for one in exits)}
    targets = [event.target for event in happened if isinstance(event, TargetReached)]
    return {k for k, target in enumerate(level.targets) if any(target is one for one in targets)}


def repeat_bot_walk(explorer: Explorer, walk: BotWalk, extra: int) -> TestedWalk:
    """The walk of a bot repeated in the world, with `extra` ticks of standing still after it."""
    plan = walk_inputs.plan_bot_walk(explorer.level, explorer.spawn, walk)
    recorded = TestedWalk(plan.world, walk_ticks(walk) + extra)
    for _ in range(walk_ticks(walk) + extra):
        recorded.step(next(plan.inputs))
    return recorded


def describe_expectation(expectation: Expectation, explorer: Explorer) -> str:
    """Description of an expectation with `bot: explore`."""
    rate = explorer.exploration.world.settings.ticks_per_second
    if isinstance(expectation, ConditionExpectation):
        if isinstance(expectation.condition, GoalCondition) and expectation.occurrence == Occurrence.SOMETIMES:
            return f"somebody can reach the goal{expectations.describe_window(expectation.window, rate)}"
        who = {Occurrence.SOMETIMES: "somebody can be", Occurrence.NEVER: "nobody can be", Occurrence.ALWAYS: "all are"}
        words = conditions.describe_condition(expectation.condition)
        window = expectations.describe_window(expectation.window, rate)
        return f"{who[expectation.occurrence]} {words}{window}"
    if isinstance(expectation, CountExpectation):
        return expectations.describe_count(expectation)
    assert isinstance(expectation, MeasureExpectation)
    return expectations.describe_measure(expectation, rate)


def describe_exploration(explorer: Explorer) -> str:
    """Description of how much was explored."""
    search = explorer.search
    words = f"{len(search.places.place_by_cell)} places, {search.attempt_count} tries"
    return words if explorer.exploration.is_complete else f"{words}, stopped after {search.ticks} ticks"
