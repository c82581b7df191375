"""A part of a text by itself, and what a node says once it is edited."""

from __future__ import annotations

import yaml

from ..format.findings import quote_text
from .layout import EditRefused
from .yaml_tree import Meaning, TreeList, TreeMapping, TreeNode, UnsupportedYaml, compose_tree, node_meaning


def parse_fragment(value: str) -> tuple[TreeNode, str]:
    """The value that a text says by itself, and the text without anything around that; spans are of this."""
    value = value.strip()
    try:
        root = compose_tree(value + "\n", part=True).root  # a block literal needs its line break
    except UnsupportedYaml as error:
        raise EditRefused(str(error)) from None
    except yaml.YAMLError:
        raise EditRefused(f"{quote_text(value)} is not a valid value") from None
    if root is None:
        raise EditRefused("the value is empty")
    return (root, value[: root.end]) if not root.start else parse_fragment(value[root.start : root.end])


def pair_key_of(node: TreeNode) -> TreeNode | None:
    """The key of the pair that a node is in: itself where it is one; None in a list."""
    if isinstance(node.parent, TreeMapping):
        return next(key for key, value in node.parent.pairs if node is key or node is value)
    return None


def with_anchor(node: TreeNode, said: Meaning) -> Meaning:
    return ("&", node.anchor, said) if node.anchor is not None else said


def with_pairs(node: TreeNode, pairs: list[tuple[TreeNode, TreeNode]]) -> Meaning:
    return with_anchor(node, ("{", *(node_meaning(part) for pair in pairs for part in pair)))


def with_pair(node: TreeNode, name: str, said: Meaning, place: int | None = None) -> Meaning:
    pairs: list[tuple[Meaning, Meaning]] = []
    if isinstance(node, TreeMapping):
        pairs = [(node_meaning(key), node_meaning(value)) for key, value in node.pairs]
    pairs.insert(len(pairs) if place is None else place, (name, said))
    return with_anchor(node, ("{", *(part for pair in pairs for part in pair)))


def with_item(node: TreeNode, place: int, said: Meaning) -> Meaning:
    items = [node_meaning(item) for item in node.items] if isinstance(node, TreeList) else []
    return with_anchor(node, ("[", *items[:place], said, *items[place:]))


def without_item(node: TreeList, place: int) -> Meaning:
    items = [node_meaning(item) for item in node.items]
    return with_anchor(node, ("[", *items[:place], *items[place + 1 :]))
