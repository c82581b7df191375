"""Failures of `fuzz`: each kind has a meaning, a measure with a unit, and a short line."""

from __future__ import annotations

import pytest

from game.app.commands.fuzz import row_lines
from game.fuzz.failures import describe_failure_measure


@pytest.mark.parametrize(
    ("value", "bound", "unit", "text"),
    [
        (0.0213, 0.01, "m", "0.021 m in one tick, at most 0.010 m"),
        (0.08134, 0.08129, "m", "0.08134 m in one tick, at most 0.08129 m"),
        (2.5, 0.0, "m/s", "2.500 m/s upwards, at most 0.000 m/s"),
        (-0.0041, -0.005, "radii", "0.410 % of the radii, at least 0.500 %"),
        (20.0, 0.0, "ticks", "stands for 20 ticks"),
        (30.0, 30.0, "ticks", "inside a surface for 30 ticks"),
        (16384.0, 0.0, "1/65536 turn", "90.000° off, at most 0.000°"),
        (1.0, 0.0, "", ""),
    ],
)
def test_a_measure_is_written_with_bound_and_unit(value, bound, unit, text):
    assert describe_failure_measure(value, bound, unit) == text


def test_a_failure_has_one_short_line():
    first = {
        "position": [10.69, 1.14, -27.861],
        "value": 0.0213,
        "bound": 0.01,
        "unit": "m",
        "command": {"forward": 1.0, "strafe": -1.0, "heading": 90.0, "pitch": 0.0, "keys": ["jump", "sprint"]},
        "replay": "failures/0-one-slim-air_step-26975d4c.replay",
    }
    row = {
        "level": "golf/one.yaml", "body": "slim", "ticks": 100, "worst_gap": 0.0052, "gap_limit": 0.005, "lost": 0,
        "left": 3, "failures": {"gap": 0, "air step": 5}, "first": {"air step": first},
    }  # fmt: skip
    line, failure = row_lines(row)
    assert line.endswith(
        "  least gap 0.520 % of the radii (must be over 0.500 %)  5 failed; 0 put back, 3 left the level"
    )
    assert failure == (
        "  golf/one.yaml slim, air step: 0.021 m in one tick, at most 0.010 m; at (10.69, 1.14, -27.86); forward 1 "
        "strafe -1 heading 90.00° jump sprint; first of 5; 0-one-slim-air_step-26975d4c.replay"
    )
    row["first"] = {"air step": {**first, "unit": "", "replay": None}}
    row["failures"] = {"air step": 1}
    assert (
        row_lines(row)[1]
        == "  golf/one.yaml slim, air step; at (10.69, 1.14, -27.86); forward 1 strafe -1 heading 90.00° jump sprint"
    )
