"""The outside of glTF: GLB chunks or a JSON file, and the buffers that it names, with bounds before anything is
made of them (glTF 2.0 specification, chapters 3.6 and 4.4)."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from ..format.findings import quoted
from .triangle_soup import Fetch, ModelError

MOST_BYTES = 128 * 2**20  # of a file, and of all its buffers
MOST_MARKS = 1_000_000  # of brackets and commas in the JSON, which bounds what it can become in memory
MOST_BUFFERS = 64
MOST_JSON = 16 * 2**20  # bytes in a GLB, where buffers are not part of it
MOST_TEXT = 64 * 2**20  # bytes of a .gltf, where they may be

_EXPORT = "export it again as GLB"


@dataclass(frozen=True, slots=True)
class Container:
    """The JSON of a glTF file, and the bytes of each of its buffers."""

    document: dict[str, Any]
    buffers: tuple[memoryview, ...]


def opened(data: bytes, fetch: Fetch) -> Container:
    """A GLB or a glTF JSON file taken apart; `fetch` reads the buffers beside it."""
    if data[:4] == b"glTF":
        text, binary = _chunks(data)
    else:
        text, binary = memoryview(data), None
    document = _document(text)
    return Container(document, tuple(_buffers(document, binary, fetch)))


def _chunks(data: bytes) -> tuple[memoryview, memoryview | None]:
    """The JSON chunk and the binary one of a GLB."""
    if len(data) < 20:
        raise ModelError(f"it is cut off: {len(data)} bytes are no GLB", _EXPORT)
    version, length, size, kind = struct.unpack_from("<III4s", data, 4)
    if version != 2:
        raise ModelError(f"it is glTF {version}, and only glTF 2 is read here", _EXPORT)
    if length > len(data):
        raise ModelError(f"it is cut off: {len(data)} bytes of {length}", "copy or export it again")
    if kind != b"JSON":
        raise ModelError("it does not begin with a JSON chunk: damaged", _EXPORT)
    if size > MOST_JSON:
        raise ModelError(f"its JSON is larger than {MOST_JSON >> 20} MiB", _EXPORT)
    view = memoryview(data)[:length]
    if 20 + size > length:
        raise ModelError("its JSON chunk is longer than the file", _EXPORT)
    text, at = view[20 : 20 + size], 20 + size
    while at + 8 <= length:
        size, kind = struct.unpack_from("<I4s", view, at)
        if at + 8 + size > length:
            raise ModelError("its binary chunk is longer than the file", _EXPORT)
        if kind == b"BIN\0":
            return text, view[at + 8 : at + 8 + size]
        at += 8 + size
    return text, None


def _document(text: memoryview) -> dict[str, Any]:
    data = bytes(text)
    if not data.strip(b" \t\r\n\0"):
        raise ModelError("there is nothing in it", _EXPORT)
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_MARKS:
        raise ModelError("its JSON has more in it than any model", "export it with fewer nodes, or as OBJ")
    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=_constant)
    except RecursionError:
        raise ModelError("its JSON is nested without end", _EXPORT) from None
    except UnicodeDecodeError:
        raise ModelError("it is neither GLB nor JSON in UTF-8: damaged, or no model", _EXPORT) from None
    except json.JSONDecodeError as error:
        where = (error.lineno, error.colno) if len(data) < 2**24 else (0, 0)
        raise ModelError(f"its JSON is broken: {error.msg.lower()}", _EXPORT, *where) from None
    except ValueError:  # a number of thousands of digits
        raise ModelError("a number in its JSON has too many digits", _EXPORT) from None
    if not isinstance(document, dict):
        raise ModelError("its JSON is no glTF: no object at the top", _EXPORT)
    version = document.get("asset", {}).get("version") if isinstance(document.get("asset"), dict) else None
    if not isinstance(version, str) or not version.startswith("2"):
        raise ModelError("its JSON does not say that it is glTF 2 (`asset.version`)", _EXPORT)
    return document


def _constant(word: str) -> NoReturn:
    raise ModelError(f"a number in its JSON is {word}", "only finite numbers have a place")


def _buffers(document: dict[str, Any], binary: memoryview | None, fetch: Fetch) -> list[memoryview]:
    listed = document.get("buffers", [])
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise ModelError("`buffers` is no list of objects", _EXPORT)
    if len(listed) > MOST_BUFFERS:
        raise ModelError(f"it has {len(listed)} buffers, and {MOST_BUFFERS} are the most", _EXPORT)
    found: list[memoryview] = []
    left = MOST_BYTES
    for index, entry in enumerate(listed):
        uri, size = entry.get("uri"), entry.get("byteLength")
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= left:
            raise ModelError(f"buffer {index} has no length, or is larger than {left >> 20} MiB", _EXPORT)
        if uri is None:
            if binary is None or index:
                raise ModelError(f"the bytes of buffer {index} are missing", _EXPORT)
            data = binary
        elif isinstance(uri, str):
            data = memoryview(_embedded(uri, size) if uri[:5].lower() == "data:" else _beside(uri, size, fetch))
        else:
            raise ModelError(f"the uri of buffer {index} is no text", _EXPORT)
        if len(data) < size:
            raise ModelError(f"buffer {index} is cut off: {len(data)} bytes of {size}", "copy or export it again")
        left -= size
        found.append(data[:size])
    return found


def _embedded(uri: str, size: int) -> bytes:
    comma = uri.find(",", 0, 200)
    if comma < 0 or not uri[:comma].lower().endswith(";base64"):
        raise ModelError("an embedded buffer is not in base64", _EXPORT)
    if (len(uri) - comma) * 3 // 4 > size + 1024:
        raise ModelError("an embedded buffer is longer than it says", _EXPORT)
    try:
        return base64.b64decode(uri[comma + 1 :], validate=True)
    except (binascii.Error, ValueError):
        raise ModelError("an embedded buffer is no base64", _EXPORT) from None


def _beside(uri: str, size: int, fetch: Fetch) -> bytes:
    if len(uri) > 400 or ":" in uri:
        raise ModelError(f"it wants {quoted(uri)}, which is no file beside it", "export it as GLB, in one file")
    return fetch(unquote(uri), (".bin",), size + 1024)
