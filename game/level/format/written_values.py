"""Formatting of numbers and scalars for level files."""

from __future__ import annotations

import re

DECIMAL_PLACES = 4  # 0.1 mm: no check of a level depends on less

# Words that YAML 1.1 or 1.2 reads as a flag or as nothing. Numbers and `~` are no plain scalars here.
_VALUE_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_PLAIN_SCALAR = re.compile(r"[A-Za-z_/][A-Za-z0-9_ ./'+-]*")


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
    return '"' + "".join(_escape_character(char) for char in text) + '"'


def format_text(text: str) -> str:
    """A text, such as a name, as a YAML scalar on one line: quoted where a YAML reader takes it for another value.

    Not for keys and flags: `on: wall` and `loop: true` stay as they are.
    """
    return f'"{text}"' if text.casefold() in _VALUE_WORDS else format_scalar(text)


def _escape_character(char: str) -> str:
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return known.get(char) or (char if char.isprintable() else escape_character(char))
