"""YAML fragments, and the meaning of a node after an edit."""

from __future__ import annotations

import yaml

from ..format.findings import quote_text
from .layout import EditRefused
from .yaml_tree import Meaning, TreeList, TreeMapping, TreeNode, UnsupportedYaml, compose_tree, node_meaning


def parse_fragment(value: str) -> tuple[TreeNode, str]:
    """Node of a YAML fragment, and the fragment without blanks and comments around it, to which offsets refer."""
    value = value.strip()
    try:
        root = compose_tree(value + "\n", fragment=True).root  # a block literal needs its line break
    except UnsupportedYaml as error:
        raise EditRefused(str(error)) from None
    except yaml.YAMLError:
        raise EditRefused(f"{quote_text(value)} is not a valid value") from None
    if root is None:
        raise EditRefused("the value is empty")
    return (root, value[: root.end]) if not root.start else parse_fragment(value[root.start : root.end])


def pair_key_of(node: TreeNode) -> TreeNode | None:
    """The key of the pair that a node belongs to (the node itself if it is the key); None in a list."""
    if isinstance(node.parent, TreeMapping):
        return next(key for key, value in node.parent.pairs if node is key or node is value)
    return None


def with_anchor(node: TreeNode, meaning: Meaning) -> Meaning:
    """`meaning` behind the anchor of `node`."""
    return ("&", node.anchor, meaning) if node.anchor is not None else meaning


def with_pairs(node: TreeNode, pairs: list[tuple[TreeNode, TreeNode]]) -> Meaning:
    """Meaning of a mapping with other pairs."""
    return with_anchor(node, ("{", *(node_meaning(item) for pair in pairs for item in pair)))


def with_pair(node: TreeNode, name: str, value: Meaning, index: int | None = None) -> Meaning:
    """Meaning of a mapping with one more pair, at its end or at `index`."""
    pairs: list[tuple[Meaning, Meaning]] = []
    if isinstance(node, TreeMapping):
        pairs = [(node_meaning(key), node_meaning(value)) for key, value in node.pairs]
    pairs.insert(len(pairs) if index is None else index, (name, value))
    return with_anchor(node, ("{", *(item for pair in pairs for item in pair)))


def with_item(node: TreeNode, index: int, item: Meaning) -> Meaning:
    """Meaning of a list with one more item at `index`."""
    items = [node_meaning(child) for child in node.items] if isinstance(node, TreeList) else []
    return with_anchor(node, ("[", *items[:index], item, *items[index:]))


def without_item(node: TreeList, index: int) -> Meaning:
    """Meaning of a list without the item at `index`."""
    items = [node_meaning(item) for item in node.items]
    return with_anchor(node, ("[", *items[:index], *items[index + 1 :]))
