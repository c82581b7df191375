"""No-break spaces in YAML: they look like spaces, and YAML reads them as letters. Editors and web pages insert them."""

from __future__ import annotations

import re

BLANKS = "\u00a0\u2007\u202f\u2009\u3000"  # no-break, figure, narrow no-break, thin and ideographic space
MAX_PLACES = 20  # reported for one text

_BLANK = re.compile(f"[{BLANKS}]")
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_BEFORE = ":,[{-"
_AFTER = ",]}#:"


def find_no_break_spaces(text: str) -> list[tuple[int, int]]:
    """Line and column, from 1, of each no-break space that stands where YAML needs a space.

    Those inside quotes, comments and words of a text are not among them.
    """
    if not _BLANK.search(text):
        return []
    return [
        (number, column + 1)
        for number, line in enumerate(_LINE_BREAK.split(text), 1)
        if _BLANK.search(line)
        for column in _structural_columns(line)
    ]


def replace_no_break_spaces(text: str) -> str:
    """The text with a space for each no-break space that `find_no_break_spaces` finds."""
    places = find_no_break_spaces(text)
    if not places:
        return text
    starts = [0, *(match.end() for match in _LINE_BREAK.finditer(text))]
    characters = list(text)
    for line, column in places:
        characters[starts[line - 1] + column - 1] = " "
    return "".join(characters)


def _structural_columns(line: str) -> list[int]:
    """Columns, from 0, of no-break spaces in the indentation, next to a YAML sign or between two numbers."""
    columns = []
    quote = ""
    before = ""
    for column, char in enumerate(line):
        is_blank = char in BLANKS or char in " \t"
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (not before or before in _BEFORE):
            quote = char
        elif char == "#" and (column == 0 or line[column - 1] in f" \t{BLANKS}"):
            break
        elif char in BLANKS:
            after = line[column + 1 :].lstrip(f" \t{BLANKS}")[:1]
            numbers = before[-1:].isdigit() and (after.isdigit() or after == "-")
            if not before or before in _BEFORE or not after or after in _AFTER or numbers:
                columns.append(column)
        if not is_blank:
            before = char
    return columns
