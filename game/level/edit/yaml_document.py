"""A level's text under edit: every edit changes its own place and keeps all other characters.

After each edit the text is parsed again. Its meaning must be the old meaning with the edit applied; otherwise the edit
is refused and the text stays as it was.
"""

from __future__ import annotations

import contextlib
import weakref
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..format import yaml_layout
from ..format.findings import Edit, FindingCollector, InputError, quote_text
from ..format.level_file import PLACE_LISTS, PLACES
from ..format.yaml_layout import EditRefused, apply_edits
from ..format.yaml_nodes import (
    YamlAlias,
    YamlAnchor,
    YamlList,
    YamlMapping,
    YamlNode,
    YamlScalar,
    compose_nodes,
    iterate_nodes,
)

MAX_EDIT_LENGTH = 1_000_000  # characters that one edit may insert
BYTE_ORDER_MARK = "\ufeff"  # kept at the start of the text; not counted as a column

Meaning = str | tuple["Meaning", ...]
"""The content of a value without its layout, for comparisons."""


def node_meaning(node: YamlNode | None, replacements: Mapping[int, Meaning] | None = None) -> Meaning:
    """The meaning of a node: its texts, order, anchors and aliases, without layout, quotes and comments.

    replacements: new meanings by id(node).
    """
    if node is None:
        return ()
    if replacements and id(node) in replacements:
        return replacements[id(node)]
    if isinstance(node, YamlScalar):
        return _anchored(node, node.text)
    if isinstance(node, YamlAlias):
        return "*", node.name
    return _with_children(node, [node_meaning(child, replacements) for child in node.nodes])


def _anchored(node: YamlNode, meaning: Meaning) -> Meaning:
    """`meaning` behind the anchor of a node."""
    return ("&", node.anchor.name, meaning) if node.anchor is not None else meaning


def _with_children(node: YamlNode, children: Sequence[Meaning]) -> Meaning:
    """Meaning of a list or mapping with other items, or with other names and values in turn."""
    return _anchored(node, ("[" if isinstance(node, YamlList) else "{", *children))


def _parse_fragment(value: str, anchors: Mapping[str, YamlAnchor]) -> YamlNode:
    """Node of a YAML fragment. anchors: those that its aliases may name."""
    try:
        root = compose_nodes(value.strip() + "\n", for_edits=True, outer=anchors).root  # a block needs its line end
    except InputError as error:
        raise EditRefused(f"{quote_text(value)} is not a valid value: {error.message}") from None
    if root is None:
        raise EditRefused("the value is empty")
    return root


@dataclass(frozen=True, slots=True)
class _NodeEdit:
    """Edits of the text that give a node a new meaning."""

    node: YamlNode
    new_meaning: Meaning
    edits: Sequence[Edit]


def _value_edits(key: YamlNode | None, old: YamlNode, new: YamlNode) -> list[_NodeEdit]:
    """Edits that replace `old`, the value of `key`, by `new`, a node of another text.

    Values of the same shape are replaced item by item, so that their layout stays.
    """
    meaning = _anchored(old, node_meaning(new))
    if meaning == node_meaning(old):
        return []
    if isinstance(old, YamlList) and isinstance(new, YamlList) and len(old.items) == len(new.items) and old.items:
        items = zip(old.items, new.items, strict=True)
        return [edit for old_child, new_child in items for edit in _value_edits(None, old_child, new_child)]
    if isinstance(old, YamlMapping) and isinstance(new, YamlMapping) and _key_meanings(old) == _key_meanings(new):
        pairs = zip(old.pairs, new.pairs, strict=True)
        return [edit for (name, value), (_, other) in pairs for edit in _value_edits(name, value, other)]
    value = new.source.text[new.start : new.end]
    return [_NodeEdit(old, meaning, yaml_layout.replace_value(key, old, value))]


def _key_meanings(mapping: YamlMapping) -> list[Meaning]:
    return [node_meaning(key) for key, _ in mapping.pairs]


class YamlDocument:
    """A level's text with edits. Lines and columns count from 1.

    Raises LevelError if the text is not YAML or exceeds a limit of the level format. An edit that cannot be made raises
    EditRefused and changes nothing.
    """

    def __init__(self, text: str) -> None:
        self._bom = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        text = text.removeprefix(BYTE_ORDER_MARK)
        try:
            self._yaml = compose_nodes(text, for_edits=True)
        except InputError as error:
            FindingCollector("", text).raise_fatal(error.message, error.cure, error.place)
        # Start of a name in the text -> the list or mapping that holds its piece or field, and the index there.
        self._index: dict[int, tuple[YamlNode, int]] = {}
        self._nodes: dict[int, list[YamlNode]] = {}  # by their start, the outermost first
        # By start. Weak: the caller holds the entries that it uses, and these are moved with the text.
        self._entries: weakref.WeakValueDictionary[int, DocumentEntry] = weakref.WeakValueDictionary()
        self._index_nodes()

    @property
    def text(self) -> str:
        """The complete current text, with its byte order mark."""
        return self._bom + self._yaml.source.text

    # What is in the text

    def find_piece(self, line: int, column: int) -> DocumentEntry:
        """The piece whose kind is written at that place (`PieceOrigin.place`). Raises EditRefused if there is none."""
        for node in self._nodes_at(line, column):
            mapping = node.parent
            if isinstance(mapping, YamlMapping) and isinstance(mapping.parent, YamlList) and node.start in self._index:
                return self._entry(node.start)
        raise EditRefused(f"there is no piece at line {line}, column {column}")

    def find_record(self, line: int, column: int) -> DocumentEntry:
        """The `spawn` or `goal`, or the entry of `spawns` or `exits`, at that place (`Spawn.place`).

        Raises EditRefused if there is none.
        """
        for node in self._nodes_at(line, column):
            if isinstance(node, YamlScalar) and node.parent is self._yaml.root and node.text in PLACES:
                return self._entry(node.start)
            if isinstance(node, YamlMapping) and node.pairs and self._record_kind(node):
                return self._entry(node.pairs[0][0].start)
        raise EditRefused(f"there is no spawn, goal or exit at line {line}, column {column}")

    def piece_around(self, line: int, column: int) -> DocumentEntry | None:
        """The innermost piece that contains the node beginning at a place."""
        node = next(iter(self._nodes_at(line, column)), None)
        while node is not None:
            if isinstance(node, YamlMapping) and len(node.pairs) == 1 and isinstance(node.parent, YamlList):
                return self._entry(node.pairs[0][0].start)
            node = node.parent
        return None

    def top_entry(self, name: str) -> DocumentEntry | None:
        """A top-level field (`sky`, `goal`, `surfaces`) as an entry; None if the file does not have it."""
        pairs = self._root_pairs(name)
        return self._entry(pairs[0][0].start) if pairs else None

    def top_text(self, name: str) -> str:
        """Unquoted text of a top-level field (`name`, `about`); empty without it."""
        value = self._top_value(name)
        return value.text if isinstance(value, YamlScalar) else ""

    def top_pieces(self) -> list[DocumentEntry]:
        """The pieces of the top-level `pieces` list, in order."""
        items = self._top_items("pieces")
        return [self._entry(item.pairs[0][0].start) for item in items if isinstance(item, YamlMapping) and item.pairs]

    def record_names(self, name: str) -> list[str]:
        """The `name` of each entry of a top-level list of records (`spawns`), unquoted."""
        records = [item for item in self._top_items(name) if isinstance(item, YamlMapping)]
        found = [value for record in records for _, value in record.find("name")]
        return [node.text for node in found if isinstance(node, YamlScalar)]

    def line_of(self, index: int) -> int:
        """The line number of text[index]."""
        return bisect_right(self._yaml.source.starts, max(0, index - len(self._bom)))

    def _root_pairs(self, name: str) -> list[tuple[YamlNode, YamlNode]]:
        root = self._yaml.root
        return root.find(name) if isinstance(root, YamlMapping) else []

    def _top_value(self, name: str) -> YamlNode | None:
        pairs = self._root_pairs(name)
        return pairs[0][1] if pairs else None

    def _top_items(self, name: str) -> Sequence[YamlNode]:
        value = self._top_value(name)
        return value.items if isinstance(value, YamlList) else ()

    def _record_kind(self, item: YamlNode) -> str:
        """Kind of an entry of a top-level list of records; empty for other nodes."""
        records = item.parent
        for kind, name in PLACE_LISTS.items():
            if isinstance(records, YamlList) and self._top_value(name) is records:
                return kind
        return ""

    def _index_nodes(self) -> None:
        """Rebuild `_index` for the pieces in every list and the fields at the top of the file, and `_nodes`."""
        self._index = {}
        self._nodes = {}
        root = self._yaml.root
        for node in iterate_nodes(root):
            self._nodes.setdefault(node.start, []).append(node)
            if isinstance(node, YamlList):
                for index, item in enumerate(node.items):
                    if isinstance(item, YamlMapping) and item.pairs:
                        self._index[item.pairs[0][0].start] = (node, index)
        if isinstance(root, YamlMapping):
            for index, (key, _) in enumerate(root.pairs):
                self._index[key.start] = (root, index)

    def _nodes_at(self, line: int, column: int) -> list[YamlNode]:
        """The nodes that begin at a place, the outermost first."""
        starts = self._yaml.source.starts
        return self._nodes.get(starts[line - 1] + column - 1, []) if 1 <= line <= len(starts) else []

    def _entry(self, start: int) -> DocumentEntry:
        entry = self._entries.get(start)
        if entry is None:
            entry = self._entries[start] = DocumentEntry(self, start)
        return entry

    def _pair(self, entry: DocumentEntry) -> tuple[YamlNode, YamlNode]:
        """Key and value of an entry. Raises EditRefused if the entry was removed."""
        if entry.start not in self._index or entry.document is not self:
            raise EditRefused("the piece no longer exists")
        container, index = self._index[entry.start]
        if isinstance(container, YamlMapping):
            return container.pairs[index]
        item = container.nodes[index]
        assert isinstance(item, YamlMapping)
        return (item, item) if self._record_kind(item) else item.pairs[0]

    def _fields_of(self, owner: DocumentEntry | YamlNode) -> YamlNode:
        return self._pair(owner)[1] if isinstance(owner, DocumentEntry) else owner

    # Edits

    def set_field(self, owner: DocumentEntry | YamlNode, field: str, value: str) -> None:
        """Set a field to the value that `value` is the YAML text of. A field that is not given is added at the end.

        owner: an entry, or a mapping of the present tree.
        """
        new = self._fragment(value)
        fields = self._fields_of(owner)
        pairs = fields.find(field) if isinstance(fields, YamlMapping) else []
        if len(pairs) > 1:
            raise EditRefused(f"`{field}` is given twice: remove one of them first")
        if pairs:
            self._apply_nodes(_value_edits(*pairs[0], new))
        else:
            self._add_fields(fields, [(self._fragment(field), new)])

    def set_values(self, changes: Sequence[tuple[YamlNode, str]]) -> None:
        """Give some nodes of the present tree the values that YAML texts say, in one step."""
        edits: list[_NodeEdit] = []
        for node, value in changes:
            pairs = node.parent.pairs if isinstance(node.parent, YamlMapping) else []
            key = next((key for key, other in pairs if other is node), None)
            edits += _value_edits(key, node, self._fragment(value))
        self._apply_nodes(edits)

    def add_fields(self, entry: DocumentEntry, added: Sequence[tuple[str, str]]) -> None:
        """Add fields at the end of an entry in one step: the YAML texts of their names and values."""
        new = [(self._fragment(name), self._fragment(value)) for name, value in added]
        names = [name.text for name, _ in new if isinstance(name, YamlScalar)]
        if len(set(names)) < len(new) or not set(names).isdisjoint(entry.fields):
            raise EditRefused("a field would be given twice")
        self._add_fields(self._pair(entry)[1], new)

    def _add_fields(self, fields: YamlNode, new: Sequence[tuple[YamlNode, YamlNode]]) -> None:
        edit = yaml_layout.add_pairs(fields, [f"{_source(name)}: {_source(value)}" for name, value in new])
        nodes = [*fields.nodes, *(node for pair in new for node in pair)]
        self._apply_nodes([_NodeEdit(fields, _with_children(fields, [node_meaning(node) for node in nodes]), [edit])])

    def remove_field(self, owner: DocumentEntry | YamlNode, field: str) -> None:
        """Remove a field, if it is given, from an entry or a mapping of the present tree."""
        fields = self._fields_of(owner)
        pairs = fields.find(field) if isinstance(fields, YamlMapping) else []
        if pairs and isinstance(fields, YamlMapping):
            self._remove(fields, fields.pairs.index(pairs[0]))

    def remove_piece(self, entry: DocumentEntry) -> None:
        """Remove a piece with its lines and the comments on them. Refuses to remove the last piece of a list.

        With the last entry of `spawns` or `exits` that field goes too.
        """
        key, _ = self._pair(entry)
        container, index = self._index[entry.start]
        if len(container.nodes) == 1 and self._record_kind(key):
            root = self._yaml.root
            assert isinstance(root, YamlMapping)
            container, index = root, next(n for n, (_, value) in enumerate(root.pairs) if value is container)
        if isinstance(container, YamlList) and len(container.items) == 1:
            raise EditRefused("this is the only piece in its list, and a list needs at least one")
        if isinstance(container, YamlMapping) and len(container.pairs) == 1:
            raise EditRefused("the file would be empty")
        start, entry.start = entry.start, -1  # before the edit: the next piece may move to this start
        try:
            self._remove(container, index)
        except EditRefused:
            entry.start = start
            raise

    def _remove(self, container: YamlNode, index: int) -> None:
        """Remove an item of a list, or a pair of a mapping."""
        if isinstance(container, YamlList):
            edit, width = yaml_layout.remove_item(container, index), 1
        else:
            assert isinstance(container, YamlMapping)
            edit, width = yaml_layout.remove_pair(container, index), 2
        meanings = [node_meaning(node) for node in container.nodes]
        del meanings[width * index : width * (index + 1)]
        self._apply_nodes([_NodeEdit(container, _with_children(container, meanings), [edit])])

    def append_item(self, entry: DocumentEntry, field: str, item: str) -> None:
        """Add an item at the end of a list field, which is made if it is not given."""
        node = entry.field_node(field)
        if node is None:
            self.set_field(entry, field, f"[{item}]")
        else:
            self._insert_item(node, len(node.nodes), self._fragment(item))

    def remove_item(self, entry: DocumentEntry, field: str, index: int) -> None:
        """Remove an item of a list field; with the last one the field goes too."""
        node = entry.field_node(field)
        if node is not None and len(node.nodes) > 1:
            self._remove(node, index)
        else:
            self.remove_field(entry, field)

    def insert_piece_after(self, entry: DocumentEntry | None, piece: str) -> DocumentEntry:
        """Add the piece `box: {...}` after `entry` in its list; None adds it at the end of the top-level `pieces`."""
        new = self._fragment(piece)
        if not isinstance(new, YamlMapping) or len(new.pairs) != 1:
            raise EditRefused("write a piece as `name: {fields}`")
        sequence: YamlNode | None
        if entry is None:
            sequence = self._top_value("pieces")
            index = len(self._top_items("pieces")) - 1
        else:
            self._pair(entry)  # it exists
            sequence, index = self._index[entry.start]
        if sequence is None:
            raise EditRefused("the level has no `pieces:` list")
        return self._entry(self._insert_item(sequence, index + 1, new))

    def _insert_item(self, sequence: YamlNode, index: int, new: YamlNode) -> int:
        """Add an item of a list; its offset."""
        edit, offset = yaml_layout.add_item(sequence, index - 1, _source(new))
        items = [node_meaning(item) for item in sequence.nodes]
        meaning = _anchored(sequence, ("[", *items[:index], node_meaning(new), *items[index:]))
        self._apply_nodes([_NodeEdit(sequence, meaning, [edit])])
        return edit.start + offset

    def duplicate_piece(self, entry: DocumentEntry) -> DocumentEntry:
        """Insert a copy of a piece after it. The copy has no anchors."""
        key, value = self._pair(entry)
        source = self._yaml.source.text
        text = ""
        last = key.start
        for node in (*iterate_nodes(key), *iterate_nodes(value)):
            if node.anchor is not None:
                text += source[last : node.start].rstrip(" ") + " "
                last = node.after_anchor
                while source[last : last + 1] in (" ", "\t"):
                    last += 1
        return self.insert_piece_after(entry, text + source[last : max(key.end, value.end)])

    def add_record(self, name: str, record: str) -> DocumentEntry:
        """Add an entry `{at: ...}` at the end of the top-level list `name` (`spawns`, `exits`), which is made if there
        is none."""
        records = self._top_value(name)
        if records is None:
            self.add_top_field(name, f"[{_source(self._fragment(record))}]")
        else:
            self._insert_item(records, len(records.nodes), self._fragment(record))
        item = self._top_items(name)[-1]
        assert isinstance(item, YamlMapping)
        return self._entry(item.pairs[0][0].start)

    def add_top_field(self, name: str, value: str, before: str = "pieces") -> DocumentEntry:
        """Add a top-level field on its own line, above the field `before` and the comments of that field."""
        root = self._yaml.root
        new = self._fragment(value)
        if not isinstance(root, YamlMapping):
            raise EditRefused("this text is not a level")
        if root.find(name):
            raise EditRefused(f"`{name}` already exists")
        edit = yaml_layout.add_top_field(root, name, _source(new), before)
        names = [key.text if isinstance(key, YamlScalar) else "" for key, _ in root.pairs]
        index = 2 * names.index(before) if before in names and not root.flow else 2 * len(names)
        children = [node_meaning(node) for node in root.nodes]
        meaning = _with_children(root, [*children[:index], name, node_meaning(new), *children[index:]])
        self._apply_nodes([_NodeEdit(root, meaning, [edit])])
        entry = self.top_entry(name)
        assert entry is not None
        return entry

    def apply_edit(self, edit: Edit) -> None:
        """Make the edit of a finding. The result must be readable YAML."""
        if not 0 <= edit.start <= edit.end <= len(self._yaml.source.text):
            raise EditRefused("the text range does not exist")
        self._apply([edit], None)

    def replace_text(self, text: str) -> None:
        """Replace the whole text, without a byte order mark or with it. The result must be readable YAML."""
        self._apply([Edit(0, len(self._yaml.source.text), text.removeprefix(BYTE_ORDER_MARK))], None)

    @contextlib.contextmanager
    def edit_group(self) -> Iterator[None]:
        """Context in which all edits are one. If one of them is refused, all of them are reverted."""
        before, starts = self._yaml, {entry: entry.start for entry in self._entries.values()}
        try:
            yield
        except BaseException:
            for entry in (*self._entries.values(), *starts):
                entry.start = starts.get(entry, -1)
            self._entries = weakref.WeakValueDictionary({start: entry for entry, start in starts.items()})
            self._yaml = before
            self._index_nodes()
            raise

    def _fragment(self, value: str) -> YamlNode:
        return _parse_fragment(value, self._yaml.anchors)

    def _apply_nodes(self, changed: Sequence[_NodeEdit]) -> None:
        """Make edits, unless one of them is inside an anchor that is used elsewhere."""
        for one in changed:
            anchor = one.node.shared_anchor()
            if anchor:
                raise EditRefused(f"this is inside `&{anchor}`, which is used elsewhere too: both would change")
        edits = [edit for one in changed for edit in one.edits]
        self._apply(edits, {id(one.node): one.new_meaning for one in changed})

    def _apply(self, edits: Sequence[Edit], replacements: Mapping[int, Meaning] | None) -> None:
        """Make the edits. Refuses if the new text does not mean the old one with the replacements.

        replacements: new meanings by id of the old node; None skips the comparison.
        """
        old = self._yaml
        text, made = apply_edits(old.source.text, edits)
        if text == old.source.text:
            return
        if sum(len(edit.text) for edit in edits) > MAX_EDIT_LENGTH:
            raise EditRefused("the text is too long for one edit")
        try:
            new = compose_nodes(text, for_edits=True)
        except InputError as error:
            raise EditRefused(f"the edit would make the file unreadable: {error.message}") from None
        if replacements is not None and node_meaning(new.root) != node_meaning(old.root, replacements):
            raise EditRefused("the value would change something else here; put it in quotes or in [ ]")
        for edit in reversed(made):
            self._shift_entries(edit)
        self._yaml = new
        self._index_nodes()

    def _shift_entries(self, edit: Edit) -> None:
        entries = list(self._entries.values())
        for entry in entries:
            if entry.start >= edit.end and (entry.start > edit.start or edit.end == edit.start):
                entry.start += len(edit.text) - (edit.end - edit.start)
            elif edit.start < entry.start < edit.end:
                entry.start = -1
        self._entries = weakref.WeakValueDictionary({entry.start: entry for entry in entries if entry.start >= 0})


def _source(node: YamlNode) -> str:
    """The text of a node with its anchor."""
    return node.source.text[node.start : node.end]


class DocumentEntry:
    """A piece or a top-level record of a document. It stays valid while other parts of the text are edited."""

    __slots__ = ("__weakref__", "document", "start")

    def __init__(self, document: YamlDocument, start: int) -> None:
        self.document = document
        self.start = start  # index of its kind's name, without the byte order mark; -1 after it was removed

    @property
    def kind(self) -> str:
        """The kind of a piece (`box`) or of an entry of `spawns` or `exits`; the name of a top-level field."""
        key, _ = self.document._pair(self)
        return key.text if isinstance(key, YamlScalar) else self.document._record_kind(key)

    @property
    def text(self) -> str:
        """The source text `box: {...}`, with the comments inside it and without a comment after it."""
        return self.document.text[slice(*self.span)]

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of `text` in the document's text."""
        key, value = self.document._pair(self)
        offset = len(self.document._bom)
        return key.start + offset, max(key.end, value.end) + offset

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are given."""
        _, value = self.document._pair(self)
        pairs = value.pairs if isinstance(value, YamlMapping) else []
        return tuple(key.text for key, _ in pairs if isinstance(key, YamlScalar))

    def field_node(self, field: str) -> YamlNode | None:
        """The node of a field's value in the current tree; None if the field is not given."""
        _, value = self.document._pair(self)
        pairs = value.find(field) if isinstance(value, YamlMapping) else []
        return pairs[0][1] if pairs else None

    def field_text(self, field: str) -> str | None:
        """The source text of a field's value, without its anchor; None if the field is not given."""
        node = self.field_node(field)
        return None if node is None else node.written
