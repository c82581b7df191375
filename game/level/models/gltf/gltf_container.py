"""glTF container: GLB chunks or a JSON file, and their buffers. Sizes are checked before anything is allocated.

Source: glTF 2.0 specification, sections 3.6 (buffers) and 4.4 (GLB).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from ...format.findings import quote_text
from ..triangle_soup import FetchFile, ModelError

MAX_GLB_BYTES = 128 * 2**20  # of a GLB file; also of all buffers together
MAX_JSON_PUNCTUATION = 1_000_000  # brackets and commas in the JSON: bounds the memory of the parsed document
MAX_BUFFERS = 64
MAX_GLB_JSON_BYTES = 16 * 2**20  # JSON chunk of a GLB, which holds no buffers
MAX_GLTF_BYTES = 64 * 2**20  # a .gltf file, which may hold buffers as base64
MAX_LIST_LENGTH = 100_000  # entries of one list: nodes, meshes, materials
MAX_SEARCHED_BYTES = 4 * 2**20  # of a JSON file in which lines are searched

Json = dict[str, Any]

_REEXPORT_CURE = "export it again as GLB"


@dataclass(frozen=True, slots=True)
class GltfBuffer:
    """Bytes of a buffer. file: name of the file that has them at `offset`; "": the glTF file itself; None: neither."""

    data: memoryview
    file: str | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class GltfContainer:
    """The JSON document of a glTF file and its buffers. text: of a JSON file, to find lines in; empty for a GLB."""

    document: Json
    buffers: tuple[GltfBuffer, ...]
    text: bytes = b""

    def checked_list(self, list_name: str) -> list[Json]:
        """A top-level list of objects. Raises ModelError if it is anything else."""
        entries = self.document.get(list_name, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ModelError(f"`{list_name}` is not a list of objects", _REEXPORT_CURE)
        if len(entries) > MAX_LIST_LENGTH:
            raise ModelError(f"it has too many {list_name}: {len(entries)}", "merge parts that belong together")
        return entries

    def checked_entry(self, list_name: str, index: object) -> Json:
        """An object of a top-level list. Raises ModelError if the index is invalid."""
        entries = self.document.get(list_name)
        if not isinstance(entries, list) or not 0 <= whole_number(index) < len(entries):
            raise ModelError(
                f"it uses number {str(index)[:20]} of its `{list_name}`, which does not exist", _REEXPORT_CURE
            )
        entry = entries[whole_number(index)]
        if not isinstance(entry, dict):
            raise ModelError(f"number {index} of its `{list_name}` is not an object", _REEXPORT_CURE)
        return entry

    def view_bytes(self, index: object, subject: str = "it is") -> tuple[GltfBuffer, int, int]:
        """Buffer, start and length of a buffer view. Raises ModelError if it is not within its buffer.

        subject: what is in the view, and its verb.
        """
        view = self.checked_entry("bufferViews", index)
        number = whole_number(view.get("buffer"))
        start = whole_number(view.get("byteOffset", 0))
        size = whole_number(view.get("byteLength"))
        if min(number, start, size) < 0 or number >= len(self.buffers):
            raise ModelError(f"{subject} not in a buffer", _REEXPORT_CURE)
        if start + size > len(self.buffers[number].data):
            raise ModelError(f"{subject} cut off at the end of a buffer", "the file is damaged: " + _REEXPORT_CURE)
        return self.buffers[number], start, size

    def find_text(self, text: str) -> tuple[int, int, int]:
        """Line, column and length of a quoted text in a JSON file; zeros if it is not found."""
        quoted = json.dumps(text, ensure_ascii=False).encode()
        at = self.text.find(quoted) if len(self.text) < MAX_SEARCHED_BYTES else -1
        if at < 0:
            return 0, 0, 1
        line_start = self.text.rfind(b"\n", 0, at) + 1
        column = len(self.text[line_start:at].decode("utf-8", "replace")) + 1
        return self.text.count(b"\n", 0, at) + 1, column, len(quoted.decode())


def whole_number(value: object) -> int:
    """`value` if it is an integer from 0 to 2**53 - 1, else -1."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else -1


def open_gltf(data: bytes, fetch: FetchFile) -> GltfContainer:
    """Parse a GLB or a glTF JSON file. `fetch` reads the buffer files next to it. Raises ModelError."""
    if data[:4] == b"glTF":
        text, binary = _split_glb_chunks(data)
    else:
        text = memoryview(data)
        binary = None
    document = _parse_json(text)
    return GltfContainer(document, tuple(_read_buffers(document, binary, fetch)), b"" if binary else data)


def _split_glb_chunks(data: bytes) -> tuple[memoryview, GltfBuffer | None]:
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
    text = view[20 : 20 + size]
    offset = 20 + size
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<I4s", view, offset)
        if offset + 8 + size > length:
            raise ModelError("its binary chunk is longer than the file", _REEXPORT_CURE)
        if kind == b"BIN\0":
            return text, GltfBuffer(view[offset + 8 : offset + 8 + size], "", offset + 8)
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
    asset = document.get("asset")
    asset = asset if isinstance(asset, dict) else {}
    if not re.fullmatch(r"2(\.[0-9]+)?", str(asset.get("version"))):
        raise ModelError("its JSON does not say that it is glTF 2 (`asset.version`)", _REEXPORT_CURE)
    least = asset.get("minVersion", "2.0")
    if not re.fullmatch(r"[01]\.[0-9]+|2(\.0)?", str(least)):
        message = f"it needs glTF {quote_text(str(least)[:20])} (`asset.minVersion`); only glTF 2.0 is supported"
        raise ModelError(message, _REEXPORT_CURE)
    return document


def _reject_json_constant(word: str) -> NoReturn:
    raise ModelError(f"a number in its JSON is {word}", "export it with finite numbers")


def _read_buffers(document: Json, binary: GltfBuffer | None, fetch: FetchFile) -> list[GltfBuffer]:
    listed = document.get("buffers", [])
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise ModelError("`buffers` is not a list of objects", _REEXPORT_CURE)
    if len(listed) > MAX_BUFFERS:
        raise ModelError(f"it has {len(listed)} buffers; the limit is {MAX_BUFFERS}", _REEXPORT_CURE)
    buffers: list[GltfBuffer] = []
    remaining = MAX_GLB_BYTES
    for index, entry in enumerate(listed):
        uri = entry.get("uri")
        size = entry.get("byteLength")
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= remaining:
            raise ModelError(f"buffer {index} has no length, or is larger than {remaining >> 20} MiB", _REEXPORT_CURE)
        if uri is None:
            if binary is None or index:
                raise ModelError(f"the bytes of buffer {index} are missing", _REEXPORT_CURE)
            buffer = binary
        elif isinstance(uri, str):
            is_file = uri[:5].lower() != "data:"
            data = _fetch_buffer(uri, size, fetch) if is_file else decode_data_uri(uri, size)
            buffer = GltfBuffer(memoryview(data), unquote(uri) if is_file else None)
        else:
            raise ModelError(f"the uri of buffer {index} is not text", _REEXPORT_CURE)
        if len(buffer.data) < size:
            raise ModelError(
                f"buffer {index} is cut off: {len(buffer.data)} bytes of {size}", "copy or export it again"
            )
        remaining -= size
        buffers.append(GltfBuffer(buffer.data[:size], buffer.file, buffer.offset))
    return buffers


def decode_data_uri(uri: str, size: int, subject: str = "buffer") -> bytes:
    """Bytes of a data URI, at most `size` and some. Raises ModelError."""
    comma = uri.find(",", 0, 200)
    if comma < 0 or not uri[:comma].lower().endswith(";base64"):
        raise ModelError(f"an embedded {subject} is not in base64", _REEXPORT_CURE)
    if (len(uri) - comma) * 3 // 4 > size + 1024:
        raise ModelError(f"an embedded {subject} is longer than it says", _REEXPORT_CURE)
    try:
        return base64.b64decode(uri[comma + 1 :], validate=True)
    except (binascii.Error, ValueError):
        raise ModelError(f"an embedded {subject} is not valid base64", _REEXPORT_CURE) from None


def _fetch_buffer(uri: str, size: int, fetch: FetchFile) -> bytes:
    if len(uri) > 400 or ":" in uri:
        raise ModelError(f"it needs {quote_text(uri)}, which is not a file next to it", "export it as GLB, in one file")
    return fetch(unquote(uri), (".bin",), size + 1024)
