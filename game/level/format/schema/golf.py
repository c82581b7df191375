"""Golf: the holes of a course and what belongs to them."""

from __future__ import annotations

from .fields import Field, Kind, Record, length, surface

GOLF_HOLE = Record(
    "hole",
    "One golf hole, from tee to cup.",
    (
        Field("tee", Kind.PLAN, "Start of the ball, on the highest ground there.", unit="m",
              required=True),
        Field("cup", Kind.PLAN, "A point in the cup. The cup is one of the `cups` of a terrain.", unit="m",
              required=True),
        Field("par", Kind.INTEGER, "Strokes that a good player needs.", 3, "", 1, 20),
        Field("name", Kind.TEXT, "Name of the hole."),
    ),
    "{tee: [0, 0], cup: [3, -40], par: 3, name: The meadow}",
)  # fmt: skip
GOLF = Record(
    "golf",
    "Golf: walk to the ball, look where you want it to go, hold `use` to set the strength, release to strike.",
    (
        Field("holes", Kind.RECORDS, "The holes in playing order.", record=GOLF_HOLE,
              required=True, least=1, most=18),
        surface("water", "Surface that returns a ball to its last spot, with a penalty stroke."),
        Field("bounds", Kind.CORNERS, "Two corners of the course; a ball outside returns, with a penalty stroke.",
              unit="m", least=2, most=2),
        length("radius", "Radius of the ball.", 0.06, low=0.01, high=1),
        Field("strength", Kind.NUMBER, "Ball speed of the strongest stroke.", 20.0, "m/s", 1, 60),
    ),
    "{holes: [{tee: [0, 0], cup: [3, -40], par: 3}], water: pond}",
)  # fmt: skip
