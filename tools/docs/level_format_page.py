"""Writes docs/level_format.md and levels/level.schema.json from the schema table: `python tools/docs/level_format_page.py`
(`--check`: only compares)."""

# ruff: noqa: E501 (a page of text)
from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from game.core import walker_defaults  # noqa: E402
from game.level import lint  # noqa: E402
from game.level.build import builder  # noqa: E402
from game.level.format import expressions, findings, schema, source, values, yaml_nodes  # noqa: E402
from game.level.format.schema.fields import FARTHEST, Field, Kind, Record  # noqa: E402
from game.level.format.values import COLOURS, FACINGS  # noqa: E402
from game.level.geometry import quads  # noqa: E402
from tools.docs import level_schema  # noqa: E402

PAGE = ROOT / "docs" / "level_format.md"
SCHEMA = ROOT / "levels" / "level.schema.json"

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


def page() -> str:
    """The whole page as text."""
    return "\n".join([*_head(), *_sums(), *_levels(), *_pieces(), *_rules(), *_limits()]) + "\n"


def _head() -> list[str]:
    return [
        "# Level files, format 1",
        "",
        "Generated from the schema table in `game/level/schema/` by `tools/docs/level_format_page.py`. Do not edit by hand.",
        "",
        "A level is a YAML file (UTF-8). Lengths are metres, angles degrees. Y is up, north is -Z, east is +X; a",
        "point is `[x, y, z]`, or `[x, z]` where the height is not needed. Directions are words (north, northeast, east ...) or",
        "degrees counter-clockwise from north, seen from above. `python run_game.py check LEVEL` lists every error in a level,",
        "with its line and column and how to fix it.",
        "",
        "```yaml",
        *EXAMPLE.rstrip().split("\n"),
        "```",
        "",
        "Editors that support yaml-language-server (VS Code with the YAML extension, Neovim, Helix, Emacs ...) complete and",
        "explain a level by `levels/level.schema.json` if the level names it by a relative path:",
        "",
        "```yaml",
        "# yaml-language-server: $schema=level.schema.json",
        "```",
        "",
    ]


def _sums() -> list[str]:
    functions = ", ".join(f"`{name}`" for name in expressions.FUNCTIONS)
    text = f"""\
## Numbers and expressions

Every number can be an expression: `rise: 2*0.18`, `at: [0, 3 * 0.18, -sqrt(2)]`. Whole numbers can be expressions too if
the result is whole. An expression consists of numbers, `+ - * / **`, `( )`, `pi` and {functions}.
Angles are in degrees. The argument orders are `clamp(x, low, high)` and `smoothstep(low, high, x)`. `noise(x, z)` makes
smooth hills between -1 and 1, about a metre across, always the same. Inside `{{ }}` and `[ ]`, put an expression with a
comma in quotes: `"min(1, 2)"`. An expression has at most {expressions.LONGEST} characters, all expressions of a level together
{values.MOST_SUMS:,}."""
    return [*text.split("\n"), ""]


def _levels() -> list[str]:
    rows = ["## The file", "", *_table(schema.LEVEL)]
    for title, record in (
        ("spawn", schema.SPAWN),
        ("goal", schema.GOAL),
        ("exits", schema.EXIT),
        ("sky", schema.SKY),
        ("sun (in sky)", schema.SUN),
        ("surfaces", schema.SURFACE_RECORD),
        ("define", schema.PREFAB),
    ):
        rows += [f"### {title}", "", record.doc, ""]
        if record.example:
            rows += [f"`{record.example}`", ""]
        rows += _table(record)
    return rows


def _pieces() -> list[str]:
    without = [f"`{name}`" for name, record in schema.PIECES.items() if record.field("collide") is None]
    rows = [
        "## Pieces",
        "",
        "`pieces` is a list. Each entry is the name of a piece and its fields, as in the example. Pieces may overlap.",
        "A base or a room floor that lies on another piece's floor is left out, so that it does not flicker.",
        "",
        f"Every piece but {findings.listed(without).replace(' or ', ' and ')} has these fields too:",
        "",
        *_table(Record("piece", "", schema.COMMON)),
        "and every piece has:",
        "",
        *_table(Record("piece", "", (schema.MEANT,))),
    ]
    shared = {field.name for field in (*schema.COMMON, schema.MEANT)}
    for record in schema.PIECES.values():
        fields = tuple(
            field for field in record.fields if field.name not in shared or field not in (*schema.COMMON, schema.MEANT)
        )
        rows += [f"### {record.name}", "", record.doc, "", f"`{record.example}`", ""]
        rows += _table(Record(record.name, "", fields))
        for field in fields:
            if field.kind is Kind.RECORDS and field.record is not None:
                rows += [f"Each of `{field.name}`: {field.record.doc}", "", *_table(field.record)]
    return rows


def _table(record: Record) -> list[str]:
    rows = ["| field | type | default | range | meaning |", "|---|---|---|---|---|"]
    for field in record.fields:
        rows.append(f"| `{field.name}` | {_kind(field)} | {_default(field)} | {_range(field)} | {field.doc} |")
    return [*rows, ""]


def _kind(field: Field) -> str:
    kind = field.kind.value
    if field.kind in (Kind.CHOICE, Kind.CHOICES):
        kind = ", ".join(field.choices)
        kind = f"some of {kind}" if field.kind is Kind.CHOICES else f"one of {kind}"
    if field.kind is Kind.CORNERS:
        count = f"{field.least}" if field.least == field.most else f"{field.least} to {field.most}"
        kind = f"a list of {count} points [x, y, z]"
    return f"{kind} ({field.unit})" if field.unit else kind


def _default(field: Field) -> str:
    if field.required:
        return "required"
    if field.default is None:
        return ""
    if field.kind is Kind.FLAG:
        return "true" if field.default else "false"
    if field.kind is Kind.ANGLE:
        words = {degrees: word for word, degrees in FACINGS.items()}
        return words.get(float(str(field.default)), f"{field.default:g}")
    if isinstance(field.default, tuple):
        return "[" + ", ".join(f"{part:g}" for part in field.default) + "]"
    return f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


def _range(field: Field) -> str:
    if field.kind not in (Kind.NUMBER, Kind.INTEGER) or field.low == -FARTHEST:
        return ""
    if field.high == FARTHEST:
        return f"{field.low:g} -"
    return f"{field.low:g} - {field.high:,g}" if field.high < 1e6 else f"{field.low:g} - {field.high:,.0f}"


def _rules() -> list[str]:
    broad, tall, deep = (2 * radius for radius in walker_defaults.RADII)
    slope, step = walker_defaults.MAX_SLOPE, walker_defaults.STEP_HEIGHT
    near, least, more = lint.NEAR_SLOPE, lint.LOWEST, lint.HIGH_STEP
    text = f"""\
## Rules for quads

A quad has four corners in one plane (to {quads.FLAT * 1000:g} mm), is convex, and has no two adjacent parallel edges (each
corner is at least {quads.SHARP * 1000:g} mm off the line through its neighbours). A quad that breaks a rule is left out and
reported, with the corner and the distance in millimetres. Each quad becomes two triangles that remember the piece and its
line.

## Findings

*fatal*: the level cannot be played. *dropped*: the level can be played without the piece, opening or field named.
*warning*: the level can be played, but the author probably meant something else. `check` exits with 2, 1 and 0
(`--strict`: 1).

Geometry is checked against the player: {broad:.2f} m wide, {deep:.2f} m deep, {tall:.2f} m tall ({walker_defaults.CROUCH_HEIGHT:g} m
crouched), steps up to {step:.2f} m, slopes up to {slope:g} degrees.

| `intended` | suppresses the warning about |
|---|---|
| steep | a slope within {near:g} degrees of {slope:g} |
| narrow | a passage or doorway under {walker_defaults.BREADTH:.2f} m |
| low | headroom under {walker_defaults.HEIGHT:.2f} m (from {least:g} m on) |
| step | a step up to {more * 1000:g} mm higher than {step:.2f} m, and stairs with a higher rise |
| fall | a place from which the player can fall out of the level (`check --walk`) |
| pit | a place that the player cannot leave, or where the player gets stuck (`check --walk`) |
| unreached | ground that the player cannot reach (`check --walk`) |

Other warnings: cracks between floors that nearly meet, a quad corner that misses the edge of another quad by 3 to 15 mm,
faces that coincide or flicker, a quad that faces the opposite way to its neighbours, a spawn inside a solid or above
nothing, a surface that is never used.

T-junctions, where a corner lies on another face's edge, are not reported: they do not stop the walker, and nothing
shows through. Slopes of `terrain` and `model` are not checked, because hills have slopes of every angle.

`check --fix` fixes clear mistakes: misspelt names with one close match, units and decimal commas, surfaces that are used
but not defined, a missing `format`, quad corners that are crossed, duplicate, up to 50 mm off the plane or in the
opposite order. It keeps an edit only if fewer findings remain and none is new. It changes nothing else in the file,
shows the difference, and asks first. It keeps the old text next to the file as `.NAME.before`.
"""
    return text.split("\n")


def _limits() -> list[str]:
    text = f"""\
## Limits

A file has at most {source.MOST_BYTES // 2**20} MiB, {yaml_nodes.MOST_NODES:,} values, {yaml_nodes.MOST_ALIASES} aliases, and {yaml_nodes.MOST_DEPTH} nested lists and mappings. A level has at
most {schema.MOST_QUADS:,} quads and {schema.MOST_SIGNS} signs, up to {FARTHEST / 1000:g} km from the origin. `check` shows the first {findings.MOST_FINDINGS} findings.
YAML tags are refused, and nothing in a level can run code. An exit can lead only to a level within the folder above its
own, or to a shipped level. That level is opened when the exit is taken.

Included files count towards the limits of the level: at most {schema.MOST_FILES} files, nested {schema.MOST_INCLUDED} deep, within the same folders, together no
larger than one file may be. Groups, arrays and prefabs nest {schema.MOST_NESTED} deep. Their total scale is between {builder.LEAST_SCALE:g} and
{builder.MOST_SCALE:g}.

## Colour names

{", ".join(sorted(COLOURS))}."""
    return text.split("\n")


def main() -> int:
    fresh = True
    for target, text in ((PAGE, page()), (SCHEMA, level_schema.text())):
        if "--check" in sys.argv[1:]:
            fresh = fresh and target.is_file() and target.read_text(encoding="utf-8") == text
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main())
