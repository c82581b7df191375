"""The level as plain, immutable data: triangles, surfaces, spawns, entities and their origins in the file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..core.arguments import as_integer, as_number
from ..core.vectors import Colour, Flags, Floats, Ints, Point
from ..core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from .build.entities.exits import Exit
from .build.entities.golf import Golf
from .build.entities.height_fields import build_height_fields
from .build.entities.movers import LevelMover
from .build.entities.point_entities import BallPlaySettings, Exhibit, LevelBall, Light, Target
from .build.entities.trials import LevelChallenge, LevelMedals
from .build.entities.zones import LevelZone, build_physics_zones
from .build.level_assembly import PieceOrigin
from .export.level_text import output_path, save_level_text, write_files
from .export.model_files import SurfacePart, encode_glb, encode_obj, parts_by_surface
from .format.findings import Finding, SourceSpan
from .format.surfaces import Surface
from .geometry.faces import FaceArrays, find_closed_faces, join_faces, set_read_only

if TYPE_CHECKING:
    from ..physics.environment.environment import Environment
    from ..physics.environment.zones import Zones
    from ..physics.triangle_mesh import TriangleMesh
    from .format.level_tests.level_test import LevelTest

KILL_DEPTH = 20.0  # metres below the lowest corner, for levels without `kill_height`

# zenith, horizon, sun
SKY_PALETTES: dict[str, tuple[Colour, Colour, Colour]] = {
    "day": ((0.25, 0.47, 0.80), (0.74, 0.84, 0.92), (1.00, 0.96, 0.88)),
    "morning": ((0.28, 0.52, 0.82), (0.98, 0.88, 0.74), (1.00, 0.88, 0.70)),
    "evening": ((0.22, 0.34, 0.64), (0.97, 0.72, 0.54), (1.00, 0.75, 0.52)),
    "overcast": ((0.58, 0.62, 0.67), (0.78, 0.80, 0.82), (0.85, 0.86, 0.88)),
    "night": ((0.03, 0.05, 0.12), (0.10, 0.14, 0.24), (0.45, 0.52, 0.70)),
}


@dataclass(frozen=True, slots=True)
class Spawn:
    """Start position. feet: metres. heading: 65536 to the turn, counter-clockwise from -Z. place: in the level file.

    intended: warnings that its author intends.
    """

    name: str
    feet: Point
    heading: int
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)
    intended: frozenset[str] = field(default=frozenset(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Goal:
    """End of the level, reached when the feet are within `radius` metres of `at`.

    after: "targets" or "holes" if all of them must be reached first. place: in the level file. intended: warnings that
    its author wants to suppress.
    """

    at: Point
    radius: float
    after: str = ""
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)
    intended: frozenset[str] = field(default=frozenset(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sky:
    """Sky and light. sun_height: degrees above the horizon. sun_from: degrees counter-clockwise from north.

    haze: fraction of light lost per metre. palette: name of the colours, which are sRGB 0..1.
    """

    sun_height: float = 40.0
    sun_from: float = 120.0
    haze: float = 0.004
    palette: str = "day"
    sun: Colour = SKY_PALETTES["day"][2]
    zenith: Colour = SKY_PALETTES["day"][0]
    horizon: Colour = SKY_PALETTES["day"][1]


@dataclass(frozen=True, slots=True)
class Sign:
    """Board with text. at: centre of its front. heading: direction of the front. width, height: metres.

    mover: index of the mover that carries it, which is at home when the board is at `at`; -1 for none.
    """

    text: str
    at: Point
    heading: int
    width: float
    height: float
    mover: int = -1


@dataclass(frozen=True, eq=False)
class Level:
    """One level, as `load` makes it. Arrays are read-only; triangles are counter-clockwise seen from the front.

    path: of the level file. files: all that were read or looked for, the level first.
    spawns: at least one. kill_height: y in m below which a walker falls out of the level. kill_height_place: in the
    level file, if it is given there.
    findings: what was dropped or looks wrong. origins: of the quads, see `origin` and `quad_piece`.
    triangles (N,3,3): colliding triangles of static pieces, metres. surface_index (N,): into `surfaces`.
    quad_index (N,): into `faces`; both triangles of a quad have the same.
    drawn (K,3,3), drawn_surface (K,), drawn_quad (K,): the visible triangles, in the same way. A piece with
    `collide: false` or `visible: false` is in one of the two only. A rail is in both with different faces.
    drawn_uv (K,3,2): texture coordinates of the visible triangles, see `materials.TextureMap`; not finite where the
    surface has no `pbr`. drawn_colours (K,3,4): linear vertex colours, 255 for one. drawn_normals (K,3,3): unit normals
    for shading, not finite where the triangle is flat. Each is None if no triangle has any.
    all_zones: zones, checkpoints, teleports and kill boxes. movers: pieces whose triangles are not among those above.
    tests: of the level file or of the file of tests beside it. A test with a mistake is left out and has a finding
    whose `where` begins with "tests". Tests take no part in a walk, nor in hashes of the level.
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
    hidden_faces: FaceArrays = field(repr=False)  # removed: they lie on the floor of another piece
    origins: tuple[PieceOrigin, ...] = field(repr=False)
    drawn_uv: Floats | None = field(default=None, repr=False)
    drawn_colours: npt.NDArray[np.uint8] | None = field(default=None, repr=False)
    drawn_normals: Floats | None = field(default=None, repr=False)
    exhibits: tuple[Exhibit, ...] = ()
    ghosts: bool = False  # keys 1 to 6 add walkers of other methods
    files: tuple[Path, ...] = ()  # every file that was read or looked for, the level first
    pictures: tuple[Path, ...] = ()  # those of them that only change the look
    golf: Golf | None = None
    balls: tuple[LevelBall, ...] = ()
    play: BallPlaySettings | None = None
    all_zones: tuple[LevelZone, ...] = ()  # zones, checkpoints, teleports and kills
    movers: tuple[LevelMover, ...] = ()  # their triangles are not among those above
    kill_height_place: SourceSpan | None = field(default=None, compare=False, repr=False)
    tests: tuple[LevelTest, ...] = ()
    player: WalkerSettings = DEFAULT_SETTINGS  # the body: World(level) and all checks use it
    medals: LevelMedals | None = None  # medals and challenges are no part of any hash
    challenges: tuple[LevelChallenge, ...] | None = None  # in place of the usual ones; None: the usual ones
    aim: str = ""  # what the player is to do, in the level's own words; no part of any hash
    source_text: str = field(default="", init=False, repr=False)  # set by the loader; `dataclasses.replace` drops it

    @cached_property
    def mesh(self) -> TriangleMesh:
        """Mesh of the colliding triangles with their materials and surface names, cooked on first use.

        It has neither the movers nor the zones of the level: `environment` has them.
        """
        from ..physics.triangle_mesh import TriangleMesh

        mesh = TriangleMesh(
            self.triangles,
            self.surface_index,
            [surface.material for surface in self.surfaces],
            build_height_fields(self.triangles, self.quad_index, self.faces),
            [surface.name for surface in self.surfaces],
        )
        counts = (len(self.movers), "mover"), (len([zone for zone in self.all_zones if zone.physics]), "zone")
        mesh.level_parts = " and ".join(f"{n} {noun}{'s' * (n != 1)}" for n, noun in counts if n)
        return mesh

    @cached_property
    def environment(self) -> Environment:
        """Zones and movers for a walker of 60 ticks a second: walker.step(state, command, level.mesh,
        level.environment, clock)."""
        return self.environment_at(60.0)

    def environment_at(self, ticks_per_second: float) -> Environment:
        """Zones and movers for walkers of another tick rate: movers are functions of the tick. ValueError for a rate
        outside 1..1e6, or at which a mover is too fast."""
        from ..physics.environment.environment import Environment
        from ..physics.environment.movers import Mover, Movers

        rate = as_number(ticks_per_second, "ticks_per_second", 1.0, 1e6)
        movers = [Mover(mover.mesh, mover.at, mover.motion, mover.name) for mover in self.movers]
        return Environment(self.zones, Movers(movers, rate) if movers else None)

    @cached_property
    def closed_faces(self) -> Flags:
        """Mask (M,) of `faces` that bound closed solids: their backs cannot be seen. Computed on first use."""
        every = join_faces([self.faces, self.hidden_faces])
        closed_kind = np.array([origin.kind != "model" for origin in self.origins])  # models may be inside out
        return set_read_only(
            find_closed_faces(every, closed_kind[every.origin] & (every.mover_numbers == 0))[: len(self.faces)]
        )

    @cached_property
    def zones(self) -> Zones | None:
        """Zones for the walker's physics; None if there are none."""
        return build_physics_zones(self.all_zones)

    def origin(self, triangle: int) -> tuple[str, str, int, int]:
        """Source of a colliding triangle: (piece, file, line, column)."""
        return self.quad_origin(int(self.quad_index[as_integer(triangle, "triangle", 0, len(self.quad_index) - 1)]))

    def quad_origin(self, quad: int) -> tuple[str, str, int, int]:
        """Source of a quad (an index as in quad_index): (piece, file, line, column)."""
        quad = as_integer(quad, "quad", 0, len(self.faces.origin) - 1)
        origin = self.origins[int(self.faces.origin[quad])]
        return origin.label, origin.place.file or str(self.path), origin.place.line, origin.place.column

    def quad_piece(self, quad: int) -> PieceOrigin:
        """Piece of a quad, with the transform and containers of this copy."""
        quad = as_integer(quad, "quad", 0, len(self.faces.origin) - 1)
        return self.origins[int(self.faces.origin[quad])].for_instance(
            self.faces.instances[int(self.faces.instance[quad])]
        )

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a level file (.yaml) that loads to the same level: the text that it was loaded from, with its comments.

        overwrite: replace a file with other contents. A crash leaves the old or the new file, never a part. Paths of
        includes, models and exits stay as written, so included files and models must be at the same place relative to
        `path`. Raises `SaveError` where they are not, where the file cannot be written, and for a level that
        `dataclasses.replace` changed; ValueError for another extension.
        """
        save_level_text(self.source_text, self.path, self.files[1:], path, overwrite)

    def to_glb(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the static triangles as a GLB file, with a material for each surface: its name and colour.

        Metres, Y up. Positions are float32. Objects have the suffixes that `import` reads: `-col` is visible and
        collides, `-colonly` only collides. Movers, zones, lights, signs, balls and pictures are left out.
        Errors as for `save`.
        """
        target = output_path(path, (".glb",))
        write_files({target: encode_glb(self._surface_parts(), self.surfaces)}, overwrite)

    def to_obj(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the static triangles as an OBJ file, and its materials beside it as an MTL file of the same name.

        As `to_glb`, with the exact float64 positions. Names have `_` for blanks and special characters.
        """
        target = output_path(path, (".obj",))
        library = target.with_suffix(".mtl")
        model, materials = encode_obj(self._surface_parts(), self.surfaces, library.name)
        write_files({library: materials, target: model}, overwrite)

    def _surface_parts(self) -> list[SurfacePart]:
        solid = (self.triangles, self.surface_index, self.quad_index)
        return parts_by_surface(self.surfaces, solid, (self.drawn, self.drawn_surface, self.drawn_quad))
