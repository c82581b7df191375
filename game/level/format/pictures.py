"""Pictures that a level names: the files, within bounds of place, kind and size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..materials import PictureSource
from ..materials.picture_file import (
    MAX_PICTURE_BYTES,
    PICTURE_EXTENSIONS,
    PictureError,
    PictureHeader,
    decode_check,
    read_picture_file,
    read_picture_header,
)
from .file_access import allowed_root, resolve_existing_file, resolve_path
from .findings import FindingCollector, InputError, SourceSpan, quote_text, sanitize_text

MAX_PICTURES = 500  # different files of one level; bounds time and memory

FoundPicture = tuple[PictureSource, PictureHeader]


class PictureFinder:
    """Pictures of one level by path. Each file is looked at once.

    sources: real path of each file of the level by its `SourceSpan.file`, see `IncludeLoader.sources`.
    decodes: pictures are decoded, so that damage behind the header is found.
    """

    def __init__(
        self, report: FindingCollector, level: Path, sources: Callable[[], dict[str, Path]], decodes: bool = False
    ) -> None:
        self.report = report
        self._level = level
        self._sources = sources
        self.decodes = decodes
        self._found: dict[Path, FoundPicture | PictureError] = {}

    def find(self, text: str, place: SourceSpan, where: str) -> FoundPicture | None:
        """The picture of a path that is written at `place`; None after a finding. Missing files become dependencies."""
        try:
            path = self._resolve(text, place.file)
            if path not in self._found:
                if len(self._found) >= MAX_PICTURES:
                    raise InputError(f"the level names more than {MAX_PICTURES} pictures", "use fewer")
                self._found[path] = self._look_at(path)
            result = self._found[path]
            if isinstance(result, PictureError):
                raise InputError(f"picture {quote_text(path.name)} {result.message}", result.cure)
        except InputError as error:
            self.report.add("dropped", place, where, error.message, error.cure)
            return None
        return result

    def _resolve(self, text: str, within: str) -> Path:
        """Real path of an existing picture. Raises InputError."""
        sources = self._sources()
        file = sources.get(within, sources[""])  # levels that are built in Python name the file of the call
        try:
            root = allowed_root(self._level)
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"{quote_text(text)} cannot be followed: {sanitize_text(str(error), 100)}") from None
        self.report.add_dependency(resolve_path(file, text, PICTURE_EXTENSIONS, "picture", root), is_picture=True)
        return resolve_existing_file(file, text, PICTURE_EXTENSIONS, MAX_PICTURE_BYTES, "picture", root)

    def _look_at(self, path: Path) -> FoundPicture | PictureError:
        try:
            source = read_picture_file(path)
            with open(path, "rb") as file:
                header = read_picture_header(file)
            if self.decodes:
                decode_check(source)
        except OSError as error:
            return PictureError(f"cannot be read: {sanitize_text(error.strerror or '', 100)}", "check the file")
        except PictureError as error:
            return error
        return source, header


def keep_channels(source: PictureSource, channels: str) -> PictureSource:
    """The picture with only some of its channels ("g", "b"); the others read as 1."""
    return replace(source, channels=channels)
