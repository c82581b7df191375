"""Pieces with faces of their own: floors, walls, stairs and the like."""

from __future__ import annotations

from .common import DOOR, HOLE, ROOM_DOOR, ROOM_WINDOW, TILE, TO_COMMON, WINDOW, openings
from .fields import Field, Kind, Record, facing, foot, length, surface

QUAD = Record(
    "quad",
    "Four corners in one plane, convex, in order around the rim; counter-clockwise as seen from its front.",
    (
        Field("corners", Kind.CORNERS, "The four corners.", unit="m", required=True, least=4, most=4),
        *TO_COMMON,
    ),
    "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 1, -4], [0, 1, -4]]}",
)
TRIANGLE = Record(
    "triangle",
    "Three corners; counter-clockwise as seen from its front.",
    (
        Field("corners", Kind.CORNERS, "The three corners.", unit="m", required=True, least=3, most=3),
        *TO_COMMON,
    ),
    "triangle: {corners: [[0, 0, 0], [4, 0, 0], [0, 0, -4]]}",
)
FLOOR = Record(
    "floor",
    "A level rectangle to stand on.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The corner across.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its top.", 0.0, "m"),
        length("thickness", "How far it reaches down, as a slab; 0 is a sheet.", 0.0, low=0.0),
        Field("holes", Kind.RECORDS, "Holes in it, for stairs to come up through.", record=HOLE, most=16),
        TILE,
        *TO_COMMON,
    ),
    "floor: {from: [-20, -20], to: [20, 20]}",
)
WALL = Record(
    "wall",
    "An upright wall along a line on the plan, with doorways and windows.",
    (
        Field("from", Kind.PLAN, "Where its middle line begins.", unit="m", required=True),
        Field("to", Kind.PLAN, "Where it ends.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its foot.", 0.0, "m"),
        length("height", "From foot to top.", 3.0),
        length("thickness", "Half of it to either side of the line.", 0.2),
        *openings(DOOR, WINDOW),
        TILE,
        *TO_COMMON,
    ),
    "wall: {from: [0, 0], to: [6, 0], doors: [{at: 2}], windows: [{at: 4.5}]}",
)
BOX = Record(
    "box",
    "A block between two opposite corners.",
    (
        Field("from", Kind.POINT, "One corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The corner across.", unit="m", required=True),
        facing("Turns it about its middle, counter-clockwise seen from above."),
        surface("top_surface", "What its top is made of; as `surface` where not given."),
        TILE,
        *TO_COMMON,
    ),
    "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30}",
)
ROOM = Record(
    "room",
    "Four walls, a floor, a ceiling that is also its roof; `from` and `to` measure the clear space inside.",
    (
        Field("from", Kind.POINT, "One inner corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The inner corner across.", unit="m", required=True),
        length("thickness", "Of walls and roof, outwards.", 0.2),
        Field(
            "floor",
            Kind.FLAG,
            "Whether it has a floor of its own; left out where one lies at that height.",
            True,
        ),
        Field("ceiling", Kind.FLAG, "Whether it has a ceiling and a roof.", True),
        *openings(ROOM_DOOR, ROOM_WINDOW),
        Field("holes", Kind.RECORDS, "Holes in the ceiling.", record=HOLE, most=16),
        surface("floor_surface", "What its floor is made of; as `surface` where not given."),
        surface("wall_surface", "What the inside of its walls is made of; as `surface` where not given."),
        surface("ceiling_surface", "What its ceiling is made of; as `surface` where not given."),
        surface("roof_surface", "What its roof is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}",
)
STAIRS = Record(
    "stairs",
    "A straight flight, closed below down to its foot.",
    (
        foot("Middle of the foot of the first riser."),
        facing("Where it climbs towards."),
        Field(
            "steps",
            Kind.INTEGER,
            "How many risers; the last tread is that many rises above the foot.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("run", "Depth of one tread.", 0.30, high=100),
        length("width", "From side to side.", 1.2),
        Field("open", Kind.FLAG, "Treads only, with air between and below.", False),
        surface("side_surface", "What risers and sides are made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}",
)
SPIRAL_STAIRS = Record(
    "spiral_stairs",
    "Steps that wind around a column, closed below by the next turn's underside only.",
    (
        foot("Foot of the column's axis."),
        facing("From the axis towards the first riser, which one comes to from the side away from the climb."),
        Field(
            "steps",
            Kind.INTEGER,
            "How many treads; the last is that many rises above the foot.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("radius", "From the axis to the outer edge.", 1.6),
        length("column", "Radius of the column.", 0.25),
        Field(
            "turn",
            Kind.NUMBER,
            "One tread's angle; positive climbs counter-clockwise seen from above.",
            24.0,
            "degrees",
            -90,
            90,
        ),
        length("thickness", "Of a tread; under the rise leaves gaps between treads.", 0.2, high=10),
        length("rail", "Height of a thin parapet along the outer edge; 0 is none.", 0.0, low=0.0, high=10),
        surface("column_surface", "What the column is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 20, radius: 1.6, turn: 24, rail: 0.9}",
)
RAMP = Record(
    "ramp",
    "A slope, closed below down to its foot.",
    (
        foot("Middle of the foot of the slope."),
        facing("Where it climbs towards."),
        length("length", "Measured on the level.", None, low=0.05),
        length("rise", "How high it climbs.", None),
        length("width", "From side to side.", 1.2),
        Field("open", Kind.FLAG, "A slab 0.1 m thick, with air below.", False),
        surface("side_surface", "What its sides and back are made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2}",
)
PILLAR = Record(
    "pillar",
    "An upright prism with a regular outline.",
    (
        foot("Middle of its foot."),
        length("radius", "To its corners.", 0.3),
        length("height", "From foot to top.", 3.0),
        Field("sides", Kind.INTEGER, "How many; the first faces `facing`.", 12, "", 3, 64),
        facing("Where the middle of its first side looks."),
        *TO_COMMON,
    ),
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}",
)
ARCH = Record(
    "arch",
    "A wall along a line on the plan with one round-headed opening.",
    (
        Field("from", Kind.PLAN, "Where its middle line begins.", unit="m", required=True),
        Field("to", Kind.PLAN, "Where it ends.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its foot.", 0.0, "m"),
        length("height", "From foot to top.", 3.5),
        length("thickness", "Half of it to either side of the line.", 0.4),
        Field(
            "at",
            Kind.NUMBER,
            "Middle of the opening along the line; the middle of it where not given.",
            None,
            "m",
        ),
        length("width", "Clear width of the opening.", 1.6),
        length("spring", "Height where the round head begins; its top is half the width higher.", 2.0),
        Field("segments", Kind.INTEGER, "Straight parts of the round head.", 12, "", 2, 32),
        surface("inner_surface", "What the inside of the opening is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2}",
)

SHAPES = (FLOOR, WALL, BOX, ROOM, STAIRS, SPIRAL_STAIRS, RAMP, PILLAR, ARCH)
PLAIN = (QUAD, TRIANGLE)
