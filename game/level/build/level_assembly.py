"""Level assembly: faces of all pieces, placed in their groups, repeated by arrays, within the level's limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import numpy as np

from ...core.vectors import Flags, Point
from ...core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ..format.findings import FindingCollector, SourceSpan, quote_text
from ..format.numbers import MAX_COORDINATE
from ..format.pictures import PictureFinder
from ..format.piece_kind import Piece, Standing
from ..format.record import IncludedFile, Prefab, Record
from ..format.record_values import MAX_PIECES
from ..format.surfaces import Surface
from ..geometry.column_grid import ColumnGrid, TooManyCandidates
from ..geometry.faces import NO_FACES, FaceArrays, join_faces
from ..geometry.instance_transform import ParentLink, PieceInstance, PlacedMarker
from ..geometry.quads import split_into_triangles
from .entities.landmarks import RoomShell, RoomSurfaces
from .pieces import TERRAIN_KINDS
from .pieces.containers import Array, Group, IncludePiece, Mover, Place
from .pieces.piece_builder import LEVEL_LIMITS, BuiltPiece, LevelBudget, PieceBuilder, PieceError
from .pieces.signs_and_decals import Decal

MAX_NESTING = 64  # depth of pieces inside pieces
MAX_INCLUDE_DEPTH = 8  # includes inside includes
MAX_DISCARDED_QUADS = 10_000  # built beyond the limit before building stops
MAX_GROUPED_QUADS = 1_000_000  # transformed by nested groups: a full level five deep; bounds time and memory
# Kinds of markers that a mover does not carry, in the words of a message
FIXED_ENTITIES = {"target": "a target", "cup": "a golf cup", "ball": "a ball", "exhibit": "an exhibit"}
MIN_SCALE, MAX_SCALE = 1e-3, 1e3  # of all containers of a piece together


@dataclass(frozen=True, slots=True)
class PieceOrigin:
    """The piece that a face came from.

    label: kind and name ('stairs "Tower"'). place: position of its kind. collide, visible, intended: its own fields.
    reported_kinds: kinds of warnings that its own fields caused.
    turn, scale, within: of one copy, as `Level.quad_piece` returns it: rotation of its north (degrees
    counter-clockwise), scale factors along its own axes, and its containers, the outermost first.
    """

    kind: str
    label: str
    place: SourceSpan
    collide: bool
    visible: bool
    intended: frozenset[str]
    reported_kinds: frozenset[str]
    turn: float = 0.0
    scale: Point = (1.0, 1.0, 1.0)
    within: tuple[ParentLink, ...] = ()

    def for_instance(self, instance: PieceInstance) -> PieceOrigin:
        """The origin with the transform of one copy."""
        return replace(self, turn=instance.turn, scale=instance.scale, within=instance.within)


def describe_origin(origin: PieceOrigin) -> str:
    """A piece with its line, and its file if that is an included one: `wall "east" (line 7)`."""
    file = f"{origin.place.file}, " if origin.place.file else ""
    return f"`{origin.label}` ({file}line {origin.place.line})"


def _fill_surface(faces: FaceArrays, surface: int) -> FaceArrays:
    """The faces, with this surface where their pieces name none. Shells of rooms make faces later."""
    if surface == 0:
        return faces
    marks = []
    for marker in faces.marks:
        if isinstance(shell := marker.payload, RoomShell):
            surfaces = RoomSurfaces(*(part or surface for part in astuple(shell.surfaces)))
            marker = replace(marker, payload=replace(shell, surfaces=surfaces))
        marks.append(marker)
    filled = np.where(faces.surface == 0, np.int32(surface), faces.surface)
    return replace(faces, surface=filled, marks=tuple(marks))


class LevelAssembly:
    """Builds all pieces of a level. What exceeds the limits is reported and left out.

    sources: real path of each file by `SourceSpan.file`; "" is the level's. surfaces: of the level. Faces get texture
    frames if one of them has a picture. body: of the player, who has to fit through doors and climb stairs.
    """

    def __init__(
        self,
        report: FindingCollector,
        sources: dict[str, Path],
        pictures: PictureFinder,
        surfaces: Sequence[Surface],
        body: WalkerSettings = DEFAULT_SETTINGS,
    ) -> None:
        self.report = report
        self.pictures = pictures
        self.sources = sources
        self.body = body
        self.origins: list[PieceOrigin] = []
        self.budget = LevelBudget(len(surfaces))
        self._has_pictures = any(surface.pbr is not None for surface in surfaces)
        self._depth = 0  # containers around the current piece
        self._open_includes: list[IncludedFile] = []  # included files around the current piece
        self._shared_faces: dict[tuple[Prefab | IncludedFile, frozenset[str]], FaceArrays] = {}
        self._piece_limit_reported = self._quad_limit_reported = self._group_limit_reported = False
        self._copies: dict[Record, int] = {}  # by array
        self._grouped_quads = 0  # transformed by groups
        self._discarded_quads = 0  # built beyond the limit

    def build_pieces(self, pieces: Sequence[Record], intended: frozenset[str] = frozenset()) -> FaceArrays:
        """Faces of the pieces in the frame of their list."""
        blocks = [self._build_piece(piece, intended) for piece in pieces]
        standing = [k for k, piece in enumerate(pieces) if isinstance(piece, Standing) and piece.on_ground]
        if standing:
            ground = self._terrain_grid(join_faces([block for k, block in enumerate(blocks) if k not in standing]))
            for k in standing:
                blocks[k] = self._put_on_ground(pieces[k], blocks[k], ground)
        return join_faces(blocks)

    def _terrain_grid(self, faces: FaceArrays) -> ColumnGrid:
        """Grid of the upper faces of terrain that no mover carries."""
        is_terrain = np.array([origin.kind in TERRAIN_KINDS for origin in self.origins], np.bool_)
        rows = faces.smooth & (faces.mover_numbers == 0)
        rows[rows] = is_terrain[faces.origin[rows]]
        return ColumnGrid(split_into_triangles(faces.corners[rows], faces.is_triangle[rows])[0])

    def _put_on_ground(self, piece: Record, faces: FaceArrays, ground: ColumnGrid) -> FaceArrays:
        """The faces of a piece, or of each copy of an array, raised by the height of the ground below."""
        assert isinstance(piece, Standing)
        if not len(faces) and not faces.marks:
            return faces
        at = getattr(piece, "at", None)
        if isinstance(at, tuple):
            points = np.array([at[::2]])
        else:
            corners, places = (
                points.reshape(self._copies.get(piece, 1), -1, 3)
                for points in (faces.corners, np.array([marker.at for marker in faces.marks]))
            )
            box = np.concatenate([corners, places], axis=1)[..., ::2]
            points = (box.min(axis=1) + box.max(axis=1)) / 2.0
        heights = np.full(len(points), -np.inf)
        try:
            point, _, height = ground.faces_at(points)
            np.maximum.at(heights, point, height)
            message = "there is no terrain below"
            cure = "move it over terrain in the same list of pieces, or remove `on_ground`"
            if self._depth:
                cure = "remove `on_ground` here, and write it in the group or prefab that is on terrain"
        except TooManyCandidates:
            message, cure = "too much terrain lies over", "use fewer copies, or a larger `cell`"
        found = np.isfinite(heights)
        if not found.all():
            x, z = points[np.argmin(found)].tolist()
            place, where = piece.place_of(Standing.on_ground), piece.where_of(Standing.on_ground)
            self.report.warn_of_lack(place, where, f"{message} [{x:.4g}, {z:.4g}]", cure)
        return faces.raised(np.where(found, heights, 0.0))

    def _build_piece(self, piece: Record, inherited: frozenset[str]) -> FaceArrays:
        assert isinstance(piece, Piece)
        intended = inherited | piece.intends
        if isinstance(piece, BuiltPiece):
            return self._build_leaf(piece, intended)
        if self._depth >= MAX_NESTING:
            message = f"pieces are nested more than {MAX_NESTING} deep"
            self.report.add("dropped", piece.place, piece.kind, message, "nest fewer prefabs inside each other")
            return NO_FACES
        self._depth += 1
        faces = self._build_container(piece, intended)
        self._depth -= 1
        return faces

    def _build_container(self, piece: Piece, intended: frozenset[str]) -> FaceArrays:
        if isinstance(piece, Array):
            return self._build_array(piece, self.build_pieces(piece.of, intended))
        if isinstance(piece, Place):
            inner = self._build_shared(piece, piece.what, piece.what.pieces, intended)
        elif isinstance(piece, IncludePiece):
            inner = self._build_include(piece, intended)
        else:
            assert isinstance(piece, Group | Mover)
            inner = self.build_pieces(piece.of, intended)
        self._grouped_quads += len(inner)
        if self._grouped_quads > MAX_GROUPED_QUADS:
            if not self._group_limit_reported:
                message = f"nested groups transform more than {MAX_GROUPED_QUADS} quads in total"
                self.report.add("dropped", piece.place, piece.kind, message, "nest groups less deeply")
            self._group_limit_reported = True
            return NO_FACES
        link = (piece.kind, piece.place)
        if isinstance(piece, Mover):
            inner = self._build_mover(piece, inner, intended)
            return inner.place_in_group(piece.facing, piece.at, link=link)
        return _fill_surface(inner, piece.surface).place_in_group(piece.facing, piece.at, piece.scale, link)

    def _build_mover(self, piece: Mover, inner: FaceArrays, intended: frozenset[str]) -> FaceArrays:
        """Faces of a mover's pieces, with a marker at its centre of rotation.

        Signs, lights and zones inside it move with it; movers, targets and other entities do not.
        """
        if inner.mover_count:
            message = "a mover inside another mover does not move on its own"
            cure = "move it out of the other mover"
            self.report.add("warning", piece.place, piece.kind, message, cure)
        if not any(piece.axis):
            message = "the vector has no length; the mover turns about [0, 1, 0]"
            cure = "write a direction: [1, 0, 0]"
            self.report.add("dropped", piece.place_of(Mover.axis), "mover.axis", message, cure)
        self._check_carried(piece, inner)
        motion = piece.motion()
        marker = PlacedMarker("mover", motion, (0.0, 0.0, 0.0), 0.0, len(self.origins))
        still = not (motion.moves or piece.has_errors or "still" in intended)
        if still:
            cure = "give it a `path` of two stops, a `swing` or a `spin`; or use `group`, or add `intended: [still]`"
            self.report.add("warning", piece.place, piece.label, "the mover never moves", cure)
        kinds = frozenset({"still"} if still else ())
        self.origins.append(PieceOrigin("mover", piece.label, piece.place, True, True, intended, kinds))
        moving = replace(
            inner,
            marks=(marker, *(replace(one, mover=1) for one in inner.marks if one.kind != "mover")),
            mover=np.ones(len(inner), np.int32),
            rests=np.zeros(len(inner), np.bool_),
        )
        marker_only = replace(NO_FACES, marks=(marker,))
        return moving if self._spend_budget(piece, marker_only, 1) else inner

    def _check_carried(self, piece: Mover, inner: FaceArrays) -> None:
        """Report entities that a mover cannot carry, and zones that it cannot tilt."""
        for kind in sorted({marker.kind for marker in inner.marks} & FIXED_ENTITIES.keys()):
            message = f"{FIXED_ENTITIES[kind]} inside a mover does not move with it"
            self.report.add("warning", piece.place, piece.kind, message, "put it outside the mover")
        turns = piece.swing != 0.0 or piece.spin != 0.0
        x, _, z = piece.axis
        if turns and (x or z) and any(marker.kind == "zone" for marker in inner.marks):
            message = "a zone inside a mover that tilts moves with it, but its box stays upright"
            cure = "turn the mover about [0, 1, 0], or put the zone outside"
            self.report.add("warning", piece.place, piece.kind, message, cure)

    def _build_include(self, piece: IncludePiece, intended: frozenset[str]) -> FaceArrays:
        included = piece.file
        message = ""
        if included in self._open_includes:
            message = f"{quote_text(included.path.name)} includes itself through this file"
            cure = "remove one of the includes"
        elif len(self._open_includes) >= MAX_INCLUDE_DEPTH:
            message = f"includes are nested more than {MAX_INCLUDE_DEPTH} deep"
            cure = "include it from a file nearer the level"
        if message:
            self.report.add("dropped", piece.place_of(IncludePiece.file), "include.file", message, cure)
            return NO_FACES
        self._open_includes.append(included)
        faces = self._build_shared(piece, included, included.pieces, intended)
        self._open_includes.pop()
        return _fill_surface(faces, included.surface)

    def _build_shared(
        self,
        piece: Piece,
        source: Prefab | IncludedFile,
        pieces: Sequence[Record],
        intended: frozenset[str],
    ) -> FaceArrays:
        """Faces of a prefab or included file, built once. Each copy counts against the limits."""
        key = (source, intended)
        if key not in self._shared_faces:
            self._shared_faces[key] = self.build_pieces(pieces, intended)
        elif not self._spend_budget(piece, self._shared_faces[key], 1):
            return NO_FACES
        return self._shared_faces[key]

    def _build_leaf(self, piece: BuiltPiece, intended: frozenset[str]) -> FaceArrays:
        """Faces and markers of a piece that contains no other pieces."""
        faces = NO_FACES
        if len(self.origins) >= MAX_PIECES:
            if not self._piece_limit_reported:
                message = f"the level has more than {MAX_PIECES} pieces"
                self.report.add("dropped", piece.place, piece.kind, message, "use `array`, `tile` or larger pieces")
            self._piece_limit_reported = True
            return faces
        file = self.sources.get(piece.place.file, self.sources[""])
        builder = PieceBuilder(
            len(self.origins), piece, intended, self.report, self.budget, file, self.pictures, self.body
        )
        if self.budget.remaining["quad"] <= 0:
            if not self._quad_limit_reported:
                message = (
                    f"the level's {LEVEL_LIMITS['quad']} quads are used up; this piece and all after it are left out"
                )
                self.report.add("dropped", piece.place, piece.kind, message, "use fewer or larger ones")
            self._quad_limit_reported = True
        else:
            try:
                facing, at = piece.build(builder)
                faces = builder.build_faces()
                if self._has_pictures and len(faces):
                    faces = replace(faces, texture_frame=piece.texture_frames(faces.corners))
                faces = faces.place_piece(facing, at) if self._spend_budget(piece, faces, 1) else NO_FACES
            except PieceError:
                pass  # already reported
        label = piece.label
        collide, visible = (bool(getattr(piece, flag, True)) for flag in ("collide", "visible"))
        collide = collide and not isinstance(piece, Decal)
        reported = frozenset(builder.reported_kinds | ({"misplaced"} if piece.has_errors else set()))
        self.origins.append(PieceOrigin(piece.kind, label, piece.place, collide, visible, intended, reported))
        for part in builder.parts:
            layers = collide and part.collide, visible and part.visible
            name = f"{label}: {part.label}" if part.label else label
            self.origins.append(PieceOrigin(piece.kind, name, piece.place, *layers, intended, reported))
        return faces

    def _build_array(self, piece: Array, faces: FaceArrays) -> FaceArrays:
        count = piece.count if len(faces) or faces.marks else 1
        if not self._spend_budget(piece, faces, count - 1):
            count = 1
        if count > 1 and len(faces) and not any(piece.step) and piece.turn == 0.0:
            wide = math.ceil(float(np.ptp(faces.corners[..., 0])) * 12.0) / 10.0
            message = f"its {count} copies stand in one place: `step` is the offset from one to the next"
            if not piece.has_errors:
                self.report.add("warning", piece.place, "array", message, f"write `step: [{wide:g}, 0, 0]`")
            for index in np.unique(faces.origin).tolist():  # which explains why they coincide
                kinds = self.origins[index].reported_kinds | {"flicker"}
                self.origins[index] = replace(self.origins[index], reported_kinds=kinds)
        self._copies[piece] = count
        link = (piece.kind, piece.place)
        return faces.repeat(count, piece.step, piece.turn, piece.around, link)

    def _spend_budget(self, piece: Piece, faces: FaceArrays, copies: int) -> bool:
        """True if the level's limits allow that many copies; they are then subtracted."""
        needed = {"quad": len(faces) * copies}
        for marker in faces.marks:
            needed[marker.kind] = needed.get(marker.kind, 0) + copies
        for kind, count in needed.items():
            remaining = self.budget.remaining[kind]
            limit = LEVEL_LIMITS[kind]
            if count > remaining:
                message = f"this needs {count} {kind}s; {remaining} of the level's {limit} are left"
                self.report.add("dropped", piece.place, piece.kind, message, "use fewer or larger ones")
                self._discarded_quads += len(faces) if isinstance(piece, BuiltPiece) else 0
                if self._discarded_quads > MAX_DISCARDED_QUADS:
                    self.budget.remaining["quad"] = 0
                return False
        for kind, count in needed.items():
            self.budget.remaining[kind] -= count
        return True

    def drop_out_of_range(self, faces: FaceArrays) -> FaceArrays:
        """Faces within the coordinate and scale limits. Each piece with others is reported once."""
        is_far = np.abs(faces.corners).max(axis=(1, 2), initial=0.0) > MAX_COORDINATE
        xx, xz, yy, zx, zz = faces.instances.frame_rows().T
        sizes = np.stack([np.hypot(xx, zx), yy, np.hypot(xz, zz)])
        bad_scale = (sizes.min(axis=0) < MIN_SCALE) | (sizes.max(axis=0) > MAX_SCALE)
        misfit = bad_scale[faces.instance]
        lost_markers = [
            marker for marker in faces.marks if bad_scale[marker.instance] or max(map(abs, marker.at)) > MAX_COORDINATE
        ]
        misfit_origins = np.unique(faces.origin[misfit]).tolist()
        misfit_markers = (marker.origin for marker in lost_markers if bad_scale[marker.instance])
        for index in sorted({*misfit_origins, *misfit_markers}):
            self._report_dropped(
                index,
                f"its total scale is below {MIN_SCALE:g} or above {MAX_SCALE:g}",
                "check the `scale` of the groups around it",
            )
        far_origins = np.unique(faces.origin[is_far & ~misfit]).tolist()
        for index in sorted({*far_origins, *(marker.origin for marker in lost_markers)}):
            self._report_dropped(
                index,
                f"parts of it are further than {MAX_COORDINATE:g} m from the origin",
                "check the `at` and `step` of the groups around it",
            )
        if lost_markers:
            lost = set(map(id, lost_markers))  # a level may have 50 000
            marks = tuple(marker for marker in faces.marks if marker.kind == "mover" or id(marker) not in lost)
            faces = replace(faces, marks=marks)
        bad = is_far | misfit
        return faces.select(~bad) if bad.any() else faces

    def _report_dropped(self, index: int, message: str, cure: str) -> None:
        origin = self.origins[index]
        self.report.add("dropped", origin.place, origin.label, message, cure)

    def face_mask(self, faces: FaceArrays, flag: str) -> Flags:
        """Mask (M,) of faces of pieces with a flag ("collide" or "visible")."""
        flags = np.array([getattr(origin, flag) for origin in self.origins], dtype=np.bool_)
        mask: Flags = flags[faces.origin] if len(flags) else np.zeros(len(faces), np.bool_)
        return mask
