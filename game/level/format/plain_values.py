"""Values given in Python as plain text, lists and dictionaries of them, and the YAML text of such values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from ...core.arguments import describe_value

MAX_LINE_WIDTH = 110  # characters of a line of the text; longer lists and mappings take several lines
MAX_DEPTH = 64  # lists and mappings inside each other in a file
MAX_VALUE_DEPTH = MAX_DEPTH - 4  # `pieces`, its list, the piece and its fields are around a value
DECIMAL_PLACES = 4  # 0.1 mm: no check of a level depends on less

# Words that YAML 1.1 or 1.2 reads as a flag or as nothing. Numbers and `~` are no plain scalars here.
_VALUE_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_PLAIN_SCALAR = re.compile(r"[A-Za-z_/][A-Za-z0-9_ ./'+-]*")

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"


@runtime_checkable
class MadeInPython(Protocol):
    """A record."""

    def as_plain(self) -> Plain:
        """Its fields."""


LevelValue: TypeAlias = (
    str
    | float
    | np.generic
    | np.ndarray[Any, Any]
    | os.PathLike[str]
    | Sequence[Any]
    | Mapping[str, Any]
    | MadeInPython
)
"""Value of a field: text, a number, a bool, a list (a point, pieces), a dictionary (fields in { }) or a record."""


class PlainWord(str):
    """Text of a number or bool, which needs no quotes."""


def join_fields(fields: Mapping[str, LevelValue] | None, more: dict[str, LevelValue], what: str) -> dict[str, Plain]:
    """Both as plain values by field name, without the underscore at the end of a keyword."""
    if fields is not None and not isinstance(fields, Mapping):
        raise ValueError(f"{what}: expected a dictionary of fields, not {describe_value(fields)}")
    joined: dict[str, Plain] = {}
    for name, value in (*(fields or {}).items(), *((name.removesuffix("_"), value) for name, value in more.items())):
        if name in joined:
            raise ValueError(f"{what}: the field {name} is given twice")
        joined[plain_name(name, what)] = plain_value(value, f"{what}: {name}")
    return joined


def plain_value(value: Any, name: str, depth: int = 0) -> Plain:
    """A copy of text, words, lists and dictionaries. ValueError for other types."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, PlainWord):
        return value
    if isinstance(value, bool):
        return PlainWord("true" if value else "false")
    if isinstance(value, int | float):
        return PlainWord(repr(float(value) if isinstance(value, float) else int(value)))
    if isinstance(value, str):
        return plain_text(value, name)
    if isinstance(value, os.PathLike):
        return plain_text(Path(value).as_posix(), name)
    if depth >= MAX_VALUE_DEPTH:
        raise ValueError(f"{name}: the value has more than {MAX_VALUE_DEPTH} lists inside each other")
    if isinstance(value, MadeInPython):
        return plain_value(value.as_plain(), name, depth)
    if isinstance(value, Mapping):
        return {plain_name(key, name): plain_value(one, f"{name}.{key}", depth + 1) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain_value(value.tolist(), name, depth)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [plain_value(one, f"{name}[{index}]", depth + 1) for index, one in enumerate(value)]
    cure = "; leave the field out" if value is None else "; use a list" if isinstance(value, set | Iterator) else ""
    raise ValueError(f"{name} must be text, a number, a list or a dictionary, not {describe_value(value)}{cure}")


def plain_name(field: Any, name: str) -> str:
    """The name of a field. ValueError for a value that is no text."""
    if not isinstance(field, str):
        raise ValueError(f"{name}: the name of a field must be text, not {describe_value(field)}")
    return plain_text(field, name)


def plain_text(text: str, name: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError(f"{name}: {describe_value(text)} has half of a surrogate pair, which is no character")
    return str(text)


def python_text(value: Any) -> str:
    """A plain value, or a record, as it is written in Python: points as tuples."""
    if isinstance(value, PlainWord):
        return {"true": "True", "false": "False"}.get(value, str(value))
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name!r}: {python_text(one)}' for name, one in value.items())}}}"
    if not isinstance(value, (list, tuple)):
        return repr(value)
    text = ", ".join(map(python_text, value))
    is_point = len(value) > 1 and all(isinstance(one, PlainWord) for one in value)
    return f"({text})" if is_point else f"[{text}]"


def yaml_lines(key: str, value: Plain, indent: int) -> list[str]:
    """Lines of `key: value`, on one line where there is room."""
    pad = "  " * indent
    name = format_scalar(key)
    flow = _flow_text(value)
    if not isinstance(value, (list, dict)) or not value or len(pad) + len(name) + 2 + len(flow) <= MAX_LINE_WIDTH:
        return [f"{pad}{name}: {flow}"]
    lines = [f"{pad}{name}:"]
    if isinstance(value, dict):
        for inner, one in value.items():
            lines += yaml_lines(inner, one, indent + 1)
        return lines
    for one in value:
        if isinstance(one, dict) and len(one) == 1:
            lines += item_lines(*next(iter(one.items())), indent + 1)
        else:
            lines.append(f"{pad}  - {_flow_text(one)}")
    return lines


def item_lines(key: str, value: Plain, indent: int) -> list[str]:
    """Lines of `- key: value`."""
    lines = yaml_lines(key, value, indent + 1)
    return ["  " * indent + "- " + lines[0].lstrip(" "), *lines[1:]]


def _flow_text(value: Plain) -> str:
    """The value on one line, in YAML's flow style."""
    if isinstance(value, PlainWord):
        return str(value)
    if isinstance(value, str):
        return format_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow_text, value))}]"
    return f"{{{', '.join(f'{format_scalar(key)}: {_flow_text(one)}' for key, one in value.items())}}}"


def escape_character(char: str) -> str:
    """The escape of a character in Python and YAML: `\\x1b`, `\\u2028`, `\\U000e0001`."""
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def format_number(value: float, decimals: int = DECIMAL_PLACES) -> str:
    """A finite number without trailing zeros, never -0: 1.25, 3, -0.5. decimals: at most, and at least 1."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def format_point(values: tuple[float, ...] | list[float], decimals: int = DECIMAL_PLACES) -> str:
    """A point as a YAML list: [1.25, 0, -3]."""
    return f"[{', '.join(format_number(value, decimals) for value in values)}]"


def format_scalar(text: str) -> str:
    """A text as a YAML scalar on one line, in double quotes if it needs quotes."""
    if _PLAIN_SCALAR.fullmatch(text) and not text.endswith(" "):
        return text
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(known.get(one) or (one if one.isprintable() else escape_character(one)) for one in text) + '"'


def format_text(text: str) -> str:
    """A text, such as a name, as a YAML scalar on one line: quoted where a YAML reader takes it for another value.

    Not for keys and flags: `on: wall` and `loop: true` stay as they are.
    """
    return f'"{text}"' if text.casefold() in _VALUE_WORDS else format_scalar(text)
