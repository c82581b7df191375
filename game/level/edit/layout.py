"""Where in a text an edit cuts and what it writes there, in the style that stands around it.

Each function plans cuts and changes nothing. What it cuts is the value, pair or item itself, with its own line where
it has one to itself; comments, blank lines and line ends of everything else stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .yaml_tree import Alias, List, Mapping, Meaning, Node, Scalar, meaning

BREAKS = "\r\n\x85\u2028\u2029"
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_COLON = re.compile("[ \t\r\n\x85\u2028\u2029]*:")
_REST = re.compile(f"[ \t]*(#[^{BREAKS}]*)?")
_AFTER_ITEM = re.compile(f"[ \t]*,?[ \t]*(#[^{BREAKS}]*)?")
_COMMA = re.compile("[ \t\r\n\x85\u2028\u2029]*,[ \t]*")


class EditRefused(Exception):
    """An edit that cannot be made in this text; the words are for the author, and the text is as before."""


@dataclass(frozen=True, slots=True)
class Cut:
    """text[start:end] becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Touch:
    """Cuts that make a node say something else."""

    node: Node
    said: Meaning
    cuts: list[Cut]


def line_start(text: str, index: int) -> int:
    while index > 0 and text[index - 1] not in BREAKS:
        index -= 1
    return index


def line_end(text: str, index: int) -> int:
    """Where the line's break begins, or the text ends."""
    found = _BREAK.search(text, index)
    return found.start() if found else len(text)


def past_break(text: str, index: int) -> int:
    found = _BREAK.match(text, index)
    return found.end() if found else index


def past_blanks(text: str, index: int) -> int:
    while text[index : index + 1] in (" ", "\t"):
        index += 1
    return index


def breaks(text: str, index: int) -> int:
    """How many lines end before text[index]."""
    return len(_BREAK.findall(text, 0, max(index, 0)))


def start_of(text: str, line: int) -> int:
    """Where a line, counted from 1, begins."""
    start = 0
    for _ in range(line - 1):
        start = past_break(text, line_end(text, start))
    return start


def break_of(text: str) -> str:
    """How this text ends its lines."""
    found = _BREAK.search(text)
    return found[0] if found and found[0] in ("\n", "\r\n") else "\n"


def value_cuts(text: str, key: Node | None, old: Node, new: Node, source: str) -> list[Touch]:
    """Make `old`, the value of `key`, say what `new`, a node of `source`, says: number by number where shapes agree."""
    if _said(old) == meaning(new):
        return []
    if isinstance(old, List) and isinstance(new, List) and len(old.items) == len(new.items) and old.items:
        parts = [(None, was, now) for was, now in zip(old.items, new.items, strict=True)]
        return [touch for part in parts for touch in value_cuts(text, *part, source)]
    if isinstance(old, Mapping) and isinstance(new, Mapping) and _names(old) == _names(new):
        pairs = zip(old.pairs, new.pairs, strict=True)
        return [touch for was, now in pairs for touch in value_cuts(text, was[0], was[1], now[1], source)]
    said: Meaning = meaning(new)
    if old.anchor is not None:
        said = ("&", old.anchor, said)
    return [Touch(old, said, _whole_value(text, key, old, source[new.start : new.end]))]


def _whole_value(text: str, key: Node | None, old: Node, words: str) -> list[Cut]:
    first = line_start(text, old.content)
    if isinstance(old, List | Mapping) and not old.flow and key is not None and first > key.end:
        # A block that begins below its key: the new value goes onto the key's line, before a comment that is there.
        colon = _COLON.match(text, key.end)
        behind = colon.end() if colon else key.end
        if old.anchor is not None:
            behind = old.anchored
        return [Cut(behind, behind, f" {words}"), Cut(_before_break(text, first), old.end, "")]
    if old.content == old.end:
        return [Cut(old.end, old.end, _spaced(text, old.end, words))]
    return [Cut(old.content, old.end, words)]


def pair_cuts(text: str, mapping: Node, name: str, value: str) -> list[Cut]:
    """Add a pair at the end of a mapping, or of the nothing that stands where one could."""
    pair = f"{name}: {value}"
    if isinstance(mapping, Scalar) and not mapping.text and not mapping.style:
        return [Cut(mapping.end, mapping.end, _spaced(text, mapping.end, f"{{{pair}}}"))]
    if isinstance(mapping, Alias):
        raise EditRefused(f"it is written as `*{mapping.name}`: edit it where that is written")
    if not isinstance(mapping, Mapping) or mapping.bare:
        raise EditRefused("fields cannot be added to what is written here")
    if mapping.flow:
        return [_into_flow(text, [(_start(pair), _end(pair)) for pair in mapping.pairs], mapping, pair)]
    first, (last_key, last) = mapping.pairs[0][0], mapping.pairs[-1]
    indent = " " * (first.start - line_start(text, first.start))
    return [_new_line(text, max(last_key.end, last.end), indent + pair)]


def item_cuts(text: str, sequence: Node, index: int, item: str) -> tuple[list[Cut], int]:
    """Add an item after number `index` (-1: into an empty list); and how far into the last cut's text it begins."""
    if not isinstance(sequence, List):
        if isinstance(sequence, Scalar) and not sequence.text and not sequence.style:
            new = _spaced(text, sequence.end, f"[{item}]")
            return [Cut(sequence.end, sequence.end, new)], new.index("[") + 1
        raise EditRefused("there is no list of pieces to add to")
    if sequence.flow:
        spans = [(node.start, node.end) for node in sequence.items[: index + 1]]
        cut = _into_flow(text, spans, sequence, item)
        return [cut], cut.new.index(item)
    before = sequence.items[index]
    dash = _dash(text, before)
    start = line_start(text, dash)
    lead = " " * (dash - start) + (text[dash : before.start] if _inline(text, dash, before.start) else "- ")
    cut = _new_line(text, before.end, lead + item)
    return [cut], cut.new.index(lead) + len(lead)


def pair_above(text: str, key: Node, name: str, value: str) -> Cut:
    """Add a pair of a block mapping on a line of its own, above the line of `key` and the comments right above that."""
    at = line_start(text, key.start)
    indent = text[at : key.start]
    while at > 0:
        above = line_start(text, _before_break(text, at))
        if not text[above:at].lstrip().startswith("#"):
            break
        at = above
    return Cut(at, at, f"{indent}{name}: {value}{break_of(text)}")


def drop_pair(text: str, mapping: Mapping, index: int) -> list[Cut]:
    """Take a pair out, with its line where it has it to itself."""
    spans = [(_start(pair), _end(pair)) for pair in mapping.pairs]
    if mapping.flow:
        return [_out_of_flow(text, spans, index)]
    start, end = spans[index]
    if len(spans) == 1:
        return [Cut(start, end, "{}")]
    if text[line_start(text, start) : start].strip(" "):  # behind a dash or an anchor
        if index + 1 == len(spans):
            raise EditRefused("this field cannot be taken out of where it stands")
        return [Cut(start, spans[index + 1][0], "")]
    return [_lines(text, start, end)]


def drop_item(text: str, sequence: List, index: int) -> list[Cut]:
    """Take an item out of a list of more than one, with its line and the comment on it."""
    spans = [(node.start, node.end) for node in sequence.items]
    if sequence.flow:
        return [_out_of_flow(text, spans, index)]
    dash = _dash(text, sequence.items[index])
    if text[line_start(text, dash) : dash].strip(" "):
        raise EditRefused("this piece cannot be taken out of where it stands")
    return [_lines(text, dash, spans[index][1])]


def _said(node: Node) -> object:
    """Its meaning without its own anchor."""
    whole = meaning(node)
    return whole[2] if node.anchor is not None and isinstance(whole, tuple) else whole


def _names(mapping: Mapping) -> list[Meaning]:
    return [meaning(key) for key, _ in mapping.pairs]


def _start(pair: tuple[Node, Node]) -> int:
    return pair[0].start


def _end(pair: tuple[Node, Node]) -> int:
    return max(pair[0].end, pair[1].end)


def _spaced(text: str, index: int, words: str) -> str:
    """Words put behind a key that has no value, with the colon where that is missing too."""
    before = text[index - 1 : index]
    colon = "" if before in ":-, \t[" else ":"
    return f"{colon}{'' if before in ' [' else ' '}{words}"


def _new_line(text: str, index: int, line: str) -> Cut:
    """`line` below the line that text[index] is on."""
    end = line_end(text, index)
    return Cut(end, end, break_of(text) + line)


def _before_break(text: str, index: int) -> int:
    """Where the break before a line's start begins."""
    if text[max(0, index - 2) : index] == "\r\n":
        return index - 2
    return max(0, index - 1)


def _lines(text: str, start: int, end: int) -> Cut:
    """Cut whole lines; of a last line without a break, the break before it."""
    first, last = line_start(text, start), line_end(text, end)
    if not _REST.fullmatch(text, end, last):
        raise EditRefused("something else stands on the same line")
    if last < len(text) or first == 0:
        return Cut(first, past_break(text, last), "")
    return Cut(_before_break(text, first), last, "")


def _dash(text: str, item: Node) -> int:
    """Where the dash of an item of a block list stands."""
    index = line_start(text, item.start)
    before = text[index : item.start]
    while "-" not in before.split("#")[0] and index > 0:
        end, index = index, line_start(text, _before_break(text, index))
        before = text[index:end]
    # Of `- - a` the last dash; of an item below its dash, the dash that ends its line.
    return index + before.split("#")[0].rstrip(" \t\r\n\x85\u2028\u2029").rindex("-")


def _inline(text: str, dash: int, start: int) -> bool:
    return not text[dash + 1 : start].strip(" ")


def _own_line(text: str, start: int) -> bool:
    return not text[line_start(text, start) : start].strip(" \t")


def _into_flow(text: str, spans: list[tuple[int, int]], around: Node, new: str) -> Cut:
    """After the last span in [ ] or { }: on a line of its own where that has one."""
    if not spans:
        at = around.content + 1
        gap = "" if text[at : at + 1] in "]}" else ", " if text[at : at + 1] not in (" ", *BREAKS) else ""
        return Cut(at, at, new + gap)
    start, end = spans[-1]
    rest = _AFTER_ITEM.match(text, end)
    comment = bool(rest and rest[1])
    alone = _own_line(text, start) and line_start(text, start) > around.start and not comment
    if alone and rest and text[rest.end() : rest.end() + 1] in (*BREAKS, ""):
        return Cut(end, end, f",{break_of(text)}{text[line_start(text, start) : start]}{new}")
    return Cut(end, end, f", {new}")


def _out_of_flow(text: str, spans: list[tuple[int, int]], index: int) -> Cut:
    start, end = spans[index]
    rest = _AFTER_ITEM.match(text, end)
    if _own_line(text, start) and rest and text[rest.end() : rest.end() + 1] in BREAKS and len(spans) > 1:
        return Cut(line_start(text, start), past_break(text, rest.end()), "")  # a comma left before ] or } is allowed
    comma = _COMMA.match(text, end)
    if index + 1 < len(spans):
        return Cut(start, comma.end() if comma else end, "")
    if index == 0:
        return Cut(start, comma.end() if comma else end, "")
    before = spans[index - 1][1]
    gap = text[before:start]
    if any(char in BREAKS or char == "#" for char in gap):
        return Cut(start, end, "")
    return Cut(before, end, "")
