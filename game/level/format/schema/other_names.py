"""Other names: words that other programs use for pieces and fields, and what the level format has instead.

`SYNONYMS` in `fields` has the words that stand for exactly one name. The cures here say more.
"""

from __future__ import annotations

from collections.abc import Collection, Set

from ..findings import join_alternatives, quote_text
from .fields import SchemaRecord, ValueKind

MAX_NAMES = 6  # of prefabs that a cure lists

_LIFT = "a lift is a `mover` with a `path`: write `- mover: {path: [[0, 0, 0], [0, 4, 0]], of: [...]}`"
_DOOR = "a doorway is in the `doors` of a `room` or `wall`; a door that moves is a `mover` with `swing: 90`"
_WINDOW = "a window is in the `windows` of a `room` or `wall`"
_PICTURE = "a picture on a wall or floor is a `decal`: write `- decal: {picture: poster.png, at: [0, 1.6, 0]}`"
_BELT = "a belt is a `floor` or `box` with a surface that has `flow`"
_TRIGGER = "the boxes that act on the player are `checkpoint`, `teleport`, `kill`, `current` and `gravity`"
_PORTAL = "within the level it is a `teleport`; `exits:` at the top of the file leads to other levels"
_LAVA = "a box that kills the player is a `kill`; give the ground in it a surface with its colour"
_KILL = "a box that kills the player is a `kill`: write `- kill: {from: [-1, 0, -1], to: [1, 1, 1]}`"
_PAD = "what throws the player is a `pad`: write `- pad: {at: [0, 0, 0], to: [0, 0, -6]}`"
_LAMP = "a lamp is a `light`: write `- light: {at: [0, 2.5, 0]}`"
_STAIRS = "write `- stairs: {at: [0, 0, 0], facing: north, steps: 10}`"
_SPHERE = "a sphere that rolls is a `ball`; other round things are `pillar`, or a `model` from a file"

PIECE_CURES: dict[str, str] = {
    **dict.fromkeys(("lift", "elevator", "platform", "moving_platform", "movingplatform"), _LIFT),
    **dict.fromkeys(("door", "doors", "doorway", "gate"), _DOOR),
    **dict.fromkeys(("window", "windows"), _WINDOW),
    **dict.fromkeys(("picture", "image", "poster", "painting", "photo", "texture", "sprite"), _PICTURE),
    **dict.fromkeys(("conveyor", "belt", "conveyor_belt"), _BELT),
    **dict.fromkeys(("trigger", "zone", "area", "volume"), _TRIGGER),
    **dict.fromkeys(("portal", "teleporter", "warp"), _PORTAL),
    **dict.fromkeys(("lava", "acid", "spikes", "fire"), _LAVA),
    **dict.fromkeys(("death", "hazard", "killzone", "kill_zone", "deathzone", "death_zone", "trap"), _KILL),
    **dict.fromkeys(("spring", "trampoline", "jump_pad", "jumppad", "bouncer", "launcher", "booster"), _PAD),
    **dict.fromkeys(("lamp", "torch", "lantern", "bulb", "spotlight", "point_light", "pointlight"), _LAMP),
    **dict.fromkeys(("step", "steps"), _STAIRS),
    **dict.fromkeys(("sphere", "globe"), _SPHERE),
}

LEVEL_FIELDS = ("spawn", "spawns", "goal", "exits", "exit", "sky", "sun", "surfaces", "define", "player", "golf")
TYPE_WORDS = ("type", "kind", "shape", "piece", "class", "object")  # of a field with the kind of a piece
SURFACE_WORDS = (
    "texture", "picture", "image", "colour", "color", "friction", "bounce", "footstep", "normal", "roughness",
    "metallic", "emission",
)  # fmt: skip
PLACE_WORDS = ("at", "position", "pos", "center", "centre", "location", "origin", "x", "z")
SIZE_WORDS = ("size", "dimensions", "extent", "extents", "width", "length", "depth", "height")
FILE_WORDS = ("file", "path", "src", "source", "filename")
FILE_FIELDS = ("file", "picture", "image", "to")
TURN_WORDS = ("facing", "rotation", "rotate", "angle", "heading", "yaw", "direction", "turn")


def piece_cure(word: str, value: str, pieces: Collection[str]) -> str:
    """Cure for an entry of `pieces` that begins with an unknown word; '' for a word that is not known here.

    value: text of its value: `light` of `- {type: light, at: [0, 2, 0]}`.
    """
    word = _normalized(word)
    if word in (*TYPE_WORDS, "what") and value in pieces:
        return f"write `- {value}: {{...}}`"
    if word == "what":
        return "a prefab is placed by `- place: {what: NAME, at: [0, 0, 0]}`"
    if word in LEVEL_FIELDS and word not in pieces:
        field = "exits" if word == "exit" else "sky: {sun: ...}" if word == "sun" else word
        return f"`{field}` belongs at the top of the file, beside `pieces:`"
    return PIECE_CURES.get(word, "")


def prefab_cure(name: str, pieces: Collection[str], prefabs: Collection[str]) -> str:
    """Cure for an unknown name of a prefab, where these are defined."""
    if name in pieces:
        return f"`{name}` is a piece: write `- {name}: {{...}}` in place of `place`"
    known = f", or place {join_alternatives(list(map(quote_text, prefabs)))}" if 0 < len(prefabs) <= MAX_NAMES else ""
    return f"define {quote_text(name)} under `define:`{known}"


def field_cure(
    record: SchemaRecord, word: str, pieces: Collection[str], given: Set[str]
) -> tuple[str, tuple[str, ...]]:
    """Cure for an unknown field, and the required fields that it stands for, or ''. given: names of all fields."""
    word = _normalized(word)
    if record.name == "level" and word.removesuffix("s") in pieces:
        return f"write each as a piece: `pieces: [{word.removesuffix('s')}: {{...}}]`", ()
    if word in FILE_WORDS and (field := next((name for name in FILE_FIELDS if _is_file(record, name)), "")):
        return f"did you mean `{field}`?", (field,)
    if record.name not in pieces:
        return "", ()
    if word in ("speed", "velocity") and record.name == "mover":
        return "`seconds` is the travel time along the whole path: at 2 m/s, 4 m of path take 2 s", ()
    if word in SURFACE_WORDS and record.field("surface") is not None:
        field = "colour" if word == "color" else "picture" if word == "image" else word
        return f"it belongs to a surface: write `surface: NAME` here, and `NAME: {{{field}: ...}}` in `surfaces:`", ()
    if record.name == "wall" and word in ("width", "depth") and {"from", "to"} <= given:
        return "did you mean `thickness`?", ()
    if record.field("from") is not None and record.field("to") is not None:
        if word in PLACE_WORDS or word in SIZE_WORDS:
            return f"`from` and `to` are two opposite corners: {record.example}", ("from", "to")
        if word in TURN_WORDS and record.field("facing") is None:
            return f"put it into a group: `- group: {{facing: west, of: [{record.name}: {{...}}]}}`", ()
    if word == "scale" and record.field("scale") is None:
        return f"put it into a group: `- group: {{scale: 2, of: [{record.name}: {{...}}]}}`", ()
    return "", ()


def _is_file(record: SchemaRecord, name: str) -> bool:
    """Whether a field of the record names a file."""
    field = record.field(name)
    return field is not None and (field.kind in (ValueKind.PICTURE, ValueKind.PART) or "relative to this" in field.doc)


def _normalized(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
