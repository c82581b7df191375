"""Numbers and words as they are written into a level file."""

from __future__ import annotations

import re

PLACES = 4  # decimals: a tenth of a millimetre, below what anything in a level depends on

_SAFE = re.compile(r"[A-Za-z_/][A-Za-z0-9_ ./'+-]*")


def shown(value: float) -> str:
    """The shortest text of a finite number with at most 4 decimals, never -0: 1.25, 3, -0.5."""
    text = f"{value:.{PLACES}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def point(values: tuple[float, ...] | list[float]) -> str:
    """A point as a list of numbers: [1.25, 0, -3]."""
    return f"[{', '.join(shown(value) for value in values)}]"


def written(words: str) -> str:
    """Words as one YAML value of one line, in double quotes where they need any."""
    if _SAFE.fullmatch(words) and not words.endswith(" "):
        return words
    return '"' + "".join(_escaped(char) for char in words) + '"'


def _escaped(char: str) -> str:
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    if char in known:
        return known[char]
    code = ord(char)
    return char if char.isprintable() else f"\\x{code:02x}" if code < 256 else f"\\U{code:08x}"
