"""Door panels: at each exit a picture of the level behind it, its name and description, and the player's best run with
its medal.

A sign with the text PROGRESS_SIGN becomes a board with the player's progress. Nothing is prepared before the player is
near: places are found one exit a frame, pictures are drawn by a thread.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.background import run_in_thread
from ...core.time_format import format_strokes, format_time
from ...core.vectors import Point
from ...level.format.file_access import SHIPPED_LEVELS
from ...render.decal import Decal, DecalPicture
from ..menus import level_library, thumbnails
from ..runs import medals, progress
from ..visuals import panel_pictures
from ..visuals.panel_pictures import PanelText
from ..visuals.panel_places import PanelPlace, find_panel_place

if TYPE_CHECKING:
    from ...level import Exit, Level, Sign
    from ..runs.progress import BestRun

REACH = 26.0  # m from the eye within which panels are prepared and drawn
REFRESH_SECONDS = 2.0  # s between looks at the progress file
MAX_PANELS = 40  # of one level; further exits keep their plain doors
PROGRESS_SIGN = "Your progress"  # text of a sign that shows the progress
PROGRESS_GROUPS = ("Worlds", "Golf")  # groups of the level list that count
BOARD_PIXELS = 420.0  # pixels per metre of the progress board
BOARD_OFFSET = 0.004  # m in front of a sign's face
BOARD = -1  # stands for the progress board among the numbers of exits
NOT_FINISHED = "Not finished yet"


class DoorPanels:
    """Panels of the level that is played. `decals` is called once a frame.

    shows_progress: times and progress of this player; without it the panels are the same for everybody.
    """

    def __init__(self, shows_progress: bool = True) -> None:
        self._shows_progress = shows_progress
        self._level: Level | None = None
        self._places: dict[int, PanelPlace | None] = {}  # by the number of the exit
        self._pictures: dict[int, DecalPicture] = {}  # by the number of the exit, and of the BOARD
        self._boards: tuple[Sign, ...] = ()
        self._failed: set[int] = set()  # what could not be drawn: the plain door stays
        self._drawing: Future[None] | None = None
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

    def wait(self) -> None:
        """Wait until all pictures that were asked for are drawn."""
        if self._drawing is not None:
            self._drawing.result()

    def _change_level(self, level: Level) -> None:
        self._level = level
        self._places, self._pictures, self._failed = {}, {}, set()
        boards = (sign for sign in level.signs if sign.text.strip() == PROGRESS_SIGN)
        self._boards = tuple(boards) if self._shows_progress else ()
        self._progress, self._next_refresh = None, 0.0

    def _prepare(self, near: list[int], has_boards: bool) -> None:
        """Find the place of one more exit, and have missing or outdated pictures drawn."""
        level, now = self._level, time.monotonic()
        assert level is not None
        unplaced = next((number for number in near if number not in self._places), None)
        if unplaced is not None:
            exit_ = level.exits[unplaced]
            self._places[unplaced] = find_panel_place(level.mesh, exit_.at, exit_.radius)
        outdated = False
        if self._shows_progress and now >= self._next_refresh:
            self._next_refresh = now + REFRESH_SECONDS
            latest = progress.read_progress()
            outdated, self._progress = latest is not self._progress, latest
        if self._drawing is not None and not self._drawing.done():
            return
        placed = [number for number in near if self._places.get(number) is not None]
        wanted = [number for number in placed if outdated or number not in self._pictures]
        if has_boards and (outdated or BOARD not in self._pictures):
            wanted.append(BOARD)
        wanted = [number for number in wanted if number not in self._failed]
        if wanted:
            board = self._boards[0] if self._boards else None
            self._drawing = run_in_thread("door panels", self._draw, level, wanted, self._pictures, self._failed, board)

    def _draw(
        self, level: Level, numbers: list[int], pictures: dict[int, DecalPicture], failed: set[int], board: Sign | None
    ) -> None:
        """Draw pictures, in a thread. It keeps the tables of its level: another level has tables of its own."""
        for number in numbers:
            if level is not self._level:
                return
            try:
                if number != BOARD:
                    pictures[number] = panel_pictures.draw_panel(
                        describe_exit(level, level.exits[number], self._shows_progress)
                    )
                elif board is not None:
                    pictures[BOARD] = draw_progress_board(board)
            except (OSError, ValueError, MemoryError):
                failed.add(number)

    def _ready(self, near: list[int], boards: list[Sign]) -> tuple[Decal, ...]:
        ready = []
        for number in near:
            place, picture = self._places.get(number), self._pictures.get(number)
            if place is not None and picture is not None:
                ready.append(Decal(picture, place.at, place.heading, place.width, place.height))
        if (picture := self._pictures.get(BOARD)) is not None:
            ready += [_board_decal(sign, picture) for sign in boards]
        return tuple(ready)


def panels_of(level: Level, eye: Point) -> tuple[Decal, ...]:
    """All panels near the eye at once, for a still picture, without the progress of the player."""
    panels = DoorPanels(shows_progress=False)
    for _ in range(len(level.exits) + 1):
        panels.decals(level, eye)
    panels.wait()
    panels.decals(level, eye)
    panels.wait()
    return panels.decals(level, eye)


# Text


def describe_exit(level: Level, exit_: Exit, shows_progress: bool = True) -> PanelText:
    """Text and picture of the panel at an exit. The level behind it is not loaded: its file's header is read."""
    path = Path(exit_.path)
    header = level_library.read_header(path)
    picture = _picture_of(path)
    if path.resolve() == Path(level.path).resolve():
        return PanelText(exit_.name, picture=picture)
    line = header.about.partition(". ")[0].strip()
    line = f"{line}." if line and not line.endswith((".", "!", "?")) else line
    if not (shows_progress and header.has_goal):
        return PanelText(header.name or exit_.name, line, "", picture)
    best = progress.level_record(path).best
    return PanelText(header.name or exit_.name, line, _status(best), picture, medals.best_medal(path, best) or "")


def _picture_of(path: Path) -> str:
    """Thumbnail of a level file: shipped, or cached by the list of levels; else empty."""
    try:
        resolved, shipped = path.resolve(), SHIPPED_LEVELS.resolve()
        if resolved.is_relative_to(shipped):
            return thumbnails.shipped_thumbnail(resolved, shipped)
        cached = thumbnails.cached_thumbnail(path)
    except (OSError, ValueError, RuntimeError):
        return ""
    return "" if cached is None else cached.picture


def _status(best: BestRun | None) -> str:
    """Best run of the player in a level."""
    if best is None:
        return NOT_FINISHED
    return f"Best {format_time(best.seconds)}" if best.strokes is None else f"Best {format_strokes(best.strokes)}"


def progress_lines() -> tuple[str, ...]:
    """How many levels of the game the player has finished, and with how many medals."""
    entries = [
        entry
        for entry in level_library.find_levels()
        if entry.shipped and entry.group in PROGRESS_GROUPS and level_library.read_header(entry.path).has_goal
    ]
    runs = [(entry.path, progress.level_record(entry.path).best) for entry in entries]
    finished = sum(best is not None for _, best in runs)
    won = [medal for path, best in runs if (medal := medals.best_medal(path, best)) is not None]
    lines = [f"{finished} of {len(entries)} levels finished"]
    if won:
        gold = won.count(medals.Medal.GOLD)
        lines.append(f"{len(won)} medal{'' if len(won) == 1 else 's'}{f', {gold} gold' if gold else ''}")
    return tuple(lines)


def draw_progress_board(sign: Sign) -> DecalPicture:
    """Picture that covers a sign."""
    size = tuple(max(64, min(1024, round(side * BOARD_PIXELS))) for side in (sign.width, sign.height))
    return panel_pictures.draw_board(PROGRESS_SIGN, progress_lines(), (size[0], size[1]))


def _board_decal(sign: Sign, picture: DecalPicture) -> Decal:
    angle = sign.heading * (2.0 * math.pi / 65536)
    x, y, z = sign.at
    at = (x - BOARD_OFFSET * math.sin(angle), y, z - BOARD_OFFSET * math.cos(angle))
    return Decal(picture, at, sign.heading, sign.width, sign.height)
