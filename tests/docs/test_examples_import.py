"""Python examples of the documentation import only names that exist."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from game.level.edit import EditRefused
from game.level.format import values
from game.level.format.record import KnownNames, Record

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


def test_the_kind_of_value_in_contributing_works():
    """It is read, described, and typed in the editor."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = dict(vars(values))
    exec(re.search(r"```python\n(class Hour.*?)```", text, re.S)[1], names)
    shop = type("Shop", (Record,), {"kind": "shop", "opens": names["Hour"]("When it opens.", "8:00")})
    assert (shop().opens, shop(opens="14:30").opens) == (8.0, 14.5)
    with pytest.raises(ValueError, match="shop: opens: `25:00` is not a time of day; write hours and minutes"):
        shop(opens="25:00")
    assert re.fullmatch(shop.opens.schema(None)["pattern"], "14:30")
    assert shop.opens.typed_word("9:15", KnownNames()) == '"9:15"'
    with pytest.raises(EditRefused, match="`9:99` is not a time of day"):
        shop.opens.typed_word("9:99", KnownNames())
