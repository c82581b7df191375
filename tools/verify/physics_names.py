"""Counts of what the kernels leave unnamed or state twice: `python -m tools.verify.physics_names` prints a table.

With `--places` it prints each place too. `tests/architecture/test_physics_names.py` holds the counts.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHYSICS = ROOT / "game" / "physics"

# Where numbers of columns are the coordinates of geometry: numerics and meshes, and triangles anywhere.
GEOMETRY = ("numerics/", "mesh/", "triangle_mesh.py")
TRIANGLES = ("tri", "tri_e", "local_tri")  # names of their arrays
ENTRY = "run_compiled_ticks"  # its arguments are flat (docs/decisions/0020-kernel-data-by-name.md)
MAX_PARAMETERS = 9


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _is_kernel(function: ast.FunctionDef) -> bool:
    decorators = {getattr(decorator, "id", "") for decorator in function.decorator_list}
    return bool(decorators & {"inner", "inlined", "kernel", "allocating"})


def _is_raw_column(node: ast.Subscript) -> bool:
    """Whether the last index of an array is a number, `a[k, 3]`. Lengths (`shape[2]`) and results of calls are none."""
    if isinstance(node.value, ast.Call) or getattr(node.value, "attr", "") == "shape":
        return False
    if getattr(node.value, "id", "") in TRIANGLES:
        return False
    column = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
    return isinstance(column, ast.Constant) and type(column.value) is int


def raw_columns(folder: Path = PHYSICS) -> list[str]:
    """`file:line` of each number of a column in the kernels of a folder, outside GEOMETRY."""
    return [
        f"{name}:{node.lineno}"
        for name, tree in _modules(folder)
        if not name.startswith(GEOMETRY)
        for function in _functions(tree)
        if _is_kernel(function)
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript) and _is_raw_column(node)
    ]


def any_annotations(folder: Path = PHYSICS) -> list[str]:
    """`file:line` of each `Any` in an annotation or alias of a folder."""
    return [
        f"{name}:{node.lineno}"
        for name, tree in _modules(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "Any"
    ]


def long_signatures(folder: Path = PHYSICS) -> list[str]:
    """`file:function` of each function of a folder with more than MAX_PARAMETERS parameters, apart from the entry."""
    return [
        f"{name}:{function.name}"
        for name, tree in _modules(folder)
        for function in _functions(tree)
        if function.name != ENTRY
        and sum(argument.arg not in ("self", "cls") for argument in _arguments(function)) > MAX_PARAMETERS
    ]


def _arguments(function: ast.FunctionDef) -> Iterator[ast.arg]:
    yield from (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)


def _loops_with(folder: Path, *names: str) -> list[str]:
    """`file:line` of each loop of a folder whose body reads all of these names or attributes."""
    return [
        f"{name}:{loop.lineno}"
        for name, tree in _modules(folder)
        for loop in ast.walk(tree)
        if isinstance(loop, (ast.For, ast.While))
        and set(names) <= {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(loop)}
    ]


def slide_loops(folder: Path = PHYSICS) -> list[str]:
    """Loops that collect candidates, find contacts, project, sweep, and reduce the remainder."""
    return _loops_with(folder, "require_candidates", "find_contacts", "sweep_and_move", "remaining")


def recovery_loops(folder: Path = PHYSICS) -> list[str]:
    """Loops that push a body out of what it overlaps."""
    return _loops_with(folder, "find_contacts", "RECOVERED_PENETRATION")


def _modules(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield path.relative_to(folder).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


COUNTS: Mapping[str, Callable[[], list[str]]] = {
    "raw column numbers in kernels, outside geometry": raw_columns,
    "Any in annotations": any_annotations,
    f"functions with more than {MAX_PARAMETERS} parameters": long_signatures,
    "loops of collide and slide": slide_loops,
    "loops of recovery from penetration": recovery_loops,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.verify.physics_names", description=__doc__)
    parser.add_argument("--places", action="store_true", help="print each place too")
    options = parser.parse_args(arguments)
    width = max(map(len, COUNTS))
    for name, find in COUNTS.items():
        places = find()
        print(f"{name:<{width}}  {len(places):>5}")
        for place in places if options.places else ():
            print(f"    {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
