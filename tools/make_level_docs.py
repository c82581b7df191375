"""Writes docs/level_format.md from the schema table: `python tools/make_level_docs.py` (`--check`: only compares)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from game.level import findings, geometry_findings, player, quads, schema, source  # noqa: E402
from game.level.fields import FARTHEST, Field, Kind, Record  # noqa: E402
from game.level.values import COLOURS, FACINGS  # noqa: E402

TARGET = ROOT / "docs" / "level_format.md"

EXAMPLE = """\
format: 1
name: Courtyard
spawn: {at: [0, 0, 6], facing: north}
goal: {at: [8.2, 1.8, 2], radius: 1.0}
sky: {palette: morning, sun: {height: 40, from: east}, haze: 0.004}
surfaces:
  stone: {colour: "#8d8a83", texture: flagstone}
  ice: {colour: "#bfe3f0", texture: ice, friction: 0.02}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}
  - floor: {from: [7, 1], to: [9, 3], y: 1.8, thickness: 0.2, surface: stone}
  - ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2, surface: ice}
  - room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}
  - array: {count: 6, step: [0, 0, -3], of: [pillar: {at: [-12, 0, 8], radius: 0.4, sides: 16}]}
"""


def page() -> str:
    """The whole page as text."""
    return "\n".join([*_head(), *_levels(), *_pieces(), *_rules(), *_limits()]) + "\n"


def _head() -> list[str]:
    return [
        "# Level files, format 1",
        "",
        "Made from the schema table in `game/level/schema.py` by `tools/make_level_docs.py`: do not edit by hand.",
        "",
        "A level is a YAML file (UTF-8). Lengths are metres, angles degrees. Y is up, north is -Z, east is +X; a point is",
        "`[x, y, z]`, a point on the plan `[x, z]`. Directions are words (north, northeast, east ...) or degrees",
        "counter-clockwise from north, seen from above. `python run_game.py check LEVEL` says everything that is wrong",
        "with a level, with the line, the place in it and what to do.",
        "",
        "```yaml",
        *EXAMPLE.rstrip().split("\n"),
        "```",
        "",
    ]


def _levels() -> list[str]:
    rows = ["## The file", "", *_table(schema.LEVEL)]
    for title, record in (
        ("spawn", schema.SPAWN),
        ("goal", schema.GOAL),
        ("sky", schema.SKY),
        ("sun (in sky)", schema.SUN),
        ("surfaces", schema.SURFACE_RECORD),
    ):
        rows += [f"### {title}", "", record.doc, ""]
        if record.example:
            rows += [f"`{record.example}`", ""]
        rows += _table(record)
    return rows


def _pieces() -> list[str]:
    rows = [
        "## Pieces",
        "",
        "`pieces` is a list; each entry is the name of one piece and its fields, as in the example. Pieces may overlap.",
        "Feet, and floors of rooms, that lie on another piece's floor are left out, so nothing flickers there.",
        "",
        "Every piece but `group` and `array` has these fields too:",
        "",
        *_table(Record("piece", "", schema.COMMON)),
        "and every piece has:",
        "",
        *_table(Record("piece", "", (schema.MEANT,))),
    ]
    shared = {field.name for field in (*schema.COMMON, schema.MEANT)}
    for record in schema.PIECES.values():
        fields = tuple(
            field
            for field in record.fields
            if field.name not in shared or field not in (*schema.COMMON, schema.MEANT)
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
        rows.append(
            f"| `{field.name}` | {_kind(field)} | {_default(field)} | {_range(field)} | {field.doc} |"
        )
    return [*rows, ""]


def _kind(field: Field) -> str:
    kind = field.kind.value
    if field.kind in (Kind.CHOICE, Kind.CHOICES):
        kind = ", ".join(field.choices)
        kind = f"some of {kind}" if field.kind is Kind.CHOICES else f"one of {kind}"
    if field.kind is Kind.CORNERS:
        kind = f"a list of {field.least} points [x, y, z]"
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
    return f"{field.low:g} - {field.high:g}"


def _rules() -> list[str]:
    return [
        "## Rules for quads",
        "",
        f"Four corners in one plane (to {quads.FLAT * 1000:g} mm), convex, no two adjacent edges parallel (each corner at",
        f"least {quads.SHARP * 1000:g} mm off the line through its neighbours). What breaks a rule is left out and reported, with",
        "the corner and the millimetres. Each quad becomes two triangles that remember the piece and its line.",
        "",
        "## Findings",
        "",
        "*fatal*: this cannot be played. *dropped*: it can, without the piece, opening or field named. *warning*: it can,",
        "but it is seldom meant. `check` exits with 2, 1 and 0 (`--strict`: 1).",
        "",
        "Geometry is judged by the player: "
        f"{2 * player.RADII[0]:.2f} m broad, {2 * player.RADII[2]:.2f} m deep, {2 * player.RADII[1]:.2f} m tall",
        f"({player.CROUCH_HEIGHT:g} m crouched), steps {player.STEP_HEIGHT:.2f} m, walks slopes up to {player.MAX_SLOPE:g} degrees.",
        "",
        "| `intended` | silences |",
        "|---|---|",
        f"| steep | a slope within {geometry_findings.NEAR_SLOPE:g} degrees of {player.MAX_SLOPE:g} |",
        f"| narrow | a passage or doorway under {player.BREADTH:.2f} m |",
        f"| low | head room under {player.HEIGHT:.2f} m (from {geometry_findings.LOWEST:g} m on) |",
        f"| step | a step up to {geometry_findings.HIGH_STEP * 1000:g} mm higher than {player.STEP_HEIGHT:.2f} m |",
        "",
        "Others: cracks between floors that nearly meet, faces that lie on each other or flicker, a quad that looks the other",
        "way than its neighbours, a spawn inside something or over nothing, a surface that is used nowhere.",
        "",
    ]


def _limits() -> list[str]:
    return [
        "## Limits",
        "",
        f"A file of {source.MOST_BYTES // 2**20} MiB, {source.MOST_NODES} values, {source.MOST_DEPTH} lists and mappings inside each"
        f" other, {source.MOST_ALIASES} aliases; {schema.MOST_QUADS} quads, {schema.MOST_SIGNS} signs; coordinates up to"
        f" {FARTHEST:g} m from the origin. The first {findings.MOST_FINDINGS} findings are shown. YAML tags are refused.",
        "",
        "## Colour names",
        "",
        ", ".join(sorted(COLOURS)) + ".",
    ]


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
