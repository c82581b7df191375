"""The verb `import`: a level around a model from Blender or TrenchBroom, ready to be walked."""

from __future__ import annotations

import argparse
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import game

from ...core import atomic_files
from ...level import Finding, check, severity_exit_code
from ...level.build.pieces.model import fetcher, upright
from ...level.format.file_access import read_bytes, target
from ...level.format.findings import Refused, listed
from ...level.format.schema import MOST_LIGHTS, MOST_QUADS
from ...level.format.schema.fields import FARTHEST
from ...level.geometry.quads import split
from ...level.models.model_reader import ENDINGS, MOST_BYTES, read, unit_of
from ...level.models.quake import map_parser, map_reader
from ...level.models.quake.entities import Things, things
from ...level.models.triangle_soup import Fetch, ModelError, Soup
from ...physics import TriangleMesh, Walker
from ..launch import world_setup
from ..launch.level_lookup import UserError, harmless
from . import check as checking
from .level_template import Draft, Place, number, words
from .spawn_finder import foothold, stands
from .unit_heuristics import guesses

FALL = 15.0  # metres below its lowest corner one is put back
MOST_STARTS = 64

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """A model file, read: its faces in its own axes, what it needed, what else a map holds."""

    soup: Soup
    ending: str
    companions: dict[str, bytes]
    things: Things | None


def run(options: argparse.Namespace) -> int:
    """Write the level, say what was found."""
    model, output = options.model, options.output
    if output.suffix.lower() not in (".yaml", ".yml"):
        raise UserError(f"{shown(output)}: a level's name ends in .yaml")
    if os.path.lexists(output):
        raise UserError(f"{shown(output)}: there is a file already; it is not written over")
    if not output.parent.is_dir():
        raise UserError(f"{shown(output.parent)}: there is no such folder")
    metres = unit_of(model.suffix.lower(), options.units or "") * options.scale
    reading = read_model(model, metres)
    soup = reading.soup
    up = options.up or soup.up
    corners = upright(soup.corners, up) * metres
    hints = guesses(corners, bool(options.units) or options.scale != 1.0, bool(options.up) or reading.ending == ".map")
    _bounded(model, corners, hints)
    world_setup.ready()
    starts, told = _starts(reading, corners, metres, hints, model)
    file, copies = within_reach(model, output, reading.companions)
    fields = {"file": words(file)}
    fields.update({name: value for name, value in (("units", options.units), ("up", options.up)) if value})
    if options.scale != 1.0:
        fields["scale"] = f"{options.scale:.10g}"
    lamps = reading.things.lamps[:MOST_LIGHTS] if reading.things else ()
    draft = Draft(
        name=(reading.things.name if reading.things else "") or model.stem,
        about=f"Made by `import` from {model.name}.",
        starts=starts,
        kill_height=float(np.floor(corners[..., 1].min() - FALL)),
        fields=fields,
        materials=[harmless(material.name) for material in soup.materials],
        coloured=any(material.colour is not None for material in soup.materials),
        lamps=lamps,
    )
    findings = _written(output, draft.text(), copies)
    for line in [*described(model, reading, corners), *told, *hints]:
        print(line)
    for path in copies:
        print(f"copied {shown(path)}: the model lies where the level may not reach")
    print(f"{shown(output)}: {checking.counted(findings)}; {game.COMMAND} play {shown(output)}")
    return 0


def read_model(model: Path, metres: float) -> Reading:
    """Read a model where it lies, with the files beside it that it names. UserError where it cannot be."""
    ending = model.suffix.lower()
    if ending not in ENDINGS:
        raise UserError(f"{shown(model)}: a model's name ends in {listed(ENDINGS)}")
    companions: dict[str, bytes] = {}
    try:
        data = read_bytes(model, MOST_BYTES[ending], "model")
        if ending == ".map":
            made = map_parser.parse(data)
            return Reading(map_reader.built(made, metres), ending, companions, things(made, metres))
        return Reading(read(data, ending, _noting(fetcher(model), companions), metres), ending, companions, None)
    except Refused as refused:
        raise UserError(_said(shown(model), refused.message, refused.cure)) from None
    except ModelError as error:
        place = f":{error.line}:{error.column or 1}" if error.line else ""
        raise UserError(_said(f"{shown(model)}{place}", error.message, error.cure)) from None


def _noting(fetch: Fetch, companions: dict[str, bytes]) -> Fetch:
    def noted(name: str, endings: tuple[str, ...], most: int) -> bytes:
        companions[name] = fetch(name, endings, most)
        return companions[name]

    return noted


def _bounded(model: Path, corners: Floats, hints: list[str]) -> None:
    if len(corners) > MOST_QUADS:
        raise UserError(
            f"{shown(model)}: it has {len(corners)} faces, and a level may have {MOST_QUADS}; simplify it "
            "(Blender: Decimate)"
        )
    if not float(np.abs(corners).max()) <= FARTHEST:
        raise UserError("\n".join([f"{shown(model)}: it reaches further than {FARTHEST:g} m from its origin", *hints]))


def _starts(
    reading: Reading, corners: Floats, metres: float, hints: list[str], model: Path
) -> tuple[list[Place], list[str]]:
    """Places to begin and what to say of them: a map's own that have room, else one that was looked for."""
    soup = reading.soup
    solids = np.array([part.collide for part in soup.parts], np.bool_)[soup.part]
    chosen = corners[solids]
    if not len(chosen):
        raise UserError(f"{shown(model)}: nothing in it collides, so one cannot stand on it; see its -colonly names")
    triangles, _ = split(chosen, np.all(chosen[:, 2] == chosen[:, 3], axis=-1))
    mesh, walker = TriangleMesh(triangles), Walker()
    told = []
    starts: list[Place] = []
    own = reading.things.starts if reading.things else ()
    for start in own[:MOST_STARTS]:
        if stands(mesh, walker, list(start.feet)):
            starts.append(Place(start.feet, start.facing, f"{start.kind} {len(starts) + 1}" if len(own) > 1 else ""))
    if own:
        told.append(f"places to begin: {len(starts)} of the map's {len(own)}" + _roomless(len(own) - len(starts)))
    if not starts:
        found = foothold(mesh, triangles, walker)
        if found is None:
            why = f"{shown(model)}: there is nowhere to stand in it"
            raise UserError("\n".join([why, *(hints or ["see whether --up z or --units is right"])]))
        starts.append(Place(found.feet, found.facing))
        x, y, z = found.feet
        told.append(f"one begins at {x:.2f}, {y:.2f}, {z:.2f}, on {found.area:.0f} square metres of ground")
    return starts, told


def _roomless(count: int) -> str:
    return f" ({count} have no room for this player, or no ground near)" if count else ""


def within_reach(model: Path, output: Path, companions: dict[str, bytes]) -> tuple[str, dict[Path, bytes]]:
    """How the level names the model, and what has to be copied beside it first. UserError where that cannot be."""
    try:
        file = Path(os.path.relpath(model.resolve(), output.resolve().parent)).as_posix()
        if target(output, file, ENDINGS, "model") == model.resolve():
            return file, {}
    except (Refused, OSError, RuntimeError, ValueError):
        pass  # on another drive, or out of reach
    copies = {output.parent / model.name: read_bytes(model, MOST_BYTES[model.suffix.lower()], "model")}
    for name, data in companions.items():
        if os.path.isabs(name) or ".." in Path(name).parts or "\\" in name:
            raise UserError(f"{shown(model)}: it needs {harmless(name)}, which cannot be copied along; export a GLB")
        copies[output.parent / name] = data
    for path, data in copies.items():
        with contextlib.suppress(OSError):
            if path.read_bytes() != data:
                raise UserError(f"{shown(path)}: there is another file already; move it, or write the level elsewhere")
    try:
        target(output, model.name, ENDINGS, "model")
    except Refused as refused:
        raise UserError(_said(shown(model), refused.message, "rename it")) from None
    return model.name, copies


def _written(output: Path, level: str, copies: dict[Path, bytes]) -> list[Finding]:
    """Copy and write; all of it is taken back where the level then cannot be played as it should."""
    made: list[Path] = []
    try:
        for path, data in copies.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                made.append(path)
                atomic_files.write(path, data)
        made.append(output)
        atomic_files.write(output, level.encode())
        findings = check(output)
        if severity_exit_code(findings):
            wrong = [finding.render() for finding in findings if finding.severity != "warning"]
            raise UserError("\n".join(["it cannot be made a level; nothing is written", *wrong]))
        return list(findings)
    except BaseException:
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def described(model: Path, reading: Reading, corners: Floats) -> list[str]:
    """What is in the file, line by line."""
    soup = reading.soup
    size = corners.max(axis=(0, 1)) - corners.min(axis=(0, 1))
    used = [soup.parts[index] for index in np.unique(soup.part)]
    rows = [
        f"{harmless(model.name)}: {_count(len(used), 'part')}, {_count(soup.triangles, 'triangle')} as "
        f"{_count(len(soup), 'face')}, {_count(len(soup.materials), 'material')}; "
        f"{number(round(size[0], 2))} by {number(round(size[2], 2))} m, {number(round(size[1], 2))} m high"
    ]
    unseen, thin = (sum(not getattr(part, layer) for part in used) for layer in ("visible", "collide"))
    if unseen or thin:
        rows.append(f"solid but not drawn: {_count(unseen, 'part')}; drawn but not solid: {_count(thin, 'part')}")
    if reading.things:
        rows += _of_map(reading.things)
    return rows


def _of_map(found: Things) -> list[str]:
    rows = []
    if found.lamps:
        more = len(found.lamps) - MOST_LIGHTS
        rows.append(_count(len(found.lamps), "lamp") + (f", of which the {MOST_LIGHTS} brightest" if more > 0 else ""))
    if found.left_out:
        listed_out = ", ".join(f"{count} {harmless(kind)[:40]}" for kind, count in found.left_out[:8])
        rows.append(f"left out: {listed_out}" + (" and others" if len(found.left_out) > 8 else ""))
    return rows


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _said(place: str, message: str, cure: str) -> str:
    return f"{place}: {message}" + (f"\n        {cure}" if cure else "")


def shown(path: Path) -> str:
    return harmless(str(path))
