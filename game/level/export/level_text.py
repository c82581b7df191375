"""Export of a level as a level file: the text that it was loaded from, with its comments."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable
from pathlib import Path

from ...core.user_folders import LEVEL_SUFFIXES
from ..edit.save import SaveError
from ..format.file_access import is_tests_file
from ..format.findings import sanitize_text
from ..format.level_tests.level_test import WALK_EXTENSIONS
from .output_file import output_path, write_files


def save_level_text(
    text: str, origin: Path, files: Iterable[Path], path: str | os.PathLike[str], overwrite: bool
) -> None:
    """Write a level's text to `path`.

    origin: path of the level that the text was read as. files: `Level.files` without the level; an included file or
    model must be at the same place relative to the new path. Raises SaveError, and ValueError as `output_path`.
    """
    target = output_path(path, LEVEL_SUFFIXES)
    if not text:
        cure = "write its triangles with to_glb or to_obj, or build the level with LevelBuilder"
        raise SaveError(f"this level has no text, because it is not as `load` or `LevelBuilder` made it; {cure}")
    old, new = origin.resolve().parent, target.resolve().parent
    for file in files:
        if is_tests_file(file) or file.suffix.lower() in WALK_EXTENSIONS:
            continue  # the saved level loads without the file of tests and without the walks of tests
        relative = os.path.relpath(file, old)
        if old != new and file.is_file() and not _is_same_file(file, new / relative):
            name = sanitize_text(relative, 100)
            place = sanitize_text(str(old), 200)
            raise SaveError(
                f"the level reads {name}, and {sanitize_text(str(new), 200)} has no such file with the same contents; "
                f"copy it there first, or save the level in {place}"
            )
    write_files({target: text.encode("utf-8")}, overwrite)


def _is_same_file(file: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(file, other, shallow=False)
    except OSError:
        return False
