"""Which test functions run by default, read from the sources of the tests: no test is imported.

A function that keeps some of its cases (`sample`, `each_once`, a marked `pytest.param`) runs by default.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def functions_of_tests(folder: str, root: Path = ROOT) -> dict[str, bool]:
    """Node id of each test function in a folder of the project, with whether it runs by default."""
    found = {}
    for path in sorted((root / folder).rglob("test_*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        of_module = any(
            _is_full(node.value)
            for node in body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        )
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                full = of_module or any(map(_is_full, node.decorator_list))
                found[f"{path.relative_to(root).as_posix()}::{node.name}"] = not full
    return found


def _is_full(node: ast.expr) -> bool:
    """Whether a mark, or one of a list of marks, is `full`; marks of single cases do not count."""
    marks = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    return any(ast.unparse(mark) == "pytest.mark.full" for mark in marks)
