"""Lights and targets: their fields, their transforms in groups and arrays, and their limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from game.level import Finding, Goal, Level, Light, Target
from game.level.build.pieces.piece_builder import MAX_LIGHTS, MAX_TARGETS

Built = Callable[..., Level]
Said = Callable[..., list[Finding]]


def test_a_light_is_what_its_piece_says(built: Built) -> None:
    plain, other = built(
        "light: {at: [1, 2, 3]}",
        'light: {at: [0, 1, 0], colour: "#ff0000", brightness: 2*3, reach: 4, visible: false}',
    ).lights
    assert plain == Light((1, 2, 3), (0xFF / 255, 0xD6 / 255, 0xA0 / 255), 1.0, 8.0)
    assert other == Light((0, 1, 0), (1.0, 0.0, 0.0), 6.0, 4.0, False)


def test_a_target_is_what_its_piece_says(built: Built) -> None:
    level = built("target: {at: [1, 2, 3]}", "target: {at: [0, 1, 0], radius: 2, name: The bell, visible: no}")
    assert level.targets == (Target((1, 2, 3), 0.6), Target((0, 1, 0), 2.0, "The bell", False))


def test_they_go_along_with_what_they_stand_in(built: Built) -> None:
    level = built(
        "group: {at: [10, 1, 0], facing: west, of: [light: {at: [0, 2, -3]}, target: {at: [1, 0, 0]}]}",
        "array: {count: 3, step: [0, 0, -2], turn: 90, of: [target: {at: [1, 1, 0]}]}",
    )
    assert [light.at for light in level.lights] == [pytest.approx((7, 3, 0))]
    places = [(10, 1, -1), (1, 1, 0), (0, 1, -3), (-1, 1, -4)]
    assert [target.at for target in level.targets] == [pytest.approx(place) for place in places]


def test_an_array_of_nothing_but_lights(built: Built) -> None:
    level = built("array: {count: 4, step: [2, 0, 0], of: [light: {at: [0, 3, 0]}]}")
    assert [light.at for light in level.lights] == [(0, 3, 0), (2, 3, 0), (4, 3, 0), (6, 3, 0)]


def test_what_is_scaled_reaches_further_and_lights_as_much_there(built: Built) -> None:
    level = built(
        "group: {scale: 3, of: [light: {at: [0, 1, 0], reach: 5}, target: {at: [1, 1, 0], radius: 0.5}]}",
        "group: {scale: [1, 8, 1], of: [target: {at: [1, 1, 0], radius: 0.5}]}",
    )
    (light,), (first, second) = level.lights, level.targets
    assert (light.at, light.reach, light.brightness) == ((0, 3, 0), 15.0, 9.0)
    assert (first.at, first.radius) == ((3, 3, 0), 1.5)
    assert (second.at, second.radius) == ((1, 8, 0), pytest.approx(0.5 * math.cbrt(8)))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "most"), [("light", MAX_LIGHTS), ("target", MAX_TARGETS)])
def test_no_more_than_a_level_may_have(built: Built, said: Said, kind: str, most: int) -> None:
    row = f"array: {{count: %d, step: [0.01, 0, 0], of: [{kind}: {{at: [499, 1, 500]}}]}}"
    assert said(row % most) == []
    (finding,) = said(row % (most + 1))
    assert finding.severity == "dropped"
    # the piece itself is the first of them
    assert finding.message == f"this needs {most} {kind}s; {most - 1} of the level's {most} are left"
    assert len(getattr(built(row % (most + 1)), f"{kind}s")) == 1


def test_a_goal_after_targets_needs_a_target(built: Built) -> None:
    goal = "goal: {at: [500, 0, 500], radius: 2, after: targets}\n"
    assert [(one.severity, one.where) for one in built(more=goal).findings] == [("warning", "goal.after")]
    whole = built("target: {at: [499, 1, 500]}", more=goal)
    assert (whole.findings, whole.goal) == ((), Goal((500, 0, 500), 2.0, "targets"))


def test_a_pad_that_throws_over_140_km_is_read(built: Built) -> None:
    assert built("pad: {at: [0, 0, 0], to: [100000, 0, 100000], over: 0.05}").zones is not None
