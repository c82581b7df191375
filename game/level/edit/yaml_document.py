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
from ..format.findings import Refused, Report
from . import layout
from .entry import Entry
from .layout import Cut, EditRefused, Touch
from .node_edits import anchored, fragment, key_of, with_item, with_pair, with_pairs, without
from .text_diff import unified_diff
from .yaml_tree import List, Mapping, Meaning, Node, Scalar, Unsound, compose, inside, meaning

MARK = "\ufeff"  # a byte order mark: kept, and not counted as a column
LONGEST_VALUE = 1_000_000  # characters of one edit


@dataclass(frozen=True, slots=True)
class Change:
    """text[start:start + len(old)], which was `old`, became `new`."""

    start: int
    old: str
    new: str


class Draft:
    """`text` and edits of it. Raises LevelError where the text is no YAML, or past the bounds of a level.

    An edit that cannot be made raises EditRefused and changes nothing. `everywhere`: allow an edit inside a value
    with an anchor that is used elsewhere, which changes that too.
    """

    def __init__(self, text: str) -> None:
        self._mark = MARK if text.startswith(MARK) else ""
        self._text = text.removeprefix(MARK)
        report = Report("", self._text)
        try:
            yaml_nodes.compose(self._text)
            self._tree = compose(self._text)
        except Refused as error:
            report.refuse(error.message, error.cure, error.place)
        except Unsound as error:
            report.refuse(str(error))
        self._index: dict[int, tuple[Node, int]] = {}
        self._places: dict[tuple[int, int], list[Node]] | None = None
        self._entries: weakref.WeakValueDictionary[int, Entry] = weakref.WeakValueDictionary()  # by their starts
        self._done: list[list[Change]] = []
        self._undone: list[list[Change]] = []
        self._together: list[Change] | None = None
        self._look()

    @property
    def text(self) -> str:
        """The whole text as it is now; what `save` writes."""
        return self._mark + self._text

    @property
    def changed(self) -> bool:
        """Whether there is an edit that can be undone."""
        return bool(self._done)

    # ---------------------------------------------------------------------------------------- looking

    def piece(self, line: int, column: int) -> Entry:
        """The piece whose kind is written there (as Origin.place says). Raises EditRefused where there is none."""
        for node in self._at(line, column):
            if isinstance(node.parent, Mapping) and isinstance(node.parent.parent, List) and node.start in self._index:
                return self._entry(node.start)
        raise EditRefused(f"no piece is written at line {line}, column {column}")

    def top(self, name: str) -> Entry | None:
        """`sky`, `goal`, `surfaces`: a field at the top of the file, to edit as a piece is; None where not there."""
        root = self._tree.root
        found = root.find(name) if isinstance(root, Mapping) else []
        return self._entry(found[0][0].start) if found else None

    def pieces(self) -> list[Entry]:
        """The pieces of the top-level list, in order."""
        sequence = self._sequence()
        items = sequence.items if isinstance(sequence, List) else []
        return [self._entry(item.pairs[0][0].start) for item in items if isinstance(item, Mapping) and item.pairs]

    def names(self) -> list[str]:
        """The names of the fields at the top of the file, in order."""
        root = self._tree.root
        pairs = root.pairs if isinstance(root, Mapping) else []
        return [key.text for key, _ in pairs if isinstance(key, Scalar)]

    def text_of(self, node: Node) -> str:
        """What a node of this text is written as, without its anchor."""
        return self._text[node.content : node.end]

    def index_of(self, line: int, column: int) -> int:
        """Where in `text` that place is."""
        return len(self._mark) + layout.start_of(self._text, line) + column - 1

    def line_of(self, index: int) -> int:
        """The line, counted from 1, that text[index] is on."""
        return layout.breaks(self.text, index) + 1

    def said(self, line: int, column: int) -> str | None:
        """What the name or value that begins there says, without its quotes; None where none does, or a list."""
        found = [node.text for node in self._at(line, column) if isinstance(node, Scalar)]
        return found[0] if found else None

    def around(self, line: int, column: int) -> Entry | None:
        """The innermost piece that the name or value beginning there is a part of."""
        node = next(iter(self._at(line, column)), None)
        while node is not None:
            item = isinstance(node, Mapping) and len(node.pairs) == 1 and isinstance(node.parent, List)
            if item and isinstance(node, Mapping):
                return self._entry(node.pairs[0][0].start)
            node = node.parent
        return None

    # ---------------------------------------------------------------------------------------- editing

    def set(self, entry: Entry, field: str, value: str, everywhere: bool = False) -> None:
        """Give a field the value of that text, in place; a field that is not there is added at the end."""
        new, value = fragment(value)
        _, fields = self._pair(entry)
        found = fields.find(field) if isinstance(fields, Mapping) else []
        if len(found) > 1:
            raise EditRefused(f"`{field}` is written twice: take one of them out first")
        if found:
            self._edit(layout.value_cuts(self._text, *found[0], new, value), everywhere)
        else:
            cuts = layout.pair_cuts(self._text, fields, field, value)
            self._edit([Touch(fields, with_pair(fields, field, meaning(new)), cuts)], everywhere)

    def unset(self, entry: Entry, field: str, everywhere: bool = False) -> None:
        """Take a field out; nothing happens where it is not written."""
        _, fields = self._pair(entry)
        if not isinstance(fields, Mapping):
            return
        for index, (key, _) in enumerate(fields.pairs):
            if isinstance(key, Scalar) and key.text == field:
                cuts = layout.drop_pair(self._text, fields, index)
                pairs = fields.pairs[:index] + fields.pairs[index + 1 :]
                self._edit([Touch(fields, with_pairs(fields, pairs), cuts)], everywhere)
                return

    def remove(self, entry: Entry, everywhere: bool = False) -> None:
        """Take a piece out, with its own lines and the comment on them. The last piece of a list is refused."""
        key, _ = self._pair(entry)
        container, index = self._index[key.start]
        if isinstance(container, List):
            if len(container.items) == 1:
                raise EditRefused("it is the only piece of its list, and a list needs one")
            touch = Touch(container, without(container, index), layout.drop_item(self._text, container, index))
        else:
            assert isinstance(container, Mapping)
            if len(container.pairs) == 1:
                raise EditRefused("nothing would be left in the file")
            pairs = container.pairs[:index] + container.pairs[index + 1 :]
            touch = Touch(container, with_pairs(container, pairs), layout.drop_pair(self._text, container, index))
        start, entry.start = entry.start, -1  # at once: what comes next may come to stand where it stood
        try:
            self._edit([touch], everywhere)
        except EditRefused:
            entry.start = start
            raise

    def insert_after(self, entry: Entry | None, piece: str, everywhere: bool = False) -> Entry:
        """Add `box: {...}` after a piece, in its list; None: at the end of the level's own `pieces`."""
        new, piece = fragment(piece)
        if not isinstance(new, Mapping) or len(new.pairs) != 1:
            raise EditRefused("a piece is written as `name: {fields}`")
        sequence: Node | None
        if entry is None:
            sequence = self._sequence()
            index = len(sequence.items) - 1 if isinstance(sequence, List) else -1
        else:
            key, _ = self._pair(entry)
            sequence, index = self._index[key.start]
        if sequence is None:
            raise EditRefused("the level has no `pieces:` to add to")
        cuts, ahead = layout.item_cuts(self._text, sequence, index, piece)
        self._edit([Touch(sequence, with_item(sequence, index + 1, meaning(new)), cuts)], everywhere)
        return self._entry(cuts[0].start + ahead)

    def copy(self, entry: Entry, everywhere: bool = False) -> Entry:
        """The same piece once more, after it; anchors inside are not copied."""
        key, value = self._pair(entry)
        text, last = "", key.start
        for node in (*inside(key), *inside(value)):
            if node.anchor is not None:
                text += self._text[last : node.start].rstrip(" ") + " "
                last = layout.past_blanks(self._text, node.anchored)
        text += self._text[last : max(key.end, value.end)]
        return self.insert_after(entry, text, everywhere)

    def add_top(self, name: str, value: str, before: str = "pieces") -> Entry:
        """Add a field at the top of the file on a line of its own, above the field `before` and its comments."""
        root = self._tree.root
        new, value = fragment(value)
        said = meaning(new)
        if not isinstance(root, Mapping):
            raise EditRefused("this is not a level's text")
        if root.find(name):
            raise EditRefused(f"`{name}` is there already")
        found = root.find(before)
        if root.flow or not found:
            cuts = layout.pair_cuts(self._text, root, name, value)
            self._edit([Touch(root, with_pair(root, name, said), cuts)], False)
        else:
            place = [key for key, _ in root.pairs].index(found[0][0])
            cut = layout.pair_above(self._text, found[0][0], name, value)
            self._edit([Touch(root, with_pair(root, name, said, place), [cut])], False)
        entry = self.top(name)
        assert entry is not None
        return entry

    def rename(self, line: int, column: int, name: str, everywhere: bool = False) -> None:
        """Write another name in place of the name of a field, a piece or a surface at that place."""
        for node in self._at(line, column):
            if isinstance(node, Scalar) and key_of(node) is node:
                self._edit([Touch(node, anchored(node, name), [Cut(node.content, node.end, name)])], everywhere)
                return
        raise EditRefused(f"no name is written at line {line}, column {column}")

    def rename_field(self, entry: Entry, field: str, name: str, everywhere: bool = False) -> None:
        """Write another name in place of a field's."""
        _, fields = self._pair(entry)
        found = fields.find(field) if isinstance(fields, Mapping) else []
        if len(found) != 1:
            raise EditRefused(f"`{field}` is not written there once")
        key, (new, words) = found[0][0], fragment(name)
        self._edit([Touch(key, anchored(key, meaning(new)), [Cut(key.content, key.end, words)])], everywhere)

    def turn_into(self, entry: Entry, kind: str, everywhere: bool = False) -> None:
        """Make another kind of piece of it, with the same fields."""
        key, _ = self._pair(entry)
        self._edit([Touch(key, anchored(key, kind), [Cut(key.content, key.end, kind)])], everywhere)

    def put(self, line: int, column: int, value: str, everywhere: bool = False) -> None:
        """Write another value in place of the value that begins there."""
        new, value = fragment(value)
        for node in self._at(line, column):
            key = key_of(node)
            if key is not node:
                self._edit(layout.value_cuts(self._text, key, node, new, value), everywhere)
                return
        raise EditRefused(f"no value begins at line {line}, column {column}")

    def replace(self, start: int, end: int, text: str) -> None:
        """Write other text in place of text[start:end], whatever it says, if the whole can still be read."""
        offset = len(self._mark)
        if not offset <= start <= end <= len(self.text):
            raise EditRefused("there is no such stretch of text")
        self._make([Cut(start - offset, end - offset, text)], None)

    # ---------------------------------------------------------------------------------------- back and forth

    @contextlib.contextmanager
    def as_one(self) -> Iterator[None]:
        """Edits made within count as one for `undo`; where one of them is refused, all of them are taken back."""
        if self._together is not None:
            yield
            return
        self._together = []
        try:
            yield
        except BaseException:
            changes, self._together = self._together, None
            self._back(changes)
            raise
        changes, self._together = self._together, None
        if changes:
            self._done.append(changes)

    def undo(self) -> bool:
        """Take the last edit back; False where there is none."""
        if not self._done:
            return False
        changes = self._done.pop()
        self._back(changes)
        self._undone.append(changes)
        return True

    def redo(self) -> bool:
        """Make the edit again that was taken back last; False where there is none."""
        if not self._undone:
            return False
        changes = self._undone.pop()
        for change in changes:
            self._swap(change.start, change.start + len(change.old), change.new)
        self._done.append(changes)
        self._recompose()
        return True

    def diff(self, name: str, old: str | None = None) -> str:
        """A unified diff from `old` (the text before all edits that can be undone, if not given) to this text."""
        return unified_diff(self.before() if old is None else old, self.text, name)

    def before(self) -> str:
        """The text before all edits that can be undone."""
        text = self._text
        for changes in reversed(self._done):
            for change in reversed(changes):
                text = text[: change.start] + change.old + text[change.start + len(change.new) :]
        return self._mark + text

    # ---------------------------------------------------------------------------------------- within

    def _edit(self, touches: list[Touch], everywhere: bool) -> None:
        """Cut, unless that would change something that is used elsewhere."""
        for touch in touches:
            anchor = "" if everywhere else self._tree.shared(touch.node)
            if anchor:
                raise EditRefused(f"this is in `&{anchor}`, which is used elsewhere too: that would change with it")
        cuts = [cut for touch in touches for cut in touch.cuts]
        self._make(cuts, {id(touch.node): touch.said for touch in touches})

    def _make(self, cuts: list[Cut], instead: dict[int, Meaning] | None) -> None:
        """Make the cuts; refused unless the text then means what it did, with `instead` for some nodes."""
        cuts = [cut for cut in cuts if self._text[cut.start : cut.end] != cut.new]
        if not cuts:
            return
        if sum(len(cut.new) for cut in cuts) > LONGEST_VALUE:
            raise EditRefused("that is too long a text for one edit")
        ordered = sorted(cuts, key=lambda cut: (cut.start, cut.end), reverse=True)
        text = self._text
        for cut in ordered:
            text = text[: cut.start] + cut.new + text[cut.end :]
        try:
            tree = compose(text)
        except Unsound as error:
            raise EditRefused(str(error)) from None
        except yaml.YAMLError as error:
            why = error.problem if isinstance(error, yaml.MarkedYAMLError) and error.problem else "no YAML any more"
            raise EditRefused(f"the text could not be read any more: {why}") from None
        if instead is not None and meaning(tree.root) != meaning(self._tree.root, instead):
            raise EditRefused("it cannot be written here without changing something else; put it in quotes, or in [ ]")
        changes = [Change(cut.start, self._text[cut.start : cut.end], cut.new) for cut in ordered]
        for change in changes:
            self._swap(change.start, change.start + len(change.old), change.new)
        self._tree = tree
        self._look()
        self._undone.clear()
        if self._together is not None:
            self._together += changes
        else:
            self._done.append(changes)

    def _back(self, changes: list[Change]) -> None:
        for change in reversed(changes):
            self._swap(change.start, change.start + len(change.new), change.old)
        self._recompose()

    def _swap(self, start: int, end: int, new: str) -> None:
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
        self._tree = compose(self._text)
        self._look()

    def _look(self) -> None:
        """Where each piece of a list, and each field at the top, has its name."""
        self._index = {}
        self._places = None
        root = self._tree.root
        for node in self._tree.nodes():
            if isinstance(node, List):
                for index, item in enumerate(node.items):
                    if isinstance(item, Mapping) and item.pairs:
                        self._index[item.pairs[0][0].start] = (node, index)
        if isinstance(root, Mapping):
            for index, (key, _) in enumerate(root.pairs):
                self._index[key.start] = (root, index)

    def _at(self, line: int, column: int) -> list[Node]:
        """The nodes that begin there, the outermost first."""
        if self._places is None:
            self._places = {}
            for node in self._tree.nodes():
                self._places.setdefault((node.line, node.column), []).append(node)
        return self._places.get((line, column), [])

    def _entry(self, start: int) -> Entry:
        entry = self._entries.get(start)
        if entry is None:
            entry = self._entries[start] = Entry(self, start)
        return entry

    def _pair(self, entry: Entry) -> tuple[Node, Node]:
        if entry.start not in self._index or entry.draft is not self:
            raise EditRefused("that piece is no longer there")
        container, index = self._index[entry.start]
        if isinstance(container, Mapping):
            return container.pairs[index]
        assert isinstance(container, List)
        item = container.items[index]
        assert isinstance(item, Mapping)
        return item.pairs[0]

    def _sequence(self) -> Node | None:
        root = self._tree.root
        found = root.find("pieces") if isinstance(root, Mapping) else []
        return found[0][1] if found else None
