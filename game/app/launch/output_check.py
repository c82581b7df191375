"""Check of outputs: a command does not write over a file that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .level_lookup import UserError, entrance_file, printable_name


def refuse_input(output: Path | None, inputs: Iterable[str | Path | None], option: str = "-o") -> None:
    """UserError where the output is the same file as an input, also by a link.

    output: None: there is none. inputs: paths as Path; levels by path, folder or shipped name as str; None is skipped.
    Devices and pipes are never refused: to write there destroys nothing.
    """
    if output is None or not output.is_file():
        return
    for one in inputs:
        if one is not None and _is_same_file(output, one):
            name = printable_name(str(output))
            raise UserError(f"{name}: {option} is also an input of this command; choose another file")


def _is_same_file(output: Path, name: str | Path) -> bool:
    """Whether an input is the output; False for an input that cannot be found, which its reader reports."""
    from ...level import find_level

    try:
        return os.path.samefile(output, find_level(entrance_file(name)) if isinstance(name, str) else name)
    except (OSError, ValueError, UserError):
        return False
