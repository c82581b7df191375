"""The level loader: `load` and `check` read a file and its tests, build its pieces and collect the findings."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.angles import heading_from_degrees
from .build.entities.exits import read_exits
from .build.entities.golf import read_golf
from .build.entities.movers import collect_movers
from .build.entities.player import read_player
from .build.entities.point_entities import (
    ball_play_settings,
    collect_balls,
    collect_exhibits,
    collect_lights,
    collect_targets,
)
from .build.entities.trials import read_challenges, read_medals, warn_without_end
from .build.entities.zones import RunRole, collect_zones
from .build.hidden_faces import cut_below_rooms, find_hidden_faces
from .build.level_assembly import LevelAssembly
from .build.pieces import PIECES
from .build.shared_walls import share_walls
from .build.texture_coordinates import with_texture_coordinates
from .format.file_access import allowed_root, is_tests_file, tests_path
from .format.findings import (
    MAX_SHOWN_PATH,
    Finding,
    FindingCollector,
    LevelError,
    quote_text,
    sanitize_text,
)
from .format.includes import IncludeLoader
from .format.level_file import GoalFields, LevelFields, SkyFields, SunFields
from .format.record import DEFAULT_SURFACE
from .format.source import LevelSource
from .format.surfaces import Surface, footstep_for_texture
from .format.text_source import ReadableFile, read_any_source
from .format.yaml_nodes import YamlUsage
from .geometry.drawn_triangles import split_for_drawing
from .geometry.faces import FaceArrays, SignBoard, set_read_only
from .geometry.instance_transform import PieceInstance, PlacedMarker
from .geometry.quads import split_into_triangles
from .level import KILL_DEPTH, SKY_PALETTES, Goal, Level, Sign, Sky, Spawn

if TYPE_CHECKING:
    from .format.level_tests.reader import TestableNames

MOVER_KIND = "mover"  # kind of piece of what is touched on a moving platform
_NAMED_LABEL = re.compile('[a-z_]+ "(.+?)"(?:: .*)?')  # `PieceOrigin.label` of a piece with a name


def with_tests(level: Level, fields: LevelFields, library: IncludeLoader, usage: YamlUsage) -> Level:
    """The level with its tests and their findings; the same level if it has none."""
    report = library.report
    beside = tests_path(level.path)
    has_beside = os.path.lexists(beside) or (
        bool(report.overrides) and Path(os.path.realpath(beside)) in report.overrides
    )
    if not has_beside and not fields.is_given(LevelFields.tests):
        return level
    from .format.level_tests.reader import read_tests  # not loaded for levels without tests
    from .format.level_tests.tests_file import read_tests_file

    sources = [(level.path, fields.tests)]
    if has_beside:
        sources.append(read_tests_file(level.path, report, library, usage))
    tests = read_tests(sources, _root(level.path), _testable_names(level), report)
    return replace(level, tests=tests, findings=report.findings(), files=tuple(report.files))


def _root(path: Path) -> Path:
    """Folder that the walks of a level may not leave."""
    try:
        return allowed_root(path)
    except (OSError, RuntimeError, ValueError):
        return path.parent


def _testable_names(level: Level) -> TestableNames:
    """The names of a level that its tests can use."""
    from .format.level_tests.level_test import CountKind
    from .format.level_tests.reader import TestableNames

    with_faces = {*level.faces.origin.tolist(), *level.hidden_faces.origin.tolist()}
    solid = [origin for number, origin in enumerate(level.origins) if origin.collide and number in with_faces]
    labels = [_NAMED_LABEL.fullmatch(origin.label) for origin in solid]
    pieces = {match[1] for match in labels if match} | {origin.kind for origin in solid}
    pieces |= {word for mover in level.movers if len(mover.triangles) for word in (mover.name, MOVER_KIND)}
    golf = level.golf.holes if level.golf is not None else ()
    checkpoints = [zone.name for zone in level.all_zones if zone.facts.role is RunRole.CHECKPOINT]
    return TestableNames(
        has_goal=level.goal is not None,
        goal_after=level.goal.after if level.goal is not None else "",
        spawns=tuple(spawn.name for spawn in level.spawns),
        zones=tuple(word for zone in level.all_zones for word in (zone.name, zone.kind)),
        touchable=(*(surface.name for surface in level.surfaces), *sorted(pieces)),
        events={
            CountKind.TARGETS: tuple(target.name for target in level.targets),
            CountKind.HOLES: tuple(hole.name for hole in golf),
            CountKind.CHECKPOINTS: tuple(checkpoints),
        },
    )


def load(
    level: str | os.PathLike[str] | ReadableFile | None = None,
    overrides: Mapping[Path, bytes] | None = None,
    *,
    text: str | None = None,
    base: str | os.PathLike[str] | None = None,
) -> Level:
    """Level of a file, or of a text. Raises LevelError with `.findings` if it cannot be loaded.

    `findings` of the result name what was dropped; geometry warnings come from `check`.

    level: a path, the name of a shipped level (`demo`), or an open file in text or binary mode, which is read to its
    end and stays open. text: the text of a level, instead of `level`.
    base: for a text or an open file, the path of the level file that it stands for: findings name it, and the paths of
    includes, models and exits are relative to it. The file need not exist. Default: the name of the open file, else
    `<text>` in the working folder. A folder stands for a file in it.
    overrides: by real path, unsaved contents that replace those on disk.

    ValueError: neither or both of `level` and `text`, another type, a file that is closed or not readable.
    """
    with gc_paused():
        source = read_any_source(level, overrides, text, base)
        return level_from_source(source)


def check(
    level: str | os.PathLike[str] | ReadableFile | None = None,
    overrides: Mapping[Path, bytes] | None = None,
    *,
    text: str | None = None,
    base: str | os.PathLike[str] | None = None,
) -> list[Finding]:
    """All findings of a level, in file order. Never raises for the contents of a level. Arguments: as in `load`.

    Of a file of tests (`NAME.tests.yaml`): its findings, and the fatal ones of its level.
    """
    if isinstance(level, (str, os.PathLike)) and is_tests_file(level) and text is None and base is None:
        return _check_tests_file(Path(level), overrides)
    try:
        with gc_paused():
            source = read_any_source(level, overrides, text, base)
    except LevelError as error:
        return list(error.findings)
    return check_source(source)


class CheckedFile(NamedTuple):
    """Findings of a file; its level, None of a file of tests and after a fatal finding; errors of failed checks."""

    findings: list[Finding]
    level: Level | None
    failures: Sequence[Exception] = ()


def check_file(path: str | os.PathLike[str]) -> CheckedFile:
    """As `check`, with more of what was found."""
    if is_tests_file(path):
        return CheckedFile(_check_tests_file(Path(path), None), None)
    try:
        with gc_paused():
            source = read_any_source(path, None, None, None)
    except LevelError as error:
        return CheckedFile(list(error.findings), None)
    return _check_built(source)


def level_from_source(source: LevelSource) -> Level:
    """Level of a source. Raises LevelError after a fatal finding."""
    with gc_paused():
        built = _build_level(source)
    if built is None:
        raise source.report.make_error()
    return built


def check_source(source: LevelSource) -> list[Finding]:
    """All findings of a source, in file order."""
    return _check_built(source).findings


def _check_built(source: LevelSource) -> CheckedFile:
    with gc_paused():
        built = _build_level(source, decodes_pictures=True)
    if built is not None:
        from .lint import check_geometry

        check_geometry(built, source.report)
    return CheckedFile(list(source.report.findings()), built, source.report.failures)


def _check_tests_file(path: Path, overrides: Mapping[Path, bytes] | None) -> list[Finding]:
    from .format.level_tests.level_test import WALK_EXTENSIONS
    from .format.level_tests.tests_file import report_missing_level, tested_level

    level = tested_level(path)
    if level is None:
        return list(report_missing_level(path).findings())
    file = sanitize_text(str(path), MAX_SHOWN_PATH)
    return [
        finding
        for finding in check(level, overrides)
        if finding.file == file or finding.file.endswith(WALK_EXTENSIONS) or finding.severity == "fatal"
    ]


@contextmanager
def gc_paused() -> Iterator[None]:
    """Context without garbage collection: loading creates many objects and hardly any cycles.

    The collector would traverse all of them again and again, a third of the loading time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _build_level(source: LevelSource, decodes_pictures: bool = False) -> Level | None:
    """The level; None after a fatal finding. decodes_pictures: see PictureFinder."""
    report = source.report
    library = IncludeLoader(source, PIECES, decodes_pictures)
    fields, reader = library.read()
    surfaces = library.palette.surfaces
    _warn_of_unused_surfaces(fields, reader.used_surfaces, report)
    spawns = _read_spawns(fields, reader.unread, report)
    player = read_player(fields.player, report)
    assembly = LevelAssembly(report, library.sources(), library.pictures, surfaces, player)
    faces, hidden_faces = _build_faces(assembly, fields, report)
    if report.fatal:
        return None
    collide = assembly.face_mask(faces, "collide")
    visible = assembly.face_mask(faces, "visible")
    is_static = faces.mover_numbers == 0
    solid = np.nonzero(collide & is_static)[0]
    drawn_faces = np.nonzero(visible & is_static)[0]
    palette = (*surfaces, *_model_surfaces(assembly, surfaces))
    places = [origin.place for origin in assembly.origins]
    faces = with_texture_coordinates(faces, surfaces, [origin.kind for origin in assembly.origins])
    movers = collect_movers(faces, collide, visible, palette, places, report)
    triangles, quad_index = split_into_triangles(faces.corners[solid], faces.is_triangle[solid])
    quad_index = solid[quad_index].astype(np.int32)
    drawn = split_for_drawing(faces, drawn_faces)
    targets = collect_targets(faces)
    golf = read_golf(fields.golf, faces, triangles, report)
    medals = read_medals(fields.medals, report)
    challenges = read_challenges(fields.challenges, bool(targets), golf is not None, report)
    if not (fields.goal is not None or targets or golf is not None):
        for given, field in ((medals, LevelFields.medals), (challenges, LevelFields.challenges)):
            if given:
                warn_without_end(fields, field, report)
    lowest = float(faces.corners[..., 1].min())
    level = Level(
        name=fields.name or source.path.stem,
        aim=_read_aim(fields, report),
        player=player,
        medals=medals,
        challenges=challenges if fields.is_given(LevelFields.challenges) else None,
        path=source.path,
        spawns=spawns,
        goal=_read_goal(fields.goal, bool(targets), bool(golf), report),
        exits=read_exits(fields.exits, source.path, report),
        kill_height=lowest - KILL_DEPTH if fields.kill_height is None else fields.kill_height,
        kill_height_place=None if fields.kill_height is None else fields.place_of(LevelFields.kill_height),
        sky=_read_sky(fields.sky),
        surfaces=palette,
        triangles=set_read_only(triangles),
        surface_index=set_read_only(faces.surface[quad_index]),
        quad_index=set_read_only(quad_index),
        drawn=set_read_only(drawn.triangles),
        drawn_surface=set_read_only(faces.surface[drawn.face]),
        drawn_quad=set_read_only(drawn.face),
        drawn_uv=drawn.uv,
        drawn_colours=drawn.colours,
        drawn_normals=drawn.normals,
        signs=tuple(_make_sign(marker, faces.instances) for marker in faces.marks if marker.kind == "sign"),
        lights=collect_lights(faces),
        targets=targets,
        findings=report.findings(),
        faces=faces,
        hidden_faces=hidden_faces,
        origins=tuple(assembly.origins),
        exhibits=collect_exhibits(faces),
        ghosts=fields.ghosts,
        files=tuple(report.files),
        pictures=tuple(path for path in report.files if path in report.pictures),
        golf=golf,
        balls=collect_balls(faces),
        play=ball_play_settings(fields.play),
        all_zones=collect_zones(faces, places),
        movers=movers,
    )
    level = with_tests(level, fields, library, source.root.source.usage)
    object.__setattr__(level, "source_text", report.texts[""])  # the class is frozen
    return level


def _warn_of_unused_surfaces(fields: LevelFields, used: set[str], report: FindingCollector) -> None:
    """Warn about unused surfaces."""
    places = {name: record.place for name, record in fields.surfaces.items()}
    for name, place in places.items():
        if name not in used and name != DEFAULT_SURFACE:
            report.warn_of_lack(place, "surfaces", f"{quote_text(name)} is never used", "use it, or remove it")


def _build_faces(
    assembly: LevelAssembly, fields: LevelFields, report: FindingCollector
) -> tuple[FaceArrays, FaceArrays]:
    """The faces of the pieces, and those that another piece hides. A fatal finding where nothing is left to stand
    on."""
    faces = assembly.build_pieces(fields.pieces)
    faces = cut_below_rooms(assembly, assembly.drop_out_of_range(share_walls(assembly, faces)))
    is_solid = assembly.face_mask(faces, "collide") & assembly.face_mask(faces, "visible")
    hidden = find_hidden_faces(faces, is_solid & (faces.mover_numbers == 0))
    shown = faces.select(~hidden)
    if not report.fatal and not assembly.face_mask(shown, "collide").any() and not report.escalate():
        report.add(
            "fatal", fields.place_of(LevelFields.pieces), "pieces", "the level has nothing to stand on", "add a `floor`"
        )
    return shown, faces.select(hidden)


def _read_spawns(fields: LevelFields, unread: Set[str], report: FindingCollector) -> tuple[Spawn, ...]:
    entries = [entry for entry in (fields.spawn, *fields.spawns) if entry is not None]
    is_reported = not unread.isdisjoint(("spawn", "spawns"))
    if not entries and not (report.escalate("spawn") or report.escalate("spawns") or is_reported):
        at = fields.place_of(LevelFields.spawns)
        report.add("fatal", at, "spawn", "the level has no spawn", "write `spawn: {at: [0, 0, 0], facing: north}`")
    unnamed = next((entry for entry in fields.spawns if not entry.name), None)
    if fields.spawn is not None and unnamed is not None:
        message = f"the level starts at `spawn` (line {fields.spawn.place.line}), not at this one"
        cure = "give it a `name`, for exits and tests; or write all starts in `spawns`, the first one first"
        report.add("warning", unnamed.place, "spawns", message, cure)
    return tuple(
        Spawn(entry.name or f"spawn {number}", entry.at, heading_from_degrees(entry.facing), entry.place, entry.intends)
        for number, entry in enumerate(entries, start=1)
    )


def _read_aim(fields: LevelFields, report: FindingCollector) -> str:
    """The aim on one line; empty, with a finding, where it is a number or a single word."""
    words = fields.aim.split()
    if words and sum(any(map(str.isalpha, word)) for word in words) < 2:
        cure = "write what the player is to do: `aim: Reach the light on the roof.`"
        message = f"{quote_text(fields.aim)} is no sentence"
        report.add("dropped", fields.place_of(LevelFields.aim), "aim", message, cure)
        return ""
    return " ".join(words)


def _read_goal(goal: GoalFields | None, targets: bool, golf: bool, report: FindingCollector) -> Goal | None:
    if goal is None:
        return None
    place = goal.place_of(GoalFields.after)
    if goal.after == "holes" and not golf:
        cure = "add `golf` with its `holes`, or remove `after`"
        report.warn_of_lack(place, "goal.after", "the level has no golf holes", cure)
    if goal.after == "targets" and not targets:
        cure = "add a `target` to the pieces, or remove `after`"
        report.warn_of_lack(place, "goal.after", "the level has no targets", cure)
    return Goal(goal.at, goal.radius, goal.after, goal.place, goal.intends)


def _read_sky(sky: SkyFields | None) -> Sky:
    if sky is None:
        return Sky()
    zenith, horizon, sunlight = SKY_PALETTES[sky.palette]
    sun = sky.sun or SunFields.begin(sky.place, sky.where)
    return Sky(
        sun_height=sun.height,
        sun_from=sun.from_,
        haze=sky.haze,
        palette=sky.palette,
        sun=sun.colour or sunlight,
        zenith=sky.zenith or zenith,
        horizon=sky.horizon or horizon,
    )


def _model_surfaces(assembly: LevelAssembly, surfaces: Sequence[Surface]) -> list[Surface]:
    """Surfaces that pieces created, for the materials of models. surfaces: of the level."""
    return [
        replace(surfaces[made.base], name=made.name, pbr=made.pbr)
        if made.base >= 0
        else Surface(
            made.name, made.colour, made.texture, made.friction, footstep_for_texture(made.texture), pbr=made.pbr
        )
        for made in assembly.budget.generated_surfaces
    ]


def _make_sign(marker: PlacedMarker, instances: Sequence[PieceInstance]) -> Sign:
    board = marker.payload
    assert isinstance(board, SignBoard)
    facing, x_scale, y_scale = instances[marker.instance].board_orientation(marker.facing)
    heading = heading_from_degrees(facing)
    width, height = board.width * x_scale, board.height * y_scale
    return Sign(board.text, marker.at, heading, width, height, marker.mover - 1)
