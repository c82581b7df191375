"""Python examples of the documentation import only names that exist."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def imported_names(text):
    """(module, name) of every import in the Python blocks of a page, with None for a plain `import module`."""
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module, alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, None) for alias in node.names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_imports_of_the_examples_work(page):
    for module, name in imported_names(page.read_text(encoding="utf-8")):
        loaded = importlib.import_module(module)
        assert name is None or hasattr(loaded, name), f"{module} has no {name}"


def test_the_pages_have_examples():
    assert sum(len(list(imported_names(page.read_text(encoding="utf-8")))) for page in PAGES) > 20
