"""Text cuts of an edit, in the style of the surrounding YAML.

The functions return cuts and change nothing. A cut replaces a value, pair or item, together with its line if nothing
else is on that line. Comments, blank lines and line endings of all other text stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.errors import WalkerError
from .yaml_tree import Meaning, TreeAlias, TreeList, TreeMapping, TreeNode, TreeScalar, node_meaning

LINE_BREAKS = "\r\n\x85\u2028\u2029"
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_COLON = re.compile("[ \t\r\n\x85\u2028\u2029]*:")
_REST = re.compile(f"[ \t]*(#[^{LINE_BREAKS}]*)?")
_AFTER_ITEM = re.compile(f"[ \t]*,?[ \t]*(#[^{LINE_BREAKS}]*)?")
_COMMA = re.compile("[ \t\r\n\x85\u2028\u2029]*,[ \t]*")


class EditRefused(WalkerError):
    """An edit that cannot be made in this text. The message is for the author; the text is unchanged."""


@dataclass(frozen=True, slots=True)
class TextCut:
    """The replacement of text[start:end] by `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class NodeEdit:
    """Cuts that give a node a new meaning."""

    node: TreeNode
    new_meaning: Meaning
    cuts: list[TextCut]


def line_start(text: str, index: int) -> int:
    """Start of the line of text[index]."""
    while index > 0 and text[index - 1] not in LINE_BREAKS:
        index -= 1
    return index


def line_end(text: str, index: int) -> int:
    """Start of the next line break, or the end of the text."""
    match = _BREAK.search(text, index)
    return match.start() if match else len(text)


def skip_line_break(text: str, index: int) -> int:
    """Index after a line break at `index`, if there is one."""
    match = _BREAK.match(text, index)
    return match.end() if match else index


def skip_blanks(text: str, index: int) -> int:
    """Index after the spaces and tabs at `index`."""
    while text[index : index + 1] in (" ", "\t"):
        index += 1
    return index


def count_line_breaks(text: str, index: int) -> int:
    """Number of line breaks before text[index]."""
    return len(_BREAK.findall(text, 0, max(index, 0)))


def line_break_style(text: str) -> str:
    """The line break that the text uses first; \\n if it is neither \\n nor \\r\\n."""
    match = _BREAK.search(text)
    return match[0] if match and match[0] in ("\n", "\r\n") else "\n"


def value_cuts(text: str, key: TreeNode | None, old: TreeNode, new: TreeNode, source: str) -> list[NodeEdit]:
    """Edits that replace `old`, the value of `key`, by `new`, a node of `source`.

    Values of the same shape are replaced item by item, so that their layout stays.
    """
    if _unanchored_meaning(old) == node_meaning(new):
        return []
    if isinstance(old, TreeList) and isinstance(new, TreeList) and len(old.items) == len(new.items) and old.items:
        items = zip(old.items, new.items, strict=True)
        return [edit for old_child, new_child in items for edit in value_cuts(text, None, old_child, new_child, source)]
    if isinstance(old, TreeMapping) and isinstance(new, TreeMapping) and _key_names(old) == _key_names(new):
        pairs = zip(old.pairs, new.pairs, strict=True)
        return [
            edit
            for old_child, new_child in pairs
            for edit in value_cuts(text, old_child[0], old_child[1], new_child[1], source)
        ]
    meaning: Meaning = node_meaning(new)
    if old.anchor is not None:
        meaning = ("&", old.anchor, meaning)
    return [NodeEdit(old, meaning, _replace_value_cuts(text, key, old, source[new.start : new.end]))]


def _replace_value_cuts(text: str, key: TreeNode | None, old: TreeNode, value: str) -> list[TextCut]:
    first = line_start(text, old.content)
    if isinstance(old, TreeList | TreeMapping) and not old.flow and key is not None and first > key.end:
        # A block below its key: the new value goes on the line of the key, before the comment of that line.
        colon = _COLON.match(text, key.end)
        insertion = colon.end() if colon else key.end
        if old.anchor is not None:
            insertion = old.anchored
        return [TextCut(insertion, insertion, f" {value}"), TextCut(_previous_break_start(text, first), old.end, "")]
    if old.content == old.end:
        return [TextCut(old.end, old.end, _value_after_key(text, old.end, value))]
    return [TextCut(old.content, old.end, value)]


def add_pair_cuts(text: str, mapping: TreeNode, *added: tuple[str, str]) -> list[TextCut]:
    """Cuts that add pairs of name and value at the end of a mapping or in place of an empty value."""
    pairs = [f"{name}: {value}" for name, value in added]
    pair = ", ".join(pairs)
    if isinstance(mapping, TreeScalar) and not mapping.text and not mapping.style:
        return [TextCut(mapping.end, mapping.end, _value_after_key(text, mapping.end, f"{{{pair}}}"))]
    if isinstance(mapping, TreeAlias):
        raise EditRefused(f"this is the alias `*{mapping.name}`: edit the anchor instead")
    if not isinstance(mapping, TreeMapping) or mapping.bare:
        raise EditRefused("fields cannot be added here")
    if mapping.flow:
        return [_append_to_flow(text, [(_pair_start(pair), _pair_end(pair)) for pair in mapping.pairs], mapping, pair)]
    first = mapping.pairs[0][0]
    last_key, last = mapping.pairs[-1]
    indent = " " * (first.start - line_start(text, first.start))
    lines = line_break_style(text).join(indent + pair for pair in pairs)
    return [_new_line_cut(text, max(last_key.end, last.end), lines)]


def add_item_cuts(text: str, sequence: TreeNode, index: int, item: str) -> tuple[list[TextCut], int]:
    """Cuts that add an item after item `index` (-1: into an empty list), and its offset in the last cut's text."""
    if not isinstance(sequence, TreeList):
        if isinstance(sequence, TreeScalar) and not sequence.text and not sequence.style:
            new = _value_after_key(text, sequence.end, f"[{item}]")
            return [TextCut(sequence.end, sequence.end, new)], new.index("[") + 1
        raise EditRefused("there is no list of pieces here")
    if sequence.flow:
        spans = [(node.start, node.end) for node in sequence.items[: index + 1]]
        cut = _append_to_flow(text, spans, sequence, item)
        return [cut], cut.new.index(item)
    before = sequence.items[index]
    dash = _dash_offset(text, before)
    start = line_start(text, dash)
    prefix = " " * (dash - start) + (text[dash : before.start] if _is_inline_item(text, dash, before.start) else "- ")
    cut = _new_line_cut(text, before.end, prefix + item)
    return [cut], cut.new.index(prefix) + len(prefix)


def insert_pair_above(text: str, key: TreeNode, name: str, value: str) -> TextCut:
    """Cut that adds a pair of a block mapping on its own line, above the line of `key` and the comments above it."""
    index = line_start(text, key.start)
    indent = text[index : key.start]
    while index > 0:
        above = line_start(text, _previous_break_start(text, index))
        if not text[above:index].lstrip().startswith("#"):
            break
        index = above
    return TextCut(index, index, f"{indent}{name}: {value}{line_break_style(text)}")


def remove_pair_cuts(text: str, mapping: TreeMapping, index: int) -> list[TextCut]:
    """Cuts that remove a pair, together with its line if nothing else is on it."""
    spans = [(_pair_start(pair), _pair_end(pair)) for pair in mapping.pairs]
    if mapping.flow:
        return [_remove_from_flow(text, spans, index)]
    start, end = spans[index]
    if len(spans) == 1:
        return [TextCut(start, end, "{}")]
    if text[line_start(text, start) : start].strip(" "):  # after a dash or an anchor
        if index + 1 == len(spans):
            raise EditRefused("this field cannot be removed from here")
        return [TextCut(start, spans[index + 1][0], "")]
    return [_cut_lines(text, start, end)]


def remove_item_cuts(text: str, sequence: TreeList, index: int) -> list[TextCut]:
    """Cuts that remove an item from a list of two or more, together with its line and the comment on it."""
    spans = [(node.start, node.end) for node in sequence.items]
    if sequence.flow:
        return [_remove_from_flow(text, spans, index)]
    dash = _dash_offset(text, sequence.items[index])
    if text[line_start(text, dash) : dash].strip(" "):
        raise EditRefused("this piece cannot be removed from here")
    return [_cut_lines(text, dash, spans[index][1])]


def _unanchored_meaning(node: TreeNode) -> object:
    """The meaning of a node without its own anchor."""
    meaning = node_meaning(node)
    return meaning[2] if node.anchor is not None and isinstance(meaning, tuple) else meaning


def _key_names(mapping: TreeMapping) -> list[Meaning]:
    return [node_meaning(key) for key, _ in mapping.pairs]


def _pair_start(pair: tuple[TreeNode, TreeNode]) -> int:
    return pair[0].start


def _pair_end(pair: tuple[TreeNode, TreeNode]) -> int:
    return max(pair[0].end, pair[1].end)


def _value_after_key(text: str, index: int, value: str) -> str:
    """The text of a value after a key without one, with a colon if that is missing too."""
    before = text[index - 1 : index]
    colon = "" if before in ":-, \t[" else ":"
    return f"{colon}{'' if before in ' [' else ' '}{value}"


def _new_line_cut(text: str, index: int, line: str) -> TextCut:
    """Cut that adds `line` below the line of text[index]."""
    end = line_end(text, index)
    return TextCut(end, end, line_break_style(text) + line)


def _previous_break_start(text: str, index: int) -> int:
    """Start of the line break that ends at a line's start."""
    if text[max(0, index - 2) : index] == "\r\n":
        return index - 2
    return max(0, index - 1)


def _cut_lines(text: str, start: int, end: int) -> TextCut:
    """Cut that removes whole lines. For a last line without a break it removes the break before it."""
    first, last = line_start(text, start), line_end(text, end)
    if not _REST.fullmatch(text, end, last):
        raise EditRefused("there is something else on the same line")
    if last < len(text) or first == 0:
        return TextCut(first, skip_line_break(text, last), "")
    return TextCut(_previous_break_start(text, first), last, "")


def _dash_offset(text: str, item: TreeNode) -> int:
    """Index of the dash of an item of a block list."""
    index = line_start(text, item.start)
    before = text[index : item.start]
    while "-" not in before.split("#")[0] and index > 0:
        end, index = index, line_start(text, _previous_break_start(text, index))
        before = text[index:end]
    # In `- - a` the last dash; for an item below its dash, the dash at the end of that line.
    return index + before.split("#")[0].rstrip(" \t\r\n\x85\u2028\u2029").rindex("-")


def _is_inline_item(text: str, dash: int, start: int) -> bool:
    return not text[dash + 1 : start].strip(" ")


def _starts_own_line(text: str, start: int) -> bool:
    return not text[line_start(text, start) : start].strip(" \t")


def _append_to_flow(text: str, spans: list[tuple[int, int]], container: TreeNode, new: str) -> TextCut:
    """Cut that adds `new` after the last span in [ ] or { }, on its own line if that span has one."""
    if not spans:
        index = container.content + 1
        gap = (
            ""
            if text[index : index + 1] in "]}"
            else ", "
            if text[index : index + 1] not in (" ", *LINE_BREAKS)
            else ""
        )
        return TextCut(index, index, new + gap)
    start, end = spans[-1]
    trailing = _AFTER_ITEM.match(text, end)
    comment = bool(trailing and trailing[1])
    on_own_line = _starts_own_line(text, start) and line_start(text, start) > container.start and not comment
    if on_own_line and trailing and text[trailing.end() : trailing.end() + 1] in (*LINE_BREAKS, ""):
        return TextCut(end, end, f",{line_break_style(text)}{text[line_start(text, start) : start]}{new}")
    return TextCut(end, end, f", {new}")


def _remove_from_flow(text: str, spans: list[tuple[int, int]], index: int) -> TextCut:
    start, end = spans[index]
    trailing = _AFTER_ITEM.match(text, end)
    if (
        _starts_own_line(text, start)
        and trailing
        and text[trailing.end() : trailing.end() + 1] in LINE_BREAKS
        and len(spans) > 1
    ):
        # The comma that then stands before ] or } is valid YAML.
        return TextCut(line_start(text, start), skip_line_break(text, trailing.end()), "")
    comma = _COMMA.match(text, end)
    if index + 1 < len(spans):
        return TextCut(start, comma.end() if comma else end, "")
    if index == 0:
        return TextCut(start, comma.end() if comma else end, "")
    before = spans[index - 1][1]
    gap = text[before:start]
    if any(char in LINE_BREAKS or char == "#" for char in gap):
        return TextCut(start, end, "")
    return TextCut(before, end, "")
