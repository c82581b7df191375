"""Counts of ideas that the sources state more than once: `python -m tools.verify.duplicate_ideas` prints a table.

An idea that stands once has the count 0; attributes and Protocols have a limit. Tests in `tests/architecture` hold the
counts that have been reached.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
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
    trees = {path: _parse(path) for path in sorted(folder.rglob("*.py"))}
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


def _places_of(pattern: str, home: str) -> list[str]:
    """`file:line` of each line of game/ that a pattern matches, apart from the module that is its home."""
    return [
        f"{path.relative_to(GAME).as_posix()}:{number}"
        for path in sorted(GAME.rglob("*.py"))
        if path != GAME / home
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def own_threads() -> list[str]:
    """Places that start a thread without game/core/background.py."""
    return _places_of(r"\bThread\(", "core/background.py")


def own_error_reasons() -> list[str]:
    """Places that put an error of the system into words without game/core/errors.py."""
    return _places_of(r"\bstrerror\b.*\blower\(", "core/errors.py")


def context_attributes(path: Path = APP / "modes" / "context.py") -> list[str]:
    """Attributes that the constructor of `GameContext` sets."""
    context = next(node for node in _classes(_parse(path)) if node.name == "GameContext")
    constructor = next(node for node in context.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    return sorted({
        node.attr
        for node in ast.walk(constructor)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    })  # fmt: skip


def protocols(folder: Path = APP) -> list[str]:
    """`file:class` of each Protocol."""
    return [
        f"{path.relative_to(folder).as_posix()}:{node.name}"
        for path in sorted(folder.rglob("*.py"))
        for node in _classes(_parse(path))
        if "Protocol" in _base_names(node)
    ]


def split_classes(folder: Path = APP) -> list[str]:
    """`file:class` of each class that exists for one subclass: inheritance that only splits a file.

    Such a class has no abstract method, so it is no interface, and its name stands nowhere but in the bases of one
    class, in annotations and in `isinstance`.
    """
    trees = {path: _parse(path) for path in sorted(folder.rglob("*.py"))}
    bases = Counter(name for tree in trees.values() for node in _classes(tree) for name in _base_names(node))
    used = {name for tree in trees.values() for name in _names_in_use(tree)}
    return [
        f"{path.relative_to(folder).as_posix()}:{node.name}"
        for path, tree in trees.items()
        for node in _classes(tree)
        if bases[node.name] == 1 and node.name not in used and "abstractmethod" not in ast.unparse(node)
    ]


def repeated_class_names(folder: Path = GAME) -> list[str]:
    """Names that two classes of different modules have."""
    modules = [_parse(path).body for path in sorted(folder.rglob("*.py"))]
    counts = Counter(node.name for body in modules for node in body if isinstance(node, ast.ClassDef))
    return sorted(name for name, count in counts.items() if count > 1)


def _parse(path: Path) -> ast.Module:
    return _parse_text(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=2000)
def _parse_text(text: str) -> ast.Module:
    return ast.parse(text)


def _classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _base_names(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]


def _names_in_use(node: ast.AST) -> Iterator[str]:
    """Names that are read as values: not in bases and annotations, and not in `isinstance`."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        return
    for field, value in ast.iter_fields(node):
        if field not in ("bases", "annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _names_in_use(child)


# Ideas of the drawing package: the names of functions for one, or a name that only its home uses, and the homes.
DRAWING_DEFINITIONS = {
    "scale bars": (r"_?draw_\w*scale_bar", ("drawing/plan.py",)),
    "layouts of plans in columns": (r"_?(choose_columns|arrange_plans)", ("drawing/plan.py",)),
}
DRAWING_USES = {
    "plan drawers": ("paint_plan", ("drawing/plan.py", "drawing/floor_plans.py")),
    "canvases": ("ImageDraw", ("drawing/canvas.py", "app/visuals/panel_pictures.py")),  # panels are no plans or charts
}


def drawing_duplicates(idea: str, folder: Path = GAME) -> list[str]:
    """`file:line` of each module of a folder that states an idea of the drawing package again: of the definitions of
    functions for it, or of the first use of the name that only its home uses."""
    pattern, homes = DRAWING_DEFINITIONS.get(idea) or DRAWING_USES[idea]
    found = []
    for path in sorted(folder.rglob("*.py")):
        if (name := path.relative_to(folder).as_posix()) in homes:
            continue
        nodes = list(ast.walk(_parse(path)))
        if idea in DRAWING_DEFINITIONS:
            defined = (node for node in nodes if isinstance(node, ast.FunctionDef))
            found += [f"{name}:{node.lineno}" for node in defined if re.fullmatch(pattern, node.name)]
        else:
            used = (node for node in nodes if getattr(node, "attr", getattr(node, "id", "")) == pattern)
            found += [f"{name}:{node.lineno}" for node in list(used)[:1]]
    return found


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
        for line in _kind_lines(_parse(path), kinds)
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
        for node in ast.walk(_parse(path))
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
    "threads started by hand": lambda: len(own_threads()),
    "words for a system error made by hand": lambda: len(own_error_reasons()),
    "attributes of GameContext": lambda: len(context_attributes()),
    "Protocols in game/app": lambda: len(protocols()),
    "names of two classes": lambda: len(repeated_class_names()),
    "classes in game/app that exist for one subclass": lambda: len(split_classes()),
    **{
        f"{idea} beside that of game/drawing": lambda idea=idea: len(drawing_duplicates(idea))  # type: ignore[misc]
        for idea in (*DRAWING_DEFINITIONS, *DRAWING_USES)
    },
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
