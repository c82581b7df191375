"""glTF container: GLB chunks or a JSON file, and their buffers. Sizes are checked before anything is allocated.

Source: glTF 2.0 specification, sections 3.6 (buffers) and 4.4 (GLB).
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from ..format.findings import quote_text
from .triangle_soup import FetchFile, ModelError

MAX_GLB_BYTES = 128 * 2**20  # of a GLB file; also of all buffers together
MAX_JSON_PUNCTUATION = 1_000_000  # brackets and commas in the JSON: bounds the memory of the parsed document
MAX_BUFFERS = 64
MAX_GLB_JSON_BYTES = 16 * 2**20  # JSON chunk of a GLB, which holds no buffers
MAX_GLTF_BYTES = 64 * 2**20  # a .gltf file, which may hold buffers as base64

_REEXPORT_CURE = "export it again as GLB"


@dataclass(frozen=True, slots=True)
class GltfContainer:
    """The JSON document of a glTF file and the bytes of its buffers."""

    document: dict[str, Any]
    buffers: tuple[memoryview, ...]


def open_gltf(data: bytes, fetch: FetchFile) -> GltfContainer:
    """Parse a GLB or a glTF JSON file. `fetch` reads the buffer files next to it. Raises ModelError."""
    if data[:4] == b"glTF":
        text, binary = _split_glb_chunks(data)
    else:
        text, binary = memoryview(data), None
    document = _parse_json(text)
    return GltfContainer(document, tuple(_read_buffers(document, binary, fetch)))


def _split_glb_chunks(data: bytes) -> tuple[memoryview, memoryview | None]:
    """The JSON chunk and the binary chunk (None if missing) of a GLB."""
    if len(data) < 20:
        raise ModelError(f"the file is cut off: {len(data)} bytes are not a GLB", _REEXPORT_CURE)
    version, length, size, kind = struct.unpack_from("<III4s", data, 4)
    if version != 2:
        raise ModelError(f"the file is glTF {version}; only glTF 2 is supported", _REEXPORT_CURE)
    if length > len(data):
        raise ModelError(f"the file is cut off: {len(data)} bytes of {length}", "copy or export it again")
    if kind != b"JSON":
        raise ModelError("the file is damaged: it does not begin with a JSON chunk", _REEXPORT_CURE)
    if size > MAX_GLB_JSON_BYTES:
        raise ModelError(f"its JSON is larger than {MAX_GLB_JSON_BYTES >> 20} MiB", _REEXPORT_CURE)
    view = memoryview(data)[:length]
    if 20 + size > length:
        raise ModelError("its JSON chunk is longer than the file", _REEXPORT_CURE)
    text, offset = view[20 : 20 + size], 20 + size
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<I4s", view, offset)
        if offset + 8 + size > length:
            raise ModelError("its binary chunk is longer than the file", _REEXPORT_CURE)
        if kind == b"BIN\0":
            return text, view[offset + 8 : offset + 8 + size]
        offset += 8 + size
    return text, None


def _parse_json(text: memoryview) -> dict[str, Any]:
    data = bytes(text)
    if not data.strip(b" \t\r\n\0"):
        raise ModelError("the file is empty", _REEXPORT_CURE)
    if sum(map(data.count, (b",", b"[", b"{"))) > MAX_JSON_PUNCTUATION:
        raise ModelError("its JSON has too many values for a model", "export it with fewer nodes, or as OBJ")
    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=_reject_json_constant)
    except RecursionError:
        raise ModelError("its JSON is nested too deeply", _REEXPORT_CURE) from None
    except UnicodeDecodeError:
        raise ModelError(
            "the file is neither GLB nor UTF-8 JSON: it is damaged or not a model", _REEXPORT_CURE
        ) from None
    except json.JSONDecodeError as error:
        position = (error.lineno, error.colno) if len(data) < 2**24 else (0, 0)
        raise ModelError(f"its JSON is broken: {error.msg.lower()}", _REEXPORT_CURE, *position) from None
    except ValueError:  # an integer with thousands of digits
        raise ModelError("a number in its JSON has too many digits", _REEXPORT_CURE) from None
    if not isinstance(document, dict):
        raise ModelError("its JSON is not glTF: no object at the top", _REEXPORT_CURE)
    version = document.get("asset", {}).get("version") if isinstance(document.get("asset"), dict) else None
    if not isinstance(version, str) or not version.startswith("2"):
        raise ModelError("its JSON does not say that it is glTF 2 (`asset.version`)", _REEXPORT_CURE)
    return document


def _reject_json_constant(word: str) -> NoReturn:
    raise ModelError(f"a number in its JSON is {word}", "export it with finite numbers")


def _read_buffers(document: dict[str, Any], binary: memoryview | None, fetch: FetchFile) -> list[memoryview]:
    listed = document.get("buffers", [])
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise ModelError("`buffers` is not a list of objects", _REEXPORT_CURE)
    if len(listed) > MAX_BUFFERS:
        raise ModelError(f"it has {len(listed)} buffers; the limit is {MAX_BUFFERS}", _REEXPORT_CURE)
    buffers: list[memoryview] = []
    remaining = MAX_GLB_BYTES
    for index, entry in enumerate(listed):
        uri, size = entry.get("uri"), entry.get("byteLength")
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= remaining:
            raise ModelError(f"buffer {index} has no length, or is larger than {remaining >> 20} MiB", _REEXPORT_CURE)
        if uri is None:
            if binary is None or index:
                raise ModelError(f"the bytes of buffer {index} are missing", _REEXPORT_CURE)
            data = binary
        elif isinstance(uri, str):
            data = memoryview(
                _decode_data_uri(uri, size) if uri[:5].lower() == "data:" else _fetch_buffer(uri, size, fetch)
            )
        else:
            raise ModelError(f"the uri of buffer {index} is not text", _REEXPORT_CURE)
        if len(data) < size:
            raise ModelError(f"buffer {index} is cut off: {len(data)} bytes of {size}", "copy or export it again")
        remaining -= size
        buffers.append(data[:size])
    return buffers


def _decode_data_uri(uri: str, size: int) -> bytes:
    comma = uri.find(",", 0, 200)
    if comma < 0 or not uri[:comma].lower().endswith(";base64"):
        raise ModelError("an embedded buffer is not in base64", _REEXPORT_CURE)
    if (len(uri) - comma) * 3 // 4 > size + 1024:
        raise ModelError("an embedded buffer is longer than it says", _REEXPORT_CURE)
    try:
        return base64.b64decode(uri[comma + 1 :], validate=True)
    except (binascii.Error, ValueError):
        raise ModelError("an embedded buffer is not valid base64", _REEXPORT_CURE) from None


def _fetch_buffer(uri: str, size: int, fetch: FetchFile) -> bytes:
    if len(uri) > 400 or ":" in uri:
        raise ModelError(f"it needs {quote_text(uri)}, which is not a file next to it", "export it as GLB, in one file")
    return fetch(unquote(uri), (".bin",), size + 1024)
