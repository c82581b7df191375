"""Pieces that contain other pieces: groups, arrays, prefabs, includes, movers."""

from __future__ import annotations

from ...format.numbers import Angle, Corners, Count, Number, Point, Scale
from ...format.piece_kind import Named, Standing, Turn, groups, ways
from ...format.record_values import Include, Pieces, PrefabName
from ...format.values import Choice, Flag, Surface
from ..entities.movers import MoverSpec

MAX_PATH_POINTS = 100
UP_AXIS = (0.0, 1.0, 0.0)


class Placed(Standing, Named):
    """Pieces that are placed together."""

    at = Point("Position of the origin [0, 0, 0] of its pieces.", (0.0, 0.0, 0.0))
    facing = Angle("Direction the north of its pieces faces.")
    scale = Scale("Scale factor along x, y and z of its pieces.", 1.0, "", 1e-3, 1e3)
    surface = Surface("Surface of those of its pieces that name none. Default: plain grey.")


class Group(Placed):
    """Pieces that are moved, rotated and scaled together."""

    kind = "group"
    example = "group: {at: [5, 0, 0], facing: west, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}"
    new = groups(
        "group: {at: [0, 0, 0], of: [box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}]}",
        hint="Pieces that move together.",
    )
    at, facing, scale, surface = Placed.at, Placed.facing, Placed.scale, Placed.surface
    of = Pieces("The pieces, placed around [0, 0, 0].")


class Array(Standing, Named):
    """Copies of pieces, each moved and rotated relative to the previous one."""

    kind = "array"
    example = "array: {count: 8, turn: 45, of: [pillar: {at: [3, 0, 0]}]}"
    turns = Turn.AS_A_WHOLE
    new = groups(
        "array: {count: 4, step: [1.5, 0, 0], of: [pillar: {at: [0, 0, 0], surface: @}]}",
        "repeat row",
        "Copies in a row.",
    )
    count = Count("Number of copies, including the first.", None, 1, 1_000_000)
    step = Point("Offset from one copy to the next.", (0.0, 0.0, 0.0))
    turn = Number("Rotation from one copy to the next, counter-clockwise seen from above.", 0.0, "degrees", -360, 360)
    around = Point("Centre of rotation of the copies.", (0.0, 0.0, 0.0))
    of = Pieces("The pieces.")


class Place(Placed):
    """A copy of a prefab from `define`."""

    kind = "place"
    example = "place: {what: tower, at: [12, 0, -6], facing: east, scale: 1.5}"
    what = PrefabName("Name of the prefab in `define`.", required=True)


class IncludePiece(Placed):
    """The pieces and surfaces of another level file. Its spawns, goal, exits and sky are ignored."""

    kind = "include"
    example = "include: {file: parts/tower.yaml, at: [12, 0, -6], facing: east}"
    file = Include("Path relative to this file: in the same folder, next to it (`../`) or below it.", required=True)


class Mover(Named):
    """Pieces that move: lifts, doors, spinners, turning rooms. They carry a player who stands on them, push a player in
    their way, and crush a player who has no room left."""

    kind = "mover"
    example = (
        "mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, "
        "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}"
    )
    is_named = True
    relative_points = ("path",)
    new = ways(
        "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 3, pause: 2, "
        "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}",
        "mover elevator platform up",
        "A platform that goes up and down by itself, no higher than the ceiling allows.",
        "lift platform",
    )
    variants = (
        ways(
            "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 0, -6]], seconds: 4, pause: 1, "
            "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}",
            "mover ferry",
            "A platform that goes to and fro.",
            "moving platform",
        ),
    )
    at = Point("Position of the origin [0, 0, 0] of its pieces, which is also the centre of rotation.", (0.0, 0.0, 0.0))
    facing = Angle("Direction the north of its pieces faces.")
    path = Corners("Stops relative to `at`; the first is usually [0, 0, 0].", 1, MAX_PATH_POINTS)
    seconds = Number("Travel time along the whole path, without pauses.", 4.0, "s", 0.05, 3600.0)
    pause = Number("Wait at each stop.", 1.0, "s", 0.0, 3600.0)
    ease = Flag("Whether it speeds up and slows down gradually.", True)
    onwards = Choice(
        "After the last stop: back the same way, or straight to the first stop.",
        ("back_and_forth", "loop"),
        "back_and_forth",
    )
    axis = Point("Axis of rotation as a direction [x, y, z]; [0, 1, 0] is vertical.", UP_AXIS)
    swing = Number(
        "Rotation from the first stop to the last, counter-clockwise seen from the tip of the axis; 90 for a door.",
        0.0, "degrees", -3600.0, 3600.0,
    )  # fmt: skip
    spin = Number("Constant rotation speed.", 0.0, "degrees/s", -720.0, 720.0)
    phase = Number(
        "Time offset at the start. With `starts`, how much of the first pause is left out.", 0.0, "s", 0.0, 3600.0
    )
    starts = Choice(
        "What starts its motion: the level, feet near it (a door), or a player who stands on it (a lift). One that "
        "waits visits its stops once, returns to the first and waits again. Nothing starts it while it moves.",
        ("always", "near", "ridden"),
        "always",
    )
    near = Number(
        "With `starts: near`, and without effect otherwise: how near the feet must come to its box at the first stop.",
        1.5, "m", 0.0, 100.0,
    )  # fmt: skip
    of = Pieces("The pieces, placed around [0, 0, 0]. Signs, lights and zones among them move with it.")

    def motion(self) -> MoverSpec:
        """Its motion, in its own axes."""
        return MoverSpec(
            self.name,
            self.path,
            self.seconds,
            self.pause,
            self.ease,
            self.onwards == "loop",
            self.axis if any(self.axis) else UP_AXIS,
            self.swing,
            self.spin,
            self.phase,
            self.starts,
            self.near,
        )
