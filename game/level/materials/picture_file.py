"""Encoded pictures: where their bytes are, and their headers, which bound what decoding may cost.

Sources: PNG specification, section 11.2.2; JPEG (ITU-T T.81), section B.2.2; Exif 2.32, sections 4.5 and 4.6.4;
RFC 9649 (WebP); Truevision TGA 2.0.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from ...core.errors import WalkerError, error_reason

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "TGA")  # names in Pillow
PICTURE_EXTENSIONS = (".png", ".jpg", ".jpeg", ".webp")
MAX_PICTURE_BYTES = 64 * 2**20
MAX_PICTURE_SIDE = 8192  # pixels
MAX_JPEG_SEGMENTS = 2000
EXIF_START = b"Exif\0\0"
ORIENTATION_TAG = 0x112
CONVERT_CURE = "save it as PNG, JPEG or WebP"

# Formats that are recognised and not supported, by their first bytes.
_FOREIGN_FORMATS = (
    (b"\xabKTX 20\xbb", "a KTX2 texture"), (b"DDS ", "a DDS texture"), (b"GIF8", "a GIF"), (b"BM", "a BMP"),
    (b"II*\0", "a TIFF"), (b"MM\0*", "a TIFF"), (b"8BPS", "a Photoshop file"), (b"<svg", "an SVG"),
    (b"version https://git-lfs", "a reference to a file in Git LFS, not the file itself"),
)  # fmt: skip
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # start-of-frame markers


@dataclass(frozen=True, slots=True)
class PictureSource:
    """Where the bytes of a PNG, JPEG or WebP picture are. Two sources with equal fields are the same picture.

    path: absolute. offset, length: byte range in the file; length -1: to its end. label: name for messages.
    modified: time (ns) and size of the file when the level was read, so that a saved picture is another source.
    data: bytes of a picture that has no file (a data URI); `path` is then the file that holds it.
    channels: the channels of "rgba" that are used; the others read as 1. Empty: all.
    """

    path: Path
    offset: int = 0
    length: int = -1
    label: str = field(default="", compare=False)
    modified: tuple[int, int] = (0, 0)
    data: bytes = b""
    channels: str = ""


class PictureError(WalkerError):
    """A picture that cannot be used: `message` that follows the picture's name, and `cure`."""

    def __init__(self, message: str, cure: str = CONVERT_CURE) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """Format ("PNG", "JPEG", "WEBP", "TGA"), width and height in pixels, and whether it has several frames.

    orientation: of a JPEG, its Exif value 1 to 8; 1 as stored. width and height are those after it is applied.
    """

    format: str
    width: int
    height: int
    animated: bool = False
    orientation: int = 1


def read_picture_file(path: Path, label: str = "", offset: int = 0, length: int = -1) -> PictureSource:
    """Source of a picture in a file or in a byte range of one. Raises PictureError where it cannot be used."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise PictureError("is a folder, device or pipe, not a picture")
        size = status.st_size - offset if length < 0 else length
        if size > MAX_PICTURE_BYTES:
            raise PictureError(f"is larger than {MAX_PICTURE_BYTES >> 20} MiB", "save it smaller")
        with open(path, "rb") as file:
            check_picture(read_picture_header(file, offset, size, path.suffix.lower() == ".tga"))
    except OSError as error:
        raise PictureError(f"cannot be read: {error_reason(error)}", "check the file") from None
    return PictureSource(path, offset, length, label or path.name, (status.st_mtime_ns, status.st_size))


def check_picture(header: PictureHeader) -> None:
    """Raise PictureError for a picture that is too large, or animated."""
    if max(header.width, header.height) > MAX_PICTURE_SIDE:
        message = f"has {header.width} by {header.height} pixels; the limit is {MAX_PICTURE_SIDE} by {MAX_PICTURE_SIDE}"
        raise PictureError(message, "save it smaller")
    if min(header.width, header.height) < 1:
        raise PictureError("has no pixels", "save it again")
    if header.animated:
        raise PictureError("is animated", "save one of its frames as PNG")


def read_picture_header(file: BinaryIO, offset: int = 0, size: int = 2**62, is_tga: bool = False) -> PictureHeader:
    """Header of the picture that begins at `offset` and has `size` bytes. Raises PictureError if it is none.

    is_tga: the file is named .tga; this format cannot be recognised by its contents.
    """
    file.seek(offset)
    head = file.read(min(size, 64))
    if not head:
        raise PictureError("is empty", "save it again")
    if head[:8] == b"\x89PNG\r\n\x1a\n":
        return _read_png(file, offset, head, size)
    if head[:3] == b"\xff\xd8\xff":
        return _read_jpeg(file, offset, size)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _read_webp(head)
    for first, name in _FOREIGN_FORMATS:
        if head.startswith(first):
            raise PictureError(f"is {name}")
    if is_tga and len(head) >= 18 and head[1] <= 1 and head[2] in (1, 2, 3, 9, 10, 11):
        return PictureHeader("TGA", *struct.unpack_from("<HH", head, 12))
    raise PictureError("is text, not a picture" if _is_text(head) else "is not a picture")


def _is_text(head: bytes) -> bool:
    return all(byte in b"\t\n\r" or 32 <= byte < 127 for byte in head)


def _read_png(file: BinaryIO, offset: int, head: bytes, size: int) -> PictureHeader:
    if len(head) < 33 or head[12:16] != b"IHDR":
        raise PictureError("is cut off", "save it again")
    width, height = struct.unpack_from(">II", head, 16)
    file.seek(offset + 33)
    chunks = file.read(min(size - 33, 4096))
    data_at = chunks.find(b"IDAT")
    return PictureHeader("PNG", width, height, animated=b"acTL" in chunks[: data_at if data_at >= 0 else None])


def _read_jpeg(file: BinaryIO, offset: int, size: int) -> PictureHeader:
    at = 2
    orientation = 1
    for _ in range(MAX_JPEG_SEGMENTS):
        file.seek(offset + at)
        segment = file.read(min(9, max(0, size - at)))
        if len(segment) < 4 or segment[0] != 0xFF:
            break
        if segment[1] == 0xFF:  # a fill byte
            at += 1
        elif segment[1] in _JPEG_FRAMES and len(segment) == 9:
            height, width = struct.unpack_from(">HH", segment, 5)
            if orientation >= 5:  # turned by a quarter
                width, height = height, width
            return PictureHeader("JPEG", width, height, orientation=orientation)
        else:
            if segment[1] == 0xE1 and segment[4:9] == EXIF_START[:5]:
                file.seek(offset + at + 4)
                length = int.from_bytes(segment[2:4], "big") - 2
                orientation = _exif_orientation(file.read(max(0, min(length, size - at - 4))))
            at += 2 + int.from_bytes(segment[2:4], "big")
    raise PictureError("is cut off or damaged", "save it again")


def _exif_orientation(data: bytes) -> int:
    """The orientation, 1 to 8, in the first directory of an Exif segment; 1 if it has none."""
    tiff = data.removeprefix(EXIF_START)
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 10:
        return 1
    (start,) = struct.unpack_from(f"{order}I", tiff, 4)
    entries = tiff[start + 2 :]
    count = struct.unpack_from(f"{order}H", tiff, start)[0] if len(tiff) >= start + 2 else 0
    for number in range(min(count, len(entries) // 12)):
        tag, kind, _, value = struct.unpack_from(f"{order}HHIH", entries, 12 * number)
        if tag == ORIENTATION_TAG and kind == 3 and 1 <= value <= 8:  # kind 3: 16 bits
            return int(value)
    return 1


def _read_webp(head: bytes) -> PictureHeader:
    kind = head[12:16]
    if len(head) >= 30 and kind == b"VP8X":
        width, height = int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
        return PictureHeader("WEBP", width, height, animated=bool(head[20] & 2))
    if len(head) >= 25 and kind == b"VP8L" and head[20] == 0x2F:
        bits = int.from_bytes(head[21:25], "little")
        return PictureHeader("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if len(head) >= 30 and kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", head, 26)
        return PictureHeader("WEBP", width & 0x3FFF, height & 0x3FFF)
    raise PictureError("is cut off or damaged", "save it again")


def decode_check(source: PictureSource) -> None:
    """Raise PictureError if a picture cannot be decoded. Its header is that of a picture within the bounds."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes, which the header bounds
            with Image.open(io.BytesIO(read_picture_bytes(source)), formats=PICTURE_FORMATS) as image:
                image.load()
    except UnidentifiedImageError:  # its text names an object in memory
        raise PictureError("is damaged", "save it again") from None
    except Exception as error:  # Pillow raises many types for damaged files
        reason = "".join(char if char.isprintable() else " " for char in str(error))[:100]
        raise PictureError(f"is damaged: {reason}" if reason else "is damaged", "save it again") from None


def read_picture_bytes(source: PictureSource) -> bytes:
    """Encoded bytes of a picture. OSError where the file cannot be read, PictureError where it is too large."""
    if source.data:
        return source.data
    limit = MAX_PICTURE_BYTES if source.length < 0 else min(source.length, MAX_PICTURE_BYTES)
    with open(source.path, "rb") as file:
        file.seek(source.offset)
        data = file.read(limit + 1 if source.length < 0 else limit)
    if len(data) > MAX_PICTURE_BYTES:
        raise PictureError(f"is larger than {MAX_PICTURE_BYTES >> 20} MiB", "save it smaller")
    return data
