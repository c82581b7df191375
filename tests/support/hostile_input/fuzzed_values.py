"""Pieces and surfaces with values of the right type, at and beyond the limits of the level format."""

from __future__ import annotations

import random
from typing import Any

from game.level.build.pieces import PIECES
from game.level.format import numbers, record_values, values
from game.level.format.record import Record, Value

RECORDS = list(PIECES.values())
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


def random_piece(rng: random.Random, record: type[Record], depth: int) -> str:
    """A piece in flow style with extreme field values."""
    fields = [f"{f.name}: {_value(rng, f, depth)}" for f in record.fields.values() if f.required or rng.random() < 0.4]
    return f"{record.kind}: {{{', '.join(fields)}}}"


def random_fields(rng: random.Random, record: type[Record]) -> str:
    """Fields of a record in flow style with extreme values."""
    fields = [f for f in record.fields.values() if rng.random() < 0.4]
    return f"{{{', '.join(f'{f.name}: {_value(rng, f, 0)}' for f in fields)}}}"


def _value(rng: random.Random, field: Value[Any], depth: int) -> str:
    if rng.random() < 0.04:
        return rng.choice(('"x y"', "[]", "{}", "1/0", "-1", "1e9", "[[1]]", "north"))

    def number() -> str:
        usual = [rng.uniform(max(field.low, -6.0), min(field.high, 6.0)) for _ in range(3)]
        value = rng.choice((*usual, field.low, field.high, 0.0))
        return rng.choice((f"{value:g}", f"{value:.3f}", f"{value:.2f} + 1 - 1"))

    match field:
        case numbers.Count():
            low, high = int(field.low), int(field.high)
            return str(rng.choice((low, rng.randint(low, min(high, low + 30)), high)))
        case numbers.Number():
            return number()
        case numbers.Angle():
            return rng.choice((*numbers.FACING_DEGREES, "90", "12.5", "-1000", "360/7"))
        case numbers.Point() | numbers.Plan() | numbers.Pair():
            return f"[{', '.join(number() for _ in range(3 if isinstance(field, numbers.Point) else 2))}]"
        case numbers.Corners():
            return str([[rng.randint(0, 2) for _ in range(3)] for _ in range(field.min_count)])
        case numbers.Scale():
            return rng.choice(("1", "0.5", "[1, 2, 3]", "0.001", "1000", "0", "[1, -1, 1]"))
        case numbers.Span():
            return rng.choice((number(), f"[{number()}, {number()}]"))
        case numbers.Grid():
            width = rng.randint(2, 12)
            return str([[round(rng.uniform(-2, 4), 2) for _ in range(width)] for _ in range(rng.randint(2, 12))])
        case numbers.Formula():
            return rng.choice(('"noise(x, z)"', "x/9", '"sin(x*9) * cos(z)"', "1/x", "x**9**9", '"3 * sqrt(abs(x*z))"'))
        case record_values.Terms():
            return rng.choice(('{hill: "noise(x, z)", steep: hill * 9}', "{x: 1}", "{a: b}", "{a: 1/x}", "{a: [1]}"))
        case values.Flag():
            return rng.choice(("true", "false"))
        case values.Colour():
            return rng.choice((*values.NAMED_COLOURS, '"#123456"'))
        case values.Picture():
            return rng.choice(PICTURES)
        case values.Factor():
            return rng.choice((number(), *PICTURES))
        case values.Glow():
            return rng.choice((*values.NAMED_COLOURS, '"#123456"', *PICTURES))
        case values.Size():
            return rng.choice((number(), f"[{number()}, {number()}]", "[1, 2, 3]"))
        case values.Surface():
            return rng.choice(("stone", "default", "nowhere"))
        case values.Choice() | values.Choices():
            return rng.choice(field.choices)
        case values.Text():
            return rng.choice(
                ("words", '"two\\nlines"', "part.yaml", "part.png", "part.obj", "part.glb", "part.map", "ä" * 70)
            )
        case record_values.Include():
            return rng.choice(("part.yaml", "level.yaml", "none.yaml", "../part.yaml"))
        case record_values.PrefabName():
            return f"p{rng.randrange(4)}"
        case values.Paint():
            return "{wood: stone, 'a b': default}"
        case record_values.Pieces():
            count = rng.randint(1, 3) if depth < 3 else 1
            kinds = RECORDS if depth < 3 else [PIECES["box"]]
            return f"[{', '.join(random_piece(rng, rng.choice(kinds), depth + 1) for _ in range(count))}]"
        case _:
            inner = field.record
            if inner is None:
                return "{}"
            rows = [
                ", ".join(f"{f.name}: {_value(rng, f, depth + 1)}" for f in inner.fields.values())
                for _ in range(rng.randint(1, 3))
            ]
            return f"[{', '.join('{' + row + '}' for row in rows)}]"
