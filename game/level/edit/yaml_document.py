"""A level's text under edit: every edit changes its own place and keeps all other characters.

After each edit the text is parsed again. Its meaning must be the old meaning with the edit applied; otherwise the edit
is refused and the text stays as it was.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from . import layout
from .layout import EditRefused, NodeEdit, TextCut
from .node_edits import pair_key_of, parse_fragment, with_anchor, with_item, with_pair, with_pairs, without_item
from .parsed_document import DocumentEntry, ParsedDocument
from .yaml_tree import (
    Meaning,
    TreeList,
    TreeMapping,
    TreeNode,
    TreeScalar,
    UnsupportedYaml,
    compose_tree,
    iterate_nodes,
    node_meaning,
)

MAX_EDIT_LENGTH = 1_000_000  # characters that one edit may insert


@dataclass(frozen=True, slots=True)
class TextChange:
    """The replacement of text[start:start + len(old)], which was `old`, by `new`."""

    start: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class _EditBatch:
    """Edits that are collected. nodes: ids of all nodes that they change, with those inside and around them."""

    cuts: list[TextCut]
    replacements: dict[int, Meaning]
    nodes: set[int]

    def add(self, edits: list[NodeEdit]) -> None:
        inside = {id(node) for edit in edits for node in iterate_nodes(edit.node)}
        if not self.nodes.isdisjoint(inside):
            raise EditRefused("another edit of the same batch changes this too")
        around: set[int] = set()
        for edit in edits:
            parent = edit.node.parent
            while parent is not None:
                if id(parent) in self.replacements:
                    raise EditRefused("another edit of the same batch changes this too")
                around.add(id(parent))
                parent = parent.parent
        self.nodes.update(inside, (id(edit.node) for edit in edits))
        self.cuts.extend(cut for edit in edits for cut in edit.cuts)
        self.replacements.update({id(edit.node): edit.new_meaning for edit in edits})


class YamlDocument(ParsedDocument):
    """A level's text with edits. Raises LevelError if the text is not YAML or exceeds a limit.

    An edit that cannot be made raises EditRefused and changes nothing. `everywhere=True` allows an edit inside a value
    whose anchor is used elsewhere; the edit then changes those places too.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._group_changes: list[TextChange] | None = None
        self._batch: _EditBatch | None = None

    def set_field(self, entry: DocumentEntry, field: str, value: str, everywhere: bool = False) -> None:
        """Set a field to the value that `value` is the YAML text of. A field that is not given is added at the end."""
        new, value = parse_fragment(value)
        _, fields = self._pair(entry)
        pairs = fields.find(field) if isinstance(fields, TreeMapping) else []
        if len(pairs) > 1:
            raise EditRefused(f"`{field}` is given twice: remove one of them first")
        if pairs:
            self._apply_edits(layout.value_cuts(self._text, *pairs[0], new, value), everywhere)
        else:
            cuts = layout.add_pair_cuts(self._text, fields, (field, value))
            self._apply_edits([NodeEdit(fields, with_pair(fields, field, node_meaning(new)), cuts)], everywhere)

    def add_fields(self, entry: DocumentEntry, added: Sequence[tuple[str, str]]) -> None:
        """Add fields at the end of an entry in one step: the YAML texts of their names and values."""
        _, fields = self._pair(entry)
        new = [(parse_fragment(name), parse_fragment(value)) for name, value in added]
        names = [node.text for (node, _), _ in new if isinstance(node, TreeScalar)]
        if len(set(names)) < len(new) or not set(names).isdisjoint(entry.fields):
            raise EditRefused("a field would be given twice")
        cuts = layout.add_pair_cuts(self._text, fields, *((name[1], value[1]) for name, value in new))
        pairs = [*fields.pairs] if isinstance(fields, TreeMapping) else []
        meaning = with_pairs(fields, [*pairs, *((name[0], value[0]) for name, value in new)])
        self._apply_edits([NodeEdit(fields, meaning, cuts)], False)

    def remove_field(self, entry: DocumentEntry, field: str, everywhere: bool = False) -> None:
        """Remove a field if it is given."""
        _, fields = self._pair(entry)
        if not isinstance(fields, TreeMapping):
            return
        for index, (key, _) in enumerate(fields.pairs):
            if isinstance(key, TreeScalar) and key.text == field:
                cuts = layout.remove_pair_cuts(self._text, fields, index)
                pairs = fields.pairs[:index] + fields.pairs[index + 1 :]
                self._apply_edits([NodeEdit(fields, with_pairs(fields, pairs), cuts)], everywhere)
                return

    def remove_piece(self, entry: DocumentEntry, everywhere: bool = False) -> None:
        """Remove a piece with its lines and the comments on them. Refuses to remove the last piece of a list.

        With the last entry of `spawns` or `exits` that field goes too.
        """
        key, _ = self._pair(entry)
        container, index = self._index[entry.start]
        if isinstance(container, TreeList) and len(container.items) == 1 and self._record_kind(key):
            root = self._tree.root
            assert isinstance(root, TreeMapping)
            container = root
            index = next(n for n, (_, value) in enumerate(root.pairs) if value is key.parent)
        if isinstance(container, TreeList):
            if len(container.items) == 1:
                raise EditRefused("this is the only piece in its list, and a list needs at least one")
            edit = NodeEdit(
                container, without_item(container, index), layout.remove_item_cuts(self._text, container, index)
            )
        else:
            assert isinstance(container, TreeMapping)
            if len(container.pairs) == 1:
                raise EditRefused("the file would be empty")
            pairs = container.pairs[:index] + container.pairs[index + 1 :]
            edit = NodeEdit(
                container, with_pairs(container, pairs), layout.remove_pair_cuts(self._text, container, index)
            )
        start, entry.start = entry.start, -1  # before the cut: the next piece may move to this start
        try:
            self._apply_edits([edit], everywhere)
        except EditRefused:
            entry.start = start
            raise

    def insert_piece_after(self, entry: DocumentEntry | None, piece: str, everywhere: bool = False) -> DocumentEntry:
        """Add the piece `box: {...}` after `entry` in its list; None adds it at the end of the top-level `pieces`."""
        new, piece = parse_fragment(piece)
        if not isinstance(new, TreeMapping) or len(new.pairs) != 1:
            raise EditRefused("write a piece as `name: {fields}`")
        sequence: TreeNode | None
        if entry is None:
            sequence = self._pieces_node()
            index = len(sequence.items) - 1 if isinstance(sequence, TreeList) else -1
        else:
            key, _ = self._pair(entry)
            sequence, index = self._index[key.start]
        if sequence is None:
            raise EditRefused("the level has no `pieces:` list")
        cuts, item_offset = layout.add_item_cuts(self._text, sequence, index, piece)
        self._apply_edits([NodeEdit(sequence, with_item(sequence, index + 1, node_meaning(new)), cuts)], everywhere)
        return self._entry(cuts[0].start + item_offset)

    def duplicate_piece(self, entry: DocumentEntry, everywhere: bool = False) -> DocumentEntry:
        """Insert a copy of a piece after it. The copy has no anchors."""
        key, value = self._pair(entry)
        text = ""
        last = key.start
        for node in (*iterate_nodes(key), *iterate_nodes(value)):
            if node.anchor is not None:
                text += self._text[last : node.start].rstrip(" ") + " "
                last = layout.skip_blanks(self._text, node.anchored)
        text += self._text[last : max(key.end, value.end)]
        return self.insert_piece_after(entry, text, everywhere)

    def add_record(self, name: str, record: str) -> DocumentEntry:
        """Add an entry `{at: ...}` at the end of the top-level list `name` (`spawns`, `exits`), which is made if there
        is none."""
        new, record = parse_fragment(record)
        root = self._tree.root
        pairs = root.find(name) if isinstance(root, TreeMapping) else []
        if not pairs:
            self.add_top_field(name, f"[{record}]")
        else:
            sequence = pairs[0][1]
            count = len(sequence.items) if isinstance(sequence, TreeList) else 0
            cuts, _ = layout.add_item_cuts(self._text, sequence, count - 1, record)
            self._apply_edits([NodeEdit(sequence, with_item(sequence, count, node_meaning(new)), cuts)], False)
        root = self._tree.root
        assert isinstance(root, TreeMapping)
        records = root.find(name)[0][1]
        assert isinstance(records, TreeList)
        item = records.items[-1]
        assert isinstance(item, TreeMapping)
        return self._entry(item.pairs[0][0].start)

    def add_top_field(self, name: str, value: str, before: str = "pieces") -> DocumentEntry:
        """Add a top-level field on its own line, above the field `before` and the comments of that field."""
        root = self._tree.root
        new, value = parse_fragment(value)
        meaning = node_meaning(new)
        if not isinstance(root, TreeMapping):
            raise EditRefused("this text is not a level")
        if root.find(name):
            raise EditRefused(f"`{name}` already exists")
        pairs = root.find(before)
        if root.flow or not pairs:
            cuts = layout.add_pair_cuts(self._text, root, (name, value))
            self._apply_edits([NodeEdit(root, with_pair(root, name, meaning), cuts)], False)
        else:
            index = [key for key, _ in root.pairs].index(pairs[0][0])
            cut = layout.insert_pair_above(self._text, pairs[0][0], name, value)
            self._apply_edits([NodeEdit(root, with_pair(root, name, meaning, index), [cut])], False)
        entry = self.top_entry(name)
        assert entry is not None
        return entry

    def rename(self, line: int, column: int, name: str, everywhere: bool = False) -> None:
        """Replace the key (name of a field, piece or surface) at a place."""
        for node in self._nodes_at(line, column):
            if isinstance(node, TreeScalar) and pair_key_of(node) is node:
                if isinstance(node.parent, TreeMapping) and node.parent.find(name):
                    raise EditRefused(f"`{name}` would be given twice")
                self._apply_edits(
                    [NodeEdit(node, with_anchor(node, name), [TextCut(node.content, node.end, name)])], everywhere
                )
                return
        raise EditRefused(f"there is no name at line {line}, column {column}")

    def set_value_at(self, line: int, column: int, value: str, everywhere: bool = False) -> None:
        """Replace the value that begins at a place."""
        new, value = parse_fragment(value)
        for node in self._nodes_at(line, column):
            key = pair_key_of(node)
            if key is not node:
                self._apply_edits(layout.value_cuts(self._text, key, node, new, value), everywhere)
                return
        raise EditRefused(f"there is no value at line {line}, column {column}")

    def replace_text(self, start: int, end: int, text: str) -> None:
        """Replace text[start:end] without a check of its meaning. The result must be readable YAML."""
        offset = len(self._bom)
        if not offset <= start <= end <= len(self.text):
            raise EditRefused("the text range does not exist")
        if self._batch is not None:
            raise EditRefused("a batch has no edits without a check of their meaning")
        self._apply_cuts([TextCut(start - offset, end - offset, text)], None)

    @contextlib.contextmanager
    def edit_group(self) -> Iterator[None]:
        """Context in which all edits are one. If one of them is refused, all of them are reverted."""
        if self._group_changes is not None:
            yield
            return
        self._group_changes = []
        try:
            yield
        except BaseException:
            self._revert_changes(self._group_changes)
            raise
        finally:
            self._group_changes = None

    @contextlib.contextmanager
    def edit_batch(self) -> Iterator[None]:
        """Context in which edits are collected and made together at its end.

        Until then the text and its nodes stay as they are, so that many edits cost one parse. An edit of a node inside
        or around a node of an earlier edit of the batch is refused.
        """
        batch = self._batch = _EditBatch([], {}, set())
        try:
            yield
        finally:
            self._batch = None
        self._apply_cuts(batch.cuts, batch.replacements)

    def _apply_edits(self, edits: list[NodeEdit], everywhere: bool) -> None:
        """Apply edits, unless one of them is inside an anchor that is used elsewhere."""
        for edit in edits:
            anchor = "" if everywhere else self._tree.shared_anchor(edit.node)
            if anchor:
                raise EditRefused(f"this is inside `&{anchor}`, which is used elsewhere too: both would change")
        cuts = [cut for edit in edits for cut in edit.cuts]
        if self._batch is not None:
            self._batch.add(edits)
        else:
            self._apply_cuts(cuts, {id(edit.node): edit.new_meaning for edit in edits})

    def _apply_cuts(self, cuts: list[TextCut], replacements: dict[int, Meaning] | None) -> None:
        """Make the cuts. Refuses if the new text does not mean the old one with the replacements.

        replacements: new meanings by id of the old node; None skips the comparison.
        """
        cuts = [cut for cut in cuts if self._text[cut.start : cut.end] != cut.new]
        if not cuts:
            return
        if sum(len(cut.new) for cut in cuts) > MAX_EDIT_LENGTH:
            raise EditRefused("the text is too long for one edit")
        ordered = sorted(cuts, key=lambda cut: (cut.start, cut.end), reverse=True)
        text = _with_cuts(self._text, ordered)
        try:
            tree = compose_tree(text)
        except UnsupportedYaml as error:
            raise EditRefused(str(error)) from None
        except yaml.YAMLError as error:
            reason = error.problem if isinstance(error, yaml.MarkedYAMLError) and error.problem else "invalid YAML"
            raise EditRefused(f"the edit would make the file unreadable: {reason}") from None
        if replacements is not None and node_meaning(tree.root) != node_meaning(self._tree.root, replacements):
            raise EditRefused("the value would change something else here; put it in quotes or in [ ]")
        changes = [TextChange(cut.start, self._text[cut.start : cut.end], cut.new) for cut in ordered]
        for change in changes:
            self._shift_entries(change.start, change.start + len(change.old), change.new)
        self._text = text
        self._tree = tree
        self._index_pieces()
        if self._group_changes is not None:
            self._group_changes += changes

    def _revert_changes(self, changes: list[TextChange]) -> None:
        for change in reversed(changes):
            end = change.start + len(change.new)
            self._text = self._text[: change.start] + change.old + self._text[end:]
            self._shift_entries(change.start, end, change.old)
        self._recompose()

    def _shift_entries(self, start: int, end: int, new: str) -> None:
        entries = list(self._entries.values())
        for entry in entries:
            if entry.start >= end and (entry.start > start or end == start):
                entry.start += len(new) - (end - start)
            elif start < entry.start < end:
                entry.start = -1
        self._entries = weakref.WeakValueDictionary({entry.start: entry for entry in entries if entry.start >= 0})

    def _recompose(self) -> None:
        self._tree = compose_tree(self._text)
        self._index_pieces()


def _with_cuts(text: str, ordered: list[TextCut]) -> str:
    """The text after cuts, which are ordered from the end of the text to its start."""
    parts = []
    end = len(text)
    for cut in ordered:
        parts += [text[cut.end : end], cut.new]
        end = cut.start
    return "".join([text[:end], *reversed(parts)])
