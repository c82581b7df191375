"""Changes of the syntax trees of game/physics, written as patterns and made in the source text.

A pattern is Python in which a name stands for any expression, the same one wherever the name occurs in the pattern.
Exceptions: a builtin function (`min`, `range`) stands for itself, and a keyword argument of `Change` names the function
or constant that a name stands for. Numbers and attributes stand for themselves. `...` is any number of statements,
`*rest` any number of arguments. An `else` that a pattern leaves out may be there. So a change does not depend on local
names, on formatting or on the file, and no longer applies once the algorithm is another one.
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

PHYSICS = Path("game", "physics")

Edit = tuple[int, int, bytes]  # first byte, byte after the last, what replaces them


@dataclass(frozen=True, slots=True, init=False)
class Change:
    """Replace `find` by `become` in one function, or in a constant of a module.

    `within` is the qualified name of the function or constant, with its module where several have that name; empty for
    all of game/physics. `given` are patterns found in the same module: what their names stand for, they stand for here
    too. `means` gives names their function or constant, of which the last part counts. Any other name that only
    `become` has stands for itself.
    """

    within: str
    find: str
    become: str
    given: tuple[str, ...]
    means: tuple[tuple[str, str], ...]

    def __init__(self, within: str, find: str, become: str, *given: str, **means: str) -> None:
        values = (within, find, become, given, tuple(means.items()))
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)


def constant(within: str, value: str) -> Change:
    """Give a constant of a module another value."""
    return Change(within, "name = value", f"name = {value}")


@dataclass(frozen=True, slots=True)
class Source:
    """A module: path, dotted name below game/physics, text, tree, and (qualified name, node) of functions, classes and
    constants."""

    path: Path
    module: str
    text: str
    tree: ast.Module
    parts: tuple[tuple[str, ast.AST], ...]


@cache
def sources(root: Path) -> tuple[Source, ...]:
    """The modules of game/physics in the project at `root`."""
    found = []
    for path in sorted((root / PHYSICS).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        module = ".".join(path.relative_to(root / PHYSICS).with_suffix("").parts)
        found.append(Source(path, module, text, tree, tuple(_parts(tree, ""))))
    return tuple(found)


def _parts(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield prefix + child.name, child
            yield from _parts(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.Assign) and not prefix:
            names = [target.id for target in child.targets if isinstance(target, ast.Name)]
            yield from ((name, ast.Module([child], [])) for name in names)


def scopes(within: str, root: Path) -> list[tuple[Source, ast.AST]]:
    """What has a qualified name. A module that is not found (it may have moved) does not count."""
    if not within:
        return [(source, source.tree) for source in sources(root)]
    every = [(source, name, node) for source in sources(root) for name, node in source.parts]
    found = [(s, node) for s, name, node in every if f".{s.module}.{name}".endswith(f".{within}")]
    return found or [(s, node) for s, name, node in every if name == within.rpartition(".")[2]]


def edits(change: Change, root: Path) -> list[tuple[Path, tuple[Edit, ...]]]:
    """Every way to make a change: the file and its edits. A change is sound if there is exactly one."""
    find, become = ast.parse(change.find).body, ast.parse(change.become).body
    given = [ast.parse(text).body for text in change.given]
    found: dict[tuple[Path, tuple[Edit, ...]], None] = {}
    for source, scope in scopes(change.within, root):
        starts = [_Match(dict(change.means))]
        for pattern in given:
            starts = [match for start in starts for match in _matches(pattern, pattern, source.tree, start)]
        for start in starts:
            for match in _matches(find, become, scope, start):
                found[source.path, tuple(_edits(find, become, match, source))] = None
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

    def matches(self, part: Any, node: Any) -> bool:
        """Whether a pattern (a node, a list of nodes or a value) matches, given what is bound already."""
        if isinstance(part, ast.Name) and not hasattr(builtins, part.id):
            if not isinstance(node, ast.expr) or (part.id in self.means and _last(self.means[part.id]) != _name(node)):
                return False
            self.pairs[id(part)] = node
            return ast.unparse(self.bound.setdefault(part.id, node)) == ast.unparse(node)
        if type(part) is not type(node):
            return False
        if isinstance(part, list):
            return self._all_match(part, node)
        if not isinstance(part, ast.AST):
            return bool(part == node)
        self.pairs[id(part)] = node
        fields = [name for name in part._fields if name != "ctx" and not (name == "orelse" and part.orelse == [])]
        return all(self.matches(getattr(part, name), getattr(node, name)) for name in fields)

    def _all_match(self, parts: list[ast.AST], nodes: list[ast.AST]) -> bool:
        """Lists; the one `...` or `*rest` among the patterns takes what the others leave."""
        for at, part in enumerate(parts):
            if isinstance(part, ast.Starred) or (isinstance(part, ast.Expr) and ast.unparse(part) == "..."):
                rest = len(nodes) - len(parts) + 1
                if isinstance(part, ast.Starred):
                    self.bound[part.value.id] = nodes[at : at + rest]
                return rest >= 0 and self._all_match(parts[:at] + parts[at + 1 :], nodes[:at] + nodes[at + rest :])
        return len(parts) == len(nodes) and all(map(self.matches, parts, nodes))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _matches(pattern: list[ast.stmt], become: list[ast.stmt], scope: ast.AST, start: _Match) -> Iterator[_Match]:
    """Where a pattern matches: an expression that becomes another anywhere, statements where they follow each other."""
    expression = len(pattern) == 1 and isinstance(pattern[0], ast.Expr) and isinstance(become[0], ast.Expr)
    for node in ast.walk(scope):
        candidates: list[tuple[Any, Any]] = []
        if expression:
            candidates = [(pattern[0].value, node)]
        else:
            blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
            for block in blocks:
                if isinstance(block, list):
                    candidates += [(pattern, block[at : at + len(pattern)]) for at in range(len(block))]
        for part, candidate in candidates:
            match = _Match(start.means, dict(start.bound))
            if match.matches(part, candidate):
                yield match


def _edits(find: Any, become: Any, match: _Match, source: Source) -> Iterator[Edit]:
    """The smallest edits that turn what `find` matched into what `become` says."""
    if isinstance(find, list):
        for part, other in zip(find, become, strict=True):
            yield from _edits(part, other, match, source)
        return
    different = [name for name in find._fields if _dump(getattr(find, name)) != _dump(getattr(become, name, None))]
    if type(find) is type(become) and all(_replaceable(getattr(find, f), getattr(become, f)) for f in different):
        for name in different:
            yield from _edits(getattr(find, name), getattr(become, name), match, source)
        return
    node, after = match.pairs[id(find)], _Fill(match, source).visit(copy.deepcopy(become))
    words = ast.unparse(after)
    if isinstance(after, ast.expr) and not isinstance(after, ast.Constant | ast.Name | ast.Call | ast.Subscript):
        words = f"({words})"
    lines = source.text.encode().splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    yield begin, end, words.encode()


def _dump(part: Any) -> Any:
    if isinstance(part, list):
        return [_dump(one) for one in part]
    return ast.dump(part) if isinstance(part, ast.AST) else part


def _replaceable(find: Any, become: Any) -> bool:
    """Whether both are expressions or statements, or lists of as many: these have a place in the text of their own."""
    if isinstance(find, list) and isinstance(become, list):
        return len(find) == len(become) and all(map(_replaceable, find, become))
    return isinstance(find, ast.expr | ast.stmt) and isinstance(become, ast.expr | ast.stmt)


class _Fill(ast.NodeTransformer):
    """Puts what the names of a pattern stand for in their place."""

    def __init__(self, match: _Match, source: Source) -> None:
        self.bound, self.means = match.bound, match.means
        names = {"arg", "id", "name", "asname"}
        self.known = {getattr(node, name, "") for node in ast.walk(source.tree) for name in names}

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.bound:
            return copy.deepcopy(self.bound[node.id])
        node.id = self.means.get(node.id, node.id)
        if node.id not in self.known and not hasattr(builtins, node.id):
            raise NameError(f"{node.id} is neither in the pattern nor in the module")
        return node

    def visit_Starred(self, node: ast.Starred) -> Any:
        return copy.deepcopy(self.bound[node.value.id])
