"""A level's text while it is edited: each edit changes what it is about and leaves every other character alone.

After every edit the text is composed again and must say what it said before but for the edit; else the edit is
refused and the text is as before.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from ..format import yaml_nodes
from ..format.findings import FindingCollector, InputError
from . import layout
from .entry import DocumentEntry
from .layout import EditRefused, NodeEdit, TextCut
from .node_edits import pair_key_of, parse_fragment, with_anchor, with_item, with_pair, with_pairs, without_item
from .text_diff import unified_diff
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

BYTE_ORDER_MARK = "\ufeff"  # a byte order mark: kept, and not counted as a column
MAX_EDIT_LENGTH = 1_000_000  # characters of one edit


@dataclass(frozen=True, slots=True)
class TextChange:
    """text[start:start + len(old)], which was `old`, became `new`."""

    start: int
    old: str
    new: str


class YamlDocument:
    """`text` and edits of it. Raises LevelError where the text is no YAML, or past the bounds of a level.

    An edit that cannot be made raises EditRefused and changes nothing. `everywhere`: allow an edit inside a value
    with an anchor that is used elsewhere, which changes that too.
    """

    def __init__(self, text: str) -> None:
        self._bom = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self._text = text.removeprefix(BYTE_ORDER_MARK)
        report = FindingCollector("", self._text)
        try:
            yaml_nodes.compose_nodes(self._text)
            self._tree = compose_tree(self._text)
        except InputError as error:
            report.raise_fatal(error.message, error.cure, error.place)
        except UnsupportedYaml as error:
            report.raise_fatal(str(error))
        self._index: dict[int, tuple[TreeNode, int]] = {}
        self._places: dict[tuple[int, int], list[TreeNode]] | None = None
        self._entries: weakref.WeakValueDictionary[int, DocumentEntry] = (
            weakref.WeakValueDictionary()
        )  # by their starts
        self._undo_stack: list[list[TextChange]] = []
        self._redo_stack: list[list[TextChange]] = []
        self._group_changes: list[TextChange] | None = None
        self._index_pieces()

    @property
    def text(self) -> str:
        """The whole text as it is now; what `save` writes."""
        return self._bom + self._text

    @property
    def has_changes(self) -> bool:
        """Whether there is an edit that can be undone."""
        return bool(self._undo_stack)

    # ---------------------------------------------------------------------------------------- looking

    def find_piece(self, line: int, column: int) -> DocumentEntry:
        """The piece whose kind is written there (as Origin.place says). Raises EditRefused where there is none."""
        for node in self._nodes_at(line, column):
            if (
                isinstance(node.parent, TreeMapping)
                and isinstance(node.parent.parent, TreeList)
                and node.start in self._index
            ):
                return self._entry(node.start)
        raise EditRefused(f"there is no piece at line {line}, column {column}")

    def top_entry(self, name: str) -> DocumentEntry | None:
        """`sky`, `goal`, `surfaces`: a field at the top of the file, to edit as a piece is; None where not there."""
        root = self._tree.root
        found = root.find(name) if isinstance(root, TreeMapping) else []
        return self._entry(found[0][0].start) if found else None

    def top_pieces(self) -> list[DocumentEntry]:
        """The pieces of the top-level list, in order."""
        sequence = self._sequence()
        items = sequence.items if isinstance(sequence, TreeList) else []
        return [self._entry(item.pairs[0][0].start) for item in items if isinstance(item, TreeMapping) and item.pairs]

    def top_names(self) -> list[str]:
        """The names of the fields at the top of the file, in order."""
        root = self._tree.root
        pairs = root.pairs if isinstance(root, TreeMapping) else []
        return [key.text for key, _ in pairs if isinstance(key, TreeScalar)]

    def text_of(self, node: TreeNode) -> str:
        """What a node of this text is written as, without its anchor."""
        return self._text[node.content : node.end]

    def index_of(self, line: int, column: int) -> int:
        """Where in `text` that place is."""
        return len(self._bom) + layout.offset_of_line(self._text, line) + column - 1

    def line_of(self, index: int) -> int:
        """The line, counted from 1, that text[index] is on."""
        return layout.count_line_breaks(self.text, index) + 1

    def scalar_at(self, line: int, column: int) -> str | None:
        """What the name or value that begins there says, without its quotes; None where none does, or a list."""
        found = [node.text for node in self._nodes_at(line, column) if isinstance(node, TreeScalar)]
        return found[0] if found else None

    def piece_around(self, line: int, column: int) -> DocumentEntry | None:
        """The innermost piece that the name or value beginning there is a part of."""
        node = next(iter(self._nodes_at(line, column)), None)
        while node is not None:
            item = isinstance(node, TreeMapping) and len(node.pairs) == 1 and isinstance(node.parent, TreeList)
            if item and isinstance(node, TreeMapping):
                return self._entry(node.pairs[0][0].start)
            node = node.parent
        return None

    # ---------------------------------------------------------------------------------------- editing

    def set_field(self, entry: DocumentEntry, field: str, value: str, everywhere: bool = False) -> None:
        """Give a field the value of that text, in place; a field that is not there is added at the end."""
        new, value = parse_fragment(value)
        _, fields = self._pair(entry)
        found = fields.find(field) if isinstance(fields, TreeMapping) else []
        if len(found) > 1:
            raise EditRefused(f"`{field}` is given twice: remove one of them first")
        if found:
            self._apply_touches(layout.value_cuts(self._text, *found[0], new, value), everywhere)
        else:
            cuts = layout.add_pair_cuts(self._text, fields, field, value)
            self._apply_touches([NodeEdit(fields, with_pair(fields, field, node_meaning(new)), cuts)], everywhere)

    def remove_field(self, entry: DocumentEntry, field: str, everywhere: bool = False) -> None:
        """Take a field out; nothing happens where it is not written."""
        _, fields = self._pair(entry)
        if not isinstance(fields, TreeMapping):
            return
        for index, (key, _) in enumerate(fields.pairs):
            if isinstance(key, TreeScalar) and key.text == field:
                cuts = layout.remove_pair_cuts(self._text, fields, index)
                pairs = fields.pairs[:index] + fields.pairs[index + 1 :]
                self._apply_touches([NodeEdit(fields, with_pairs(fields, pairs), cuts)], everywhere)
                return

    def remove_piece(self, entry: DocumentEntry, everywhere: bool = False) -> None:
        """Take a piece out, with its own lines and the comment on them. The last piece of a list is refused."""
        key, _ = self._pair(entry)
        container, index = self._index[key.start]
        if isinstance(container, TreeList):
            if len(container.items) == 1:
                raise EditRefused("this is the only piece in its list, and a list needs at least one")
            touch = NodeEdit(
                container, without_item(container, index), layout.remove_item_cuts(self._text, container, index)
            )
        else:
            assert isinstance(container, TreeMapping)
            if len(container.pairs) == 1:
                raise EditRefused("the file would be empty")
            pairs = container.pairs[:index] + container.pairs[index + 1 :]
            touch = NodeEdit(
                container, with_pairs(container, pairs), layout.remove_pair_cuts(self._text, container, index)
            )
        start, entry.start = entry.start, -1  # at once: what comes next may come to stand where it stood
        try:
            self._apply_touches([touch], everywhere)
        except EditRefused:
            entry.start = start
            raise

    def insert_piece_after(self, entry: DocumentEntry | None, piece: str, everywhere: bool = False) -> DocumentEntry:
        """Add `box: {...}` after a piece, in its list; None: at the end of the level's own `pieces`."""
        new, piece = parse_fragment(piece)
        if not isinstance(new, TreeMapping) or len(new.pairs) != 1:
            raise EditRefused("write a piece as `name: {fields}`")
        sequence: TreeNode | None
        if entry is None:
            sequence = self._sequence()
            index = len(sequence.items) - 1 if isinstance(sequence, TreeList) else -1
        else:
            key, _ = self._pair(entry)
            sequence, index = self._index[key.start]
        if sequence is None:
            raise EditRefused("the level has no `pieces:` list")
        cuts, ahead = layout.add_item_cuts(self._text, sequence, index, piece)
        self._apply_touches([NodeEdit(sequence, with_item(sequence, index + 1, node_meaning(new)), cuts)], everywhere)
        return self._entry(cuts[0].start + ahead)

    def duplicate_piece(self, entry: DocumentEntry, everywhere: bool = False) -> DocumentEntry:
        """The same piece once more, after it; anchors inside are not copied."""
        key, value = self._pair(entry)
        text, last = "", key.start
        for node in (*iterate_nodes(key), *iterate_nodes(value)):
            if node.anchor is not None:
                text += self._text[last : node.start].rstrip(" ") + " "
                last = layout.skip_blanks(self._text, node.anchored)
        text += self._text[last : max(key.end, value.end)]
        return self.insert_piece_after(entry, text, everywhere)

    def add_top_field(self, name: str, value: str, before: str = "pieces") -> DocumentEntry:
        """Add a field at the top of the file on a line of its own, above the field `before` and its comments."""
        root = self._tree.root
        new, value = parse_fragment(value)
        said = node_meaning(new)
        if not isinstance(root, TreeMapping):
            raise EditRefused("this text is not a level")
        if root.find(name):
            raise EditRefused(f"`{name}` already exists")
        found = root.find(before)
        if root.flow or not found:
            cuts = layout.add_pair_cuts(self._text, root, name, value)
            self._apply_touches([NodeEdit(root, with_pair(root, name, said), cuts)], False)
        else:
            place = [key for key, _ in root.pairs].index(found[0][0])
            cut = layout.insert_pair_above(self._text, found[0][0], name, value)
            self._apply_touches([NodeEdit(root, with_pair(root, name, said, place), [cut])], False)
        entry = self.top_entry(name)
        assert entry is not None
        return entry

    def rename(self, line: int, column: int, name: str, everywhere: bool = False) -> None:
        """Write another name in place of the name of a field, a piece or a surface at that place."""
        for node in self._nodes_at(line, column):
            if isinstance(node, TreeScalar) and pair_key_of(node) is node:
                self._apply_touches(
                    [NodeEdit(node, with_anchor(node, name), [TextCut(node.content, node.end, name)])], everywhere
                )
                return
        raise EditRefused(f"there is no name at line {line}, column {column}")

    def rename_field(self, entry: DocumentEntry, field: str, name: str, everywhere: bool = False) -> None:
        """Write another name in place of a field's."""
        _, fields = self._pair(entry)
        found = fields.find(field) if isinstance(fields, TreeMapping) else []
        if len(found) != 1:
            raise EditRefused(f"`{field}` must be given there exactly once")
        key, (new, words) = found[0][0], parse_fragment(name)
        self._apply_touches(
            [NodeEdit(key, with_anchor(key, node_meaning(new)), [TextCut(key.content, key.end, words)])], everywhere
        )

    def change_kind(self, entry: DocumentEntry, kind: str, everywhere: bool = False) -> None:
        """Make another kind of piece of it, with the same fields."""
        key, _ = self._pair(entry)
        self._apply_touches([NodeEdit(key, with_anchor(key, kind), [TextCut(key.content, key.end, kind)])], everywhere)

    def set_value_at(self, line: int, column: int, value: str, everywhere: bool = False) -> None:
        """Write another value in place of the value that begins there."""
        new, value = parse_fragment(value)
        for node in self._nodes_at(line, column):
            key = pair_key_of(node)
            if key is not node:
                self._apply_touches(layout.value_cuts(self._text, key, node, new, value), everywhere)
                return
        raise EditRefused(f"there is no value at line {line}, column {column}")

    def replace_text(self, start: int, end: int, text: str) -> None:
        """Write other text in place of text[start:end], whatever it says, if the whole can still be read."""
        offset = len(self._bom)
        if not offset <= start <= end <= len(self.text):
            raise EditRefused("the text range does not exist")
        self._apply_cuts([TextCut(start - offset, end - offset, text)], None)

    # ---------------------------------------------------------------------------------------- back and forth

    @contextlib.contextmanager
    def edit_group(self) -> Iterator[None]:
        """Edits made within count as one for `undo`; where one of them is refused, all of them are taken back."""
        if self._group_changes is not None:
            yield
            return
        self._group_changes = []
        try:
            yield
        except BaseException:
            changes, self._group_changes = self._group_changes, None
            self._revert_changes(changes)
            raise
        changes, self._group_changes = self._group_changes, None
        if changes:
            self._undo_stack.append(changes)

    def undo(self) -> bool:
        """Take the last edit back; False where there is none."""
        if not self._undo_stack:
            return False
        changes = self._undo_stack.pop()
        self._revert_changes(changes)
        self._redo_stack.append(changes)
        return True

    def redo(self) -> bool:
        """Make the edit again that was taken back last; False where there is none."""
        if not self._redo_stack:
            return False
        changes = self._redo_stack.pop()
        for change in changes:
            self._replace_range(change.start, change.start + len(change.old), change.new)
        self._undo_stack.append(changes)
        self._recompose()
        return True

    def diff(self, name: str, old: str | None = None) -> str:
        """A unified diff from `old` (the text before all edits that can be undone, if not given) to this text."""
        return unified_diff(self.original_text() if old is None else old, self.text, name)

    def original_text(self) -> str:
        """The text before all edits that can be undone."""
        text = self._text
        for changes in reversed(self._undo_stack):
            for change in reversed(changes):
                text = text[: change.start] + change.old + text[change.start + len(change.new) :]
        return self._bom + text

    # ---------------------------------------------------------------------------------------- within

    def _apply_touches(self, touches: list[NodeEdit], everywhere: bool) -> None:
        """Cut, unless that would change something that is used elsewhere."""
        for touch in touches:
            anchor = "" if everywhere else self._tree.shared_anchor(touch.node)
            if anchor:
                raise EditRefused(f"this is inside `&{anchor}`, which is used elsewhere too: both would change")
        cuts = [cut for touch in touches for cut in touch.cuts]
        self._apply_cuts(cuts, {id(touch.node): touch.new_meaning for touch in touches})

    def _apply_cuts(self, cuts: list[TextCut], instead: dict[int, Meaning] | None) -> None:
        """Make the cuts; refused unless the text then means what it did, with `instead` for some nodes."""
        cuts = [cut for cut in cuts if self._text[cut.start : cut.end] != cut.new]
        if not cuts:
            return
        if sum(len(cut.new) for cut in cuts) > MAX_EDIT_LENGTH:
            raise EditRefused("the text is too long for one edit")
        ordered = sorted(cuts, key=lambda cut: (cut.start, cut.end), reverse=True)
        text = self._text
        for cut in ordered:
            text = text[: cut.start] + cut.new + text[cut.end :]
        try:
            tree = compose_tree(text)
        except UnsupportedYaml as error:
            raise EditRefused(str(error)) from None
        except yaml.YAMLError as error:
            why = error.problem if isinstance(error, yaml.MarkedYAMLError) and error.problem else "invalid YAML"
            raise EditRefused(f"the edit would make the file unreadable: {why}") from None
        if instead is not None and node_meaning(tree.root) != node_meaning(self._tree.root, instead):
            raise EditRefused("the value would change something else here; put it in quotes or in [ ]")
        changes = [TextChange(cut.start, self._text[cut.start : cut.end], cut.new) for cut in ordered]
        for change in changes:
            self._replace_range(change.start, change.start + len(change.old), change.new)
        self._tree = tree
        self._index_pieces()
        self._redo_stack.clear()
        if self._group_changes is not None:
            self._group_changes += changes
        else:
            self._undo_stack.append(changes)

    def _revert_changes(self, changes: list[TextChange]) -> None:
        for change in reversed(changes):
            self._replace_range(change.start, change.start + len(change.new), change.old)
        self._recompose()

    def _replace_range(self, start: int, end: int, new: str) -> None:
        """The text, and the entries behind it, moved along."""
        self._text = self._text[:start] + new + self._text[end:]
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

    def _index_pieces(self) -> None:
        """Where each piece of a list, and each field at the top, has its name."""
        self._index = {}
        self._places = None
        root = self._tree.root
        for node in self._tree.nodes():
            if isinstance(node, TreeList):
                for index, item in enumerate(node.items):
                    if isinstance(item, TreeMapping) and item.pairs:
                        self._index[item.pairs[0][0].start] = (node, index)
        if isinstance(root, TreeMapping):
            for index, (key, _) in enumerate(root.pairs):
                self._index[key.start] = (root, index)

    def _nodes_at(self, line: int, column: int) -> list[TreeNode]:
        """The nodes that begin there, the outermost first."""
        if self._places is None:
            self._places = {}
            for node in self._tree.nodes():
                self._places.setdefault((node.line, node.column), []).append(node)
        return self._places.get((line, column), [])

    def _entry(self, start: int) -> DocumentEntry:
        entry = self._entries.get(start)
        if entry is None:
            entry = self._entries[start] = DocumentEntry(self, start)
        return entry

    def _pair(self, entry: DocumentEntry) -> tuple[TreeNode, TreeNode]:
        if entry.start not in self._index or entry.draft is not self:
            raise EditRefused("the piece no longer exists")
        container, index = self._index[entry.start]
        if isinstance(container, TreeMapping):
            return container.pairs[index]
        assert isinstance(container, TreeList)
        item = container.items[index]
        assert isinstance(item, TreeMapping)
        return item.pairs[0]

    def _sequence(self) -> TreeNode | None:
        root = self._tree.root
        found = root.find("pieces") if isinstance(root, TreeMapping) else []
        return found[0][1] if found else None
