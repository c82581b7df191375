"""Pictures of a model: found beside it or inside it, and checked by their headers."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..format.findings import InputError, quote_text
from ..materials import PictureError, PictureSource, read_picture_file
from ..materials.picture_file import (
    MAX_PICTURE_BYTES,
    PICTURE_EXTENSIONS,
    check_picture,
    decode_check,
    read_picture_header,
)

# (name, allowed extensions, max bytes, kind of file) -> path of a file next to the model; raises InputError.
LocateFile = Callable[[str, tuple[str, ...], int, str], Path]
MAX_MODEL_PICTURES = 500  # of one model; bounds time and memory
MODEL_PICTURE_EXTENSIONS = (*PICTURE_EXTENSIONS, ".tga")


@dataclass(slots=True)
class ModelPictures:
    """Finder of a model's pictures. model: path of the model. locate: finds files beside it.

    decodes: pictures are decoded, so that damage behind the header is found.
    """

    model: Path
    locate: LocateFile
    decodes: bool = False
    _count: int = 0

    def beside(self, name: str) -> PictureSource:
        """Picture in a file of its own. Raises PictureError with the whole message."""
        try:
            path = self.locate(name, MODEL_PICTURE_EXTENSIONS, MAX_PICTURE_BYTES, "picture")
        except InputError as error:
            raise PictureError(error.message, error.cure) from None
        return self._check(name, lambda: read_picture_file(path, name))

    def inside(self, file: str, offset: int, length: int, label: str) -> PictureSource:
        """Picture in a byte range of the model (`file` empty) or of a file beside it."""
        try:
            path = self.locate(file, (".bin",), 2**62, ".bin") if file else self.model
        except InputError as error:
            raise PictureError(error.message, error.cure) from None
        return self._check(label, lambda: read_picture_file(path, label, offset, length))

    def of_bytes(self, data: bytes, label: str) -> PictureSource:
        """Picture whose bytes have no file of their own."""

        def read() -> PictureSource:
            check_picture(read_picture_header(io.BytesIO(data), 0, len(data)))
            return PictureSource(self.model, label=label, data=data)

        return self._check(label, read)

    def _check(self, label: str, read: Callable[[], PictureSource]) -> PictureSource:
        self._count += 1
        if self._count > MAX_MODEL_PICTURES:
            raise PictureError(f"the model has more than {MAX_MODEL_PICTURES} pictures", "put several into one")
        return checked_picture(label, read, self.decodes)


def checked_picture(label: str, read: Callable[[], PictureSource], decodes: bool) -> PictureSource:
    """The source that `read` returns. Raises PictureError with a message that begins with the picture's label."""
    try:
        source = read()
        if decodes:
            decode_check(source)
        return source
    except PictureError as error:
        raise PictureError(f"picture {quote_text(label[:60])} {error.message}", error.cure) from None
