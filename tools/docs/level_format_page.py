"""Write docs/level_format.md and the JSON schemas in levels/ from the classes of pieces and values:
`python -m tools.docs.level_format_page [--check]`.
"""

# ruff: noqa: E501 (a page of text)
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from game.core.walker_settings import DEFAULT_SETTINGS, WALKER_PRESETS  # noqa: E402
from game.level.build import level_assembly  # noqa: E402
from game.level.build.pieces import PIECES, piece_builder  # noqa: E402
from game.level.build.pieces.containers import Placed  # noqa: E402
from game.level.build.pieces.point_entities import BallFields  # noqa: E402
from game.level.build.pieces.zones import BoxZone  # noqa: E402
from game.level.format import expressions, findings, includes, level_file, numbers, plain_values, source, yaml_nodes  # noqa: E402
from game.level.format.level_tests.records import CountBounds, Expectations, FileOfTests, LevelTestFields  # noqa: E402
from game.level.format.numbers import Angle, Number, Plan, Point  # noqa: E402
from game.level.format.piece_kind import Intending, Named, Standing, Surfaced  # noqa: E402
from game.level.format.record import Record, Value  # noqa: E402
from game.level.format.record_values import Many, One, PrefabFields  # noqa: E402
from game.level.format.surfaces import SurfaceFields  # noqa: E402
from game.level.format.values import NAMED_COLOURS, Colour, Picture, Surface  # noqa: E402
from game.level.geometry import quads  # noqa: E402
from tools.docs import level_schema  # noqa: E402

PAGE = ROOT / "docs" / "level_format.md"
SCHEMA = ROOT / "levels" / "level.schema.json"
TESTS_SCHEMA = ROOT / "levels" / "tests.schema.json"

KINDS: dict[type[Value[Any]], tuple[str, str]] = {  # of values: the words of the tables, and how one is written
    Number: ("a number", "`0.4`, or an expression"),
    Point: ("a point", "`[x, y, z]`: east, up and south"),
    Plan: ("a plan point", "`[x, z]`: a point seen from above"),
    Angle: (
        "a direction",
        "`north`, `northwest`, `west` ..., or degrees counter-clockwise from north, seen from above",
    ),
    Colour: ("a colour", '`"#rrggbb"`, or a [name](#colour-names)'),
    Picture: ("a picture", "path of a PNG, JPEG or WebP file, relative to this file"),
    Surface: ("a surface", "a name from `surfaces`"),
    One: ("fields", "`{name: value, name: value}`"),
    Many: ("a list of fields", "`[{name: value}, {name: value}]`"),
}
INTENDED = (
    "kinds of warnings",
    "`[narrow, steep]`: words of [Checking levels](checking.md#findings-about-the-geometry)",
)

SHARED = {  # classes whose fields several pieces have, by their titles
    "On terrain": Standing,
    "Faces": Surfaced,
    "Boxes": BoxZone,
    "Spheres": BallFields,
    "Groups": Placed,
}

EXAMPLE = """\
format: 1
name: Courtyard
spawn: {at: [0, 0, 6], facing: north}
goal: {at: [8.6, 2.16, 2], radius: 1.0}
sky: {palette: morning, sun: {height: 40, from: east}, haze: 0.004}
surfaces:
  stone: {colour: "#8d8a83", texture: flagstone}
  ice: {colour: "#bfe3f0", texture: ice, friction: 0.02}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - stairs: {at: [4, 0, 2], facing: east, steps: 12, rise: 0.18, run: 0.30, width: 2}
  - floor: {from: [7.6, 1], to: [9.6, 3], y: 2.16, thickness: 0.2, surface: stone}
  - ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2, surface: ice}
  - room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}
  - array: {count: 6, step: [0, 0, -3], of: [pillar: {at: [-12, 0, 8], radius: 0.4, sides: 16}]}
"""


SPIRAL_END = """\
The stairs end `steps * rise` above `at`, at the angle `a = facing + steps * turn`: in the direction `[-sin(a), -cos(a)]`
(x, z) from the axis, so their outer end is at `[x - radius * sin(a), z - radius * cos(a)]`. There the floor above must begin:
with `facing: 0`, 20 steps and `turn: 24`, `a` is 480, which is 120: the stairs end in the southwest. For stairs that end in
the direction `a`, write `facing: a - steps * turn`."""

MOAT = """\
format: 1
name: Drawbridge
spawn: {at: [0, 0, 18], facing: north}
goal: {at: [0, 0, 3], radius: 1}
surfaces:
  stone: {colour: "#a8a094", texture: flagstone}
  wood: {colour: "#8a6a45", texture: planks}
pieces:
  - floor: {from: [-12, -4], to: [12, 22], holes: [{from: [-12, 8], to: [12, 12]}], surface: stone}
  - room: {name: basin, from: [-12, -2, 8], to: [12, -0.01, 12], ceiling: false, surface: stone}
  - water: {from: [-12, -2, 8], to: [12, -0.5, 12]}
  - ladder: {at: [-6, -2, 12], facing: south, height: 2, surface: wood}
  - arch: {name: gate, from: [-4, 7], to: [4, 7], height: 4, thickness: 0.6, width: 2.4, surface: stone}
  - mover:
      name: drawbridge
      at: [0, 0.05, 7.7]
      axis: [1, 0, 0]
      swing: -75
      seconds: 4
      pause: 8
      of:
        - box: {from: [-1.5, -0.2, 0], to: [1.5, 0, 4.6], surface: wood}
tests:
  - {name: the bridge leads to the gate, walk: ["300 forward 1"], expect: {goal: reached, deaths: 0}}
  - {name: one swims beside it, walk: ["90 strafe -1", "200 forward 1"], expect: {inside: water, goal: never}}
"""


def _moat() -> list[str]:
    text = f"""\
## A moat with a drawbridge

Water needs something that holds it: here a room without a ceiling below a hole of the floor. Its surface is below the rim. The
bridge is a mover that turns about its end at the gate, at the `at` of the mover: `axis: [1, 0, 0]` points east, and the
negative `swing` raises the other end. The ladder leads swimmers out of the water.

```yaml
{MOAT.rstrip()}
```"""
    return [*text.split("\n"), ""]


def page() -> str:
    """The text of the page."""
    return "\n".join([*_head(), *_types(), *_levels(), *_pieces(), *_moat(), *_tests(), *_rules(), *_limits()]) + "\n"


def _head() -> list[str]:
    return [
        "# Level format 1",
        "",
        "Generated from the classes of `game/level/format` and `game/level/build/pieces` by `tools/docs/level_format_page.py`: do not edit by hand.",
        "",
        "A level is a YAML file (UTF-8). Lengths are in metres, angles in degrees. Y is up, north is -Z, east is +X.",
        "`python run_game.py check LEVEL` reports all mistakes in a level, with line and column, and what to do. New authors",
        "start with [Your first level](levels.md).",
        "",
        "```yaml",
        *EXAMPLE.rstrip().split("\n"),
        "```",
        "",
        "A text editor with yaml-language-server (VS Code with the YAML extension, Neovim, Helix, Emacs ...) completes names and",
        "explains fields if a comment names the path of `levels/level.schema.json`, relative to the level:",
        "",
        "```yaml",
        "# yaml-language-server: $schema=level.schema.json",
        "```",
        "",
    ]


def _types() -> list[str]:
    functions = ", ".join(f"`{name}`" for name in expressions.FUNCTIONS)
    rows = [f"| {words} | {written} |" for words, written in (*KINDS.values(), INTENDED)]
    text = f"""\
An expression, such as `2*0.18` or `3 * 0.18 - sqrt(2)`, has numbers, `+ - * / **`, `( )`, `pi` and {functions}.
Angles are in degrees. The arguments are `clamp(x, low, high)` and `smoothstep(low, high, x)`. `noise(x, z)` gives smooth
hills between -1 and 1, about a metre across, the same ones each time. An expression with a comma needs quotes inside
`{{ }}` and `[ ]`: `"min(1, 2)"`. It has at most {expressions.MAX_EXPRESSION_LENGTH} characters; all expressions of a level have at most {numbers.MAX_EXPRESSION_CHARACTERS:,}."""
    return ["## Types", "", "| type | written as |", "|---|---|", *rows, "", *text.split("\n"), ""]


def _levels() -> list[str]:
    rows = ["## The file", "", *_table(level_file.LevelFields.fields.values())]
    shown: Shown = {}
    for title, record in (
        ("spawn", level_file.SpawnFields),
        ("player", level_file.PlayerFields),
        ("goal", level_file.GoalFields),
        ("medals", level_file.MedalFields),
        ("challenges", level_file.ChallengeFields),
        ("golf", level_file.GolfFields),
        ("play", level_file.PlayFields),
        ("exits", level_file.ExitFields),
        ("sky", level_file.SkyFields),
        ("sun (in sky)", level_file.SunFields),
        ("surfaces", SurfaceFields),
        ("define", PrefabFields),
    ):
        rows += [f"### {title}", "", record.describe(), ""]
        if record.example:
            rows += [f"`{record.example}`", ""]
        rows += _tables(record, record.fields.values(), shown)
        rows += _presets() if record is level_file.PlayerFields else []
    return rows


def _presets() -> list[str]:
    rows = [
        "A preset alone can be written as a word: `player: moon`.",
        "",
        "| preset | differs from the usual player by |",
        "|---|---|",
    ]
    for name, settings in WALKER_PRESETS.items():
        values = (f"{setting} {_number_text(value)}" for setting, value in settings.items())
        rows.append(f"| `{name}` | {', '.join(values)} |")
    return [*rows, ""]


def _number_text(value: object) -> str:
    return f"[{', '.join(f'{part:g}' for part in value)}]" if isinstance(value, tuple) else f"{value:g}"


def _pieces() -> list[str]:
    without_name, without_intended = (
        ", ".join(f"`{name}`" for name, piece in PIECES.items() if field not in piece.fields)
        for field in ("name", "intended")
    )
    rows = [
        "## Fields that pieces share",
        "",
        "Below, `Shared` names the tables of this section that hold for a piece. A field in the table of the piece itself",
        "replaces the shared one.",
        "",
        "### All pieces",
        "",
        *_table(Named.fields.values()),
        f"Pieces without `name`: {without_name}. Pieces without `intended`: {without_intended}.",
        "",
    ]
    for title, record in SHARED.items():
        rows += [f"### {title}", "", *_table(_own_fields(record))]
    rows += [
        "## Pieces",
        "",
        "`pieces` is a list. Each entry is the name of one piece and its fields, as in the example. Pieces may",
        "overlap. Undersides that lie on the floor of another piece are left out to avoid z-fighting.",
        "",
    ]
    shown: Shown = {}
    for name, piece in PIECES.items():
        titles = [title for title, record in SHARED.items() if issubclass(piece, record)]
        links = [f"[{title.lower()}](#{title.lower().replace(' ', '-')})" for title in titles]
        rows += [f"### {name}", "", piece.describe(), "", f"`{piece.example}`", ""]
        rows += [f"Shared: {', '.join(links)}.", ""] if links else []
        rows += _tables(piece, _own_fields(piece), shown)
        rows += [*SPIRAL_END.split("\n"), ""] if name == "spiral_stairs" else []
    return rows


def _own_fields(record: type[Record]) -> list[Value[Any]]:
    """Fields of a piece, or of a class in `SHARED`, that it has from no other class in `SHARED`, nor from `Named`."""
    others = [Named, *(other for other in SHARED.values() if other is not record and issubclass(record, other))]
    shared = {field for other in others for field in other.fields.values()}
    return [field for field in record.fields.values() if field not in shared]


Shown = dict[type[Record], str]  # records with a table so far, and how to name that table


def _tables(record: type[Record], fields: Iterable[Value[Any]], shown: Shown) -> list[str]:
    """Table of fields of a record, and those of the entries of its lists."""
    rows = _table(fields)
    for field in record.fields.values():
        if isinstance(field, Many):
            title = f"Each of `{field.name}`: {field.record.describe()}"
            rows += _entries(title, field.record, f"`{field.name}` of [{record.kind}](#{record.kind})", shown)
    return rows


def _entries(title: str, record: type[Record], name: str, shown: Shown) -> list[str]:
    """Table of a record under a title. The fields that it has from a record with a table are those of that table."""
    base = next((known for known in record.__mro__ if known in shown), None)
    shown.setdefault(record, name)
    if base is None:
        return [title, "", *_table(record.fields.values())]
    own = [field for field in record.fields.values() if field not in base.fields.values()]
    return [f"{title} Fields: those of {shown[base]}{', and:' if own else '.'}", "", *_table(own)]


TESTS_EXAMPLE = """\
tests:
  - name: the stairs lead to the goal
    bot: goal
    expect: {goal: {within: 75}}
  - name: nobody climbs onto a pillar
    bot: explore
    seed: 3
    expect: {never: {inside: {from: [-12.4, 2.9, -7.4], to: [-11.6, 4, 8.4]}}}
  - name: the ramp of ice is too slippery to climb
    walk: ["90 strafe -1", "300 forward 1"]
    expect:
      touches: ice
      highest: {at_most: 1.5}
      deaths: 0
"""


def _tests() -> list[str]:
    text = f"""\
## Tests

`tests` is a list of tests of the level, which `walker test LEVEL` runs ([Test a level](level_tests.md)). Tests do not change
the level's hash, and replays of the level stay valid. These tests fit the example above:

```yaml
{TESTS_EXAMPLE.rstrip()}
```

Tests can also be in a file beside the level, `NAME.tests.yaml` for `NAME.yaml`. It is read with the level:

```yaml
format: 1
level: courtyard.yaml
tests:
  - {{name: a player who stands still is safe, walk: ["300"], expect: {{deaths: 0, always: {{grounded: true}}}}}}
```

The schema of this file for text editors is `levels/tests.schema.json`.

Tick 0 is the state at the spawn, and tick k the state after k commands. A second has 60 ticks. Places and heights are those
of the feet; a sphere and a box include their border. `at` and `inside` without a time hold if they hold on some tick.
"""
    rows = text.split("\n")
    rows += ["### tests", "", LevelTestFields.describe(), "", f"`{LevelTestFields.example}`", ""]
    rows += [*_table(LevelTestFields.fields.values()), "### expect", ""]
    rows += [f"{Expectations.describe()} The word `goal` alone stands for `{{goal: reached}}`."]
    rows += ["", f"`{Expectations.example}`", "", *_table(Expectations.fields.values())]
    shown: Shown = {}
    bounded: list[str] = []
    for field in Expectations.fields.values():
        record = field.record
        if record is None:
            continue
        if "at_least" in record.fields:
            bounded.append(f"`{field.name}`")
        else:
            title = f"Fields of `{field.name}`, as in `{record.example}`."
            rows += _entries(title, record, f"`{field.name}`", shown)
    rows += [f"Bounds, as in `{CountBounds.example}`, are the fields of {', '.join(bounded)}:", ""]
    rows += _rows(f"| `{name}` | a number |  | {value.doc} |" for name, value in CountBounds.fields.items())
    rows += ["In `always` and `never`, `at` and `inside` have no time.", ""]
    return [*rows, "The file of tests beside a level:", "", *_table(FileOfTests.fields.values())]


def _table(fields: Iterable[Value[Any]]) -> list[str]:
    return _rows(f"| `{field.name}` | {_type_text(field)} | {_default_text(field)} | {field.doc} |" for field in fields)


def _rows(rows: Iterable[str]) -> list[str]:
    """A table of fields from its rows; nothing without one."""
    rows = list(rows)
    return ["| field | type | default | meaning |", "|---|---|---|---|", *rows, ""] if rows else []


def _type_text(field: Value[Any]) -> str:
    if field is Intending.intended:
        return INTENDED[0]
    words, _ = KINDS.get(type(field), (field.words, ""))
    return words + field.measure_text()


def _default_text(field: Value[Any]) -> str:
    default = "required" if field.required else field.default_text()
    instead = f"or `{field.instead}`" if field.instead else ""
    return ", ".join(filter(None, (default, instead)))


def _rules() -> list[str]:
    broad, tall, deep = (2 * radius for radius in DEFAULT_SETTINGS.radii)
    slope, step = DEFAULT_SETTINGS.max_slope, DEFAULT_SETTINGS.step_height
    text = f"""\
## Rules for quads

A quad has four corners in one plane (to {quads.PLANAR_TOLERANCE * 1000:g} mm), is convex, and has no two adjacent edges in line (each corner is at
least {quads.MIN_CORNER_OFFSET * 1000:g} mm off the line through its neighbours). A quad that breaks a rule is dropped and reported, with the corner
and the millimetres. Each quad becomes two triangles with a reference to the piece and its line.

## Findings

[Checking levels](checking.md) explains severities, the findings about geometry with their words for `intended`, and
`check --fix`. A word in the field `intended` of a piece, or of a group around it, silences the warning.

Geometry is checked for the body of the level (`player`). The usual player is {broad:.2f} m wide, {deep:.2f} m deep, {tall:.2f} m tall
({DEFAULT_SETTINGS.crouch_height:g} m crouched), passes doorways from {DEFAULT_SETTINGS.clear_width:.2f} m by {DEFAULT_SETTINGS.clear_height:.2f} m, and climbs steps up to {step:.2f} m and slopes up to {slope:g} degrees.

Other warnings: an unused surface, a test of ticks after the end of its walk, and a level that is too large for what players
reach to be computed. T-junctions, where a corner lies on the edge of another face, and slopes of `terrain` and `model` are
not reported.
"""
    return text.split("\n")


def _limits() -> list[str]:
    text = f"""\
## Limits

| limit | value |
|---|---|
| size of a file | {source.MAX_LEVEL_BYTES // 2**20} MiB |
| values, aliases, nested lists and mappings in a file | {yaml_nodes.MAX_NODES:,}, {yaml_nodes.MAX_ALIASES}, {plain_values.MAX_DEPTH} |
| quads, signs in a level | {piece_builder.MAX_QUADS:,}, {piece_builder.MAX_SIGNS} |
| distance from the origin | {numbers.MAX_COORDINATE / 1000:g} km |
| included files, nested includes | {includes.MAX_INCLUDED_FILES}, {level_assembly.MAX_INCLUDE_DEPTH} |
| nested groups, arrays and prefabs | {level_assembly.MAX_NESTING} |
| scale of a copy | {level_assembly.MIN_SCALE:g} to {level_assembly.MAX_SCALE:g} |
| findings shown | the first {findings.MAX_FINDINGS} |

Included files count towards the limits of the level; together they are at most as large as one file may be. YAML tags are
refused. Included files and exits must be within the folder above the level's own folder; an exit may also lead to a
shipped level. In the player's folder of levels a path that leads to no file is looked up among the shipped levels.

## Colour names

{", ".join(sorted(NAMED_COLOURS))}."""
    return text.split("\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """0: written, or up to date; 1: --check found one out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.level_format_page", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; say by the status whether all are up to date"
    )
    options = parser.parse_args(arguments)
    fresh = True
    texts = {
        PAGE: page(),
        SCHEMA: level_schema.text(level_schema.whole()),
        TESTS_SCHEMA: level_schema.text(level_schema.of_tests_files()),
    }
    for target, text in texts.items():
        if options.check:
            fresh = fresh and target.is_file() and target.read_text(encoding="utf-8") == text
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main())
