"""A part of a text by itself, and what a node says once it is edited."""

from __future__ import annotations

import yaml

from ..format.findings import quoted
from .layout import EditRefused
from .yaml_tree import List, Mapping, Meaning, Node, Unsound, compose, meaning


def fragment(value: str) -> tuple[Node, str]:
    """The value that a text says by itself, and the text without anything around that; spans are of this."""
    value = value.strip()
    try:
        root = compose(value, part=True).root
    except Unsound as error:
        raise EditRefused(str(error)) from None
    except yaml.YAMLError:
        raise EditRefused(f"{quoted(value)} cannot be read as a value") from None
    if root is None:
        raise EditRefused("there is nothing to write")
    return (root, value[: root.end]) if not root.start else fragment(value[root.start : root.end])


def key_of(node: Node) -> Node | None:
    """The key of the pair that a node is in: itself where it is one; None in a list."""
    if isinstance(node.parent, Mapping):
        return next(key for key, value in node.parent.pairs if node is key or node is value)
    return None


def anchored(node: Node, said: Meaning) -> Meaning:
    return ("&", node.anchor, said) if node.anchor is not None else said


def with_pairs(node: Node, pairs: list[tuple[Node, Node]]) -> Meaning:
    return anchored(node, ("{", *(meaning(part) for pair in pairs for part in pair)))


def with_pair(node: Node, name: str, said: Meaning, place: int | None = None) -> Meaning:
    pairs: list[tuple[Meaning, Meaning]] = []
    if isinstance(node, Mapping):
        pairs = [(meaning(key), meaning(value)) for key, value in node.pairs]
    pairs.insert(len(pairs) if place is None else place, (name, said))
    return anchored(node, ("{", *(part for pair in pairs for part in pair)))


def with_item(node: Node, place: int, said: Meaning) -> Meaning:
    items = [meaning(item) for item in node.items] if isinstance(node, List) else []
    return anchored(node, ("[", *items[:place], said, *items[place:]))


def without(node: List, place: int) -> Meaning:
    items = [meaning(item) for item in node.items]
    return anchored(node, ("[", *items[:place], *items[place + 1 :]))
