"""YAML text as a tree that knows where each value is written, to the character: what editing in place needs.

The reader's nodes (format.yaml_nodes) know a line and a column, which is enough to point at; these know start and end.
A tree is made from the parser's events, without recursion, so no text can bring it down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from ...core.errors import WalkerError
from ..format.yaml_nodes import MAX_DEPTH, YAML_LOADER

Meaning = str | tuple["Meaning", ...]
"""What a value says, whatever its layout: to compare with."""

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+")
_BLANKS_AND_COMMENTS = re.compile(
    "(?:[ \t\r\n\x85\u2028\u2029]|(?<=[ \t\r\n\x85\u2028\u2029])#[^\r\n\x85\u2028\u2029]*)*"
)
_COLON = re.compile("[ \t]*:")


class UnsupportedYaml(WalkerError):
    """The text cannot be taken as a tree of values; the words say why."""


class TreeNode:
    """A value at text[start:end]; `content` is where it begins without its anchor, `anchored` where that ends.

    line and column count from 1.
    """

    __slots__ = ("anchor", "anchored", "column", "content", "end", "line", "parent", "start")

    def __init__(self, event: yaml.Event, anchor: str | None) -> None:
        mark, end = event.start_mark, event.end_mark
        assert mark is not None
        assert end is not None
        self.start = self.anchored = self.content = mark.index
        self.end = end.index
        self.line, self.column = mark.line + 1, mark.column + 1
        self.anchor = anchor
        self.parent: TreeNode | None = None

    def children(self) -> Iterator[TreeNode]:
        return iter(())


class TreeScalar(TreeNode):
    """Text without quotes; `style` is '' (plain), one of the two quotation marks, `|` or `>`."""

    __slots__ = ("style", "text")

    def __init__(self, event: yaml.ScalarEvent) -> None:
        super().__init__(event, event.anchor)
        self.text: str = event.value
        self.style = event.style or ""


class TreeAlias(TreeNode):
    """`*name`: another value once more."""

    __slots__ = ("name",)

    def __init__(self, event: yaml.AliasEvent) -> None:
        super().__init__(event, None)
        self.name = str(event.anchor)


class TreeList(TreeNode):
    """`items` in order; `flow` where it is written in [ ]."""

    __slots__ = ("flow", "items")

    def __init__(self, event: yaml.SequenceStartEvent) -> None:
        super().__init__(event, event.anchor)
        self.flow = bool(event.flow_style)
        self.items: list[TreeNode] = []

    def children(self) -> Iterator[TreeNode]:
        return iter(self.items)


class TreeMapping(TreeNode):
    """`pairs` of key and value; `flow` where it is written in { }, `bare` where it is one pair of a [ ] without."""

    __slots__ = ("bare", "flow", "pairs")

    def __init__(self, event: yaml.MappingStartEvent) -> None:
        super().__init__(event, event.anchor)
        self.flow = bool(event.flow_style)
        self.bare = False
        self.pairs: list[tuple[TreeNode, TreeNode]] = []

    def children(self) -> Iterator[TreeNode]:
        for pair in self.pairs:
            yield from pair

    def find(self, name: str) -> list[tuple[TreeNode, TreeNode]]:
        """The pairs of that name: none, one, or more where it was written twice."""
        return [(key, value) for key, value in self.pairs if isinstance(key, TreeScalar) and key.text == name]


class YamlTree:
    """The values of a text: `root`, the anchors by name, and how often each is used."""

    __slots__ = ("anchors", "root", "uses")

    def __init__(self, root: TreeNode | None, anchors: dict[str, TreeNode], uses: dict[str, int]) -> None:
        self.root = root
        self.anchors = anchors
        self.uses = uses

    def nodes(self) -> Iterator[TreeNode]:
        """All of them, in the order of the text."""
        return iterate_nodes(self.root)

    def shared_anchor(self, node: TreeNode) -> str:
        """The anchor of this value or of one around it that is used elsewhere; '' where there is none."""
        around: TreeNode | None = node
        while around is not None:
            if around.anchor is not None and self.uses.get(around.anchor):
                return around.anchor
            around = around.parent
        return ""


def iterate_nodes(root: TreeNode | None) -> Iterator[TreeNode]:
    """A node and all below it, in the order of the text."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(list(node.children()))


def compose_tree(text: str, part: bool = False) -> YamlTree:
    """The tree of a text of one document. Raises Unsound, or yaml.YAMLError where it is no YAML.

    part: it is a part of a text, and its aliases may have their anchors outside it.
    """
    composer = _TreeComposer(text, part)
    for event in yaml.parse(text, Loader=YAML_LOADER):
        composer.handle_event(event)
    return YamlTree(composer.root, composer.anchors, composer.uses)


class _TreeComposer:
    def __init__(self, text: str, part: bool) -> None:
        self.text = text
        self.part = part
        self.root: TreeNode | None = None
        self.anchors: dict[str, TreeNode] = {}
        self.uses: dict[str, int] = {}
        self._open: list[TreeList | TreeMapping] = []
        self._keys: list[TreeNode | None] = []  # of each open mapping: a key that waits for its value
        self._documents = 0

    def handle_event(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin(TreeList(event))
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin(TreeMapping(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end(event)
        elif isinstance(event, yaml.AliasEvent):
            alias = TreeAlias(event)
            if alias.name not in self.anchors and not self.part:
                raise UnsupportedYaml(f"`*{alias.name}` would lose its anchor")
            self.uses[alias.name] = self.uses.get(alias.name, 0) + 1
            self._add(alias)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise UnsupportedYaml("a second YAML document would begin here")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        scalar = TreeScalar(event)
        self._anchored(scalar)
        if scalar.style in ("|", ">"):  # its blank lines belong to the layout below
            scalar.end = scalar.content + len(self.text[scalar.content : scalar.end].rstrip("\r\n\x85\u2028\u2029 "))
        key = self._keys[-1] if self._keys else None
        if scalar.start == scalar.end and key is not None:  # nothing: the parser says where the next thing begins
            colon = _COLON.match(self.text, key.end)
            scalar.start = scalar.anchored = scalar.content = scalar.end = colon.end() if colon else key.end
        self._add(scalar)

    def _begin(self, node: TreeList | TreeMapping) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise UnsupportedYaml("lists and mappings would be nested too deeply")
        self._anchored(node)
        if isinstance(node, TreeMapping):
            node.bare = node.flow and self.text[node.content : node.content + 1] != "{"
        self._open.append(node)
        self._keys.append(None)

    def _end(self, event: yaml.Event) -> None:
        node = self._open.pop()
        self._keys.pop()
        if node.flow and not (isinstance(node, TreeMapping) and node.bare):
            assert event.end_mark is not None
            node.end = event.end_mark.index
        else:
            last = node.items[-1:] if isinstance(node, TreeList) else node.pairs[-1]
            node.end = max(node.content, *(child.end for child in last))
        self._add(node)

    def _anchored(self, node: TreeNode) -> None:
        """`content` of a node, and its anchor's name taken."""
        if node.anchor is None:
            return
        if node.anchor in self.anchors:
            raise UnsupportedYaml(f"the anchor `&{node.anchor}` would be defined twice")
        self.anchors[node.anchor] = node
        written = _ANCHOR.match(self.text, node.start)
        if written:
            node.anchored = node.content = written.end()
            if isinstance(node, TreeScalar) and not node.style and not node.text:
                node.end = node.content
            else:
                gap = _BLANKS_AND_COMMENTS.match(self.text, node.anchored)
                assert gap is not None
                node.content = gap.end()

    def _add(self, node: TreeNode) -> None:
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        node.parent = parent
        if isinstance(parent, TreeList):
            parent.items.append(node)
        elif self._keys[-1] is None:
            self._keys[-1] = node
        else:
            parent.pairs.append((self._keys[-1], node))
            self._keys[-1] = None


def node_meaning(node: TreeNode | None, instead: dict[int, Meaning] | None = None) -> Meaning:
    """What a value says: its texts, order, anchors and aliases, without layout, quotes and comments.

    instead: meanings to take for some nodes, by id(node).
    """
    if node is None:
        return ()
    if instead and id(node) in instead:
        return instead[id(node)]
    said: Meaning
    if isinstance(node, TreeScalar):
        said = node.text
    elif isinstance(node, TreeAlias):
        said = ("*", node.name)
    else:
        said = (
            "[" if isinstance(node, TreeList) else "{",
            *(node_meaning(child, instead) for child in node.children()),
        )
    return ("&", node.anchor, said) if node.anchor is not None else said
