"""Errors of the YAML parser in plain words.

The parser often notices a mistake many lines below it. Where a small repair of the text above lets the parser go on,
the error is about that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import yaml

from ..findings import InputError, SourceSpan, quote_text, sanitize_text
from ..schema import LEVEL, PIECE_RECORDS

YAML_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
MAX_REPAIRED_TEXT = 100_000 if YAML_LOADER is not yaml.BaseLoader else 5_000  # characters: each repair is parsed
MAX_REPAIRS = 12  # tried for one error

_MISSING_COLON = re.compile(
    r"^[ \t]*(?:- +)?([a-z_]+) +(?:[\[{]|([^\s:,\[\]{}][^:,\[\]{}\n]*)$)", re.MULTILINE
)  # `- box {from: ...}`, `surface hull`
_BARE_COLOUR = re.compile(r"(?<=:)([ \t]+)(#[0-9a-fA-F]{3,8})\b")  # an unquoted # begins a comment
_NO_SPACE = re.compile(r"\b([A-Za-z_]\w*):(?=[\[{\"'])")  # `box:{from: ...}`
_NO_SPACE_IN_LINE = re.compile(
    r"^(?:[ -]*)([a-z_]+):(?=[\w.+-]+ *$)", re.MULTILINE
)  # `name:kitchen`, alone on its line
_ENTRY = re.compile(r"^( +)[\[{]", re.MULTILINE)  # a line that may lack its dash
_DASH = re.compile(r"^( +)- ", re.MULTILINE)
_TAB = re.compile(r"^[ -]*\t[ \t-]*", re.MULTILINE)  # in the indentation
_NO_COMMA = re.compile(r"(?:: *[^\s,:{}\[\]\"']+|[\]}\"'])( +)([a-z_]+):(?= )")  # `{facing: north length: 2}`
_OPEN_LIST = re.compile(r"\[([^\[\]{}:]*),\s+([a-z_]+):(?= )")  # `{at: [0, 0, 17, facing: north}`
_ITEM = re.compile(r"^( *)- +(([\w ]+):.*)", re.MULTILINE)  # `- iron: ...`, perhaps beside `rock: ...`
_SLASHES = re.compile(r"(?<!\S)(//|/\*)")
_NEXT_FIELD = re.compile(r",\s+[A-Za-z_]+:")
_ENDS = " \t\r]},"  # what may follow a value at the end of a line
_OPENERS = {"}": "{", "]": "["}
_CLOSERS = {"{": "}", "[": "]"}

_FIELDS = [field for record in (LEVEL, *PIECE_RECORDS.values()) for field in record.fields]
_NAMES = {
    name for field in _FIELDS for name in (field.name, *(one.name for one in getattr(field.record, "fields", ())))
}

_PLAIN_ERRORS = {
    "did not find expected node content": ("a value is missing", "add a value, or remove the name before it"),
    "mapping values are not allowed": (
        "a colon is not allowed here",
        "put text with a colon in quotes; or finish the line above, or indent this line less",
    ),
    "did not find expected ',' or ']'": (
        "a list `[` is not closed",
        "close it with `]`, or put a comma between its items",
    ),
    "did not find expected ',' or '}'": (
        "a mapping `{` is not closed",
        "close it with `}`, or put a comma between its fields",
    ),
    "found unexpected end of stream": ("a quotation mark is not closed", "close it with the same mark"),
    "did not find expected key": (
        "this line does not belong to the block above",
        "indent it like the other lines of its block",
    ),
    "found a tab character": ("the line contains a tab", "use spaces: YAML does not allow tabs for indentation"),
    "did not find expected '-' indicator": (
        "the list ends here, but this line is indented like a list item",
        "indent it like the key it belongs to, or start the line with `- `",
    ),
    "could not find expected ':'": ("a colon is missing", "write `name: value`, with a space after the colon"),
    "found unexpected ':'": ("a space is missing after the colon", "write `name: value`, with a space after the colon"),
    "found unknown escape character": (
        "this backslash starts an escape sequence that YAML does not have",
        "write two backslashes, or use single quotes",
    ),
    "found undefined alias": ("an alias `*` has no anchor `&`", "write the anchor before the alias"),
    "block sequence entries are not allowed": ("a list cannot begin here", "start the list on its own line"),
}


@dataclass(frozen=True, slots=True)
class _Repair:
    """A change of a text that may mend it. index, length: the characters that the message is about."""

    index: int
    length: int
    message: str
    cure: str
    text: str


@dataclass(slots=True)
class _Scan:
    """Places in a text, as indices, where a mistake may be.

    quotes: first characters of quoted texts that do not end on their line. closers: brackets that close nothing.
    code: the text with blanks in place of comments and quoted texts.
    """

    quotes: list[int] = field(default_factory=list)
    closers: list[int] = field(default_factory=list)
    code: str = ""


def explain_yaml_error(error: yaml.YAMLError, text: str) -> InputError:
    """The parser's error about `text` in plain words, with its place and its cure."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return InputError(f"this is not YAML: {sanitize_text(str(error), 120)}")
    mark = error.problem_mark
    index = mark.index if mark.index is not None else 0
    repair = _find_repair(text, mark.line, index)
    if repair is not None:
        line = text.count("\n", 0, repair.index)
        column = repair.index - (text.rfind("\n", 0, repair.index) + 1)
        return InputError(repair.message, repair.cure, SourceSpan(line + 1, column + 1, repair.length))
    problem = error.problem or "it cannot be read"
    message = f"this is not YAML: {sanitize_text(problem, 120)}"
    cure = ""
    for pattern, plain in _PLAIN_ERRORS.items():
        if pattern in problem:
            message, cure = plain
    if "did not find expected '-' indicator" in problem:
        cure = _cure_of_indent(text[:index].split("\n"), text[index:], mark.column) or cure
    if "cannot start any token" in problem:
        character = text[index : index + 1]
        message = (
            f"a value cannot begin with {quote_text(character)}" if character != "\t" else "the line contains a tab"
        )
        cure = "put the text in quotes" if character != "\t" else "use spaces: YAML does not allow tabs for indentation"
    start = error.context_mark
    if text[index : index + 1] == ":" and "not closed" in message and start and start.line == mark.line:
        message = "a colon is not allowed here"
        cure = "put text with a colon in quotes; put pieces of a list in [ ]"
    if _BARE_COLOUR.search(text, max(0, index - 300), index + 1):
        cure = 'put colours in quotes, "#ff0000": an unquoted # begins a comment'
    if start is not None and "not closed" in message:
        message += f", opened at line {start.line + 1}, column {start.column + 1}"
    return InputError(message, cure, SourceSpan(mark.line + 1, mark.column + 1))


def _cure_of_indent(above: list[str], rest: str, column: int) -> str:
    """Cure of a line `rest` that is no item of the list at `column`; '' if the lines above do not show it.

    The name of a piece begins an item; another name belongs to the last item, if its fields are on lines of their own.
    """
    if re.split(r"\W", rest, maxsplit=1)[0] in PIECE_RECORDS:
        return "start the line with `- `, or indent it like the key it belongs to"
    width = 0
    for line in reversed(above[:-1]):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= column:
            break
        width = indent if line.strip() else width
    return f"indent it by {width} spaces, like the fields above it" if width else ""


def _find_repair(text: str, line: int, index: int) -> _Repair | None:
    """The repair above the error at `index`, on `line` from 0, that mends the text; else one that mends it thus far.

    A repair mends a text thus far if the next error is on a line below.
    """
    if len(text) > MAX_REPAIRED_TEXT:
        return None
    found = None
    end = text.find("\n", index)
    for number, repair in enumerate(_repairs(text, len(text) if end < 0 else end)):
        if number == MAX_REPAIRS:
            break
        try:
            for _ in yaml.parse(repair.text, Loader=YAML_LOADER):
                pass
            return repair
        except yaml.MarkedYAMLError as error:
            mark, start = error.problem_mark, error.context_mark
            first = text.count("\n", 0, repair.index)
            is_beyond = mark is not None and mark.line > line + 1 and (start is None or start.line > first)
            found = found or (repair if is_beyond else None)
        except yaml.YAMLError:
            pass
    return found


def _repairs(text: str, end: int) -> Iterator[_Repair]:
    """Repairs of mistakes that begin before `end`."""
    scan = _scan_yaml(text)
    for index in scan.quotes:
        if index < end:
            yield from _quote_repairs(text, index)
    colons = [match for match in _NO_SPACE.finditer(scan.code) if match.start() < end]
    if colons:
        ends = [0, *(match.end() for match in colons), len(text)]
        repaired = " ".join(text[first:last] for first, last in pairwise(ends))
        name, value = colons[0][1], text[ends[1]]
        cure = f"write `{name}: {value}`, with a space after the colon"
        yield _Repair(ends[1] - 1, 1, "a space is missing after the colon", cure, repaired)
    alone = [match for match in _NO_SPACE_IN_LINE.finditer(scan.code) if match.start() < end]
    if alone:
        after = alone[-1].end()
        cure = f"write a space after `{alone[-1][1]}:`"
        yield _Repair(after - 1, 1, "a space is missing after the colon", cure, f"{text[:after]} {text[after:]}")
    for match in reversed([*_NO_COMMA.finditer(scan.code, text.rfind("\n", 0, end) + 1, end)]):
        start, name = match.start(2), match[2]
        if name in _NAMES:
            message, cure = f"a comma is missing before `{name}`", f"write `, {name}:`"
            yield _Repair(start, len(name), message, cure, f"{text[: match.start(1)]},{text[match.start(1) :]}")
    for match in reversed([*_OPEN_LIST.finditer(scan.code, 0, end)]):
        if match[2] in _NAMES:
            close = match.end(1)
            message = f"this list `[` is not closed before `{match[2]}`"
            cure = f"close it with `]`: write `{sanitize_text(text[match.start() : close], 60)}]`"
            yield _Repair(match.start(), 1, message, cure, f"{text[:close]}]{text[close:]}")
    colour = _BARE_COLOUR.search(text, 0, end)
    if colour is not None:
        message = f"the colour {colour[2]} is a comment: a # after a space begins one"
        cure = f'put it in quotes: "{colour[2]}"'
        yield _Repair(colour.start(2), len(colour[2]), message, cure, _BARE_COLOUR.sub(r'\1"\2"', text))
    bare = [match for match in _MISSING_COLON.finditer(scan.code, 0, end) if "{" not in match[0][:-1]]
    for match in bare[:-3:-1]:
        name, start = match[1], match.end(1)
        value = (
            sanitize_text(text[start : match.end()].strip(), 60)
            if match[2]
            else f"{match[0][-1]}...{_CLOSERS[match[0][-1]]}"
        )
        message, cure = f"a colon is missing after {quote_text(name)}", f"write `{name}: {value}`"
        yield _Repair(start - len(name), len(name), message, cure, f"{text[:start]}:{text[start:]}")
    for match in _ENTRY.finditer(scan.code, 0, end):
        around = scan.code[: match.start()].rstrip().rpartition("\n")[2], scan.code[match.end() :].partition("\n")[2]
        if any(line.startswith(f"{match[1]}- ") for line in around):
            start = match.end(1)
            entry = text[start : text.find("\n", start) if "\n" in text[start:] else len(text)]
            cure = f"write `- {sanitize_text(entry.strip(), 60)}`"
            message = f"`- ` is missing before {quote_text(entry[:12].strip())}"
            yield _Repair(start, 1, message, cure, f"{text[:start]}- {text[start:]}")
    tab = _TAB.search(text, 0, end)
    if tab is not None:
        first = text.index("\t", tab.start())
        dashes = [len(match[1]) for match in _DASH.finditer(text, 0, first)]
        is_entry = text[tab.end() - 2 : tab.end()].strip() == "-" or text[tab.end() : tab.end() + 1] == "-"
        lines = [*text[: tab.start()].rstrip("\n").split("\n")[-1:], text[tab.end() :].partition("\n")[2]]
        beside = dict.fromkeys(len(line) - len(line.lstrip(" ")) for line in lines if line[:1] == " ")
        for width in (
            *([min(dashes)] if is_entry and dashes else beside),
            8,
            4,
            2,
        ):  # an entry is one of the outer list
            repaired = _TAB.sub(partial(_replace_tabs, " " * width), text)
            cure = f"write {width} spaces in place of each tab: YAML does not allow tabs for indentation"
            yield _Repair(first, 1, "the line contains a tab", cure, repaired)
    yield from _dash_repairs(text, end)
    for match in _ITEM.finditer(scan.code, text.rfind("\n", 0, end) + 1, end):
        start = match.start(2)
        message = f"{quote_text(match[3])} is a name among others: `- ` begins an item of a list"
        repaired = f"{text[: match.end(1)]}{text[start:]}"
        yield _Repair(match.end(1), 1, message, f"write `{sanitize_text(match[3])}: ...` without `- `", repaired)
    slashes = _SLASHES.search(scan.code, 0, end)
    if slashes is not None:
        message = f"a comment begins with `#`, not with `{slashes[1]}`"
        repaired = text[: slashes.start()] + _SLASHES.sub("# ", text[slashes.start() :])
        yield _Repair(slashes.start(), 2, message, f"write `#` in place of `{slashes[1]}`", repaired)
    for index in reversed([index for index in scan.closers if index < end]):
        closer = text[index]
        message = f"this `{closer}` closes nothing: there is no `{_OPENERS[closer]}` for it"
        yield _Repair(index, 1, message, "remove it", text[:index] + text[index + 1 :])


def _dash_repairs(text: str, end: int) -> Iterator[_Repair]:
    """Repairs of one of the last two items before `end` that stands some spaces beside the items of its list."""
    dashes = [*_DASH.finditer(text)]
    above = [k for k, match in enumerate(dashes) if match.start() < end]
    for k in above[:-3:-1]:
        own, start = len(dashes[k][1]), dashes[k].start()
        beside = (len(match[1]) for match in (*reversed(dashes[:k]), *dashes[k + 1 :]))
        for width in [*dict.fromkeys(width for width in beside if 0 < abs(width - own) <= 3)][:2]:
            message = f"this item of a list is indented by {own} spaces, and the items beside it by {width}"
            repaired = f"{text[:start]}{' ' * width}{text[start + own :]}"
            yield _Repair(start + own, 1, message, f"indent it by {width} spaces", repaired)


def _replace_tabs(blanks: str, match: re.Match[str]) -> str:
    return match[0].replace("\t", blanks)


def _quote_repairs(text: str, index: int) -> Iterator[_Repair]:
    """Repairs that close the quotation mark at `index` on its line: before the next field, and before the brackets at
    its end."""
    end = text.find("\n", index)
    rest = text[index : len(text) if end < 0 else end]
    following = _NEXT_FIELD.search(rest)
    for length in (following.start() if following else 0, len(rest.rstrip(_ENDS))):
        if length:
            repaired = text[: index + length] + text[index] + text[index + length :]
            yield _Repair(index, 1, "a quotation mark is not closed", "close it with the same mark", repaired)


def _scan_yaml(text: str) -> _Scan:
    """Quotes, brackets and comments of a text that may not be YAML, read line by line."""
    scan = _Scan()
    code: list[str] = []
    opened: list[str] = []
    quote = ""
    quoted_at = 0
    start = 0
    for line in text.splitlines(keepends=True):
        before = ""  # the last character that is no blank
        for column, char in enumerate(line):
            is_code = not quote
            if quote:
                if char == quote and not (quote == '"' and line[column - 1 : column] == "\\"):
                    quote = ""
                    if quoted_at < start:
                        scan.quotes.append(quoted_at)
            elif char in "\"'" and (not before or before in ":,[{-"):
                quote, quoted_at = char, start + column
            elif char == "#" and not line[column - 1 : column].strip():
                code.append(" " * (len(line) - column))
                break
            elif char in "[{" and (opened or not before or before in ":-"):
                opened.append(char)
            elif char in "]}" and opened and opened[-1] == _OPENERS[char]:
                opened.pop()
            elif char in "]}" and ((opened and before != ":") or not before or before in "]}"):
                scan.closers.append(start + column)
            code.append(char if is_code or char == "\n" else " ")
            before = before if char.isspace() else char
        start += len(line)
    if quote and text.find("\n", quoted_at) >= 0:
        scan.quotes.append(quoted_at)
    scan.code = "".join(code)
    return scan
