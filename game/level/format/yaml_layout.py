"""Edits of a text in the style of the YAML around them: values, pairs and items that are replaced, added or removed.

The functions return edits and change nothing. An edit replaces a value, pair or item, together with its line if nothing
else is on that line. Comments, blank lines and line endings of all other text stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...core.errors import WalkerError
from .findings import LINE_BREAK, LINE_BREAKS, Edit
from .plain_values import format_scalar
from .yaml_nodes import YamlAlias, YamlList, YamlMapping, YamlNode, YamlScalar

_COLON = re.compile(f"[ \t{LINE_BREAKS}]*:")
_REST = re.compile(f"[ \t]*(#[^{LINE_BREAKS}]*)?")
_AFTER_ITEM = re.compile(f"[ \t]*,?[ \t]*(#[^{LINE_BREAKS}]*)?")
_COMMA = re.compile(f"[ \t{LINE_BREAKS}]*,[ \t]*")
NEW_SURFACE = "{colour: grey}"


class EditRefused(WalkerError):
    """An edit that cannot be made in this text. The message is for the author; the text is unchanged."""


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, list[Edit]]:
    """The text after edits, and those that were made. Of edits that overlap, only the first is made; texts that are
    inserted at one place follow each other."""
    made: list[Edit] = []
    parts = []
    end = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start >= end:
            parts += [text[end : edit.start], edit.text]
            end = edit.end
            made.append(edit)
    return "".join([*parts, text[end:]]), made


def define_surface(root: YamlMapping, name: str) -> Edit | None:
    """Edit that adds a surface to a file; None where its `surfaces` cannot be edited."""
    fields = f"{format_scalar(name)}: {NEW_SURFACE}"
    given = _find(root, "surfaces")
    try:
        if not given:
            return _widened(root, add_top_field(root, "surfaces", f"{{{fields}}}", "pieces"))
        surfaces = given[0][1]
        if surfaces.anchor is not None and surfaces.anchor.uses:
            return None
        edit = add_pairs(surfaces, [fields])
    except EditRefused:
        return None
    return edit if surfaces.nodes else _widened(root, edit)


def add_format(root: YamlNode, value: int) -> Edit | None:
    """Edit that adds the field `format` to a file, above all others; None where it cannot be added."""
    names = [key.text for key in root.nodes[::2] if isinstance(key, YamlScalar)]
    if not isinstance(root, YamlMapping) or not names:
        return None
    try:
        return _widened(root, add_top_field(root, "format", str(value), names[0]))
    except EditRefused:
        return None


def add_top_field(root: YamlMapping, name: str, value: str, before: str) -> Edit:
    """Edit that adds a field of the file above the field `before` and its comments; at the end without that field."""
    text = root.source.text
    given = _find(root, before)
    if root.flow or not given:
        return add_pairs(root, [f"{name}: {value}"])
    key = given[0][0]
    index = line_start(text, key.start)
    indent = text[index : key.start]
    if indent.strip(" "):
        raise EditRefused(f"`{name}` cannot be added above `{before}`")
    while index > 0:
        above = line_start(text, _previous_break_start(text, index))
        if not text[above:index].lstrip().startswith("#"):
            break
        index = above
    return Edit(index, index, f"{indent}{name}: {value}{line_break_style(text)}")


def _find(mapping: YamlMapping, name: str) -> list[tuple[YamlNode, YamlNode]]:
    """The pairs that are written with that key."""
    return [pair for pair in mapping.written_pairs if isinstance(pair[0], YamlScalar) and pair[0].text == name]


def _widened(root: YamlNode, edit: Edit) -> Edit:
    """The same change, which covers the character before it or the first of the text: two such edits of one place
    overlap, so that only one of them is made."""
    text = root.source.text
    if edit.start > 0:
        return Edit(edit.start - 1, edit.end, text[edit.start - 1] + edit.text)
    return Edit(0, edit.end + 1, edit.text + text[edit.end])


def line_start(text: str, index: int) -> int:
    """Start of the line of text[index]."""
    while index > 0 and text[index - 1] not in LINE_BREAKS:
        index -= 1
    return index


def line_break_style(text: str) -> str:
    """The line break that the text uses first; \\n if it is neither \\n nor \\r\\n."""
    match = LINE_BREAK.search(text)
    return match[0] if match and match[0] in ("\n", "\r\n") else "\n"


def replace_value(key: YamlNode | None, old: YamlNode, value: str) -> list[Edit]:
    """Edits that replace `old`, the value of `key`, and keep its anchor."""
    text = old.source.text
    first = line_start(text, old.content)
    if isinstance(old, YamlList | YamlMapping) and not old.flow and key is not None and first > key.end:
        # A block below its key: the new value goes on the line of the key, before the comment of that line.
        colon = _COLON.match(text, key.end)
        insertion = colon.end() if colon else key.end
        if old.anchor is not None:
            insertion = old.after_anchor
        return [Edit(insertion, insertion, f" {value}"), Edit(_previous_break_start(text, first), old.end, "")]
    if old.content == old.end:
        return [_value_after_key(old, value)]
    return [Edit(old.content, old.end, value)]


def add_pairs(mapping: YamlNode, pairs: Sequence[str]) -> Edit:
    """Edit that adds pairs `name: value` at the end of a mapping or in place of an empty value."""
    text = mapping.source.text
    if isinstance(mapping, YamlScalar) and mapping.is_empty:
        return _value_after_key(mapping, f"{{{', '.join(pairs)}}}")
    if isinstance(mapping, YamlAlias):
        raise EditRefused(f"this is the alias `*{mapping.name}`: edit the anchor instead")
    if not isinstance(mapping, YamlMapping) or mapping.bare:
        raise EditRefused("fields cannot be added here")
    if mapping.flow:
        return _append_to_flow([_pair_span(pair) for pair in mapping.written_pairs], mapping, ", ".join(pairs))
    first = mapping.nodes[0]
    indent = " " * (first.start - line_start(text, first.start))
    lines = line_break_style(text).join(indent + pair for pair in pairs)
    return _new_line(text, _pair_span(mapping.written_pairs[-1])[1], lines)


def add_item(sequence: YamlNode, index: int, item: str) -> tuple[Edit, int]:
    """Edit that adds an item after item `index` (-1: into an empty list), and its offset in the edit's text."""
    if isinstance(sequence, YamlScalar) and sequence.is_empty:
        edit = _value_after_key(sequence, f"[{item}]")
        return edit, edit.text.index("[") + 1
    if not isinstance(sequence, YamlList):
        raise EditRefused("there is no list of pieces here")
    if sequence.flow:
        edit = _append_to_flow([(node.start, node.end) for node in sequence.items[: index + 1]], sequence, item)
        return edit, edit.text.index(item)
    text = sequence.source.text
    before = sequence.items[index]
    dash = _dash_offset(before)
    is_inline = not text[dash + 1 : before.start].strip(" ")
    prefix = " " * (dash - line_start(text, dash)) + (text[dash : before.start] if is_inline else "- ")
    edit = _new_line(text, before.end, prefix + item)
    return edit, edit.text.index(prefix) + len(prefix)


def remove_pair(mapping: YamlMapping, index: int) -> Edit:
    """Edit that removes a pair, together with its line if nothing else is on it."""
    text = mapping.source.text
    spans = [_pair_span(pair) for pair in mapping.written_pairs]
    if mapping.flow:
        return _remove_from_flow(text, spans, index)
    start, end = spans[index]
    if len(spans) == 1:
        return Edit(start, end, "{}")
    if text[line_start(text, start) : start].strip(" "):  # after a dash or an anchor
        if index + 1 == len(spans):
            raise EditRefused("this field cannot be removed from here")
        return Edit(start, spans[index + 1][0], "")
    return _remove_lines(text, start, end)


def remove_item(sequence: YamlList, index: int) -> Edit:
    """Edit that removes an item from a list of two or more, together with its line and the comment on it."""
    text = sequence.source.text
    if sequence.flow:
        return _remove_from_flow(text, [(node.start, node.end) for node in sequence.items], index)
    dash = _dash_offset(sequence.items[index])
    if text[line_start(text, dash) : dash].strip(" "):
        raise EditRefused("this piece cannot be removed from here")
    return _remove_lines(text, dash, sequence.items[index].end)


def _pair_span(pair: tuple[YamlNode, YamlNode]) -> tuple[int, int]:
    return pair[0].start, max(pair[0].end, pair[1].end)


def _value_after_key(empty: YamlNode, value: str) -> Edit:
    """Edit that writes a value in the place of one that is empty, with a colon if that is missing too."""
    index = empty.end
    before = empty.source.text[index - 1 : index]
    colon = "" if before in ":-, \t[" else ":"
    return Edit(index, index, f"{colon}{'' if before in ' [' else ' '}{value}")


def _new_line(text: str, index: int, line: str) -> Edit:
    """Edit that adds `line` below the line of text[index]."""
    end = _line_end(text, index)
    return Edit(end, end, line_break_style(text) + line)


def _line_end(text: str, index: int) -> int:
    """Start of the next line break, or the end of the text."""
    match = LINE_BREAK.search(text, index)
    return match.start() if match else len(text)


def _skip_line_break(text: str, index: int) -> int:
    """Index after a line break at `index`, if there is one."""
    match = LINE_BREAK.match(text, index)
    return match.end() if match else index


def _previous_break_start(text: str, index: int) -> int:
    """Start of the line break that ends at a line's start."""
    return index - 2 if text[max(0, index - 2) : index] == "\r\n" else max(0, index - 1)


def _remove_lines(text: str, start: int, end: int) -> Edit:
    """Edit that removes whole lines. For a last line without a break it removes the break before it."""
    first, last = line_start(text, start), _line_end(text, end)
    if not _REST.fullmatch(text, end, last):
        raise EditRefused("there is something else on the same line")
    if last < len(text) or first == 0:
        return Edit(first, _skip_line_break(text, last), "")
    return Edit(_previous_break_start(text, first), last, "")


def _dash_offset(item: YamlNode) -> int:
    """Index of the dash of an item of a block list."""
    text = item.source.text
    index = line_start(text, item.start)
    before = text[index : item.start]
    while "-" not in before.split("#")[0] and index > 0:
        end, index = index, line_start(text, _previous_break_start(text, index))
        before = text[index:end]
    # In `- - a` the last dash; for an item below its dash, the dash at the end of that line.
    return index + before.split("#")[0].rstrip(f" \t{LINE_BREAKS}").rindex("-")


def _starts_own_line(text: str, start: int) -> bool:
    return not text[line_start(text, start) : start].strip(" \t")


def _append_to_flow(spans: list[tuple[int, int]], container: YamlNode, new: str) -> Edit:
    """Edit that adds `new` after the last span in [ ] or { }, on its own line if that span has one."""
    text = container.source.text
    if not spans:
        index = container.content + 1
        is_followed = text[index : index + 1] not in (*"]} ", *LINE_BREAKS)
        return Edit(index, index, f"{new}, " if is_followed else new)
    start, end = spans[-1]
    trailing = _AFTER_ITEM.match(text, end)
    comment = bool(trailing and trailing[1])
    on_own_line = _starts_own_line(text, start) and line_start(text, start) > container.start and not comment
    if on_own_line and trailing and text[trailing.end() : trailing.end() + 1] in (*LINE_BREAKS, ""):
        return Edit(end, end, f",{line_break_style(text)}{text[line_start(text, start) : start]}{new}")
    return Edit(end, end, f", {new}")


def _remove_from_flow(text: str, spans: list[tuple[int, int]], index: int) -> Edit:
    start, end = spans[index]
    trailing = _AFTER_ITEM.match(text, end)
    ends_line = trailing and text[trailing.end() : trailing.end() + 1] in LINE_BREAKS
    if trailing and ends_line and _starts_own_line(text, start) and len(spans) > 1:
        # The comma that then stands before ] or } is valid YAML.
        return Edit(line_start(text, start), _skip_line_break(text, trailing.end()), "")
    if index + 1 < len(spans) or index == 0:
        comma = _COMMA.match(text, end)
        return Edit(start, comma.end() if comma else end, "")
    before = spans[index - 1][1]
    if any(char in LINE_BREAKS or char == "#" for char in text[before:start]):
        return Edit(start, end, "")
    return Edit(before, end, "")
