"""Pieces and surfaces with values of the right type, at and beyond the limits of the level format."""

from __future__ import annotations

import random

from game.level.format import schema
from game.level.format.schema.fields import SchemaField, SchemaRecord, ValueKind
from game.level.format.values import FACING_DEGREES, NAMED_COLOURS

RECORDS = list(schema.PIECE_RECORDS.values())
PICTURES = (
    "part.png", "part.jpg", "part.webp", "cut.png", "wide.png", "none.png",
    "part.obj", "../part.png", "/dev/zero.png", "a.gif",
)  # fmt: skip


def level_text(rows: list[str], more: str = "") -> str:
    """A level file of these rows of pieces; more: lines before them."""
    return (
        f"format: 1\nspawn: {{at: [0, 0, 0]}}\n{more}pieces:\n  - floor: {{from: [-9, -9], to: [9, 9]}}\n"
        + "\n".join(rows)
        + "\n"
    )


def random_piece(rng: random.Random, record: SchemaRecord, depth: int) -> str:
    """A piece in flow style with extreme field values."""
    fields = [f"{f.name}: {_value(rng, f, depth)}" for f in record.fields if f.required or rng.random() < 0.4]
    return f"{record.name}: {{{', '.join(fields)}}}"


def random_surface(rng: random.Random) -> str:
    """Fields of a surface in flow style with extreme values."""
    fields = [f for f in schema.SURFACE_RECORD.fields if rng.random() < 0.4]
    return f"{{{', '.join(f'{f.name}: {_value(rng, f, 0)}' for f in fields)}}}"


def _value(rng: random.Random, schema_field: SchemaField, depth: int) -> str:
    if rng.random() < 0.04:
        return rng.choice(('"x y"', "[]", "{}", "1/0", "-1", "1e9", "[[1]]", "north"))

    def number() -> str:
        usual = [rng.uniform(max(schema_field.low, -6.0), min(schema_field.high, 6.0)) for _ in range(3)]
        value = rng.choice((*usual, schema_field.low, schema_field.high, 0.0))
        return rng.choice((f"{value:g}", f"{value:.3f}", f"{value:.2f} + 1 - 1"))

    match schema_field.kind:
        case ValueKind.NUMBER:
            return number()
        case ValueKind.INTEGER:
            low, high = int(schema_field.low), int(schema_field.high)
            return str(rng.choice((low, rng.randint(low, min(high, low + 30)), high)))
        case ValueKind.ANGLE:
            return rng.choice((*FACING_DEGREES, "90", "12.5", "-1000", "360/7"))
        case ValueKind.POINT | ValueKind.PLAN:
            return f"[{', '.join(number() for _ in range(3 if schema_field.kind is ValueKind.POINT else 2))}]"
        case ValueKind.CORNERS:
            return str([[rng.randint(0, 2) for _ in range(3)] for _ in range(schema_field.min_count)])
        case ValueKind.SCALE:
            return rng.choice(("1", "0.5", "[1, 2, 3]", "0.001", "1000", "0", "[1, -1, 1]"))
        case ValueKind.SPAN:
            return rng.choice((number(), f"[{number()}, {number()}]"))
        case ValueKind.GRID:
            width = rng.randint(2, 12)
            return str([[round(rng.uniform(-2, 4), 2) for _ in range(width)] for _ in range(rng.randint(2, 12))])
        case ValueKind.FORMULA:
            return rng.choice(('"noise(x, z)"', "x/9", '"sin(x*9) * cos(z)"', "1/x", "x**9**9", '"3 * sqrt(abs(x*z))"'))
        case ValueKind.FLAG:
            return rng.choice(("true", "false"))
        case ValueKind.COLOUR:
            return rng.choice((*NAMED_COLOURS, '"#123456"'))
        case ValueKind.PICTURE:
            return rng.choice(PICTURES)
        case ValueKind.FACTOR:
            return rng.choice((number(), *PICTURES))
        case ValueKind.GLOW:
            return rng.choice((*NAMED_COLOURS, '"#123456"', *PICTURES))
        case ValueKind.SIZE:
            return rng.choice((number(), f"[{number()}, {number()}]", "[1, 2, 3]"))
        case ValueKind.PAIR:
            return f"[{number()}, {number()}]"
        case ValueKind.SURFACE:
            return rng.choice(("stone", "default", "nowhere"))
        case ValueKind.CHOICE | ValueKind.CHOICES:
            return rng.choice(schema_field.choices)
        case ValueKind.TEXT:
            return rng.choice(
                ("words", '"two\\nlines"', "part.yaml", "part.png", "part.obj", "part.glb", "part.map", "ä" * 70)
            )
        case ValueKind.PART:
            return rng.choice(("part.yaml", "level.yaml", "none.yaml", "../part.yaml"))
        case ValueKind.PREFAB:
            return f"p{rng.randrange(4)}"
        case ValueKind.PAINT:
            return "{wood: stone, 'a b': default}"
        case ValueKind.PIECES:
            count = rng.randint(1, 3) if depth < 3 else 1
            records = RECORDS if depth < 3 else [schema.PIECE_RECORDS["box"]]
            return f"[{', '.join(random_piece(rng, rng.choice(records), depth + 1) for _ in range(count))}]"
        case _:
            inner = schema_field.record
            if inner is None:
                return "{}"
            rows = [
                ", ".join(f"{f.name}: {_value(rng, f, depth + 1)}" for f in inner.fields)
                for _ in range(rng.randint(1, 3))
            ]
            return f"[{', '.join('{' + row + '}' for row in rows)}]"
