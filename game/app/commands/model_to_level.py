"""Import of a model: read it, find spawns, write a level around it and verify that the level can be played."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ... import COMMAND
from ...core import atomic_files
from ...core.time_format import format_count
from ...core.vectors import Floats, Point
from ...level import Finding, LevelBuilder, check, severity_exit_code
from ...level.build.pieces.model import make_fetcher, make_locator, to_y_up
from ...level.build.pieces.piece_builder import MAX_LIGHTS, MAX_QUADS
from ...level.edit import format_number
from ...level.format.file_access import read_file_bytes, resolve_path
from ...level.format.findings import InputError, join_alternatives
from ...level.format.numbers import MAX_COORDINATE
from ...level.format.plain_values import LevelValue
from ...level.geometry.quads import split_into_triangles
from ...level.materials.picture_file import MAX_PICTURE_BYTES
from ...level.models.model_pictures import MODEL_PICTURE_EXTENSIONS, ModelPictures
from ...level.models.model_reader import (
    MAX_BYTES_BY_EXTENSION,
    MODEL_EXTENSIONS,
    metres_per_unit,
    parse_model,
)
from ...level.models.quake import map_parser, map_reader
from ...level.models.quake.entities import MapEntities, collect_map_entities
from ...level.models.quake.textures import texture_layers
from ...level.models.texture_folder import TextureFolder
from ...level.models.triangle_soup import ModelError, ModelLamp, TriangleSoup
from ...physics import TriangleMesh, Walker
from ...sim.bots.free_space import can_stand
from ..launch import world_setup
from ..launch.level_lookup import UserError, printable_name
from . import check as checking
from .spawn_finder import find_spawn

DECIMALS = 3  # of all numbers: millimetres
MAX_LISTED_MATERIALS = 40  # materials that a comment lists
MAX_PLAUSIBLE_SIZE, MIN_PLAUSIBLE_SIZE = 1000.0, 3.0  # m: most levels are between them
KILL_HEIGHT_MARGIN = 15.0  # m from the lowest corner down to the kill height
MAX_SPAWNS = 64
MAX_LISTED_COPIES = 6
MAX_LISTED_KINDS = 8


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model that was read: faces in its own axes, the files that it refers to, and the entities of a map.

    companions: contents of its files, and paths of its pictures, by the names that the model has for them.
    """

    triangle_soup: TriangleSoup
    ending: str
    companions: dict[str, bytes | Path]
    entities: MapEntities | None


def import_model(options: argparse.Namespace) -> list[str]:
    """Write the level of the options; lines about what was found."""
    model, output = options.model, options.output
    metres = metres_per_unit(model.suffix.lower(), options.units or "") * options.scale
    folder = open_texture_folder(options.textures, model)
    model_data = read_model_file(model, metres, folder)
    soup = model_data.triangle_soup
    up = options.up or soup.up
    corners = to_y_up(soup.corners, up) * metres
    hints = suggest_import_options(corners)
    _check_bounds(model, corners, hints)
    world_setup.ensure_compiled()
    starts, spawn_lines = _choose_spawns(model_data, corners, metres, hints, model)
    file, copies = plan_copies(model, output, model_data.companions)
    fields: dict[str, LevelValue] = {"file": _written_path(file)}
    fields.update({name: value for name, value in (("units", options.units), ("up", options.up)) if value})
    if options.scale != 1.0:
        fields["scale"] = float(f"{options.scale:.10g}")
    if folder is not None:
        textures, picture_copies = plan_texture_copies(folder, output, soup)
        fields["textures"] = _written_path(textures)
        copies |= picture_copies
    if model_data.entities:
        lamps = model_data.entities.lights
    else:
        lamps = tuple(replace(lamp, at=tuple(to_y_up(np.array(lamp.at), up).tolist())) for lamp in soup.lamps)
    name = (model_data.entities.name if model_data.entities else "") or model.stem
    kill_height = float(np.floor(corners[..., 1].min() - KILL_HEIGHT_MARGIN))
    head = {"name": level_title(name), "about": level_title(f"Made by `import` from {model.name}.")}
    text = _level_text(head, starts, kill_height, fields, soup, lamps[:MAX_LIGHTS])
    findings = _write_and_verify(output, text, copies)
    lines = [*describe_model(model, model_data, corners, folder), *spawn_lines, *hints]
    for path in list(copies)[:MAX_LISTED_COPIES]:
        lines.append(f"copied {path}: the level may not refer to files in its folder")
    if len(copies) > MAX_LISTED_COPIES:
        lines.append(f"copied {format_count(len(copies) - MAX_LISTED_COPIES, 'more file')}")
    return [*lines, f"{output}: {checking.count_by_severity(findings)}; {COMMAND} play {output}"]


def level_title(text: str) -> str:
    """A text as one line of at most 80 characters, without control characters."""
    return "".join(char if char.isprintable() else " " for char in text).strip()[:80] or "level"


def _written_path(path: str) -> str:
    """A path for the level; UserError for one that is not UTF-8, as some names of files are on Unix."""
    if not path.isascii() and path.encode(errors="replace").decode() != path:
        raise UserError(f"{path}: this path is not UTF-8, so a level cannot name it; rename it")
    return path


def _level_text(
    head: Mapping[str, LevelValue],
    spawns: list[dict[str, LevelValue]],
    kill_height: float,
    fields: dict[str, LevelValue],
    soup: TriangleSoup,
    lamps: Sequence[ModelLamp],
) -> str:
    """The text of the level file. head: its first fields; fields: of the model piece."""
    spawn: dict[str, LevelValue] = {"spawn": spawns[0]} if len(spawns) == 1 else {"spawns": spawns}
    builder = LevelBuilder({**head, **spawn, "kill_height": kill_height, "sky": {"palette": "day"}})
    if not any(material.colour is not None or material.pbr is not None for material in soup.materials):
        builder.set(surfaces={"stone": {"colour": "#a9a59b", "texture": "concrete"}})
        fields = {**fields, "surface": "stone"}
    builder.add("model", fields)
    for lamp in lamps:
        colour = "#" + "".join(f"{round(255 * channel):02x}" for channel in lamp.colour)
        brightness, reach = round(lamp.brightness, DECIMALS), round(lamp.reach, DECIMALS)
        builder.add("light", at=_rounded(lamp.at), colour=colour, brightness=brightness, reach=reach)
    if not soup.materials:
        return builder.text
    names = [printable_name(material.name) for material in soup.materials]
    more = f" and {len(names) - MAX_LISTED_MATERIALS} more" if len(names) > MAX_LISTED_MATERIALS else ""
    return (
        f"{builder.text}# materials of the model: {', '.join(names[:MAX_LISTED_MATERIALS])}{more}\n"
        "# `surfaces: {material: surface}` makes one of them a surface of this level\n"
    )


def _rounded(point: Point) -> list[float]:
    return [round(value, DECIMALS) for value in point]


def open_texture_folder(folder: Path | None, model: Path) -> TextureFolder | None:
    """The folder of --textures; UserError where it has no pictures, or the model is no map."""
    if folder is None:
        return None
    if model.suffix.lower() != ".map":
        raise UserError(f"{model}: --textures is for .map files; other models name their own pictures")
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    found = TextureFolder(folder.resolve(), folder.resolve())
    if not found.paths:
        raise UserError(
            f"{folder}: no picture in it; it needs {join_alternatives(MODEL_PICTURE_EXTENSIONS)} files "
            "named as the textures"
        )
    return found


def read_model_file(model: Path, metres: float, folder: TextureFolder | None = None) -> ImportedModel:
    """Read a model and the files that it refers to; UserError where that fails."""
    ending = model.suffix.lower()
    if ending not in MODEL_EXTENSIONS:
        raise UserError(f"{model}: a model file must end in {join_alternatives(MODEL_EXTENSIONS)}")
    companions: dict[str, bytes | Path] = {}
    try:
        data = read_file_bytes(model, MAX_BYTES_BY_EXTENSION[ending], "model")
        if ending == ".map":
            parsed_map = map_parser.parse_map(data)
            soup = map_reader.build_map_soup(parsed_map, metres, folder)
            return ImportedModel(soup, ending, companions, collect_map_entities(parsed_map, metres))
        fetch, locate = make_fetcher(model), make_locator(model)

        def fetch_and_keep(name: str, endings: tuple[str, ...], max_bytes: int) -> bytes:
            companions[name] = content = fetch(name, endings, max_bytes)
            return content

        def locate_and_keep(name: str, endings: tuple[str, ...], max_bytes: int, file_kind: str) -> Path:
            path = locate(name, endings, max_bytes, file_kind)
            companions.setdefault(name, path)
            return path

        pictures = ModelPictures(model.resolve(), locate_and_keep)
        soup = parse_model(data, ending, fetch_and_keep, metres, pictures)
        return ImportedModel(soup, ending, companions, None)
    except InputError as refused:
        raise UserError(_finding_line(model, refused.message, refused.cure)) from None
    except ModelError as error:
        place = f":{error.line}:{error.column or 1}" if error.line else ""
        raise UserError(_finding_line(f"{model}{place}", error.message, error.cure)) from None


def _check_bounds(model: Path, corners: Floats, hints: list[str]) -> None:
    if len(corners) > MAX_QUADS:
        raise UserError(
            f"{model}: it has {len(corners)} faces, at most {MAX_QUADS} are allowed; simplify it (Blender: Decimate)"
        )
    if not float(np.abs(corners).max()) <= MAX_COORDINATE:
        raise UserError("\n".join([f"{model}: it extends more than {MAX_COORDINATE:g} m from its origin", *hints]))


def _choose_spawns(
    model_data: ImportedModel, corners: Floats, metres: float, hints: list[str], model: Path
) -> tuple[list[dict[str, LevelValue]], list[str]]:
    """Spawns and lines about them: those of the map that have room, else one that `find_spawn` finds."""
    soup = model_data.triangle_soup
    solids = np.array([part.collide for part in soup.parts], np.bool_)[soup.part]
    chosen = corners[solids]
    if not len(chosen):
        raise UserError(f"{model}: nothing in it collides, so there is nothing to stand on; check its -colonly names")
    triangles, _ = split_into_triangles(chosen, np.all(chosen[:, 2] == chosen[:, 3], axis=-1))
    mesh = TriangleMesh(triangles)
    walker = Walker()
    lines = []
    starts: list[dict[str, LevelValue]] = []
    map_starts = model_data.entities.starts if model_data.entities else ()
    for start in map_starts[:MAX_SPAWNS]:
        if can_stand(mesh, walker, list(start.feet)):
            starts.append({"at": _rounded(start.feet), "facing": round(start.facing, DECIMALS)})
            if len(map_starts) > 1:
                starts[-1]["name"] = level_title(f"{start.kind} {len(starts)}")
    if map_starts:
        count = len(map_starts) - len(starts)
        rejected = f" ({count} without room for the player or without ground)" if count else ""
        lines.append(f"spawns: {len(starts)} of {len(map_starts)} in the map{rejected}")
    if not starts:
        found = find_spawn(mesh, triangles, walker)
        if found is None:
            raise UserError("\n".join([f"{model}: there is no place to stand in it; check --up and --units", *hints]))
        starts.append({"at": _rounded(found.feet), "facing": round(found.facing, DECIMALS)})
        x, y, z = found.feet
        lines.append(f"spawn at {x:.2f}, {y:.2f}, {z:.2f}, on {found.ground_area:.0f} m² of ground")
    return starts, lines


def plan_texture_copies(folder: TextureFolder, output: Path, soup: TriangleSoup) -> tuple[str, dict[Path, bytes]]:
    """The path by which the level names the folder, and the pictures to copy into a folder next to the level."""
    try:
        text = Path(os.path.relpath(folder.folder, output.resolve().parent)).as_posix()
        resolve_path(output, f"{text}/x{MODEL_PICTURE_EXTENSIONS[0]}", MODEL_PICTURE_EXTENSIONS, "picture")
        return text, {}
    except (InputError, OSError, RuntimeError, ValueError):
        pass  # on another drive, or in a folder that a level may not refer to
    name = f"{output.stem}_textures"
    copies: dict[Path, bytes] = {}
    for material in soup.materials:
        for texture in material.pbr.maps if material.pbr else ():
            source = texture.picture.path
            target = output.parent / name / source.relative_to(folder.folder)
            copies[target] = read_file_bytes(source, MAX_PICTURE_BYTES, "picture")
    _check_targets(copies)
    return name, copies


def plan_copies(model: Path, output: Path, companions: dict[str, bytes | Path]) -> tuple[str, dict[Path, bytes]]:
    """The path by which the level names the model, and the files to copy next to it; UserError where that fails."""
    try:
        file = Path(os.path.relpath(model.resolve(), output.resolve().parent)).as_posix()
        if resolve_path(output, file, MODEL_EXTENSIONS, "model") == model.resolve():
            return file, {}
    except (InputError, OSError, RuntimeError, ValueError):
        pass  # on another drive, or in a folder that a level may not refer to
    copies = {output.parent / model.name: read_file_bytes(model, MAX_BYTES_BY_EXTENSION[model.suffix.lower()], "model")}
    for name, data in companions.items():
        if os.path.isabs(name) or ".." in Path(name).parts or "\\" in name:
            raise UserError(f"{model}: it needs {name}, which cannot be copied; export a GLB")
        copies[output.parent / name] = (
            read_file_bytes(data, MAX_PICTURE_BYTES, "picture") if isinstance(data, Path) else data
        )
    _check_targets(copies)
    try:
        resolve_path(output, model.name, MODEL_EXTENSIONS, "model")
    except InputError as refused:
        raise UserError(_finding_line(model, refused.message, "rename it")) from None
    return model.name, copies


def _check_targets(copies: dict[Path, bytes]) -> None:
    """UserError if a copy would replace a file with other contents."""
    for path, data in copies.items():
        with contextlib.suppress(OSError):
            if path.read_bytes() != data:
                raise UserError(
                    f"{path}: another file with this name exists; move it, or write the level to another folder"
                )


def _write_and_verify(output: Path, level: str, copies: dict[Path, bytes]) -> list[Finding]:
    """Write all files and check the level; on errors all of them are removed again."""
    written: list[Path] = []
    try:
        for path, data in copies.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                written.append(path)
                atomic_files.write_atomic(path, data)
        written.append(output)
        atomic_files.write_atomic(output, level.encode())
        findings = check(output)
        if severity_exit_code(findings):
            wrong = [finding.render() for finding in findings if finding.severity != "warning"]
            raise UserError("\n".join(["it cannot be played as a level; nothing is written", *wrong]))
        return list(findings)
    except BaseException:
        for path in written:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def describe_model(
    model: Path, model_data: ImportedModel, corners: Floats, folder: TextureFolder | None = None
) -> list[str]:
    """Lines about the content of the model."""
    soup = model_data.triangle_soup
    size = corners.max(axis=(0, 1)) - corners.min(axis=(0, 1))
    used = [soup.parts[index] for index in np.unique(soup.part)]
    rows = [
        f"{model.name}: {format_count(len(used), 'part')}, {format_count(soup.triangles, 'triangle')} "
        f"as {format_count(len(soup), 'face')}, {format_count(len(soup.materials), 'material')}; "
        f"{format_number(round(size[0], 2))} by {format_number(round(size[2], 2))} m, "
        f"{format_number(round(size[1], 2))} m high"
    ]
    unseen, thin = (sum(not getattr(part, layer) for part in used) for layer in ("visible", "collide"))
    if unseen or thin:
        rows.append(
            f"solid but not drawn: {format_count(unseen, 'part')}; drawn but not solid: {format_count(thin, 'part')}"
        )
    pictures = {texture.picture for material in soup.materials if material.pbr for texture in material.pbr.maps}
    if folder is not None:
        drawn = [material for material in soup.materials if texture_layers(material.name).visible]
        found = sum(material.pbr is not None for material in drawn)
        rows.append(f"textures: {found} of {len(drawn)} found in {folder.folder}")
    elif pictures:
        rows.append(format_count(len(pictures), "picture"))
    entities = model_data.entities
    if lamps := entities.lights if entities else soup.lamps:
        more = f", of which the {MAX_LIGHTS} brightest" if len(lamps) > MAX_LIGHTS else ""
        rows.append(format_count(len(lamps), "lamp") + more)
    if entities and entities.left_out:
        kinds = [f"{count} {kind[:40]}" for kind, count in entities.left_out]
        rows.append(f"left out: {_first(kinds)}")
    if entities and entities.misplaced:
        places = [f"{kind[:40]} in line {line}" for kind, line in entities.misplaced]
        wanted = f"three numbers of at most {map_parser.MAX_MAP_COORDINATE:g}"
        rows.append(f"left out, because `origin` is not {wanted}: {_first(places)}")
    return rows


def _first(words: list[str]) -> str:
    """The first words of a list, and how many more there are."""
    more = len(words) - MAX_LISTED_KINDS
    return ", ".join(words[:MAX_LISTED_KINDS]) + (f" and {more} more" if more > 0 else "")


def _finding_line(place: Path | str, message: str, cure: str) -> str:
    return f"{place}: {message}" + (f"\n        {cure}" if cure else "")


def suggest_import_options(corners: Floats) -> list[str]:
    """A sentence that suggests other options for faces (M,4,3) in metres of a size that levels seldom have."""
    longest = float(np.ptp(corners, axis=(0, 1)).max())
    if MIN_PLAUSIBLE_SIZE <= longest <= MAX_PLAUSIBLE_SIZE:
        return []
    return [f"it is {format_number(float(f'{longest:.3g}'))} m long: see --units and --scale"]
