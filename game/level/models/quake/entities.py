"""Point entities of a Quake map: player starts, lights, and the kinds that are left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ....core.vectors import Point
from ..triangle_soup import ModelLamp
from .map_parser import METRES_PER_UNIT, MapEntity, QuakeMap

PLAYER_ORIGIN_HEIGHT = 24.0  # units from the feet up to a player's origin
DEFAULT_LIGHT = 300.0  # units: brightness of a light without a value, as in Quake
SUNLIGHT_LEVEL = 200.0  # Quake brightness that equals the sun's at one metre
PLAYER_START_CLASSES = (
    "info_player_start", "testplayerstart", "info_player_start2", "info_player_coop", "info_player_deathmatch",
    "info_player_team1", "info_player_team2", "info_player_teamspawn",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerStart:
    """Start of a player: feet in metres, facing in degrees counter-clockwise from north."""

    kind: str
    feet: Point
    facing: float


@dataclass(frozen=True, slots=True)
class MapEntities:
    """The point entities of a map, and its title."""

    name: str
    starts: tuple[PlayerStart, ...]
    lights: tuple[ModelLamp, ...]
    left_out: tuple[tuple[str, int], ...]  # (kind, count), the most frequent first
    misplaced: tuple[tuple[str, int], ...]  # (kind, line) of those whose `origin` is not three numbers


def collect_map_entities(quake_map: QuakeMap, metres: float = METRES_PER_UNIT) -> MapEntities:
    """The entities of a map that a level can express. metres: length of one unit."""
    starts = []
    lamps = []
    others = Counter[str]()
    misplaced = []
    for entity in quake_map.entities:
        kind = entity.kind.lower()
        origin = entity.origin()
        is_start = kind in PLAYER_START_CLASSES
        is_light = (kind == "light" or kind.startswith("light_")) and not kind.endswith("environment")
        if (is_start or is_light) and origin is None:
            misplaced.append((kind, entity.line))
        elif is_start and origin is not None:
            feet = (origin[0], origin[1], origin[2] - PLAYER_ORIGIN_HEIGHT)
            starts.append(PlayerStart(kind, quake_to_world(feet, metres), heading_from_quake(entity_angle(entity))))
        elif is_light and origin is not None:
            lamps.append(_read_light(entity, origin, metres))
        elif kind.startswith(("trigger_", "info_")) or not (entity.brushes or kind == "worldspawn"):
            others[entity.kind or "(no classname)"] += 1
    world = quake_map.entities[0] if quake_map.entities else MapEntity(1)
    starts.sort(key=lambda start: PLAYER_START_CLASSES.index(start.kind))
    lamps.sort(key=lambda lamp: -lamp.brightness * lamp.reach)
    name = world.keys.get("message", "").strip()
    return MapEntities(name, tuple(starts), tuple(lamps), tuple(others.most_common()), tuple(misplaced))


def quake_to_world(point: Point, metres: float) -> Point:
    """Convert a point from Quake's units and axes (Z up) to metres with Y up."""
    x, y, z = point
    return x * metres, z * metres, -y * metres + 0.0


def entity_angle(entity: MapEntity) -> float:
    """Facing of an entity in degrees counter-clockwise from Quake's +X."""
    if len(angle := entity.numbers("angle")) == 1:
        return angle[0] if angle[0] >= 0.0 else 0.0  # -1 and -2 mean up and down
    if len(angles := entity.numbers("angles")) == 3:
        return angles[1]
    return next((mangle[0] for mangle in (entity.numbers("mangle"),) if len(mangle) == 3), 0.0)


def heading_from_quake(degrees: float) -> float:
    """Degrees from north of an angle from Quake's +X: +X is east and +Y is north."""
    return (degrees - 90.0) % 360.0


def _read_light(entity: MapEntity, origin: Point, metres: float) -> ModelLamp:
    """A light. Its brightness is one number, or `_light` with red, green, blue (0..255) and brightness (GoldSrc)."""
    goldsrc = entity.numbers("_light")
    level = next((numbers[0] for key in ("light", "_light") if len(numbers := entity.numbers(key)) == 1), DEFAULT_LIGHT)
    colour = next((numbers for key in ("_color", "color") if len(numbers := entity.numbers(key)) == 3), (1.0, 1.0, 1.0))
    if len(goldsrc) == 4:
        colour = goldsrc[:3]
        level = goldsrc[3]
    top = 255.0 if max(colour) > 1.0 else 1.0
    red, green, blue = (min(1.0, max(0.0, channel / top)) for channel in colour)
    level = min(max(abs(level), 1.0), 3000.0)
    wait = entity.numbers("wait")
    reach = level * metres / (wait[0] if len(wait) == 1 and wait[0] > 0.05 else 1.0)
    brightness = min(100.0, max(0.05, level / SUNLIGHT_LEVEL))
    reach = min(100.0, max(0.5, reach))
    return ModelLamp(quake_to_world(origin, metres), (red, green, blue), round(brightness, 2), round(reach, 2))
