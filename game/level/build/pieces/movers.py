"""The piece that moves others: mover."""

from __future__ import annotations

from ...format.records import RecordValues
from ...geometry.instance_transform import PlacedMarker
from ..entities.movers import MoverSpec

UP_AXIS = (0.0, 1.0, 0.0)


def make_mover_marker(values: RecordValues, origin: int) -> PlacedMarker:
    """The mark of a mover: how it goes, in its own directions."""
    axis = values.point("axis")
    moving = MoverSpec(
        values.text("name"),
        values.corners("path") if values.is_given("path") else (),
        values.number("seconds"),
        values.number("pause"),
        values.flag("ease"),
        values.text("onwards") == "loop",
        axis if any(axis) else UP_AXIS,
        values.number("swing"),
        values.number("spin"),
        values.number("phase"),
    )
    return PlacedMarker("mover", moving, (0.0, 0.0, 0.0), 0.0, origin)
