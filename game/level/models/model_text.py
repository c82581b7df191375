"""Text of model files: OBJ, MTL and MAP."""

from __future__ import annotations

from .triangle_soup import ModelError

MAX_OBJ_BYTES = 64 * 2**20


def decode_model_text(data: bytes, format_name: str) -> str:
    """The text of an OBJ, MTL or MAP file. Invalid UTF-8 is replaced; raises ModelError if the file is not text."""
    if not data.strip():
        raise ModelError("the file is empty", "export it again")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ModelError("the file is encoded as UTF-16", "save it as UTF-8")
    if b"\0" in data[:4096]:
        raise ModelError(f"the file is not text, so not a valid {format_name} file", "export it again")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
