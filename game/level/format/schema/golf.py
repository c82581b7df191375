"""Schema of golf courses and their holes."""

from __future__ import annotations

from .fields import SchemaRecord, ValueKind, length_field

GOLF_HOLE = SchemaRecord(
    "hole",
    "One golf hole, from tee to cup.",
    (
        ValueKind.PLAN.field("tee", "Start of the ball, on the highest ground there.", unit="m", required=True),
        ValueKind.PLAN.field(
            "cup", "A point in the cup. The cup is one of the `cups` of a terrain.", unit="m", required=True
        ),
        ValueKind.INTEGER.field("par", "Strokes that a good player needs.", 3, "", 1, 20),
        ValueKind.TEXT.field("name", "Name of the hole."),
    ),
    "{tee: [0, 0], cup: [3, -40], par: 3, name: The meadow}",
)
GOLF = SchemaRecord(
    "golf",
    "Golf: walk to the ball, look where you want it to go, hold `use` to set the strength, release to strike.",
    (
        ValueKind.RECORDS.field(
            "holes", "The holes in playing order.", record=GOLF_HOLE, required=True, min_count=1, max_count=18
        ),
        ValueKind.SURFACE.field("water", "Surface that returns a ball to its last spot, with a penalty stroke."),
        ValueKind.CORNERS.field(
            "bounds",
            "Two corners of the course; a ball outside returns, with a penalty stroke.",
            unit="m",
            min_count=2,
            max_count=2,
        ),
        length_field("radius", "Radius of the ball.", 0.06, low=0.01, high=1),
        ValueKind.NUMBER.field("strength", "Ball speed of the strongest stroke.", 20.0, "m/s", 1, 60),
    ),
    "{holes: [{tee: [0, 0], cup: [3, -40], par: 3}], water: pond}",
)
