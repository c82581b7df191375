"""Python blocks of the pages, as tests run them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

PACKAGE = "ellipsoid_walker"  # the name in the pages


def importable(code: str) -> str:
    """The code with the package's name in a checkout where the installed name cannot be imported."""
    return code if importlib.util.find_spec(PACKAGE) else re.sub(rf"\b{PACKAGE}\.", "game.", code)


def code_blocks(text: str, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def run_python_blocks(page: Path) -> tuple[int, dict[str, Any]]:
    """Run the python blocks of a page in order, in one namespace, with the page's line numbers: (number, names)."""
    text = page.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```python\n(.*?)```", text, flags=re.S))
    names: dict[str, Any] = {"__name__": page.stem}
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + importable(block[1]), str(page), "exec"), names)
    return len(blocks), names
