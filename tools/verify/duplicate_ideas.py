"""Counts of ideas that the sources state more than once: `python -m tools.verify.duplicate_ideas` prints a table.

An idea that stands once has the count 0. Tests in `tests/architecture` hold the counts that have been reached.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "game" / "app"

# Names of keys as the window passes them on (see `game.app.settings.key_bindings`).
KEY_NAME = re.compile(
    r"[A-Z]|_?\d|F\d{1,2}|(NUM|MOUSE|WHEEL|PAD)_\w+|[LR]?(CTRL|SHIFT|ALT|OPTION)|ESCAPE|RETURN|ENTER|SPACE|TAB|BACKSPACE"
    r"|DELETE|INSERT|HOME|END|PAGEUP|PAGEDOWN|UP|DOWN|LEFT|RIGHT|PLUS|EQUAL|MINUS|COMMA|PERIOD|SLASH|SEMICOLON"
)
# The keys of the actions, and what is bound to them: here the names of keys are data.
BINDING_MODULES = ("actions", "settings/key_bindings.py", "settings/key_presets.py")


def key_name_comparisons(folder: Path = APP, exempt: Sequence[str] = BINDING_MODULES) -> list[str]:
    """`file:line` of each comparison with a key's name in the modules of a folder, those of the bindings excepted.

    Counted are `==`, `!=`, `in` and `not in` with a name or a collection of names, also where a constant stands for
    it, `match` patterns, and keys of a dictionary that is written out.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    constants = {name for tree in trees.values() for name in _key_constants(tree)}
    return [
        f"{path.relative_to(folder).as_posix()}:{line}"
        for path, tree in trees.items()
        if not path.relative_to(folder).as_posix().startswith(tuple(exempt))
        for line in _comparison_lines(tree, constants)
    ]


def _key_constants(tree: ast.Module) -> Iterator[str]:
    """Names of the module's constants that are a key's name or hold some."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        for target in targets:
            if isinstance(target, ast.Name):
                names, values = [target], [statement.value]
            elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                names, values = target.elts, statement.value.elts
            else:
                continue
            yield from (name.id for name, value in zip(names, values, strict=False) if _holds_key_name(value))


def _holds_key_name(node: ast.AST, constants: frozenset[str] | set[str] = frozenset()) -> bool:
    """Whether an expression is a key's name, a constant for one, or a collection of them."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and KEY_NAME.fullmatch(node.value) is not None
    if isinstance(node, ast.Name):
        return node.id in constants
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(_holds_key_name(each, constants) for each in node.elts)
    if isinstance(node, ast.Dict):
        return any(key is not None and _holds_key_name(key, constants) for key in node.keys)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set", "tuple"):
        return any(_holds_key_name(each, constants) for each in node.args)
    return False


def _comparison_lines(tree: ast.Module, constants: set[str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            if any(_holds_key_name(side, constants) for side in (node.left, *node.comparators)):
                yield node.lineno
        elif isinstance(node, ast.MatchValue):
            if _holds_key_name(node.value, constants):
                yield node.lineno
        elif isinstance(node, ast.Dict):
            yield from (key.lineno for key in node.keys if key is not None and _holds_key_name(key, constants))


COUNTS: Mapping[str, Callable[[], int]] = {
    "comparisons with key names in game/app": lambda: len(key_name_comparisons()),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.verify.duplicate_ideas", description=__doc__)
    parser.parse_args(arguments)
    width = max(map(len, COUNTS))
    for name, count in COUNTS.items():
        print(f"{name:<{width}}  {count():>5}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
