"""Text of model files: OBJ, MTL and MAP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from .triangle_soup import ModelError

MAX_OBJ_BYTES = 64 * 2**20
MAX_LINE_LENGTH = 100_000  # characters
_NAMING_KEYWORD = re.compile(r"\s*(?:o|g|usemtl|mtllib|newmtl|map_\w+|bump|norm)\s", re.IGNORECASE)
_COMMENT_AFTER_NAME = re.compile(r"(?<!\S)#(?!\d)")


def decode_model_text(data: bytes, format_name: str) -> str:
    """The text of an OBJ, MTL or MAP file. Invalid UTF-8 is replaced; raises ModelError if the file is not text."""
    if not data.strip():
        raise ModelError("the file is empty", "export it again")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ModelError("the file is encoded as UTF-16", "save it as UTF-8")
    if b"\0" in data[:4096]:
        raise ModelError(f"the file is not text, so not a valid {format_name} file", "export it again")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def path_beside(name: str) -> str:
    """A path with / between its folders; of an absolute one, as some programs write, the name of the file."""
    path = name.replace("\\", "/")
    return PurePosixPath(path).name if path.startswith("/") or path[1:2] == ":" else path


def iterate_statements(text: str, skipped: tuple[str, ...] = ()) -> Iterator[tuple[int, str]]:
    """Line number and text of each statement of an OBJ or MTL file, without comments and blanks around it.

    `#` begins a comment. After a name only a `#` with a blank before it and no digit behind it does: programs write
    `Material #3`. A backslash at the end continues a statement on the next line. The number is that of its last line.
    skipped: beginnings of lines that are left out. Raises ModelError for a statement that is too long.
    """
    start = number = 0
    continued = ""
    while start < len(text):  # a list of all lines would need more memory than the file
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        start = end + 1
        number += 1
        if not continued and line.startswith(skipped) and not line.endswith("\\"):
            continue
        if len(line) + len(continued) > MAX_LINE_LENGTH:
            raise ModelError("a line is too long", "export it again", number, 1)
        if "#" in line:
            names = _NAMING_KEYWORD.match(continued + line)
            line = _COMMENT_AFTER_NAME.split(line, 1)[0] if names else line.partition("#")[0]
        line = continued + line.strip()
        is_continued = line.endswith("\\")
        continued = line[:-1] + " " if is_continued else ""
        if line and not is_continued:
            yield number, line
    if continued.strip():
        yield number, continued.strip()
