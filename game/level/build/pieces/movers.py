"""The piece that moves others: mover."""

from __future__ import annotations

from ...format.records import Values
from ...geometry.instance_transform import Mark
from ..entities.movers import Moving

UPRIGHT = (0.0, 1.0, 0.0)


def moving_mark(values: Values, origin: int) -> Mark:
    """The mark of a mover: how it goes, in its own directions."""
    axis = values.point("axis")
    moving = Moving(
        values.text("name"),
        values.corners("path") if values.given("path") else (),
        values.number("seconds"),
        values.number("pause"),
        values.flag("ease"),
        values.text("onwards") == "loop",
        axis if any(axis) else UPRIGHT,
        values.number("swing"),
        values.number("spin"),
        values.number("phase"),
    )
    return Mark("mover", moving, (0.0, 0.0, 0.0), 0.0, origin)
