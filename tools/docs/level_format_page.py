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
        "Made from the schema table in `game/level/schema/` by `tools/docs/level_format_page.py`: do not edit by hand.",
        "",
        "A level is a YAML file (UTF-8). Lengths are metres, angles degrees. Y is up, north is -Z, east is +X; a",
        "point is `[x, y, z]`, a point on the plan `[x, z]`. Directions are words (north, northeast, east ...) or",
        "degrees counter-clockwise from north, seen from above. `python run_game.py check LEVEL` says everything that is wrong",
        "with a level, with the line, the place in it and what to do.",
        "",
        "```yaml",
        *EXAMPLE.rstrip().split("\n"),
        "```",
        "",
        "An editor that speaks yaml-language-server (VS Code with the YAML extension, Neovim, Helix, Emacs ...) completes and",
        "explains a level by `levels/level.schema.json` when a line names it, as seen from the level:",
        "",
        "```yaml",
        "# yaml-language-server: $schema=level.schema.json",
        "```",
        "",
    ]


def _sums() -> list[str]:
    functions = ", ".join(f"`{name}`" for name in expressions.FUNCTIONS)
    text = f"""\
## Numbers and sums

Wherever a number is wanted, a sum may stand: `rise: 2*0.18`, `at: [0, 3 * 0.18, -sqrt(2)]`, also for whole numbers
where it comes to one. A sum has numbers, `+ - * / **`, `( )`, `pi` and {functions};
angles are degrees, `clamp(x, low, high)`, `smoothstep(low, high, x)`, and `noise(x, z)` is smooth hills between -1 and 1,
about a metre across, the same everywhere and always. A sum with a comma needs quotes inside `{{ }}` and `[ ]`:
`"min(1, 2)"`. It has at most {expressions.LONGEST} characters, all sums of a level {values.MOST_SUMS:,}."""
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
        "`pieces` is a list; each entry is the name of one piece and its fields, as in the example. Pieces may",
        "overlap. Feet, and floors of rooms, on another piece's floor are left out, so that nothing flickers there.",
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
    rows = ["| field | what it is | default | from - to | |", "|---|---|---|---|---|"]
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
        return "needed"
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

Four corners in one plane (to {quads.FLAT * 1000:g} mm), convex, no two adjacent edges parallel (each corner at least
{quads.SHARP * 1000:g} mm off the line through its neighbours). What breaks a rule is left out and reported, with the corner
and the millimetres. Each quad becomes two triangles that remember the piece and its line.

## Findings

*fatal*: this cannot be played. *dropped*: it can, without the piece, opening or field named. *warning*: it can, but
it is seldom meant. `check` exits with 2, 1 and 0 (`--strict`: 1).

Geometry is judged by the player: {broad:.2f} m broad, {deep:.2f} m deep, {tall:.2f} m tall ({walker_defaults.CROUCH_HEIGHT:g} m
crouched), who steps {step:.2f} m and walks slopes up to {slope:g} degrees.

| `intended` | silences |
|---|---|
| steep | a slope within {near:g} degrees of {slope:g} |
| narrow | a passage or doorway under {walker_defaults.BREADTH:.2f} m |
| low | head room under {walker_defaults.HEIGHT:.2f} m (from {least:g} m on) |
| step | a step up to {more * 1000:g} mm higher than {step:.2f} m, and stairs with a higher rise |
| fall | one can fall out of the level from it (`check --walk`) |
| pit | one cannot get out of it, or is stuck there (`check --walk`) |
| unreached | nobody gets to its ground (`check --walk`) |

Others: cracks between floors that nearly meet, a corner of a quad that misses the edge of another by 3 to 15 mm, faces
that lie on each other or flicker, a quad that looks the other way than its neighbours, a spawn inside something or over
nothing, a surface that is used nowhere.

T-junctions, where a corner lies on another face's edge, are no finding: the walker passes them unhindered, and nothing
shows through. Slopes of `terrain` and `model` are not measured: hills have slopes of every degree.

`check --fix` mends what was plainly meant otherwise: misspelt names with one that is near, units and decimal commas,
surfaces that are used and nowhere described, a missing `format`, corners of quads that are crossed, doubled, up to
50 mm off the plane or the wrong way round. Each edit is kept only if less is wrong after it and nothing new; it changes
nothing else in the file, shows the difference, and asks. The text before is kept beside the file as `.NAME.before`.
"""
    return text.split("\n")


def _limits() -> list[str]:
    text = f"""\
## Limits

A file has at most {source.MOST_BYTES // 2**20} MiB, {yaml_nodes.MOST_NODES:,} values, {yaml_nodes.MOST_ALIASES} aliases, and {yaml_nodes.MOST_DEPTH} lists and mappings inside
each other; a level at most {schema.MOST_QUADS:,} quads and {schema.MOST_SIGNS} signs, up to {FARTHEST / 1000:g} km from the origin. The
first {findings.MOST_FINDINGS} findings are shown. YAML tags are refused, and nothing in a level can run code. An exit names another
level within the folder above its own (or the shipped levels) and nothing else; that is opened when it is taken.

What a level includes counts as if it stood in the level: {schema.MOST_FILES} files, {schema.MOST_INCLUDED} inside each other, lie within the same folders
and are as large together as one file may be. Groups, arrays and prefabs nest {schema.MOST_NESTED} deep, and scale no copy to less
than {builder.LEAST_SCALE:g} or more than {builder.MOST_SCALE:g} times its size.

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
