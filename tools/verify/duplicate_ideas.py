"""Counts of ideas that the sources state more than once: `python -m tools.verify.duplicate_ideas` prints a table.

An idea that stands once has the count 0. Tests in `tests/architecture` hold the counts that have been reached.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "game"
APP = GAME / "app"

# Names of keys as the window passes them on.
KEY_NAME = re.compile(
    r"[A-Z]|_\d|F\d{1,2}|(NUM|MOUSE|WHEEL|PAD)_\w+|[LR]?(CTRL|SHIFT|ALT|OPTION)|ESCAPE|RETURN|ENTER|SPACE|TAB|BACKSPACE"
    r"|DELETE|INSERT|HOME|END|PAGEUP|PAGEDOWN|UP|DOWN|LEFT|RIGHT|PLUS|EQUAL|MINUS|COMMA|PERIOD|SLASH|SEMICOLON"
)
# Modules of game/app where names of keys are data: the tables of keys, and the buttons of a gamepad as keys.
KEY_MODULES = ("input/actions.py", "input/gamepad.py", "settings/key_bindings.py", "settings/key_presets.py")
COLLECTIONS = ("frozenset", "set", "tuple", "list", "dict")


def key_name_comparisons(folder: Path = APP) -> list[str]:
    """`file:line` of each comparison with a key's name in the modules of a folder, apart from `KEY_MODULES`.

    A comparison is `==`, `!=`, `in` or `not in` with a name, a collection of names or a constant for one of them; a
    `match` pattern; and each key of a dictionary display, which stands for a comparison of what is looked up.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    constants = frozenset(name for tree in trees.values() for name in _key_constants(tree))
    names = {path: path.relative_to(folder).as_posix() for path in trees}
    return [
        f"{names[path]}:{line}"
        for path, tree in trees.items()
        if names[path] not in KEY_MODULES
        for line in _comparison_lines(tree, constants)
    ]


def _key_constants(tree: ast.Module) -> Iterator[str]:
    """Names of the constants of a module that are a key's name or hold some."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else ()
            pairs = list(zip(node.targets[0].elts, values, strict=False))
        elif isinstance(node, ast.Assign):
            pairs = [(node.targets[0], node.value)]
        else:
            continue
        yield from (
            target.id
            for target, value in pairs
            if isinstance(target, ast.Name) and target.id.isupper() and _holds_key_name(value, frozenset())
        )


def _holds_key_name(node: ast.AST | None, constants: frozenset[str]) -> bool:
    """Whether an expression is a key's name, a constant for one, or a collection with one."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and KEY_NAME.fullmatch(node.value) is not None
    if isinstance(node, (ast.Name, ast.Attribute)):
        return (node.id if isinstance(node, ast.Name) else node.attr) in constants
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(_holds_key_name(each, constants) for each in node.elts)
    if isinstance(node, ast.Dict):
        return any(_holds_key_name(key, constants) for key in node.keys)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in COLLECTIONS:
        return any(_holds_key_name(each, constants) for each in node.args)
    return False


def _comparison_lines(tree: ast.Module, constants: frozenset[str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            if any(_holds_key_name(side, constants) for side in (node.left, *node.comparators)):
                yield node.lineno
        elif isinstance(node, ast.MatchValue):
            if _holds_key_name(node.value, constants):
                yield node.lineno
        elif isinstance(node, ast.Dict):
            yield from (key.lineno for key in node.keys if key is not None and _holds_key_name(key, constants))


# Folder of game/ in which kinds of pieces and zones are declared, and the table of the functions that build them
SCHEMA, BUILDERS = "level/format/schema", "level/build/pieces/__init__.py"


def kind_lists(kinds: Collection[str], folder: Path = GAME) -> list[str]:
    """`file:line` of what distinguishes kinds of pieces by their names outside the declarations of the kinds.

    These are comparisons of something named `kind` with a name, and tuples, lists, sets and keys of dictionaries with
    two or more names and nothing else.
    """
    return [
        f"{name}:{line}"
        for path in sorted(folder.rglob("*.py"))
        if not (name := path.relative_to(folder).as_posix()).startswith(SCHEMA) and name != BUILDERS
        for line in _kind_lines(ast.parse(path.read_text(encoding="utf-8")), kinds)
    ]


def _kind_lines(tree: ast.Module, kinds: Collection[str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            names = [side.id if isinstance(side, ast.Name) else getattr(side, "attr", "") for side in sides]
            is_named = any(isinstance(side, ast.Constant) and side.value in kinds for side in sides)
            if is_named and any(name.removesuffix("s").endswith("kind") for name in names):
                yield node.lineno
        members = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        words = [member.value if isinstance(member, ast.Constant) else None for member in members]
        if len(words) > 1 and all(word in kinds for word in words):
            yield node.lineno


def defaults_of_zones(quantities: Collection[str], folder: Path = GAME / "level") -> list[str]:
    """`file:line` of each number that is a default or bound of a quantity of the physics' zones, in modules `zones.py`.

    These are class fields with the quantity's name and a number, and fields of the schema with numbers.
    """
    return [
        f"{path.relative_to(folder).as_posix()}:{node.lineno}"
        for path in sorted(folder.rglob("zones.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if _states_quantity(node, quantities)
    ]


def _states_quantity(node: ast.AST, quantities: Collection[str]) -> bool:
    if isinstance(node, ast.AnnAssign):
        name, values = getattr(node.target, "id", ""), [node.value]
    elif isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") == "SchemaField":
        name, values = getattr(node.args[0], "value", ""), [*node.args, *(word.value for word in node.keywords)]
    else:
        return False
    numbers = [value for value in values if isinstance(value, ast.Constant) and type(value.value) in (int, float)]
    return name in quantities and bool(numbers)


def files_of_example(name: str, page: Path = ROOT / "CONTRIBUTING.md") -> list[str]:
    """Files of game/ that the worked example for something new names, in their order."""
    _, _, text = page.read_text(encoding="utf-8").partition(f"\n**A {name}**")
    return list(dict.fromkeys(re.findall(r"`(game/[\w/]+\.py)`", text.partition("\n**A ")[0])))


def _zone_kinds() -> Collection[str]:
    from game.level.format.schema.zones import ZONE_KINDS

    return ZONE_KINDS.keys()


def _piece_kinds() -> Collection[str]:
    from game.level.format.schema import PIECE_RECORDS

    return PIECE_RECORDS.keys()


def _zone_quantities() -> Collection[str]:
    from game.core.zone import ZONE_RANGES

    return {*ZONE_RANGES, "on_ground"}  # the word of level files for `hold`


COUNTS: Mapping[str, Callable[[], int]] = {
    "comparisons with key names in game/app": lambda: len(key_name_comparisons()),
    "places that list or compare zone kinds": lambda: len(kind_lists(_zone_kinds())),
    "places that list or compare piece kinds": lambda: len(kind_lists(_piece_kinds())),
    "zone defaults and ranges stated in game/level": lambda: len(defaults_of_zones(_zone_quantities())),
    "files of game/ that a new zone kind touches": lambda: len(files_of_example("zone kind")),
    "files of game/ that a new piece touches": lambda: len(files_of_example("piece")),
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
