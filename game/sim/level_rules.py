"""The rules of a level file as its kernel takes them (`physics.rules`), and the up direction at a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import Floats, Point
from ..level.build.entities.zones import CIRCLE_ROUNDING, RunRole
from ..level.geometry.instance_transform import exact_sin_cos
from ..physics import Environment, WalkerSettings, WalkerState, rules
from ..physics.environment.rows import motion_row, zone_row
from ..physics.environment.zones import Zones, depth_inside_zone, transport_north, zone_effects
from ..physics.rules import LevelRules

if TYPE_CHECKING:
    from ..level import Level
    from ..level.build.entities.zones import LevelZone

SAFE_GROUND_SECONDS = 0.5  # s on ground that make a place safe; with less, a ledge would be kept
REPEATED_FALL_SECONDS = 5.0  # s: after a fall so soon the respawn place is no good, so the spawn is used
DEFAULT_UP_NORTH: tuple[Point, Point] = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def rule_zones(level: Level) -> list[LevelZone]:
    """The zones of a level that have rules, in the order of `LevelRules.boxes`."""
    roles = (RunRole.CHECKPOINT, RunRole.KILL, RunRole.TELEPORT)
    return [zone for role in roles for zone in level.all_zones if zone.facts.role is role]


def make_rules(level: Level, settings: WalkerSettings, around: Environment | None, start: WalkerState) -> LevelRules:
    """The rules of a level for walkers with these settings. start: at the spawn."""
    movers = None if around is None else around.movers
    zones, rate, numbers = rule_zones(level), settings.ticks_per_second, np.zeros(rules.NUMBER_COUNT)
    numbers[rules.KILL_HEIGHT] = level.kill_height
    numbers[rules.LEVEL_BOX : rules.GOAL_WAITS] = (
        level.mesh.nodes[0] if len(level.mesh) else [-np.inf] * 3 + [np.inf] * 3
    )
    numbers[rules.GOAL_WAITS] = level.goal is not None and level.goal.after == "targets"
    numbers[rules.SAFE_TICKS] = max(1, round(SAFE_GROUND_SECONDS * rate))
    numbers[rules.RELAPSE_TICKS] = REPEATED_FALL_SECONDS * rate
    numbers[rules.FIRST_KILL] = sum(zone.facts.role is RunRole.CHECKPOINT for zone in zones)
    numbers[rules.FIRST_TELEPORT] = sum(zone.facts.role is not RunRole.TELEPORT for zone in zones)
    numbers[rules.GOAL] = len(level.targets)
    boxes = np.zeros((len(zones), rules.BOX_WIDTH))
    for box, zone in zip(boxes, zones, strict=True):
        (a, _, d), turn = zone.half, exact_sin_cos(zone.heading * 360.0 / HEADING_UNITS_PER_TURN)
        box[rules.CENTRE : rules.CIRCLE] = *zone.centre, *zone.half, *turn
        box[rules.CIRCLE] = CIRCLE_ROUNDING * (a * a + d * d)
        box[rules.MOVER] = -1 if movers is None else zone.mover
        if movers is not None and zone.mover >= 0:
            box[rules.HOME : rules.HAS_ARRIVAL] = movers[zone.mover].at
        if zone.arrive is not None:
            up, north = up_and_north_at(None if around is None else around.zones, zone.arrive, settings.radii[1])
            look = zone.look % HEADING_UNITS_PER_TURN
            box[rules.HAS_ARRIVAL : rules.BOX_WIDTH] = 1.0, *zone.arrive, *up, *north, look
    exits = np.array([(*exit_.at, exit_.radius) for exit_ in level.exits]).reshape(-1, 4)
    spheres, none = np.concatenate((sphere_rows(level), exits)), np.zeros((0, 1))
    motions, keys = (np.zeros((0, motion_row.WIDTH)), none) if movers is None else (movers.motions.copy(), movers.keys)
    motions[:, motion_row.START] = 0.0
    return LevelRules(numbers, boxes, spheres, start._floats[0].copy(), motions, keys)


def sphere_rows(level: Level) -> Floats:
    """(T + 1, 4): centre and radius of the targets of a level, and of its goal; nan where there is none."""
    spheres = [(*target.at, target.radius) for target in level.targets]
    goal = (np.nan,) * 4 if level.goal is None else (*level.goal.at, level.goal.radius)
    return np.array([*spheres, goal], np.float64)


def up_and_north_at(zones: Zones | None, feet: Sequence[float], high: float) -> tuple[Point, Point]:
    """(up, north) for a body at `feet` with its centre `high` m above them: of the last gravity zone that contains the
    centre. North is transported from the default frame.
    """
    x, y, z = feet
    rows = Zones().rows if zones is None else zones.rows
    for k in range(len(rows) - 1, -1, -1):
        if zone_effects(rows, k) & zone_row.HAS_GRAVITY and rows[k, zone_row.STRENGTH] > 0.0:
            ux, uy, uz = (float(component) + 0.0 for component in rows[k, zone_row.UP : zone_row.UP + 3])
            if depth_inside_zone(rows, k, x + high * ux, y + high * uy, z + high * uz) >= 0.0:
                up, north = DEFAULT_UP_NORTH
                return (ux, uy, uz), transport_north(up, north, (ux, uy, uz), 0.0, 1.0)
    return DEFAULT_UP_NORTH
