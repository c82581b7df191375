"""Times as text."""

import pytest

from game.core.time_format import (
    count_noun,
    format_count,
    format_duration,
    format_result,
    format_strokes,
    format_time,
    format_time_difference,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0:00"), (7.9, "0:07"), (59.999, "0:59"), (60.0, "1:00"), (725.4, "12:05"), (3725.0, "1:02:05")],
)
def test_a_duration_is_rounded_down_to_seconds(seconds, text):
    assert format_duration(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.0, "0:00.00"), (59.996, "1:00.00"), (62.35, "1:02.35")])
def test_a_time_has_no_sixtieth_second(seconds, text):
    assert format_time(seconds) == text


def test_time_differences_and_strokes_are_written_as_text():
    assert [format_time_difference(value) for value in (0.0, -0.52, 62.35)] == ["±0.00", "−0.52", "+1:02.35"]
    assert [format_strokes(count) for count in (1, 2)] == ["1 stroke", "2 strokes"]
    assert [format_result(62.35, strokes) for strokes in (None, 2)] == ["1:02.35", "2 strokes, 1:02.35"]


def test_nouns_are_counted():
    assert [count_noun(count, "gem") for count in (0, 1, 2)] == ["gems", "gem", "gems"]
    assert [count_noun(2, noun) for noun in ("lens", "box", "torch")] == ["lenses", "boxes", "torches"]
    assert [format_count(count, "box") for count in (1, 3)] == ["1 box", "3 boxes"]
