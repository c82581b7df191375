"""Edits of the sources in game/, found by patterns of the syntax tree: the changes of a mutant.

A pattern is Python in which a name stands for any expression, the same one wherever the name occurs in the pattern.
Exceptions: a builtin function (`min`, `range`) stands for itself, and a keyword argument of `Change` names the function
or constant that a name stands for. Numbers and attributes stand for themselves. `...` is any number of statements,
`*rest` any number of arguments. An `else` that a pattern leaves out may be there. So a change does not depend on local
names, formatting or the file, and no longer applies once the algorithm is another one.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

GAME = Path("game")
PHYSICS = "physics"

Edit = tuple[int, int, bytes]  # first byte, byte after the last, what replaces them


@dataclass(frozen=True, slots=True, init=False)
class Change:
    """Replace `find` by `replacement` in one function, or in a constant of a module.

    `within` is the qualified name of the function or constant, with its module where several have that name, behind its
    package and a slash (`sim/World.step`; default: physics); empty for all of game/physics. `context` are patterns that
    occur in the same module; a name stands for the same expression in them and in `find`. `means` maps names to
    functions or constants, of which the last component of the dotted name counts. Any other name that occurs only in
    `replacement` stands for itself.
    """

    within: str
    find: str
    replacement: str
    context: tuple[str, ...]
    means: tuple[tuple[str, str], ...]

    def __init__(self, within: str, find: str, replacement: str, *context: str, **means: str) -> None:
        values = (within, find, replacement, context, tuple(means.items()))
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)


def constant(within: str, value: str) -> Change:
    """Give a constant of a module another value."""
    return Change(within, "name = value", f"name = {value}")


@dataclass(frozen=True, slots=True)
class Source:
    """A module: path, dotted name below its package, text, tree, and (qualified name, node) of functions, classes and
    constants."""

    path: Path
    module: str
    text: str
    tree: ast.Module
    definitions: tuple[tuple[str, ast.AST], ...]


@cache
def sources(root: Path, package: str = PHYSICS) -> tuple[Source, ...]:
    """The modules of a package of game/ in the project at `root`."""
    found = []
    folder = root / GAME / package
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        found.append(Source(path, module, text, tree, tuple(_definitions(tree, ""))))
    return tuple(found)


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield prefix + child.name, child
            yield from _definitions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.Assign | ast.AnnAssign) and not prefix:
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            yield from ((name, ast.Module([child], [])) for name in names)


def scopes(within: str, root: Path) -> list[tuple[Source, ast.AST]]:
    """Functions and constants with a qualified name, each with its module. A wrong module in the name is ignored."""
    if not within:
        return [(source, source.tree) for source in sources(root)]
    package, _, within = within.rpartition("/")
    nodes = [(source, name, node) for source in sources(root, package or PHYSICS) for name, node in source.definitions]
    found = [(s, node) for s, name, node in nodes if f".{s.module}.{name}".endswith(f".{within}")]
    return found or [(s, node) for s, name, node in nodes if name == within.rpartition(".")[2]]


@cache
def edits(change: Change, root: Path) -> list[tuple[Path, tuple[Edit, ...]]]:
    """Every way to make a change: the file and its edits. A change is sound if there is exactly one."""
    find, replacement = ast.parse(change.find).body, ast.parse(change.replacement).body
    context = [ast.parse(text).body for text in change.context]
    found: dict[tuple[Path, tuple[Edit, ...]], None] = {}
    for source, scope in scopes(change.within, root):
        starts = [_Match(dict(change.means))]
        for pattern in context:
            starts = [match for start in starts for match in _matches(pattern, pattern, source.tree, start)]
        for start in starts:
            for match in _matches(find, replacement, scope, start):
                found[source.path, tuple(_edits(find, replacement, match, source))] = None
    return list(found)


def apply(text: str, changes: Sequence[Edit]) -> str:
    """The text of a file after edits that do not overlap."""
    data = text.encode()
    for begin, end, after in sorted(changes, reverse=True):
        data = data[:begin] + after + data[end:]
    return data.decode()


@dataclass(slots=True)
class _Match:
    """`bound`: a name and the expression it stands for (of `*rest`: a list). `pairs`: id of a pattern's node and the
    node of the source."""

    means: dict[str, str]
    bound: dict[str, Any] = field(default_factory=dict)
    pairs: dict[int, ast.AST] = field(default_factory=dict)

    def matches(self, pattern: Any, node: Any) -> bool:
        """True if a pattern (a node, a list or a value) matches under the names bound so far."""
        if isinstance(pattern, ast.Name) and not hasattr(builtins, pattern.id):
            meaning = self.means.get(pattern.id)
            if not isinstance(node, ast.expr) or (meaning and _last(meaning) != _name(node)):
                return False
            self.pairs[id(pattern)] = node
            return ast.unparse(self.bound.setdefault(pattern.id, node)) == ast.unparse(node)
        if type(pattern) is not type(node):
            return False
        if isinstance(pattern, list):
            return self._all_match(pattern, node)
        if not isinstance(pattern, ast.AST):
            return bool(pattern == node)
        self.pairs[id(pattern)] = node
        fields = [name for name in pattern._fields if name != "ctx" and not (name == "orelse" and pattern.orelse == [])]
        return all(self.matches(getattr(pattern, name), getattr(node, name)) for name in fields)

    def _all_match(self, patterns: list[ast.AST], nodes: list[ast.AST]) -> bool:
        """True if lists of patterns and nodes match; one `...` or `*rest` takes the nodes that the others leave."""
        for at, pattern in enumerate(patterns):
            if isinstance(pattern, ast.Starred) or (isinstance(pattern, ast.Expr) and ast.unparse(pattern) == "..."):
                end = at + len(nodes) - len(patterns) + 1
                if isinstance(pattern, ast.Starred):
                    self.bound[pattern.value.id] = nodes[at:end]
                return end >= at and self._all_match(patterns[:at] + patterns[at + 1 :], nodes[:at] + nodes[end:])
        return len(patterns) == len(nodes) and all(map(self.matches, patterns, nodes))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _matches(pattern: list[ast.stmt], replacement: list[ast.stmt], scope: ast.AST, start: _Match) -> Iterator[_Match]:
    """All matches of a pattern in a scope: of an expression anywhere, of statements where they follow each other."""
    if len(pattern) == 1 and isinstance(pattern[0], ast.Expr) and isinstance(replacement[0], ast.Expr):
        wanted: Any = pattern[0].value
        exact = not isinstance(wanted, ast.Name | ast.Starred)
        candidates: Iterator[Any] = (n for n in _parts(scope)[0] if not exact or type(n) is type(wanted))
    else:
        wanted = pattern
        candidates = (block[at : at + len(pattern)] for block in _parts(scope)[1] for at in range(len(block)))
    for candidate in candidates:
        match = _Match(start.means, dict(start.bound))
        if match.matches(wanted, candidate):
            yield match


@cache
def _parts(scope: ast.AST) -> tuple[list[ast.AST], list[list[ast.stmt]]]:
    """All nodes of a scope, and all its blocks of statements."""
    nodes = list(ast.walk(scope))
    blocks = [getattr(node, name, None) for node in nodes for name in ("body", "orelse", "finalbody")]
    return nodes, [block for block in blocks if isinstance(block, list)]


def _edits(find: Any, replacement: Any, match: _Match, source: Source) -> Iterator[Edit]:
    """The smallest edits that turn the source matched by `find` into `replacement`."""
    if isinstance(find, list):
        for old, new in zip(find, replacement, strict=True):
            yield from _edits(old, new, match, source)
        return
    different = [name for name in find._fields if _dump(getattr(find, name)) != _dump(getattr(replacement, name, None))]
    same_type = type(find) is type(replacement)
    if same_type and all(_replaceable(getattr(find, name), getattr(replacement, name)) for name in different):
        for name in different:
            yield from _edits(getattr(find, name), getattr(replacement, name), match, source)
        return
    node, new_node = match.pairs[id(find)], _Fill(match, source).visit(copy.deepcopy(replacement))
    text = ast.unparse(new_node)
    if isinstance(new_node, ast.expr) and not isinstance(new_node, ast.Constant | ast.Name | ast.Call | ast.Subscript):
        text = f"({text})"
    lines = source.text.encode().splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    yield begin, end, text.encode()


def _dump(node: Any) -> Any:
    if isinstance(node, list):
        return [_dump(child) for child in node]
    return ast.dump(node) if isinstance(node, ast.AST) else node


def _replaceable(find: Any, replacement: Any) -> bool:
    """True if both are expressions or statements, or lists of one length: these have a range in the source."""
    if isinstance(find, list) and isinstance(replacement, list):
        return len(find) == len(replacement) and all(map(_replaceable, find, replacement))
    return isinstance(find, ast.expr | ast.stmt) and isinstance(replacement, ast.expr | ast.stmt)


@cache
def _known_names(tree: ast.Module) -> set[str]:
    return {getattr(node, name, "") for node in _parts(tree)[0] for name in ("arg", "id", "name", "asname")}


class _Fill(ast.NodeTransformer):
    """Replaces the names of a pattern by the expressions that they stand for."""

    def __init__(self, match: _Match, source: Source) -> None:
        self.bound, self.means = match.bound, match.means
        self.known = _known_names(source.tree)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.bound:
            return copy.deepcopy(self.bound[node.id])
        node.id = self.means.get(node.id, node.id)
        if node.id not in self.known and not hasattr(builtins, node.id):
            raise NameError(f"{node.id} is neither in the pattern nor in the module")
        return node

    def visit_Starred(self, node: ast.Starred) -> Any:
        return copy.deepcopy(self.bound[node.value.id])
