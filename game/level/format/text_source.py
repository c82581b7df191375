"""Sources of a level that `load` and `check` take: a path, an open file, or a text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from ...core.arguments import describe_value
from ...core.errors import error_reason
from .findings import FindingCollector, sanitize_text
from .source import MAX_LEVEL_BYTES, LevelSource, read_source, read_source_text

UNNAMED_TEXT = "<text>"  # stands for the file name of a text without one


class ReadableFile(Protocol):
    """An object with `read`, such as a file that `open` returns, in text or in binary mode."""

    def read(self, length: int = ..., /) -> str | bytes: ...


def read_any_source(
    level: str | os.PathLike[str] | ReadableFile | None,
    overrides: Mapping[Path, bytes] | None,
    text: object,
    base: str | os.PathLike[str] | None,
) -> LevelSource:
    """Source of a path, an open file or a text. ValueError for arguments that are none of these, LevelError as load."""
    if (level is None) == (text is None):
        reason = "got neither" if text is None else "got both"
        raise ValueError(f"level: expected a path, an open file or text=..., exactly one of them; {reason}")
    if text is not None:
        if not isinstance(text, str):
            cure = "; pass bytes as io.BytesIO(...)" if isinstance(text, (bytes, bytearray)) else ""
            raise ValueError(f"text must be a string, not {describe_value(text)}{cure}")
        return read_source_text(text, text_path(base), overrides)
    if level is not None and not isinstance(level, (str, os.PathLike)) and hasattr(level, "read"):
        name = getattr(level, "name", None)
        path = text_path(base if base is not None else name if isinstance(name, str) and name else None)
        return read_source_text(_read_all(level, path), path, overrides)
    if isinstance(level, (str, os.PathLike)) and isinstance(os.fspath(level), str):
        if base is not None:
            raise ValueError("base: a path needs none; it is for text=... and for open files")
        return read_source(level, overrides)
    raise ValueError(f"level must be a path or an open file, not {describe_value(level)}")


def text_path(base: str | os.PathLike[str] | None, name: str = UNNAMED_TEXT) -> Path:
    """Path that stands for a text: `base`, or `name` inside it if it is a folder; by default in the working folder."""
    if base is None:
        return Path(name)
    if not isinstance(base, (str, os.PathLike)) or not isinstance(os.fspath(base), str) or "\0" in os.fspath(base):
        raise ValueError(f"base must be the path of a file or folder, not {describe_value(base)}")
    path = Path(base)
    return path / name if os.path.isdir(path) else path


def _read_all(file: ReadableFile, path: Path) -> str | bytes:
    """The rest of an open file, at most one byte or character beyond the limit of a level."""
    first = _read_part(file, path, MAX_LEVEL_BYTES + 1)
    parts = [first]
    size = len(first)
    while size <= MAX_LEVEL_BYTES:  # pipes and sockets give parts
        part = _read_part(file, path, MAX_LEVEL_BYTES + 1 - size)
        if not part:
            break
        parts.append(part)
        size += len(part)
    texts = [part for part in parts if isinstance(part, str)]
    data = [part for part in parts if isinstance(part, bytes)]
    if texts and data:
        raise ValueError("level: its read() returns str and bytes in turn")
    return b"".join(data) if data else "".join(texts)


def _read_part(file: ReadableFile, path: Path, size: int) -> str | bytes:
    """Result of one `read`. ValueError for a file that cannot be read, LevelError for bytes that are no text."""
    try:
        part: object = file.read(size)
    except UnicodeDecodeError as error:
        message = f"the file is not {error.encoding.upper()}: byte 0x{error.object[error.start]:02x}"
        FindingCollector(str(path)).raise_fatal(message, "save it as UTF-8, and open it in binary mode")
    except OSError as error:  # io.UnsupportedOperation too
        reason = sanitize_text(error_reason(error), 100)
        raise ValueError(f"level: the open file cannot be read: {reason}; open it with mode 'r' or 'rb'") from None
    except ValueError as error:
        reason = "it is closed" if getattr(file, "closed", False) else sanitize_text(str(error), 100)
        raise ValueError(f"level: the open file cannot be read: {reason}") from None
    if not isinstance(part, (str, bytes)):
        raise ValueError(f"level: its read() must return str or bytes, not {describe_value(part)}")
    return part
