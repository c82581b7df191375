"""The fields of a level file itself, and of spawns, goal, exits, sky, golf, balls, medals and the player's body."""

from __future__ import annotations

from ...core.walker_settings import DEFAULT_SETTINGS, SETTING_RANGES, WALKER_PRESETS
from .level_tests.records import list_of_tests
from .numbers import MAX_COORDINATE, Angle, Coordinate, Corners, Count, Length, Number, Plan, Point, Radii
from .piece_kind import Intending, Named, Piece, play
from .record import Record
from .record_values import Many, NamedRecords, One, Pieces, Prefabs, WordOr
from .surfaces import SurfaceFields
from .values import Choice, Choices, Colour, Flag, Surface, Text

MAX_AIM_LENGTH = 120  # characters: two lines of the title card
PALETTES = ("day", "morning", "evening", "overcast", "night")
GOAL_CONDITIONS = ("targets", "holes")
MAX_CHALLENGES = 12
MAX_LIMIT = 100_000.0  # seconds or strokes
CHALLENGE_RULES = (
    "no_jump", "no_sprint", "crouched", "only_forward", "no_fall", "all_targets", "par", "no_lost_ball",
)  # fmt: skip
NO_SURFACE = -1
NO_LEVEL_SETTINGS = ("skin", "ticks_per_second")  # belong to the physics, not to a level
PLAYER_SETTINGS = tuple(name for name in SETTING_RANGES if name not in NO_LEVEL_SETTINGS)
MAX_NUMBER = 1e6  # upper bound of settings that have none: a number in a file is finite


class SpawnFields(Named):
    """A start position of the player."""

    kind = "spawn"
    is_piece = False
    example = "{at: [0, 0, 6], facing: north}"
    new = play(
        "spawn: {name: spawn, at: [0, 0, 0], facing: north}",
        "start begin player",
        "Where a player starts who comes here by name.",
        rank=-1,
    )
    at = Point("Position of the feet.")
    facing = Angle("Direction the player looks.")
    name = Text("Name of the spawn.")


class GoalFields(Intending):
    """The end of the level. It is reached when the feet are inside its sphere."""

    kind = "goal"
    is_piece = False
    example = "{at: [0, 6, -30], radius: 1.0}"
    new = play("goal: {at: [0, 0, 0], radius: 1}", "end finish", "The end of the level.", rank=-1)
    at = Point("Centre of the sphere.")
    radius = Length("Radius of the sphere.", 1.0)
    after = Choice("What opens the goal: reaching all targets, or playing all holes.", GOAL_CONDITIONS)


class ExitFields(Piece):
    """An exit to another level, taken when the feet are inside its sphere. On an upright wall next to it the game shows
    a panel: picture, name and description of that level, and the player's best time."""

    kind = "exit"
    is_piece = False
    example = "{at: [0, 0, -9], radius: 0.8, to: stairs.yaml, name: Stairs}"
    at = Point("Centre of the sphere.")
    radius = Length("Radius of the sphere.", 0.8)
    to = Text(
        "Path of the level relative to this file: in the same folder, next to it (`../`) or below it.",
        required=True,
        min_count=1,
        max_count=200,
    )
    name = Text("Name of the destination. Default: the file name.")
    spawn = Text("Name of the spawn to start at. Default: the first.")


class SunFields(Record):
    """The sun."""

    kind = "sun"
    height = Number("Angle above the horizon.", 40.0, "degrees", 2, 90)
    from_ = Angle("Compass direction of the sun, or degrees counter-clockwise from north.", 120.0)
    colour = Colour("Colour of its light. Default: the palette's.").optional()


class SkyFields(Record):
    """Sky, sun and haze."""

    kind = "sky"
    example = "{palette: day, sun: {height: 40, from: 120}, haze: 0.004}"
    palette = Choice("Colour palette.", PALETTES, "day")
    sun = One("The sun.", SunFields)
    haze = Number("Fraction of light lost per metre.", 0.004, "per metre", 0, 0.5)
    zenith = Colour("Colour overhead. Default: the palette's.").optional()
    horizon = Colour("Colour at the horizon. Default: the palette's.").optional()


class MedalFields(Record):
    """Times that win a medal. In golf they are numbers of strokes."""

    kind = "medals"
    example = "{gold: 42, silver: 60, bronze: 90}"
    gold = Number("Longest time for gold.", None, "s", 0.1, MAX_LIMIT)
    silver = Number("Longest time for silver, more than gold.", None, "s", 0.1, MAX_LIMIT)
    bronze = Number("Longest time for bronze, more than silver.", None, "s", 0.1, MAX_LIMIT)


class ChallengeFields(Record):
    """A challenge: rules that a run keeps from the start to the end, a time, or both."""

    kind = "challenge"
    example = "{name: Dry feet, rule: no_fall, within: 60}"
    name = Text("Name of the challenge.", required=True, min_count=1, max_count=40)
    rule = Choices("What the run does without: one rule or a list.", CHALLENGE_RULES)
    within = Number("Longest time of the run.", None, "s", 0.1, MAX_LIMIT).optional()
    about = Text("What to do. Default: made from the rules.")


class HoleFields(Record):
    """One golf hole, from tee to cup."""

    kind = "hole"
    example = "{tee: [0, 0], cup: [3, -40], par: 3, name: The meadow}"
    tee = Plan("Start of the ball, on the highest ground there.")
    cup = Plan("A point in the cup. The cup is one of the `cups` of a terrain.")
    via = Plan("What the ball is played to first; the marker is there until the ball is near it.").optional()
    par = Count("Strokes that a good player needs.", 3, 1, 20)
    name = Text("Name of the hole.")


class GolfFields(Record):
    """Golf: walk to the ball, look where you want it to go, hold `use` to set the strength, release to strike."""

    kind = "golf"
    example = "{holes: [{tee: [0, 0], cup: [3, -40], par: 3}], water: pond}"
    holes = Many("The holes in playing order.", HoleFields, 18, 1, required=True)
    water = Surface("Surface that returns a ball to its last spot, with a penalty stroke.", absent=NO_SURFACE)
    bounds = Corners("Two corners of the course; a ball outside returns, with a penalty stroke.", 2, 2)
    radius = Length("Radius of the ball.", 0.06, low=0.01, high=1)
    strength = Number("Ball speed of the strongest stroke.", 20.0, "m/s", 1, 60)


class PlayFields(Record):
    """Rules for balls in this level."""

    kind = "play"
    example = "{throws: true, reach_targets: true}"
    throws = Flag("Whether the left mouse button throws a ball.", False)
    speed = Number("Speed of a thrown ball.", 12.0, "m/s", 0, 100)
    gravity = Point("Gravity on balls: east, up, south.", (0.0, -9.81, 0.0), "m/s2")
    reach_targets = Flag("Whether a ball can reach targets.", False)
    energy = Flag("Whether to show the balls' energy and the frame rate.", False)


class PlayerFields(Record):
    """The body of the player in this level: its size, speeds, jump and gravity. The checks, bots and maps judge by it.
    A setting that is not written is that of the preset. It is lowered where the body is too small for it."""

    kind = "player"
    example = "{preset: moon, jump_height: 4, radii: [0.4, 0.9, 0.3]}"
    preset = Choice("Named settings to start from. Default: the usual player.", tuple(WALKER_PRESETS))


def _add_settings() -> None:
    """The settings of the walker, as fields of the player."""
    for name in PLAYER_SETTINGS:
        bounds = SETTING_RANGES[name]
        limits = bounds.unit, bounds.low, min(bounds.high_for(SETTING_RANGES["radii"].high), MAX_NUMBER)
        default = getattr(DEFAULT_SETTINGS, name)
        if name == "radii":
            PlayerFields.add_field(name, Radii(bounds.meaning, default, *limits))
        else:
            PlayerFields.add_field(name, Number(bounds.meaning, default, *limits))


_add_settings()


class LevelFields(Record):
    """The level file."""

    kind = "level"
    keeps_broken = True
    format = Count("Version of the file format: always 1.", None, -MAX_COORDINATE, MAX_COORDINATE)
    name = Text("Name of the level. Default: the file name.")
    about = Text("A short description.", max_count=2000)
    aim = Text(
        "What the player is to do, in one sentence. Write the last step after `, then`: Find three gems, then "
        "reach the light. Default: made from the goal, targets and holes.",
        max_count=MAX_AIM_LENGTH,
    )
    spawn = One("A start position of the player.", SpawnFields)
    spawns = Many(
        "More start positions, each with a name for exits and tests; `spawn` or `spawns` is required.", SpawnFields, 64
    )
    player = WordOr(
        "The body of the player in this level: a preset, or its settings.", PlayerFields, tuple(WALKER_PRESETS)
    )
    goal = One("The end of the level.", GoalFields)
    medals = One(
        "Times for gold, silver and bronze. They take part in no hash. Shipped levels without them have a table.",
        MedalFields,
    )
    challenges = Many(
        "Challenges of the level, in place of the usual ones; `[]` for none.", ChallengeFields, MAX_CHALLENGES
    )
    golf = One("Golf holes.", GolfFields)
    play = One("Rules for balls.", PlayFields)
    exits = Many("Exits to other levels.", ExitFields, 256)
    kill_height = Coordinate("A player below this height respawns. Default: 20 m below the lowest corner.").optional()
    sky = One("Sky, sun and haze.", SkyFields)
    surfaces = NamedRecords("Surfaces by name.", SurfaceFields, 250)
    define = Prefabs("Prefabs: named pieces to `place` many times.")
    ghosts = Flag("Keys 1 to 6 add ghosts that walk by other methods (docs/lab.md).", False)
    pieces = Pieces("The pieces of the level.")
    tests = list_of_tests(required=False)


PLACES: dict[str, type[Piece]] = {kind.kind: kind for kind in (SpawnFields, GoalFields, ExitFields)}
PLACE_LISTS: dict[str, str] = {  # fields of the level that list places, by kind of place
    field.record.kind: field.name
    for field in LevelFields.fields.values()
    if isinstance(field, Many) and field.record.kind in PLACES
}
