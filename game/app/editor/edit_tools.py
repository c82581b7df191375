"""Edit tools: the selected pieces, edits by keys and mouse, undo and redo; and the queue in which edits run."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...core.vectors import Floats, Vector, to_point
from ...level.edit import DocumentEntry, EditRefused, YamlDocument
from ...level.geometry.instance_transform import ParentLink
from ..input.actions import Action, EditorAction
from . import selection
from .picking import PickHit, select_picked
from .pieces import transforms
from .pieces.piece_fields import PieceFields
from .selection import Selection, every_link, find_selection, handle_corners
from .undo_history import ExternalChange, UndoHistory, UndoStep, is_same_level

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...level import Level
    from .editor_view import EditorView

Result = TypeVar("Result")
TURN_DEGREES = 15.0
QUARTER_TURN_DEGREES = 90.0
# Returns what to select instead
Edit = Callable[[YamlDocument, DocumentEntry, Selection], "DocumentEntry | Selection | None"]

GroupEdit = Callable[[Sequence[Selection], YamlDocument], tuple[Selection, ...]]  # of the pieces of one file

NUDGES: Mapping[Action, tuple[int, int, int]] = {  # grid steps to the right, up and ahead
    EditorAction.MOVE_AHEAD: (0, 0, 1), EditorAction.MOVE_BACK: (0, 0, -1), EditorAction.MOVE_LEFT: (-1, 0, 0),
    EditorAction.MOVE_RIGHT: (1, 0, 0), EditorAction.MOVE_UP: (0, 1, 0), EditorAction.MOVE_DOWN: (0, -1, 0),
}  # fmt: skip


class EditQueue:
    """Edits one after another. threaded: each in a thread, and its result arrives with those of the game's jobs.

    refused: what is done with the reason of an edit that cannot be made.
    """

    def __init__(self, jobs: Jobs, refused: Callable[[EditRefused], None]) -> None:
        self.threaded = False
        self._jobs, self._refused = jobs, refused
        self._running: Future[Callable[[], None]] | None = None  # gives what delivers the result
        self._queued: deque[Callable[[], None]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether an edit runs or its result is not delivered."""
        return self._running is not None

    def run(self, edit: Callable[[], Result], done: Callable[[Result], None]) -> None:
        """Make an edit, then call `done` with its result. Not while another runs."""
        assert not self.is_busy

        def attempt() -> Callable[[], None]:
            try:
                return partial(done, edit())
            except EditRefused as refused:
                return partial(self._refused, refused)

        if self.threaded:
            self._running = self._jobs.thread("editing", attempt, done=self._deliver)
        else:
            attempt()()

    def _deliver(self, ended: Future[Callable[[], None]]) -> None:
        self._running = None
        ended.result()()
        while self._queued and not self.is_busy:
            self._queued.popleft()()

    def run_after(self, call: Callable[[], None]) -> None:
        """Call at once, or after the running and queued edits."""
        if self.is_busy or self._queued:
            self._queued.append(call)
        else:
            call()

    def finish(self) -> None:
        """Wait until the queue is empty."""
        while self._running is not None:
            self._jobs.finish_one(self._running)


class EditTools:
    """Selected pieces, edits of all of them as one undo step, undo and redo.

    selected              the selected pieces, in the order in which they were picked
    selection_listeners   called when other pieces are picked
    """

    def __init__(self, view: EditorView) -> None:
        self.view = view
        self.selection_listeners: list[Callable[[], None]] = []
        self.undo_history: UndoHistory | None = None
        self.selected: tuple[Selection, ...] = ()
        self.queue = EditQueue(view.game.jobs, self.show_error)
        self._level: Level | None = None  # the level while an edit runs
        self._copies: tuple[Level, Selection, int] | None = None  # how often that piece is in that level
        self._game_level = view.game.level  # in which the selection was found last

    # Level

    @property
    def level(self) -> Level:
        """The level after the last edit; that of the game once it has reloaded."""
        if self.queue.is_busy and self._level is not None:
            return self._level
        edited_level = self.undo_history.level if self.undo_history is not None else None
        return self.view.game.level if edited_level is None else edited_level

    def update(self) -> None:
        """Follow a level that the game has reloaded, and pick what is aimed at."""
        game_level = self.view.game.level
        if self._game_level is not game_level and not self.queue.is_busy:
            self._game_level = game_level
            self._follow_reload(game_level)
        self.view.pick(self.level, self.selected)

    def _follow_reload(self, level: Level) -> None:
        """Find the selection again in a reloaded level."""
        if self.undo_history is None or self.undo_history.path != level.path:
            self.undo_history = None
            self.selected = ()
            return
        edited_level = self.undo_history.level
        if edited_level is not None and not is_same_level(edited_level, level):
            try:
                self.undo_history.check_external_changes()
                return  # an older version was reloaded; the saved one follows
            except EditRefused as refused:
                self.show_error(refused)
        self.undo_history.forget_level()
        self._restore_selection()

    def _restore_selection(self) -> None:
        found = [find_selection(self.level, picked) for picked in self.selected]
        self.selected = tuple(picked for picked in found if picked is not None)

    # Selection

    @property
    def selection(self) -> Selection | None:
        """The piece that was picked last; None without one."""
        return self.selected[-1] if self.selected else None

    def is_selected(self, picked: PickHit) -> bool:
        """Whether the picked face or model belongs to a selected piece."""
        places = {chosen.source_place for chosen in self.selected}
        if not places:
            return False
        aimed = select_picked(self.level, picked)
        if aimed.part is not None or any(chosen.part is not None for chosen in self.selected):
            return any((aimed.source_place, aimed.part) == (one.source_place, one.part) for one in self.selected)
        return any(place in places for _, place in aimed.links)

    def select_aimed(self, add: bool = False) -> None:
        """Select the piece under the cross-hair. add: to those that are selected, or take it away from them."""
        if self.view.picked is None:
            if not add:
                self.deselect()
            return
        aimed = select_picked(self.level, self.view.picked)
        if add:
            self.toggle(aimed)
        else:
            self.select(aimed)

    def select(self, *selected: Selection) -> None:
        """Select these pieces and no others. Of two copies of one piece, and of a group and its piece, one is kept."""
        by_place = {picked.source_place: picked for picked in selected}
        kept = tuple(
            picked for picked in by_place.values() if not any(place in by_place for _, place in picked.containers)
        )
        if [picked.source_place for picked in kept] != [picked.source_place for picked in self.selected]:
            self.selection_changed()
        self.selected = kept
        self.open_history()

    def toggle(self, aimed: Selection) -> None:
        """Add a piece to the selection, or take it away."""
        others = [
            picked
            for picked in self.selected
            if not any(place == picked.source_place for _, place in aimed.links[: aimed.depth + 1])
        ]
        if len(others) < len(self.selected):
            self.select(*others)
        else:
            self.select(*self.selected, aimed)

    def deselect(self) -> None:
        """Clear the selection and end the drag."""
        self.selected = ()
        self.selection_changed()

    def selection_changed(self) -> None:
        """Tell that other pieces are picked."""
        for listener in self.selection_listeners:
            listener()

    def select_parent(self) -> None:
        """Select the enclosing group; with Shift the next inner one, towards the piece."""
        if self.selection is None:
            self.select_aimed()
            return
        shift = self.view.shift
        other = self.selection.child() if shift else self.selection.parent()
        if other is None:
            self.view.show_message("This is the piece itself" if shift else "No parent group")
        else:
            self.select(other)

    def has_selection(self) -> bool:
        """Whether something is selected; if not, the player is told how to select."""
        if not self.selected:
            self.view.show_message("Click a piece to select it first")
        return bool(self.selected)

    def corners_of(self, picked: Selection) -> Floats:
        """Corners (n, 3) of a selected piece; for one without faces those of its zones and handles."""
        selected, _ = selection.selected_faces(self.level, picked)
        corners: Floats = self.level.faces.corners[selected].reshape(-1, 3)
        return corners if len(corners) else handle_corners(self.level, picked)

    def fly_to_selection(self) -> None:
        """Fly to where the selected piece is seen."""
        corners = self.corners_of(self.selection) if self.selection is not None else None
        if corners is not None and len(corners):
            low, high = corners.min(axis=0), corners.max(axis=0)
            self.view.fly_to(self.level, to_point((low + high) / 2.0), math.dist(low.tolist(), high.tolist()))

    def open_history(self) -> UndoHistory:
        if self.undo_history is None:
            self.undo_history = UndoHistory(self.view.game.level)
        return self.undo_history

    def own_document(self) -> YamlDocument | None:
        """Document of the level's own file; None where it cannot be read, which is said."""
        history = self.open_history()
        try:
            return history.document(history.path)
        except EditRefused as refused:
            self.show_error(refused)
            return None

    # Edits

    def show_error(self, refused: EditRefused) -> None:
        if isinstance(refused, ExternalChange):
            self.selected = ()
        self.view.show_message(str(refused), urgent=True)

    def describe_selected(self) -> str:
        """The piece by its label, or the number of pieces."""
        count = len(self.selected)
        return f"{count} pieces" if count != 1 or self.selection is None else self.selection.label

    def count_copies(self, picked: Selection) -> int:
        """How often a piece is in the level: a piece in an array or prefab is written once."""
        if self._copies is None or self._copies[:2] != (self.level, picked):
            found = (one for one in every_link(self.level) if one.source_place == picked.source_place)
            chains = {one.containers for one in found}
            self._copies = self.level, picked, sum(map(self._count_arrays, chains)) or 1
        return self._copies[2]

    def _count_arrays(self, chain: Sequence[ParentLink]) -> int:
        """Number of copies that the arrays of a chain of containers make."""
        count = 1.0
        for kind, place in chain:
            if kind == "array":
                with contextlib.suppress(EditRefused):
                    document = self.open_history().document(Path(place.file) if place.file else self.level.path)
                    entry = document.find_piece(place.line, place.column)
                    count *= PieceFields(document, entry).number("count") or 1.0
        return int(count)

    def edit_each(self, label: str, edit: Edit, prepare: Callable[[YamlDocument], None] | None = None) -> None:
        """Run an edit of each selected piece, all as one undo step. The edit may return another piece, which is then
        selected in its place. prepare: called with the document of each file first."""
        if not self.has_selection():
            return

        def edit_file(group: Sequence[Selection], document: YamlDocument) -> tuple[Selection, ...]:
            entries = [(picked, picked.find_entry(document)) for picked in group]
            if prepare is not None:
                prepare(document)
            after = [(picked, edit(document, entry, picked) or entry) for picked, entry in entries]
            return tuple(one if isinstance(one, Selection) else picked.found_at(document, one) for picked, one in after)

        self._edit_groups(edit_file, f"{label} {self.describe_selected()}")

    def _edit_groups(self, edit: GroupEdit, label: str) -> None:
        """Run an edit of the selected pieces of each file."""
        groups: dict[Path, list[Selection]] = {}
        for picked in self.selected:
            groups.setdefault(picked.file(self.level), []).append(picked)
        self.run_edits([(file, partial(edit, group)) for file, group in groups.items()], label)

    def run_edits(
        self, edits: Sequence[tuple[Path, Callable[[YamlDocument], tuple[Selection, ...]]]], label: str
    ) -> None:
        """Run edits of some files in the queue, as one undo step, and say that they are saved. They return the new
        selection."""
        history = self.open_history()
        level = self.level
        before = self.selected
        steps = len(history.undo_steps)

        def done(after: tuple[Selection, ...]) -> None:
            if self.selected == before:  # else another was picked meanwhile
                self.selected = after
            self._on_saved()
            if len(history.undo_steps) > steps:
                self.view.show_message(f"{label}, saved   ·   Z: undo{self._repeated_hint()}")

        self._level = level
        self.queue.run(lambda: history.apply_edits(edits, label, before, level), done)

    def _repeated_hint(self) -> str:
        """What an author should know who changes a piece that is repeated."""
        picked = self.selection
        count = self.count_copies(picked) if picked is not None else 1
        if picked is None or count == 1:
            return ""
        return f"   ·   This {picked.kind} is repeated {count} times: Q selects the {picked.containers[-1][0]}"

    def queue_edit(self, edit: Callable[[], None]) -> None:
        """Do an edit at once or after those in the queue, with Shift as it is now."""
        view = self.view
        if self.queue.is_busy:
            view.show_message("One moment: this follows when the last change is read")
        shift = self.view.shift

        def run_edit() -> None:
            view.queued_shift = shift
            edit()
            view.queued_shift = None

        self.queue.run_after(run_edit)

    def run_job(self, job: Callable[[], Result], done: Callable[[Result], None]) -> None:
        """Do longer work on the present level in the queue, after what is in it."""

        def start() -> None:
            self._level = self.level
            self.queue.run(job, done)

        self.queue.run_after(start)

    def _on_saved(self) -> None:
        """Files were saved: the game reloads them without waiting for the file watcher."""
        if self.view.game.hot_reload is not None:
            self.view.game.hot_reload.check_now()
        self._restore_selection()

    def move(self, displacement: Vector) -> None:
        """Move the selection by a displacement (m, world)."""

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            transforms.move_selected(document, entry, picked, displacement)

        if any(displacement):
            self.edit_each("Moved", edit)

    def nudge(self, action: Action) -> None:
        """Move by a grid step along the axis nearest to the view, across it, or vertically, as one of `NUDGES`."""
        x, z = self.view.main_axis
        right, up, ahead = (self.view.grid * steps for steps in NUDGES[action])
        self.move((x * ahead - z * right, up, z * ahead + x * right))

    def turn(self, sense: int) -> None:
        """Rotate the selection by 15 degrees, with Shift by 90; several pieces about their common centre.

        sense: 1 is counter-clockwise seen from above.
        """
        degrees = sense * (QUARTER_TURN_DEGREES if self.view.shift else TURN_DEGREES)
        if any(picked.part is not None for picked in self.selected):
            self.view.show_message("A point has no direction: select the piece (Q)", urgent=True)
            return
        if len(self.selected) < 2:
            self.edit_each("Rotated", lambda document, entry, picked: transforms.rotate_piece(document, entry, degrees))
            return
        if len({(picked.containers, picked.local_to_world) for picked in self.selected}) > 1:
            self.view.show_message("Select pieces of one group to rotate them together", urgent=True)
            return
        chosen = self.selected
        middle: list[Vector] = []

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            if not middle:  # before the first of them turns
                middle.append(transforms.middle_of([other.find_entry(document) for other in chosen], document))
            transforms.rotate_about(document, entry, middle[0], degrees)

        self.edit_each("Rotated", edit)

    def duplicate(self) -> None:
        """Copy the selection to the right of the view and select the copies."""
        if not self.has_selection():
            return
        offset = self._duplicate_offset()

        def copy(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> DocumentEntry | Selection:
            return transforms.duplicate_selected(document, entry, picked, offset)

        self.edit_each("Copied", copy)

    def _duplicate_offset(self) -> Vector:
        """Displacement to the right by the width of the selection, rounded up to grid steps (m, world)."""
        x, z = self.view.main_axis
        right = np.array((-z, 0.0, x))
        along = np.concatenate([self.corners_of(picked) for picked in self.selected]) @ right
        width = float(along.max() - along.min()) if len(along) else 1.0
        step = self.view.grid
        distance = max(1, math.ceil(width / step - 1e-6)) * step
        return to_point(right * distance)

    def delete(self) -> None:
        """Remove the selection from the level file."""
        if not self.has_selection():
            return

        def remove(group: Sequence[Selection], document: YamlDocument) -> tuple[Selection, ...]:
            for picked, entry in [(picked, picked.find_entry(document)) for picked in group]:
                transforms.delete_selected(document, entry, picked)
            return ()

        self._edit_groups(remove, f"Deleted {self.describe_selected()}")

    def undo_or_redo(self, back: bool) -> None:
        """Undo the last edit, or redo the last undone one. It is said at once; the level follows when it is loaded."""
        history = self.open_history()
        steps = history.undo_steps if back else history.redo_steps
        if not steps:
            self.view.show_message("Nothing to undo" if back else "Nothing to redo")
            return
        self.view.show_message(f"{'Undone' if back else 'Redone'}: {steps[-1].label}")

        def job() -> UndoStep | None:
            step = history.undo() if back else history.redo()
            _ = history.level  # loaded in this job, so that no frame waits for it
            return step

        def done(step: UndoStep | None) -> None:
            if step is not None:
                self.selected = step.before if back else step.after
                self._on_saved()

        self._level = self.level
        self.queue.run(job, done)
