"""Numbers and words as they are written into a level file."""

from __future__ import annotations

import re

DECIMAL_PLACES = 4  # decimals: a tenth of a millimetre, below what anything in a level depends on

_PLAIN_SCALAR = re.compile(r"[A-Za-z_/][A-Za-z0-9_ ./'+-]*")


def format_number(value: float) -> str:
    """The shortest text of a finite number with at most 4 decimals, never -0: 1.25, 3, -0.5."""
    text = f"{value:.{DECIMAL_PLACES}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def format_point(values: tuple[float, ...] | list[float]) -> str:
    """A point as a list of numbers: [1.25, 0, -3]."""
    return f"[{', '.join(format_number(value) for value in values)}]"


def format_scalar(words: str) -> str:
    """Words as one YAML value of one line, in double quotes where they need any."""
    if _PLAIN_SCALAR.fullmatch(words) and not words.endswith(" "):
        return words
    return '"' + "".join(_escape_character(char) for char in words) + '"'


def _escape_character(char: str) -> str:
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    if char in known:
        return known[char]
    code = ord(char)
    return char if char.isprintable() else f"\\x{code:02x}" if code < 256 else f"\\U{code:08x}"
