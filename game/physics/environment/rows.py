"""Rows of the arrays of zones and movers: what their columns mean."""

from __future__ import annotations

from typing import ClassVar

from ..numerics.constants import constants


@constants
class keyframe:
    """Columns of a keyframe row (float64): one piece of the period of a mover's path."""

    START = 0  # s since the beginning of the period
    DURATION = 1  # s
    EASE = 2  # 1.0: starts and stops gently (smoothstep); 0.0: constant speed
    FROM = 3  # 3: m from home
    TO = 6  # 3: m from home
    ANGLE_FROM = 9  # heading units about the mover's axis
    ANGLE_TO = 10
    WIDTH = 11


@constants
class motion_row:
    """Columns of a motion row (float64): path, rotation and bounds of one mover."""

    FIRST_KEYFRAME = 0  # row of the keyframes
    KEYFRAME_COUNT = 1  # 0: no path
    PERIOD = 2  # s
    PHASE = 3  # s
    TICKS_PER_SECOND = 4
    AXIS = 5  # 3: unit vector of the rotation
    SPIN = 8  # heading units per second
    HOME = 9  # 3: m
    BOUNDS = 12  # 6: least and greatest corner of the world box that the mover never leaves, m
    MAX_SPEED = 18  # m/s, of its origin
    MAX_ANGULAR_SPEED = 19  # rad/s
    RADIUS = 20  # m: from its origin to its furthest corner
    FIRST_NODE = 21  # ranges of the mover in the joined mesh arrays; ends are exclusive
    END_NODE = 22
    FIRST_TRIANGLE = 23
    END_TRIANGLE = 24
    WAITS_FOR = 25  # ALWAYS, NEAR or RIDDEN
    START = 26  # tick at which a mover that waits was last set off, or `motion.AT_HOME`; 0 for others
    NEAR_BOX = 27  # 6: least and greatest corner of the box in which feet set it off, m
    WIDTH = 33

    # Values of WAITS_FOR
    ALWAYS = 0  # it moves from tick 0 on
    NEAR = 1  # it waits at its first stop for feet in its box
    RIDDEN = 2  # it waits there for a body that stands on it


@constants
class pose:
    """Columns of a pose (float64) from the frame of a mover to the world: x_world = rotation x_own + position."""

    R00, R01, R02 = 0, 1, 2  # rotation: row, column
    R10, R11, R12 = 3, 4, 5
    R20, R21, R22 = 6, 7, 8
    POSITION = 9  # 3: m
    WIDTH = 12


@constants
class zone_row:
    """Columns of a zone row (float64): an oriented box and its effects."""

    CENTRE = 0  # 3: m
    HALF_SIZES = 3  # 3: m, along its own east, up and south
    SIN_HEADING = 6
    COS_HEADING = 7
    EFFECTS = 8  # bits, below
    UP = 9  # 3: unit vector against its gravity
    STRENGTH = 12  # factor of the walker's gravity
    CURRENT = 13  # 3: m/s
    HOLD = 16  # part of the current that moves a body on the ground, 0..1
    DRAG = 17  # 1/s
    BUOYANCY = 18  # 1 carries a body that is wholly under water
    CLIMB = 19  # 3: unit vector towards the ladder
    LAUNCH = 22  # 3: m/s
    BOUNDS = 25  # 6: least and greatest corner of its axis-aligned box, m
    REMAINING_BOUNDS = 31  # 6: the same of this zone and all after it
    VELOCITY = 37  # 3: m/s, of a zone that a mover carries; 0 for others
    ADDED = 40  # columns from here on have come later: 0 in a zone without the effect, so that hashes of levels stay
    WIDTH = 40

    # Bits of EFFECTS
    HAS_GRAVITY = 1 << 0
    HAS_CURRENT = 1 << 1
    IS_WATER = 1 << 2
    IS_LADDER = 1 << 3
    IS_LAUNCH_PAD = 1 << 4

    # Columns and bits of the fields of a Zone. The directions `down` (to UP) and `climb` become unit vectors.
    NUMBER_COLUMNS: ClassVar = {"strength": STRENGTH, "hold": HOLD, "drag": DRAG, "buoyancy": BUOYANCY}
    VECTOR_COLUMNS: ClassVar = {"down": UP, "current": CURRENT, "climb": CLIMB, "launch": LAUNCH}
    FIELD_EFFECTS: ClassVar = {
        "down": HAS_GRAVITY, "current": HAS_CURRENT, "water": IS_WATER, "climb": IS_LADDER, "launch": IS_LAUNCH_PAD,
    }  # fmt: skip


@constants
class carried_row:
    """Columns of a zone that a mover carries (float64)."""

    ROW = 0  # of the zone
    MOVER = 1  # its index
    HOME = 2  # 3: origin of the mover at home, m
    REST = 5  # zone_row.WIDTH: the row of the zone with the mover at home
    WIDTH = REST + zone_row.WIDTH
