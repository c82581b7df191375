"""Pictures of the textures of a map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...format.findings import quote_text
from ...materials import AlphaMode, PbrMaterial, PictureError, TextureMap
from ..texture_folder import SizedPicture, TextureFolder
from ..triangle_soup import ModelMaterial, ModelNote
from .map_parser import BrushFace

MAX_MISSING_NOTES = 3  # missing pictures that have a note of their own
_FENCE_PREFIX = "{"  # of textures with holes (GoldSrc)


@dataclass(slots=True)
class MapPictures:
    """Pictures of the textures that visible faces use. folder: where they are; None: there are none."""

    folder: TextureFolder | None
    found: dict[str, SizedPicture] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)  # line of the first face with it
    _broken: list[ModelNote] = field(default_factory=list)
    _broken_names: set[str] = field(default_factory=set)

    def find(self, face: BrushFace) -> SizedPicture | None:
        """The picture of a face; None if its texture has none that can be used."""
        return self.find_texture(face.texture, face.line)

    def find_texture(self, name: str, line: int) -> SizedPicture | None:
        """The picture of a texture that is used in a line, as `find`."""
        if self.folder is None or name in self.missing or name in self._broken_names:
            return None
        if name not in self.found:
            try:
                picture = self.folder.read_picture(name)
            except PictureError as error:
                self._broken_names.add(name)
                self._broken.append(ModelNote(f"{error.message}; its faces show a plain colour", error.cure, line, 1))
                return None
            if picture is None:
                self.missing[name] = line
                return None
            self.found[name] = picture
        return self.found[name]

    def with_picture(self, material: ModelMaterial) -> ModelMaterial:
        """The material of a texture, with its picture if it has one."""
        picture = self.found.get(material.name)
        if picture is None:
            return material
        mode = AlphaMode.MASK if material.name.startswith(_FENCE_PREFIX) else AlphaMode.OPAQUE
        return replace(material, pbr=PbrMaterial(base_colour_map=TextureMap(picture.source), alpha_mode=mode))

    def notes(self) -> list[ModelNote]:
        """Broken pictures, and textures without one: the first few with a near name, the others counted."""
        notes = list(self._broken)
        if self.folder is None:
            return notes
        where = quote_text(self.folder.folder.name[:60])
        names = list(self.missing)
        for name in names[:MAX_MISSING_NOTES]:
            message = f"no picture in {where} is named {quote_text(name[:60])}; its faces show a plain colour"
            cure = self.folder.suggest_name(name) or f"add {quote_text(name[:60] + '.png')} to the folder"
            notes.append(ModelNote(message, cure, self.missing[name], 1))
        more = names[MAX_MISSING_NOTES:]
        if more:
            total = len(self.found) + len(self.missing) + len(self._broken_names)
            listed = ", ".join(quote_text(name[:40]) for name in more[:8]) + (" and others" if len(more) > 8 else "")
            message = f"{len(names)} of {total} textures have no picture in {where}, also {listed}"
            notes.append(ModelNote(message, "check `textures`", self.missing[more[0]], 1))
        return notes
