"""Output files of exports: checks of their paths, and writes that replace no other file unless asked to."""

from __future__ import annotations

import os
from pathlib import Path

from ...core.arguments import as_flag, describe_value
from ...core.atomic_files import check_target, write_atomic
from ...core.errors import error_reason
from ..edit.save import SaveError
from ..format.findings import join_alternatives, sanitize_text


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
