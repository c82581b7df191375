"""A level as plain data, and how to get one: `load`, `check`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from .build.builder import LevelBuilder, PieceOrigin
from .build.closed_solids import find_closed_faces
from .build.entities.balls import BallPlaySettings, LevelBall, collect_balls, read_ball_play_settings
from .build.entities.exhibits import Exhibit, collect_exhibits
from .build.entities.exits import Exit, read_exits
from .build.entities.golf import Golf, read_golf
from .build.entities.height_fields import build_height_fields
from .build.entities.lights_and_targets import Light, Target, collect_lights, collect_targets
from .build.entities.movers import LevelMover, collect_movers
from .build.entities.zones import LevelZone, build_physics_zones, collect_zones
from .build.hidden_faces import find_hidden_faces
from .format.findings import Finding, FindingCollector, LevelError, SourceSpan, quote_text, suggest_word
from .format.includes import IncludeLoader
from .format.records import Point, RecordValues
from .format.schema import DEFAULT_SURFACE
from .format.source import LevelSource, read_source
from .format.surfaces import Colour, Surface, footstep_for_texture
from .geometry.faces import FaceArrays, Flags, Floats, Ints, SignBoard, join_faces
from .geometry.instance_transform import PieceInstance, PlacedMarker
from .geometry.quads import split_into_triangles

if TYPE_CHECKING:
    from ..physics.environment.zones import Zones
    from ..physics.triangle_mesh import TriangleMesh

_Array = TypeVar("_Array", Floats, Ints, Flags)

HEADING_UNITS_PER_TURN = 65536  # to the turn
KILL_DEPTH = 20.0  # metres under the lowest corner, where the file names no kill height

# zenith, horizon, sun: sRGB
_PALETTES: dict[str, tuple[Colour, Colour, Colour]] = {
    "day": ((0.25, 0.47, 0.80), (0.74, 0.84, 0.92), (1.00, 0.96, 0.88)),
    "morning": ((0.28, 0.52, 0.82), (0.98, 0.88, 0.74), (1.00, 0.88, 0.70)),
    "evening": ((0.22, 0.34, 0.64), (0.97, 0.72, 0.54), (1.00, 0.75, 0.52)),
    "overcast": ((0.58, 0.62, 0.67), (0.78, 0.80, 0.82), (0.85, 0.86, 0.88)),
    "night": ((0.03, 0.05, 0.12), (0.10, 0.14, 0.24), (0.45, 0.52, 0.70)),
}


@dataclass(frozen=True, slots=True)
class Spawn:
    """Where a player begins: feet in metres; heading of 65536 to the turn, counter-clockwise from -Z."""

    name: str
    feet: Point
    heading: int
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)  # in the file


@dataclass(frozen=True, slots=True)
class Goal:
    """Reached when the feet are within `radius` metres of `at`; after: "targets" or "holes" where all come before."""

    at: Point
    radius: float
    after: str = ""
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)  # in the file


@dataclass(frozen=True, slots=True)
class Sky:
    """Light and air. sun_height: degrees above the horizon; sun_from: degrees counter-clockwise from north;
    haze: part of the light lost per metre; colours sRGB 0..1, the palette's where no others are named."""

    sun_height: float = 40.0
    sun_from: float = 120.0
    haze: float = 0.004
    palette: str = "day"
    sun: Colour = _PALETTES["day"][2]
    zenith: Colour = _PALETTES["day"][0]
    horizon: Colour = _PALETTES["day"][1]


@dataclass(frozen=True, slots=True)
class Sign:
    """Words in the world: `at` is the middle of the written face, `heading` where that looks; metres."""

    text: str
    at: Point
    heading: int
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class Level:
    """One level. Arrays are read-only; triangles are counter-clockwise seen from the front.

    triangles (N,3,3) f8: what collides; surface_index (N,) i4 into `surfaces`; quad_index (N,) i4: the two
    triangles of a quad have the same. drawn (K,3,3) f8 and drawn_surface (K,) i4: what is seen, the same
    triangles unless a piece says `collide: false` or `visible: false`; drawn_quad (K,) i4 as quad_index.
    """

    name: str
    path: Path
    spawns: tuple[Spawn, ...]
    goal: Goal | None
    exits: tuple[Exit, ...]
    kill_height: float
    sky: Sky
    surfaces: tuple[Surface, ...]
    triangles: Floats
    surface_index: Ints
    quad_index: Ints
    drawn: Floats
    drawn_surface: Ints
    drawn_quad: Ints
    signs: tuple[Sign, ...]
    lights: tuple[Light, ...]
    targets: tuple[Target, ...]
    findings: tuple[Finding, ...]
    faces: FaceArrays = field(repr=False)
    feet: FaceArrays = field(repr=False)  # what was left out, since it lies on another piece's floor
    origins: tuple[PieceOrigin, ...] = field(repr=False)
    exhibits: tuple[Exhibit, ...] = ()
    ghosts: bool = False  # keys 1 to 6 let other methods' walkers go along
    files: tuple[Path, ...] = ()  # all that was read for it, or looked for, itself first
    golf: Golf | None = None
    balls: tuple[LevelBall, ...] = ()
    play: BallPlaySettings | None = None
    areas: tuple[LevelZone, ...] = ()  # zones, checkpoints, teleports and kills
    movers: tuple[LevelMover, ...] = ()  # none of their triangles are among those above

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The colliding triangles as the walker meets them, with their surfaces; made on first use."""
        from ..physics.triangle_mesh import TriangleMesh

        materials = [surface.material for surface in self.surfaces]
        return TriangleMesh(self.triangles, self.surface_index, materials, build_height_fields(self))

    @cached_property
    def closed_faces(self) -> Flags:
        """(M,): of which of its `faces` nobody outside of all pieces sees the back; made on first use."""
        whole = join_faces([self.faces, self.feet])
        own = np.array([origin.kind != "model" for origin in self.origins])  # a model's parts may be inside out
        return _set_read_only(
            find_closed_faces(whole, own[whole.origin] & (whole.mover_numbers == 0))[: len(self.faces)]
        )

    @cached_property
    def zones(self) -> Zones | None:
        """What the walker's physics knows of its `areas`; None where there is nothing to know."""
        return build_physics_zones(self.areas)

    def origin(self, triangle: int) -> tuple[str, str, int, int]:
        """(piece, file, line, column) that a colliding triangle was written at."""
        return self.quad_origin(int(self.quad_index[triangle]))

    def quad_origin(self, quad: int) -> tuple[str, str, int, int]:
        """The same of a quad, as in quad_index and drawn_quad."""
        made = self.origins[int(self.faces.origin[quad])]
        return made.label, made.place.file or str(self.path), made.place.line, made.place.column

    def quad_piece(self, quad: int) -> PieceOrigin:
        """The piece that a quad came from, with the turn, scale and `within` of this copy of it."""
        return self.origins[int(self.faces.origin[quad])].for_instance(
            self.faces.instances[int(self.faces.instance[quad])]
        )


def load(level: str | os.PathLike[str], instead: Mapping[Path, bytes] | None = None) -> Level:
    """The level of that path, or the shipped one of that name; LevelError, with .findings, if it cannot.

    `findings` of the result hold what was dropped; warnings about its geometry are for `check`.
    instead: by real paths, what to take in place of what files on disk say.
    """
    with _gc_paused():
        source = read_source(level, instead)
        made = _build_level(source)
    if made is None:
        raise source.report.make_error()
    return made


def check(level: str | os.PathLike[str], instead: Mapping[Path, bytes] | None = None) -> list[Finding]:
    """Everything to be said about a level file, in the order of the file; never raises for bad input.

    instead: as in `load`.
    """
    try:
        with _gc_paused():
            source = read_source(level, instead)
            made = _build_level(source)
    except LevelError as error:
        return list(error.findings)
    if made is not None:
        from .lint import check_geometry

        check_geometry(made, source.report)
    return list(source.report.findings())


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Without collecting garbage: reading makes much that is kept and hardly any cycles, and the collector would go
    through all of it time and again, which takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _build_level(source: LevelSource) -> Level | None:
    """None when something is fatal; the report says what."""
    report = source.report
    library = IncludeLoader(source)
    values, reader = library.read()
    surfaces = library.palette.surfaces
    for name, record in values.record_map("surfaces").items():
        if name not in reader.used_surfaces and name != DEFAULT_SURFACE:
            cure = suggest_word(name, reader.used_surfaces) or "use it, or remove it"
            report.add("warning", record.place, "surfaces", f"{quote_text(name)} is never used", cure)
    spawns = _read_spawns(values, report)
    builder = LevelBuilder(report, library.sources(), len(surfaces))
    faces = builder.drop_out_of_range(builder.build_pieces(values.pieces("pieces")))
    carries = builder.face_mask(faces, "collide") & builder.face_mask(faces, "visible") & (faces.mover_numbers == 0)
    hidden = find_hidden_faces(faces, carries)
    faces, feet = faces.select(~hidden), faces.select(hidden)
    if values.is_given("pieces") and not builder.face_mask(faces, "collide").any():
        report.add("fatal", values.place_of("pieces"), "pieces", "the level has nothing to stand on", "add a `floor`")
    if report.fatal:
        return None
    collide, visible = builder.face_mask(faces, "collide"), builder.face_mask(faces, "visible")
    still = faces.mover_numbers == 0
    solid, seen = np.nonzero(collide & still)[0], np.nonzero(visible & still)[0]
    palette = (*surfaces, *_model_surfaces(builder))
    places = [origin.place for origin in builder.origins]
    movers = collect_movers(faces, collide, visible, palette, places, report)
    triangles, quad_index = split_into_triangles(faces.corners[solid], faces.is_triangle[solid])
    drawn, drawn_quad = split_into_triangles(faces.corners[seen], faces.is_triangle[seen])
    quad_index, drawn_quad = solid[quad_index].astype(np.int32), seen[drawn_quad].astype(np.int32)
    targets, golf = collect_targets(faces), read_golf(values, faces, triangles, report)
    lowest = float(faces.corners[..., 1].min())
    return Level(
        name=values.text("name") or source.path.stem,
        path=source.path,
        spawns=spawns,
        goal=_read_goal(values, bool(targets), bool(golf), report),
        exits=read_exits(values, source.path, report),
        kill_height=values.number("kill_height") if values.is_given("kill_height") else lowest - KILL_DEPTH,
        sky=_read_sky(values),
        surfaces=palette,
        triangles=_set_read_only(triangles),
        surface_index=_set_read_only(faces.surface[quad_index]),
        quad_index=_set_read_only(quad_index),
        drawn=_set_read_only(drawn),
        drawn_surface=_set_read_only(faces.surface[drawn_quad]),
        drawn_quad=_set_read_only(drawn_quad),
        signs=tuple(_make_sign(mark, faces.instances) for mark in faces.marks if mark.kind == "sign"),
        lights=collect_lights(faces),
        targets=targets,
        findings=report.findings(),
        faces=faces,
        feet=feet,
        origins=tuple(builder.origins),
        exhibits=collect_exhibits(faces),
        ghosts=values.flag("ghosts"),
        files=tuple(report.files),
        golf=golf,
        balls=collect_balls(faces),
        play=read_ball_play_settings(values),
        areas=collect_zones(faces, places),
        movers=movers,
    )


def _set_read_only(array: _Array) -> _Array:
    array.flags.writeable = False
    return array


def heading_from_degrees(degrees: float) -> int:
    """Degrees counter-clockwise from north as an integer heading, 65536 to the turn."""
    return round(degrees / 360.0 * HEADING_UNITS_PER_TURN) % HEADING_UNITS_PER_TURN


def _read_spawns(values: RecordValues, report: FindingCollector) -> tuple[Spawn, ...]:
    entries: list[RecordValues] = [entry for entry in (values.record_value("spawn"),) if entry is not None]
    entries += values.records("spawns")
    if not entries:
        at = values.place_of("spawns") if values.is_given("spawns") else SourceSpan(1, 1)
        report.add(
            "fatal",
            at,
            "spawn",
            "the level has no spawn",
            "write `spawn: {at: [0, 0, 0], facing: north}`",
        )
    found = []
    for index, entry in enumerate(entries):
        name = entry.text("name") or f"spawn {index + 1}"
        found.append(Spawn(name, entry.point("at"), heading_from_degrees(entry.number("facing")), entry.place))
    return tuple(found)


def _read_goal(values: RecordValues, targets: bool, golf: bool, report: FindingCollector) -> Goal | None:
    goal = values.record_value("goal")
    if goal is None:
        return None
    after = goal.text("after")
    if after == "holes" and not golf:
        cure = "add `golf` with its `holes`, or remove `after`"
        report.add("warning", goal.place_of("after"), "goal.after", "the level has no golf holes", cure)
    if after == "targets" and not targets:
        cure = "add a `target` to the pieces, or remove `after`"
        report.add("warning", goal.place_of("after"), "goal.after", "the level has no targets", cure)
    return Goal(goal.point("at"), goal.number("radius"), after, goal.place)


def _read_sky(values: RecordValues) -> Sky:
    sky = values.record_value("sky")
    if sky is None:
        return Sky()
    palette = sky.text("palette")
    zenith, horizon, light = _PALETTES[palette]
    sun = sky.record_value("sun")
    plain = Sky()
    return Sky(
        sun_height=sun.number("height") if sun else plain.sun_height,
        sun_from=sun.number("from") if sun else plain.sun_from,
        haze=sky.number("haze"),
        palette=palette,
        sun=sun.point("colour") if sun and sun.is_given("colour") else light,
        zenith=sky.point("zenith") if sky.is_given("zenith") else zenith,
        horizon=sky.point("horizon") if sky.is_given("horizon") else horizon,
    )


def _model_surfaces(builder: LevelBuilder) -> list[Surface]:
    """The surfaces that pieces bring along, models above all."""
    return [
        Surface(made.name, made.colour, made.texture, made.friction, footstep_for_texture(made.texture))
        for made in builder.budget.generated_surfaces
    ]


def _make_sign(mark: PlacedMarker, instances: Sequence[PieceInstance]) -> Sign:
    board = mark.payload
    assert isinstance(board, SignBoard)
    facing, broad, tall = instances[mark.instance].board_orientation(mark.facing)
    return Sign(board.text, mark.at, heading_from_degrees(facing), board.width * broad, board.height * tall)
