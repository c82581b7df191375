"""What is in a Quake map beside its brushes: where players begin, lamps, and what is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ....core.vectors import Point
from .map_parser import MapEntity, QuakeMap
from .map_reader import METRES_PER_UNIT

PLAYER_ORIGIN_HEIGHT = 24.0  # units that the feet are below a player's origin
DEFAULT_LIGHT = 300.0  # of a light without a number: where Quake's own fades out, in units
SUNLIGHT_LEVEL = 200.0  # units of Quake's light that look as bright, a metre away, as the sun here
PLAYER_START_CLASSES = ("info_player_start", "testplayerstart", "info_player_start2", "info_player_coop", "info_player_deathmatch",
         "info_player_team1", "info_player_team2", "info_player_teamspawn")  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerStart:
    """Where a player begins: feet in metres, degrees counter-clockwise from north."""

    kind: str
    feet: Point
    facing: float


@dataclass(frozen=True, slots=True)
class MapLight:
    """A light: metres, colour sRGB 0..1, brightness and reach as of the piece `light`."""

    at: Point
    colour: Point
    brightness: float
    reach: float


@dataclass(frozen=True, slots=True)
class MapEntities:
    name: str
    starts: tuple[PlayerStart, ...]
    lights: tuple[MapLight, ...]
    left_out: tuple[tuple[str, int], ...]  # kinds of entities and how many, the most first


def collect_map_entities(made: QuakeMap, metres: float = METRES_PER_UNIT) -> MapEntities:
    """The entities of a map that a level has a word for; metres: of one unit."""
    starts, lamps, others = [], [], Counter[str]()
    for entity in made.entities:
        kind = entity.kind.lower()
        origin = entity.origin()
        if kind in PLAYER_START_CLASSES and origin is not None:
            feet = (origin[0], origin[1], origin[2] - PLAYER_ORIGIN_HEIGHT)
            starts.append(PlayerStart(kind, quake_to_world(feet, metres), heading_from_quake(entity_angle(entity))))
        elif (kind == "light" or kind.startswith("light_")) and origin is not None and not kind.endswith("environment"):
            lamps.append(_read_light(entity, origin, metres))
        elif kind.startswith(("trigger_", "info_")) or not (entity.brushes or kind == "worldspawn"):
            others[entity.kind or "(no classname)"] += 1
    world = made.entities[0] if made.entities else MapEntity(1)
    starts.sort(key=lambda start: PLAYER_START_CLASSES.index(start.kind))
    lamps.sort(key=lambda lamp: -lamp.brightness * lamp.reach)
    return MapEntities(world.keys.get("message", "").strip(), tuple(starts), tuple(lamps), tuple(others.most_common()))


def quake_to_world(point: Point, metres: float) -> Point:
    """From Quake's axes (Z up) and units to metres, Y up."""
    x, y, z = point
    return x * metres, z * metres, -y * metres + 0.0


def entity_angle(entity: MapEntity) -> float:
    """Degrees counter-clockwise from Quake's +X that a thing looks to."""
    if len(one := entity.numbers("angle")) == 1:
        return one[0] if one[0] >= 0.0 else 0.0  # -1 and -2 mean up and down
    if len(three := entity.numbers("angles")) == 3:
        return three[1]
    return next((mangle[0] for mangle in (entity.numbers("mangle"),) if len(mangle) == 3), 0.0)


def heading_from_quake(degrees: float) -> float:
    """Quake's +X is our east, its +Y our north."""
    return (degrees - 90.0) % 360.0


def _read_light(entity: MapEntity, origin: Point, metres: float) -> MapLight:
    """Brightness as a number, or GoldSrc's four: red, green, blue 0..255 and brightness."""
    four = entity.numbers("_light")
    level = next((found[0] for key in ("light", "_light") if len(found := entity.numbers(key)) == 1), DEFAULT_LIGHT)
    colour = next((found for key in ("_color", "color") if len(found := entity.numbers(key)) == 3), (1.0, 1.0, 1.0))
    if len(four) == 4:
        colour, level = four[:3], four[3]
    top = 255.0 if max(colour) > 1.0 else 1.0
    red, green, blue = (min(1.0, max(0.0, part / top)) for part in colour)
    level = min(max(abs(level), 1.0), 3000.0)
    wait = entity.numbers("wait")
    reach = level * metres / (wait[0] if len(wait) == 1 and wait[0] > 0.05 else 1.0)
    brightness = min(100.0, max(0.05, level / SUNLIGHT_LEVEL))
    reach = min(100.0, max(0.5, reach))
    return MapLight(quake_to_world(origin, metres), (red, green, blue), round(brightness, 2), round(reach, 2))
