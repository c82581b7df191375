"""Export of a level as a level file: the text that it was loaded from, with its comments.

Files of exports are written so that none with other contents is replaced, unless asked to.
"""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable
from pathlib import Path

from ...core.arguments import as_flag, describe_value
from ...core.atomic_files import check_target, write_atomic
from ...core.errors import error_reason
from ...core.user_folders import LEVEL_SUFFIXES
from ..edit.save import SaveError
from ..format.file_access import is_tests_file
from ..format.findings import join_alternatives, sanitize_text
from ..format.level_tests.level_test import WALK_EXTENSIONS


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


def output_path(path: str | os.PathLike[str], extensions: tuple[str, ...]) -> Path:
    """`path` as a Path. ValueError if it is no path, or has none of the extensions."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise ValueError(f"path must be a path, not {describe_value(path)}")
    result = Path(path)
    if result.suffix.lower() not in extensions or not result.name.isprintable():
        raise ValueError(f"path: expected a name that ends in {join_alternatives(extensions)}, got {str(result)!r}")
    return result


def write_files(contents: dict[Path, bytes], overwrite: bool) -> None:
    """Write each file atomically. Raises SaveError, with nothing written if one exists with other contents.

    overwrite: replace existing files.
    """
    overwrite = as_flag(overwrite, "overwrite")
    try:
        for path, data in contents.items():
            check_target(path)
            if not overwrite:
                _refuse_other(path, data)
        for path, data in contents.items():

            def refuse_if_new(path: Path = path, data: bytes = data) -> None:
                if not overwrite:
                    _refuse_other(path, data)

            write_atomic(path, data, before_replace=refuse_if_new)
    except OSError as error:
        name = sanitize_text(str(error.filename or next(iter(contents))), 200)
        reason = sanitize_text(error_reason(error), 100)
        raise SaveError(f"{name} cannot be written: {reason}") from None


def _refuse_other(path: Path, data: bytes) -> None:
    """SaveError if there is something else than a file with these contents."""
    if os.path.lexists(path) and not (path.is_file() and path.read_bytes() == data):
        name = sanitize_text(str(path), 200)
        raise SaveError(f"{name} exists already; choose another name, or pass overwrite=True to replace it")
