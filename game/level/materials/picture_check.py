"""Complete check of a picture: its pixels are decoded and thrown away, so that damage behind the header is found."""

from __future__ import annotations

import io
import warnings

from .picture_header import MAX_PICTURE_BYTES, PictureError
from .picture_source import PictureSource

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "TGA")  # names in Pillow


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
