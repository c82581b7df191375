"""Folder of pictures by the names of textures, as games and editors of Quake maps have them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..format.findings import suggest_word
from ..materials import PictureError, PictureSource, read_picture_file
from ..materials.picture_file import read_picture_header
from .model_pictures import MODEL_PICTURE_EXTENSIONS, checked_picture

MAX_FILES = 20_000  # looked at in a folder of textures
MAX_FOLDER_DEPTH = 6

# Characters of texture names that stand in no file name, and what tools write for them.
_WRITTEN_FOR = {"*": ("#", "_", "star_"), "/": ("_", "#")}


@dataclass(frozen=True, slots=True)
class SizedPicture:
    """A picture and its size in pixels."""

    source: PictureSource
    width: int
    height: int


@dataclass(slots=True)
class TextureFolder:
    """Pictures of a folder and the folders below it. A texture `wall/brick1` is `wall/brick1.png`, or `brick1.png`
    anywhere; capitals do not matter.

    root: folder that links may not leave. decodes: see ModelPictures. paths: by lower-case name without extension, with
    folders and without.
    """

    folder: Path
    root: Path
    decodes: bool = False
    paths: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in _pictures_below(self.folder):
            name = path.relative_to(self.folder).with_suffix("").as_posix().lower()
            self.paths.setdefault(name, path)
            self.paths.setdefault(name.rpartition("/")[2], path)

    def find_file(self, texture: str) -> Path | None:
        """File of a texture; None if there is none."""
        name = texture.lower().replace("\\", "/").removeprefix("textures/")
        for candidate in (name, name.rpartition("/")[2]):
            if candidate in self.paths:
                return self.paths[candidate]
            for character, replacements in _WRITTEN_FOR.items():
                for replacement in replacements if character in candidate else ():
                    if (other := candidate.replace(character, replacement)) in self.paths:
                        return self.paths[other]
        return None

    def read_picture(self, texture: str) -> SizedPicture | None:
        """Picture of a texture; None if there is none. Raises PictureError for one that cannot be used."""
        path = self.find_file(texture)
        if path is None:
            return None
        source = checked_picture(path.name, lambda: self._read_source(path), self.decodes)
        with open(source.path, "rb") as file:
            header = read_picture_header(file, is_tga=path.suffix.lower() == ".tga")
        return SizedPicture(source, header.width, header.height)

    def _read_source(self, path: Path) -> PictureSource:
        try:
            real_path = path.resolve()
        except (OSError, RuntimeError) as error:  # RuntimeError: a cycle of links
            raise PictureError(f"cannot be read: {error}", "check the file") from None
        if not real_path.is_relative_to(self.root):
            raise PictureError("is a link to a file outside the levels folder", "copy the file into the folder")
        return read_picture_file(real_path)

    def suggest_name(self, texture: str) -> str:
        """A cure that names a similar picture; empty if there is none."""
        name = texture.lower().rpartition("/")[2]
        return suggest_word(name, sorted({key for key in self.paths if "/" not in key}))


def _pictures_below(folder: Path) -> Iterator[Path]:
    """Picture files of a folder and those below it, in order of their paths; links to folders are not followed."""
    seen = 0
    for parent, folders, files in os.walk(folder):
        depth = len(Path(parent).relative_to(folder).parts)
        folders[:] = sorted(folders) if depth < MAX_FOLDER_DEPTH else []
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES:
                return
            if name.lower().endswith(MODEL_PICTURE_EXTENSIONS):
                yield Path(parent) / name
