"""Golf: the holes of a course and what belongs to them."""

from __future__ import annotations

from .fields import Field, Kind, Record, length, surface

GOLF_HOLE = Record(
    "hole",
    "One hole of golf, from its tee to its cup.",
    (
        Field("tee", Kind.PLAN, "Where the ball lies first; on whatever ground is highest there.", unit="m",
              required=True),
        Field("cup", Kind.PLAN, "A place in the cup, which is dug into a terrain: see its `cups`.", unit="m",
              required=True),
        Field("par", Kind.INTEGER, "Strokes that a good player needs.", 3, "", 1, 20),
        Field("name", Kind.TEXT, "What the hole is called."),
    ),
    "{tee: [0, 0], cup: [3, -40], par: 3, name: The meadow}",
)  # fmt: skip
GOLF = Record(
    "golf",
    "Golf: walk to the ball, look where it shall fly, hold `use` for strength, let go.",
    (
        Field("holes", Kind.RECORDS, "The holes, in the order in which they are played.", record=GOLF_HOLE,
              required=True, least=1, most=18),
        surface("water", "What a ball that touches it is brought back from, for a stroke more."),
        Field("bounds", Kind.CORNERS, "Two corners of the course; a ball beyond them comes back, for a stroke more.",
              unit="m", least=2, most=2),
        length("radius", "Of the ball; it is drawn as it is.", 0.06, low=0.01, high=1),
        Field("strength", Kind.NUMBER, "How fast the strongest stroke sends the ball.", 20.0, "m/s", 1, 60),
    ),
    "{holes: [{tee: [0, 0], cup: [3, -40], par: 3}], water: pond}",
)  # fmt: skip
