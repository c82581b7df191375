"""Which test functions run by default, read from the sources of the tests: no test is imported.

A function that keeps some of its cases (`sample`, `each_once`, a marked `pytest.param`) runs by default.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def functions_of_tests(folder: str, root: Path = ROOT) -> dict[str, bool]:
    """Node id of each test function in a folder of the project, with whether it runs by default."""
    files = sorted((root / folder).rglob("test_*.py"))
    return {
        f"{file.relative_to(root).as_posix()}::{name}": runs
        for file in files
        for name, runs in functions_of_file(file).items()
    }


@cache
def functions_of_file(file: Path) -> dict[str, bool]:
    """Name of each test function in a file, with whether it runs by default."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    marks = [node.value for node in body if isinstance(node, ast.Assign) and _is_pytestmark(node)]
    is_full = any(map(_is_full, marks))
    return {
        node.name: not (is_full or any(map(_is_full, node.decorator_list)))
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def _is_pytestmark(node: ast.Assign) -> bool:
    return ast.unparse(node.targets[0]) == "pytestmark"


def _is_full(node: ast.expr) -> bool:
    """Whether a mark, or one of a list of marks, is `full`; marks of single cases do not count."""
    marks = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    return any(ast.unparse(mark) == "pytest.mark.full" for mark in marks)
