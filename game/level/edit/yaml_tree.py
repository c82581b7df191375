"""YAML tree with the start and end offset of every value, for edits in place.

The reader's nodes (`format.yaml_nodes`) have only line and column. The tree is composed from the parser's events
without recursion, so that deep nesting cannot overflow the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml

from ...core.errors import WalkerError
from ..format.yaml_nodes import EventComposer, OpenCollection

Meaning = str | tuple["Meaning", ...]
"""The content of a value without its layout, for comparisons."""

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+")
_BLANKS_AND_COMMENTS = re.compile(
    "(?:[ \t\r\n\x85\u2028\u2029]|(?<=[ \t\r\n\x85\u2028\u2029])#[^\r\n\x85\u2028\u2029]*)*"
)
_COLON = re.compile("[ \t]*:")


class UnsupportedYaml(WalkerError):
    """A text that the editor cannot represent as a tree. The message gives the reason."""


class TreeNode:
    """A value at text[start:end]. `content` is its start after the anchor, `anchored` the end of the anchor.

    line and column count from 1.
    """

    __slots__ = ("anchor", "anchored", "column", "content", "end", "line", "parent", "start")

    def __init__(self, event: yaml.Event, anchor: str | None) -> None:
        mark = event.start_mark
        end = event.end_mark
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
    """A scalar: `text` without quotes; `style` is '' (plain), a quotation mark, `|` or `>`."""

    __slots__ = ("style", "text")

    def __init__(self, event: yaml.ScalarEvent) -> None:
        super().__init__(event, event.anchor)
        self.text: str = event.value
        self.style = event.style or ""


class TreeAlias(TreeNode):
    """An alias `*name`."""

    __slots__ = ("name",)

    def __init__(self, event: yaml.AliasEvent) -> None:
        super().__init__(event, None)
        self.name = str(event.anchor)


class TreeList(TreeNode):
    """A list of `items`; `flow` if it is written in [ ]."""

    __slots__ = ("flow", "items")

    def __init__(self, event: yaml.CollectionStartEvent) -> None:
        super().__init__(event, event.anchor)
        self.flow = bool(event.flow_style)
        self.items: list[TreeNode] = []

    def children(self) -> Iterator[TreeNode]:
        return iter(self.items)


class TreeMapping(TreeNode):
    """A mapping of `pairs`; `flow` if it is written in { }, `bare` if it is a single pair in [ ] without braces."""

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
        """The pairs with that key: more than one if the key is given twice."""
        return [(key, value) for key, value in self.pairs if isinstance(key, TreeScalar) and key.text == name]


class YamlTree:
    """The tree of a text: its `root`, `anchors` by name, and the number of `uses` of each anchor."""

    __slots__ = ("anchors", "root", "uses")

    def __init__(self, root: TreeNode | None, anchors: dict[str, TreeNode], uses: dict[str, int]) -> None:
        self.root = root
        self.anchors = anchors
        self.uses = uses

    def nodes(self) -> Iterator[TreeNode]:
        """All nodes, in the order of the text."""
        return iterate_nodes(self.root)

    def shared_anchor(self, node: TreeNode) -> str:
        """The anchor of this node or of a node around it that an alias uses; '' if there is none."""
        ancestor: TreeNode | None = node
        while ancestor is not None:
            if ancestor.anchor is not None and self.uses.get(ancestor.anchor):
                return ancestor.anchor
            ancestor = ancestor.parent
        return ""


def iterate_nodes(root: TreeNode | None) -> Iterator[TreeNode]:
    """A node and all nodes below it, in the order of the text."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(list(node.children()))


def compose_tree(text: str, fragment: bool = False) -> YamlTree:
    """The tree of a text with one document. Raises UnsupportedYaml, or yaml.YAMLError if the text is not YAML.

    fragment: the text is a part of a document; its aliases may refer to anchors outside it.
    """
    composer = _TreeComposer(text, fragment)
    root = composer.compose(text)
    return YamlTree(root, composer.anchors, composer.uses)


class _TreeComposer(EventComposer[TreeNode]):
    """Composer of nodes with the offsets of their text. Aliases stay nodes of their own."""

    def __init__(self, text: str, fragment: bool) -> None:
        super().__init__()
        self.text = text
        self.fragment = fragment
        self.anchors: dict[str, TreeNode] = {}
        self.uses: dict[str, int] = {}

    def create_scalar(self, event: yaml.ScalarEvent) -> TreeNode:
        scalar = TreeScalar(event)
        self._set_anchor(scalar)
        if scalar.style in ("|", ">"):  # blank lines after it belong to the layout
            scalar.end = scalar.content + len(self.text[scalar.content : scalar.end].rstrip("\r\n\x85\u2028\u2029 "))
        key = self._pending_key()
        if scalar.start == scalar.end and key is not None:  # empty: the parser gives the start of the next value
            colon = _COLON.match(self.text, key.end)
            scalar.start = scalar.anchored = scalar.content = scalar.end = colon.end() if colon else key.end
        return scalar

    def _pending_key(self) -> TreeNode | None:
        """The key whose value comes next; None outside mappings and before a key."""
        inner = self.stack[-1] if self.stack else None
        if inner is None or not isinstance(inner.node, TreeMapping) or len(inner.children) % 2 == 0:
            return None
        return inner.children[-1]

    def open_collection(self, event: yaml.CollectionStartEvent) -> TreeNode:
        node = TreeMapping(event) if isinstance(event, yaml.MappingStartEvent) else TreeList(event)
        self._set_anchor(node)
        if isinstance(node, TreeMapping):
            node.bare = node.flow and self.text[node.content : node.content + 1] != "{"
        return node

    def close_collection(self, closed: OpenCollection[TreeNode], event: yaml.CollectionEndEvent) -> None:
        node = closed.node
        children = closed.children
        for child in children:
            child.parent = node
        if isinstance(node, TreeMapping):
            node.pairs = list(zip(children[::2], children[1::2], strict=True))
        elif isinstance(node, TreeList):
            node.items = children
        flow = isinstance(node, TreeList | TreeMapping) and node.flow
        if flow and not (isinstance(node, TreeMapping) and node.bare):
            assert event.end_mark is not None
            node.end = event.end_mark.index
        else:
            node.end = max(node.content, *(child.end for child in children[-2:]))

    def add_alias(self, event: yaml.AliasEvent) -> None:
        alias = TreeAlias(event)
        if alias.name not in self.anchors and not self.fragment:
            raise UnsupportedYaml(f"`*{alias.name}` would lose its anchor")
        self.uses[alias.name] = self.uses.get(alias.name, 0) + 1
        self.add(alias)

    def fail_nesting(self, event: yaml.CollectionStartEvent) -> NoReturn:
        raise UnsupportedYaml("lists and mappings would be nested too deeply")

    def fail_second_document(self, event: yaml.DocumentStartEvent) -> NoReturn:
        raise UnsupportedYaml("a second YAML document would begin here")

    def _set_anchor(self, node: TreeNode) -> None:
        """Record the node's anchor, and the start of the value after it."""
        if node.anchor is None:
            return
        if node.anchor in self.anchors:
            raise UnsupportedYaml(f"the anchor `&{node.anchor}` would be defined twice")
        self.anchors[node.anchor] = node
        match = _ANCHOR.match(self.text, node.start)
        if match:
            node.anchored = node.content = match.end()
            if isinstance(node, TreeScalar) and not node.style and not node.text:
                node.end = node.content
            else:
                gap = _BLANKS_AND_COMMENTS.match(self.text, node.anchored)
                assert gap is not None
                node.content = gap.end()


def node_meaning(node: TreeNode | None, replacements: dict[int, Meaning] | None = None) -> Meaning:
    """The meaning of a node: its texts, order, anchors and aliases, without layout, quotes and comments.

    replacements: new meanings by id(node).
    """
    if node is None:
        return ()
    if replacements and id(node) in replacements:
        return replacements[id(node)]
    meaning: Meaning
    if isinstance(node, TreeScalar):
        meaning = node.text
    elif isinstance(node, TreeAlias):
        meaning = ("*", node.name)
    else:
        meaning = (
            "[" if isinstance(node, TreeList) else "{",
            *(node_meaning(child, replacements) for child in node.children()),
        )
    return ("&", node.anchor, meaning) if node.anchor is not None else meaning
