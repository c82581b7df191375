"""A level's text with its YAML tree: pieces, fields and values found by name or by line and column."""

from __future__ import annotations

import weakref

from ..format import yaml_nodes
from ..format.findings import FindingCollector, InputError
from . import layout
from .layout import EditRefused
from .yaml_tree import TreeList, TreeMapping, TreeNode, TreeScalar, UnsupportedYaml, compose_tree

BYTE_ORDER_MARK = "\ufeff"  # kept at the start of the text; not counted as a column
SINGLE_RECORDS = ("spawn", "goal")  # top-level records that are places in the level
RECORD_LISTS = {"spawns": "spawn", "exits": "exit"}  # top-level lists of records, and the kind of their entries


class ParsedDocument:
    """The read-only part of `YamlDocument`. Lines and columns count from 1.

    Raises LevelError if the text is not YAML or exceeds a limit of the level format.
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
        # Start of a name in the text -> the list or mapping that holds its piece or field, and the index there.
        self._index: dict[int, tuple[TreeNode, int]] = {}
        self._places: dict[tuple[int, int], list[TreeNode]] | None = None
        # By start. Weak: the caller holds the entries that it uses, and these are moved with the text.
        self._entries: weakref.WeakValueDictionary[int, DocumentEntry] = weakref.WeakValueDictionary()
        self._index_pieces()

    @property
    def text(self) -> str:
        """The complete current text, with its byte order mark."""
        return self._bom + self._text

    def find_piece(self, line: int, column: int) -> DocumentEntry:
        """The piece whose kind is written at that place (`PieceOrigin.place`). Raises EditRefused if there is none."""
        for node in self._nodes_at(line, column):
            if (
                isinstance(node.parent, TreeMapping)
                and isinstance(node.parent.parent, TreeList)
                and node.start in self._index
            ):
                return self._entry(node.start)
        raise EditRefused(f"there is no piece at line {line}, column {column}")

    def find_record(self, line: int, column: int) -> DocumentEntry:
        """The `spawn` or `goal`, or the entry of `spawns` or `exits`, at that place (`Spawn.place`).

        Raises EditRefused if there is none.
        """
        root = self._tree.root
        for node in self._nodes_at(line, column):
            if isinstance(node, TreeScalar) and node.parent is root and node.text in SINGLE_RECORDS:
                return self._entry(node.start)
            if isinstance(node, TreeMapping) and node.pairs and self._record_kind(node):
                return self._entry(node.pairs[0][0].start)
        raise EditRefused(f"there is no spawn, goal or exit at line {line}, column {column}")

    def _record_kind(self, item: TreeNode | None) -> str:
        """Kind of an entry of a top-level list of records; empty for other nodes."""
        root = self._tree.root
        records = item.parent if item is not None else None
        if not isinstance(root, TreeMapping) or not isinstance(records, TreeList) or records.parent is not root:
            return ""
        name = next((key.text for key, value in root.pairs if value is records and isinstance(key, TreeScalar)), "")
        return RECORD_LISTS.get(name, "")

    def top_entry(self, name: str) -> DocumentEntry | None:
        """A top-level field (`sky`, `goal`, `surfaces`) as an entry; None if the file does not have it."""
        root = self._tree.root
        pairs = root.find(name) if isinstance(root, TreeMapping) else []
        return self._entry(pairs[0][0].start) if pairs else None

    def top_text(self, name: str) -> str:
        """Unquoted text of a top-level field (`name`, `about`); empty without it."""
        root = self._tree.root
        pairs = root.find(name) if isinstance(root, TreeMapping) else []
        return pairs[0][1].text if pairs and isinstance(pairs[0][1], TreeScalar) else ""

    def top_pieces(self) -> list[DocumentEntry]:
        """The pieces of the top-level `pieces` list, in order."""
        pieces = self._pieces_node()
        items = pieces.items if isinstance(pieces, TreeList) else []
        return [self._entry(item.pairs[0][0].start) for item in items if isinstance(item, TreeMapping) and item.pairs]

    def record_names(self, name: str) -> list[str]:
        """The `name` of each entry of a top-level list of records (`spawns`), unquoted."""
        root = self._tree.root
        pairs = root.find(name) if isinstance(root, TreeMapping) else []
        items = pairs[0][1].items if pairs and isinstance(pairs[0][1], TreeList) else []
        found = [pair[1] for item in items if isinstance(item, TreeMapping) for pair in item.find("name")]
        return [node.text for node in found if isinstance(node, TreeScalar)]

    def top_names(self) -> list[str]:
        """The names of the top-level fields, in order."""
        root = self._tree.root
        pairs = root.pairs if isinstance(root, TreeMapping) else []
        return [key.text for key, _ in pairs if isinstance(key, TreeScalar)]

    def text_of(self, node: TreeNode) -> str:
        """The source text of a node, without its anchor."""
        return self._text[node.content : node.end]

    def line_of(self, index: int) -> int:
        """The line number of text[index]."""
        return layout.count_line_breaks(self.text, index) + 1

    def scalar_at(self, line: int, column: int) -> str | None:
        """The unquoted text of the scalar that begins at a place; None if no scalar begins there."""
        texts = [node.text for node in self._nodes_at(line, column) if isinstance(node, TreeScalar)]
        return texts[0] if texts else None

    def piece_around(self, line: int, column: int) -> DocumentEntry | None:
        """The innermost piece that contains the node beginning at a place."""
        node = next(iter(self._nodes_at(line, column)), None)
        while node is not None:
            if isinstance(node, TreeMapping) and len(node.pairs) == 1 and isinstance(node.parent, TreeList):
                return self._entry(node.pairs[0][0].start)
            node = node.parent
        return None

    def _index_pieces(self) -> None:
        """Rebuild `_index` for the pieces in every list and the fields at the top of the file."""
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
        """The nodes that begin at a place, the outermost first."""
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
        """Key and value of an entry. Raises EditRefused if the entry was removed."""
        if entry.start not in self._index or entry.document is not self:
            raise EditRefused("the piece no longer exists")
        container, index = self._index[entry.start]
        if isinstance(container, TreeMapping):
            return container.pairs[index]
        assert isinstance(container, TreeList)
        item = container.items[index]
        assert isinstance(item, TreeMapping)
        return (item, item) if self._record_kind(item) else item.pairs[0]

    def _pieces_node(self) -> TreeNode | None:
        root = self._tree.root
        pairs = root.find("pieces") if isinstance(root, TreeMapping) else []
        return pairs[0][1] if pairs else None


class DocumentEntry:
    """A piece or a top-level record of a document. It stays valid while other parts of the text are edited."""

    __slots__ = ("__weakref__", "document", "start")

    def __init__(self, document: ParsedDocument, start: int) -> None:
        self.document = document
        self.start = start  # index of its kind's name, without the byte order mark; -1 after it was removed

    @property
    def kind(self) -> str:
        """The kind of a piece (`box`) or of an entry of `spawns` or `exits`; the name of a top-level field."""
        key, _ = self.document._pair(self)
        return key.text if isinstance(key, TreeScalar) else self.document._record_kind(key)

    @property
    def text(self) -> str:
        """The source text `box: {...}`, with the comments inside it and without a comment after it."""
        key, value = self.document._pair(self)
        return self.document._text[key.start : max(key.end, value.end)]

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of `text` in the document's text."""
        key, value = self.document._pair(self)
        offset = len(self.document._bom)
        return key.start + offset, max(key.end, value.end) + offset

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line, counted from 1."""
        start, end = self.span
        return self.document.line_of(start), self.document.line_of(max(start, end - 1))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are given."""
        _, value = self.document._pair(self)
        pairs = value.pairs if isinstance(value, TreeMapping) else []
        return tuple(key.text for key, _ in pairs if isinstance(key, TreeScalar))

    def field_node(self, field: str) -> TreeNode | None:
        """The node of a field's value in the current tree; None if the field is not given."""
        _, value = self.document._pair(self)
        pairs = value.find(field) if isinstance(value, TreeMapping) else []
        return pairs[0][1] if pairs else None

    def field_text(self, field: str) -> str | None:
        """The source text of a field's value, without its anchor; None if the field is not given."""
        node = self.field_node(field)
        return None if node is None else self.document.text_of(node)
