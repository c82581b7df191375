"""Editing with keys and mouse: what is picked, the acts on it, dragging, the palette, undo and redo."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...level.edit import Draft, EditRefused, Entry
from . import piece_palette, resize, selection, transforms
from .job_queue import Bench
from .picking import Picked, Vector
from .resize import Face, Number
from .selection import Selection
from .undo_history import Act, Desk, Elsewhere, Refused

if TYPE_CHECKING:
    from ...level import Level
    from ..modes.editor import Editor

FACE = "the face looked at"
TURN, QUARTER = 15.0, 90.0  # degrees
FARTHEST_NEW = 14.0  # m before the eye that a new piece is put
AHEAD_NEW = 4.0  # m, where one looks into the sky
Edit = Callable[[Draft, Entry], None]


class Hands:
    """The editing half of an editor."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.desk: Desk | None = None
        self.picked: Selection | None = None
        self.row = 0  # of `rows`, which number + and - step
        self.offers: list[piece_palette.Offer] = []  # the palette, while it is open
        self.offer = 0
        self.dragged: Vector | None = None  # m in the world, so far
        self._grip: tuple[Vector, Vector] | None = None  # the place that the drag began at, and the plane's normal
        self._numbers: tuple[Selection, str, list[Number]] | None = None
        self.bench = Bench()
        self._level: Level | None = None  # while an act is worked on

    # What there is to see

    @property
    def level(self) -> Level:
        """The level as the last act left it, until the game has it too."""
        if self.bench.busy and self._level is not None:
            return self._level
        tried = self.desk.level if self.desk is not None else None
        return self.editor.game.level if tried is None else tried

    def caught_up(self) -> None:
        """The game has another level: it replaces the one that was tried, and what is picked is found again."""
        game = self.editor.game
        if self.desk is None or self.desk.path != game.level.path:
            self.desk, self.picked = None, None
            return
        tried = self.desk.level
        if tried is not None and not _same(tried, game.level):
            try:
                self.desk.look_after()
                return  # a level of a moment ago: the one that was saved comes next
            except Refused as refused:
                self.tell(refused)
        self.desk.forget_level()
        self._found_again()

    def _found_again(self) -> None:
        if self.picked is not None:
            self.picked = selection.found_again(self.level, self.picked)
        self._numbers = None

    def rows(self) -> list[Number]:
        """The numbers of what is picked, without the row for faces."""
        if self.picked is None or self.desk is None:
            return []
        if self.bench.busy:
            return self._numbers[2] if self._numbers is not None else []
        try:
            draft = self.desk.draft(self.picked.file(self.level))
            if self._numbers is None or self._numbers[0] != self.picked or self._numbers[1] != draft.text:
                place = self.picked.place
                found = resize.numbers(draft, draft.piece(place.line, place.column))
                self._numbers = self.picked, draft.text, found
            return self._numbers[2]
        except Elsewhere as refused:
            self.tell(refused)
        except (Refused, EditRefused):
            pass
        return []

    @property
    def has_faces(self) -> bool:
        """Whether the first row stands for the face that is looked at."""
        return self.picked is not None and self.picked.kind in resize.PULLED

    # Picking

    def holds(self, seen: Picked) -> bool:
        """Whether what one looks at belongs to what is picked."""
        if self.picked is None:
            return False
        links = selection.of_picked(self.level, seen).links
        return any(place == self.picked.place for _, place in links)

    def pick(self) -> None:
        """Pick what the cross-hair is on; once more on the same piece, what it stands in."""
        seen = self.editor.seen
        if seen is None:
            self.let_go()
            return
        self.take(selection.of_picked(self.level, seen))

    def take(self, found: Selection | None) -> None:
        """Pick that."""
        if self.picked is None or found is None or found.place != self.picked.place:
            self.row = 0
        self.picked = found
        self._ready()

    def let_go(self) -> None:
        """Nothing is picked any more."""
        self.picked, self.dragged, self._grip = None, None, None

    def widen(self) -> None:
        """Pick what is around the piece; with Shift what is inside, towards the piece itself."""
        if self.picked is None:
            self.pick()
            return
        shift = self.editor.shift
        other = self.picked.narrower() if shift else self.picked.wider()
        if other is None:
            self.editor.say("that is the piece itself" if shift else "it stands in nothing more")
        else:
            self.take(other)

    def _ready(self) -> Desk:
        if self.desk is None:
            self.desk = Desk(self.editor.game.level)
        return self.desk

    # Acts

    def tell(self, refused: Refused | EditRefused) -> None:
        """Say why an act was not done."""
        if isinstance(refused, Elsewhere):
            self._numbers, self.picked = None, None
        self.editor.say(str(refused), urgent=True)

    def act(self, label: str, edit: Edit) -> None:
        """One act on what is picked."""
        picked = self.picked
        if picked is None:
            self.editor.say("pick a piece first, with a click")
            return

        def whole(draft: Draft) -> Selection | None:
            entry = draft.piece(picked.place.line, picked.place.column)
            edit(draft, entry)
            return picked

        self._do(picked, f"{label} {picked.label}", whole)

    def _do(
        self, picked: Selection | None, label: str, edit: Callable[[Draft], Selection | None], said: str = ""
    ) -> None:
        """One act, and what to say when it is done."""
        desk, level = self._ready(), self.level
        file = picked.file(level) if picked is not None else desk.path

        def done(after: Selection | None) -> None:
            if self.picked == picked or picked is None:  # else another was picked meanwhile
                self.picked = after
            self._saved()
            if said:
                self.editor.say(said)

        self._level = level
        self.bench.do(lambda: desk.act(file, label, edit, picked, level), done, self._failed)

    def _saved(self) -> None:
        self.editor.poke()
        self._found_again()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, (Refused, EditRefused)):
            raise error
        self.tell(error)

    def move(self, way: Vector) -> None:
        """Move what is picked by a way in the world."""
        picked = self.picked
        if picked is None:
            self.editor.say("pick a piece first, with a click")
            return
        frame = picked.frame
        self.act("moved", lambda draft, entry: transforms.move(draft, entry, transforms.own_way(frame, way)))

    def arrow(self, key: str) -> None:
        """Move by a grid step: away, near, left, right as one looks, along the axes; up and down."""
        x, z = ahead(self.editor.game.look.yaw)
        step = self.editor.grid
        ways = {
            "UP": (x, 0.0, z), "DOWN": (-x, 0.0, -z), "RIGHT": (-z, 0.0, x), "LEFT": (z, 0.0, -x),
            "PAGEUP": (0.0, 1.0, 0.0), "PAGEDOWN": (0.0, -1.0, 0.0),
        }  # fmt: skip
        across, up, along = ways[key]
        self.move((across * step, up * step, along * step))

    def turn(self, sense: int) -> None:
        """Turn what is picked: 1 to the left, counter-clockwise from above; with Shift by a quarter."""
        degrees = sense * (QUARTER if self.editor.shift else TURN)
        self.act("turned", lambda draft, entry: transforms.turn(draft, entry, degrees))

    def next_row(self) -> None:
        """Choose the next number; with Shift the one before."""
        count = len(self.rows()) + self.has_faces
        if count:
            self.row = (self.row + (-1 if self.editor.shift else 1)) % count
        elif self.picked is None:
            self.editor.say("pick a piece first, with a click")

    def step(self, sense: int) -> None:
        """One step more or less of the chosen number, or of the face that is looked at."""
        if self.picked is None:
            self.editor.say("pick a piece first, with a click")
            return
        fine, grid = self.editor.shift, self.editor.grid
        if self.has_faces and self.row == 0:
            self._pull(sense * grid * (resize.FINE if fine else 1.0))
            return
        rows, at = self.rows(), self.row - self.has_faces
        if at < len(rows):
            number = rows[at]
            self.act(f"{number.label} of", lambda draft, entry: resize.step(draft, entry, number, sense, grid, fine))

    def _pull(self, by: float) -> None:
        seen, picked = self.editor.seen, self.picked
        assert picked is not None
        if seen is None or seen.quad < 0 or not self.holds(seen):
            self.editor.say("look at the face to be pulled, or choose a number with Tab")
            return
        frame, face = picked.frame, self._face(seen.quad, seen.normal)
        self.act("sized", lambda draft, entry: resize.pull(draft, entry, frame, face, by))

    def _face(self, quad: int, normal: Vector) -> Face:
        """Whether the rest of the piece lies behind the face."""
        assert self.picked is not None
        this, _ = selection.own_faces(self.level, self.picked)
        along = self.level.faces.corners[this].reshape(-1, 3) @ np.asarray(normal)
        here = float(self.level.faces.corners[quad].mean(axis=0) @ np.asarray(normal))
        return Face(normal, here >= (float(along.min()) + float(along.max())) / 2.0)

    def copy(self) -> None:
        """The same once more beside it, to the right as one looks; the copy is picked."""
        picked = self.picked
        if picked is None:
            self.editor.say("pick a piece first, with a click")
            return
        way = transforms.own_way(picked.frame, self._beside(picked))

        def twice(draft: Draft) -> Selection | None:
            copied = draft.copy(draft.piece(picked.place.line, picked.place.column))
            transforms.move(draft, copied, way)
            return picked.moved_to(*_place(draft, copied), copied.kind)

        self._do(picked, f"copied {picked.label}", twice)

    def _beside(self, picked: Selection) -> Vector:
        """As far to the right as the piece is wide, in whole grid steps."""
        x, z = ahead(self.editor.game.look.yaw)
        right = np.array((-z, 0.0, x))
        this, _ = selection.own_faces(self.level, picked)
        along = self.level.faces.corners[this].reshape(-1, 3) @ right
        wide = float(along.max() - along.min()) if len(along) else 1.0
        step = self.editor.grid
        by = max(1, math.ceil(wide / step - 1e-6)) * step
        return (float(right[0]) * by, 0.0, float(right[2]) * by)

    def delete(self) -> None:
        """Take it out of the text."""
        picked = self.picked
        if picked is None:
            self.editor.say("pick a piece first, with a click")
            return

        def gone(draft: Draft) -> Selection | None:
            draft.remove(draft.piece(picked.place.line, picked.place.column))
            return None

        self._do(picked, f"deleted {picked.label}", gone, f"deleted {picked.label}   ·   Z brings it back")

    def undo(self, back: bool) -> None:
        """Take the last act back, or do it again."""
        desk = self._ready()

        def job() -> Act | None:
            act = desk.undo() if back else desk.redo()
            assert act is None or desk.level is None or desk.level.path == desk.path  # read here, not in a frame
            return act

        def done(act: Act | None) -> None:
            if act is None:
                self.editor.say("nothing to undo" if back else "nothing to redo")
                return
            self.picked = act.before if back else act.after
            self._saved()
            self.editor.say(f"{'undone' if back else 'done again'}: {act.label}")

        self._level = self.level
        self.bench.do(job, done, self._failed)

    # The palette

    def open_palette(self) -> None:
        """Show what can be put down, or put it away."""
        if self.offers:
            self.offers = []
            return
        desk = self._ready()
        try:
            self.offers = piece_palette.offers(desk.draft(desk.path))
        except Refused as refused:
            self.tell(refused)
        self.offer = min(self.offer, max(0, len(self.offers) - 1))

    def choose(self, by: int) -> None:
        """Another line of the palette."""
        if self.offers:
            self.offer = (self.offer + by) % len(self.offers)

    def target(self) -> Vector:
        """Where a new piece would be put: on what one looks at, on the grid."""
        editor = self.editor
        seen, step = editor.seen, editor.grid
        near = seen is not None and seen.distance <= FARTHEST_NEW
        if seen is not None and near:
            x, y, z = seen.point
            y = round(y, 3) if abs(seen.normal[1]) > 0.5 else math.floor(y / step + 0.5) * step
        else:
            x, y, z = (place + AHEAD_NEW * part for place, part in zip(editor.eye, editor.direction, strict=True))
            y = math.floor(y / step + 0.5) * step
        return (math.floor(x / step + 0.5) * step, y, math.floor(z / step + 0.5) * step)

    def put_down(self) -> None:
        """Write the chosen piece into the level where one looks; it is picked then."""
        if not self.offers:
            return
        offer, at = self.offers[self.offer], self.target()
        facing = round(self.editor.game.look.yaw * 360.0 / 65536 / 90.0) % 4 * 90.0
        if offer.label == "sign":
            facing += 180.0

        def new(draft: Draft) -> Selection | None:
            entry = piece_palette.put_down(draft, offer, at, facing)
            return selection.at_top(*_place(draft, entry), entry.kind)

        self.offers, self.row = [], 0
        self._do(None, f"new {offer.label}", new, f"new {offer.label}   ·   arrows move it, Z takes it back")

    # Dragging

    def grip(self) -> None:
        """The button went down on what is picked: it follows the view until that goes up."""
        seen = self.editor.seen
        self._grip = self.dragged = None
        if seen is not None and self.holds(seen):
            x, z = ahead(self.editor.game.look.yaw)
            self._grip = seen.point, ((x, 0.0, z) if self.editor.shift else (0.0, 1.0, 0.0))

    def drag(self) -> None:
        """Each frame: how far it has come, in whole grid steps."""
        if self._grip is None:
            return
        start, normal = self._grip
        eye, way = np.asarray(self.editor.eye), np.asarray(self.editor.direction)
        towards = float(way @ np.asarray(normal))
        distance = float((np.asarray(start) - eye) @ np.asarray(normal)) / towards if abs(towards) > 1e-3 else -1.0
        if not 0.0 < distance < 200.0:
            return
        moved = eye + distance * way - np.asarray(start)
        step = self.editor.grid
        x, y, z = (np.floor(moved / step + 0.5) * step + 0.0).tolist()
        self.dragged = (x, y, z) if (x or y or z) or self.dragged is not None else None

    def drop(self) -> None:
        """The button went up: the way it was dragged is one act."""
        way, self.dragged, self._grip = self.dragged, None, None
        if way is not None and any(way):
            moved = way
            self.bench.later(lambda: self.move(moved))

    @property
    def gripped(self) -> bool:
        return self._grip is not None


def ahead(yaw: float) -> tuple[float, float]:
    """x and z of the axis that one looks along most; yaw 65536 to the turn."""
    return ((0.0, -1.0), (-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))[round(yaw / 16384.0) % 4]


def _place(draft: Draft, entry: Entry) -> tuple[int, int]:
    """Line and column of an entry's kind."""
    start = entry.span[0]
    before = draft.text[:start].removeprefix("\ufeff")
    return draft.line_of(start), len(before) - max(before.rfind("\n"), before.rfind("\r"))


def _same(one: Level, other: Level) -> bool:
    """Whether two levels are of the same texts, as far as it shows."""
    alike = len(one.origins) == len(other.origins) and np.array_equal(one.faces.corners, other.faces.corners)
    return alike and all(a.place == b.place for a, b in zip(one.origins, other.origins, strict=True))
