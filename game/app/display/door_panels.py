"""Door panels: at each exit a picture of the level behind it, its name and description, and the player's best run with
its medal.

A sign with the text PROGRESS_SIGN becomes a board with the player's progress. Nothing is prepared before the player is
near: places are found one exit a frame, pictures are drawn one after another in a thread.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.jobs import Jobs
from ...core.time_format import format_score
from ...core.vectors import Floats, Point, Vector
from ...level import Sign
from ...physics import TriangleMesh
from ...render.decal import Decal, DecalPicture
from ..menus import level_library, thumbnail_worker
from ..runs import medals, progress
from ..visuals import panel_pictures, thumbnails
from ..visuals.panel_pictures import PanelText

if TYPE_CHECKING:
    from ...level import Exit, Level

WIDTHS = (1.1, 0.96, 0.8)  # m, tried in this order; the frame of a door of 1 m leaves 0.96
ASPECT = 2.0  # height over width
FOOT = 0.2  # m from the floor to the lower edge
SEARCH_HEIGHT = 1.2  # m above the feet of the rays that look for the wall
SEARCH_DIRECTIONS = 16
SEARCH_REACH = 0.9  # m beyond the radius of the exit
PROBE_DISTANCE = 0.45  # m in front of the wall, where the probes of its shape start
MAX_RELIEF = 0.09  # m that the surface behind a panel may vary, such as the boards of a door leaf
GAP = 0.006  # m in front of the surface
MAX_LEAN = 0.05  # vertical part of the unit normal of a wall
PROBES = np.array([(x, y) for y in np.linspace(-0.5, 0.5, 6) for x in np.linspace(-0.5, 0.5, 5)])  # of the panel
REACH = 26.0  # m from the eye within which panels are prepared and drawn
REFRESH_SECONDS = 2.0  # s between looks at the progress file
MAX_PANELS = 40  # of one level; further exits keep their plain doors
PROGRESS_SIGN = "Your progress"  # text of a sign that shows the progress
BOARD_PIXELS = 420.0  # pixels per metre of the progress board
BOARD_OFFSET = 0.004  # m in front of a sign's face
BOARD = -1  # stands for the progress board among the numbers of exits
NOT_FINISHED = "Not finished yet"


class DoorPanels:
    """Panels of the level that is played. `decals` is called once a frame.

    shows_progress: times and progress of this player; without it the panels are the same for everybody.
    """

    def __init__(self, jobs: Jobs, shows_progress: bool = True) -> None:
        self._jobs = jobs
        self._shows_progress = shows_progress
        self._level: Level | None = None
        self._places: dict[int, PanelPlace] = {}  # by the number of the exit
        self._pictures: dict[int, DecalPicture] = {}  # by the number of the exit, and of the BOARD
        self._missing: list[Path] = []  # levels that had no picture at the last look
        self._boards: tuple[Sign, ...] = ()
        self._asked: set[int] = set()  # what was drawn, is drawn now, or could not be drawn: then the plain door stays
        self.thumbnails: thumbnail_worker.ThumbnailWorker | None = None  # renders the missing ones, where it is set
        self._drawing: Future[DecalPicture | None] | None = None
        self._progress: object = None
        self._next_refresh = 0.0

    def decals(self, level: Level, eye: Point) -> tuple[Decal, ...]:
        """The panels near the eye that are ready."""
        if level is not self._level:
            self._change_level(level)
        near = sorted(
            (distance, number)
            for number, exit_ in enumerate(level.exits[:MAX_PANELS])
            if (distance := math.dist(exit_.at, eye)) < REACH
        )
        boards = [sign for sign in self._boards if math.dist(sign.at, eye) < REACH]
        if not near and not boards:
            return ()
        self._prepare([number for _, number in near], bool(boards))
        return self._ready([number for _, number in near], boards)

    def _change_level(self, level: Level) -> None:
        self._level = level
        self._places = {}
        self._pictures = {}
        self._asked = set()
        boards = (sign for sign in level.signs if sign.text.strip() == PROGRESS_SIGN)
        self._boards = tuple(boards) if self._shows_progress else ()
        self._progress = None
        self._next_refresh = 0.0

    def _prepare(self, near: list[int], has_boards: bool) -> None:
        """Find the place of one more exit, and have one more picture drawn that is missing or outdated."""
        level = self._level
        now = time.monotonic()
        assert level is not None
        unplaced = next((number for number in near if number not in self._places), None)
        if unplaced is not None:
            exit_ = level.exits[unplaced]
            self._places[unplaced] = find_panel_place(level.mesh, exit_.at, exit_.radius, level.spawns[0].feet)
        if self._shows_progress and now >= self._next_refresh:
            self._next_refresh = now + REFRESH_SECONDS
            latest = progress.read_progress()
            arrived = any(map(thumbnails.thumbnail_file, self._missing))
            paths = (Path(level.exits[number].path) for number in near)
            self._missing = [path for path in paths if not thumbnails.thumbnail_file(path)]
            if self.thumbnails is not None:
                self.thumbnails.request(self._missing)
            if latest is not self._progress or arrived:
                self._asked -= self._pictures.keys()
            self._progress = latest
        if self._drawing is not None and not self._drawing.done():
            return
        placed = [number for number in near if number in self._places] + [BOARD] * has_boards
        placed.sort(key=self._pictures.__contains__)  # the missing ones first
        wanted = next((number for number in placed if number not in self._asked), None)
        if wanted is not None:
            self._asked.add(wanted)
            subject = self._boards[0] if wanted == BOARD else level.exits[wanted]
            self._drawing = self._jobs.thread(
                "door panels", _draw, level, subject, self._shows_progress,
                done=lambda drawn: self._receive(level, wanted, drawn),
            )  # fmt: skip

    def _receive(self, level: Level, number: int, drawn: Future[DecalPicture | None]) -> None:
        picture = drawn.result() if drawn.exception() is None else None
        if picture is not None and level is self._level:
            self._pictures[number] = picture

    def _ready(self, near: list[int], boards: list[Sign]) -> tuple[Decal, ...]:
        ready = []
        for number in near:
            place = self._places.get(number)
            picture = self._pictures.get(number)
            if place is not None and picture is not None:
                ready.append(Decal(picture, place.at, place.heading, place.width, place.height))
        if (picture := self._pictures.get(BOARD)) is not None:
            ready += [_board_decal(sign, picture) for sign in boards]
        return tuple(ready)


def panels_of(level: Level, eye: Point) -> tuple[Decal, ...]:
    """All panels near the eye at once, for a still picture, without the progress of the player."""
    with Jobs() as jobs:
        panels = DoorPanels(jobs, shows_progress=False)
        for _ in level.exits:
            panels.decals(level, eye)
            jobs.finish()
        return panels.decals(level, eye)


def _draw(level: Level, subject: Exit | Sign, shows_progress: bool) -> DecalPicture | None:
    """Picture for an exit, or for a sign that shows the progress; None where it cannot be drawn."""
    try:
        if isinstance(subject, Sign):
            return draw_progress_board(subject)
        return panel_pictures.draw_panel(describe_exit(level, subject, shows_progress))
    except (OSError, ValueError, MemoryError):
        return None


# Text


def describe_exit(level: Level, exit_: Exit, shows_progress: bool = True) -> PanelText:
    """Text and picture of the panel at an exit. The level behind it is not loaded: its file's header is read."""
    path = Path(exit_.path)
    header = level_library.read_header(path)
    picture = thumbnails.thumbnail_file(path)
    if path.resolve() == Path(level.path).resolve():
        return PanelText(exit_.name, picture=picture)
    line = header.about.partition(". ")[0].strip()
    line = f"{line}." if line and not line.endswith((".", "!", "?")) else line
    if not (shows_progress and header.has_goal):
        return PanelText(header.name or exit_.name, line, "", picture)
    record = progress.level_record(path)
    best, status = record.best, "Finished" if record.finished else NOT_FINISHED
    if best is not None:
        status = f"Best {format_score(best.seconds, best.strokes)}"
    medal = medals.best_medal(path, best) or ""
    return PanelText(header.name or exit_.name, line, status, picture, medal, progress.is_won(path))


def draw_progress_board(sign: Sign) -> DecalPicture:
    """Picture that covers a sign."""
    size = tuple(max(64, min(1024, round(side * BOARD_PIXELS))) for side in (sign.width, sign.height))
    lines = (*level_library.won_of_game(), level_library.ending_line())
    return panel_pictures.draw_board(PROGRESS_SIGN, lines, (size[0], size[1]))


def _board_decal(sign: Sign, picture: DecalPicture) -> Decal:
    angle = sign.heading * RADIANS_PER_HEADING_UNIT
    x, y, z = sign.at
    at = (x - BOARD_OFFSET * math.sin(angle), y, z - BOARD_OFFSET * math.cos(angle))
    return Decal(picture, at, sign.heading, sign.width, sign.height)


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """Rectangle in the world: centre (m), heading that it faces (65536 per turn), width and height (m)."""

    at: Vector
    heading: int
    width: float
    height: float


def find_panel_place(mesh: TriangleMesh, feet: Point, radius: float, spawn: Point) -> PanelPlace:
    """Place for a panel on the nearest wall around an exit. Where no upright wall is near enough and flat it stands
    free in the exit, and faces where there is most room, in the open the spawn."""
    angles = np.arange(SEARCH_DIRECTIONS) * (2.0 * math.pi / SEARCH_DIRECTIONS)
    around = np.column_stack((np.sin(angles), np.zeros(SEARCH_DIRECTIONS), np.cos(angles)))
    origin = np.add(feet, (0.0, SEARCH_HEIGHT, 0.0))
    hits = mesh.raycast_many(np.tile(origin, (SEARCH_DIRECTIONS, 1)), around, max_distance=radius + SEARCH_REACH)
    is_wall = (hits.triangle >= 0) & (np.abs(hits.normal[:, 1]) < MAX_LEAN)
    for number in np.argsort(np.where(is_wall, hits.distance, np.inf))[: np.count_nonzero(is_wall)][:3]:
        outward = np.array((hits.normal[number][0], 0.0, hits.normal[number][2]))
        outward /= np.linalg.norm(outward)
        foot = np.asarray(feet) - outward * float(np.dot(np.asarray(feet) - hits.point[number], outward))
        for width in WIDTHS:
            place = _place_on_wall(mesh, foot, outward, width)
            if place is not None:
                return place
    room = np.nan_to_num(hits.distance, nan=radius + SEARCH_REACH)
    outward = around[np.lexsort((around @ np.subtract(spawn, feet), room))[-1]]
    width, height = WIDTHS[1], ASPECT * WIDTHS[1]
    return PanelPlace((feet[0], feet[1] + FOOT + 0.5 * height, feet[2]), _heading_of(outward), width, height)


def _place_on_wall(mesh: TriangleMesh, foot: Floats, outward: Floats, width: float) -> PanelPlace | None:
    """Panel of a width whose lower edge is centred FOOT above `foot`, if the wall is flat there. outward: unit."""
    height = ASPECT * width
    right = np.array((outward[2], 0.0, -outward[0]))
    centre = np.add(foot, (0.0, FOOT + 0.5 * height, 0.0))
    probes = centre + PROBES[:, :1] * width * right + PROBES[:, 1:] * (0.0, height, 0.0)
    inward = np.tile(-outward, (len(probes), 1))
    hits = mesh.raycast_many(probes + PROBE_DISTANCE * outward, inward, PROBE_DISTANCE + MAX_RELIEF)
    depths = hits.distance
    if np.isnan(depths).any() or depths.max() - depths.min() > MAX_RELIEF:
        return None
    x, y, z = centre + outward * (PROBE_DISTANCE - float(depths.min()) + GAP)
    return PanelPlace((float(x), float(y), float(z)), _heading_of(outward), width, height)


def _heading_of(outward: Floats) -> int:
    return round(math.atan2(-outward[0], -outward[2]) / RADIANS_PER_HEADING_UNIT) % HEADING_UNITS_PER_TURN
