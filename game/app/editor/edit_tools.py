"""Edit tools: selection, edits by keys and mouse, dragging, palette of pieces, undo and redo."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT, HEADING_UNITS_PER_TURN
from ...core.vectors import Vector
from ...level.edit import DocumentEntry, EditRefused, YamlDocument
from . import piece_palette, resize, selection, transforms
from .job_queue import JobQueue
from .picking import PickHit
from .resize import NumberField, PulledFace
from .selection import Selection
from .undo_history import EditError, ExternalChange, UndoHistory, UndoStep, is_same_level

if TYPE_CHECKING:
    from ...level import Level
    from ..input.player_input import ViewAngles

FACE_ROW_LABEL = "face in view"
TURN_DEGREES, QUARTER_TURN_DEGREES = 15.0, 90.0  # degrees
MAX_PLACEMENT_DISTANCE = 14.0  # m before the eye that a new piece is put
DEFAULT_PLACEMENT_DISTANCE = 4.0  # m, with the sky in view
MAX_DRAG_DISTANCE = 200.0  # m from the eye to the plane of a drag
Edit = Callable[[YamlDocument, DocumentEntry], None]


class EditedGame(Protocol):
    """Part of the game that editing reads."""

    level: Level
    view_angles: ViewAngles


class EditorHost(Protocol):
    """Editor mode as the edit tools see it."""

    grid: float
    picked: PickHit | None

    @property
    def context(self) -> EditedGame: ...

    @property
    def shift(self) -> bool: ...

    @property
    def eye(self) -> Vector: ...

    @property
    def direction(self) -> Vector: ...

    def show_message(self, text: str, urgent: bool = False) -> None: ...

    def notify_saved(self) -> None: ...


class EditTools:
    """Selection, edits of the selected piece, dragging, palette, undo and redo.

    selection       the selected piece, None without one
    selected_row    index of the number that + and - step, in the rows of the selection's card
    palette         entries of the palette while it is open
    drag_offset     displacement of the drag so far (m, world)
    """

    def __init__(self, editor: EditorHost) -> None:
        self.editor = editor
        self.undo_history: UndoHistory | None = None
        self.selection: Selection | None = None
        self.selected_row = 0
        self.palette: list[piece_palette.PaletteEntry] = []
        self.palette_index = 0
        self.drag_offset: Vector | None = None
        self._grab_point: tuple[Vector, Vector] | None = None  # start of the drag (m), normal of its plane
        self._cached_numbers: tuple[Selection, str, list[NumberField]] | None = None
        self.job_queue = JobQueue()
        self._level: Level | None = None  # the level while an edit runs

    # Level and numbers

    @property
    def level(self) -> Level:
        """The level after the last edit; that of the game once it has reloaded."""
        if self.job_queue.is_busy and self._level is not None:
            return self._level
        edited_level = self.undo_history.level if self.undo_history is not None else None
        return self.editor.context.level if edited_level is None else edited_level

    def on_level_reloaded(self) -> None:
        """The game has reloaded the level: find the selection in it again."""
        context = self.editor.context
        if self.undo_history is None or self.undo_history.path != context.level.path:
            self.undo_history, self.selection = None, None
            return
        edited_level = self.undo_history.level
        if edited_level is not None and not is_same_level(edited_level, context.level):
            try:
                self.undo_history.check_external_changes()
                return  # an older version was reloaded; the saved one follows
            except EditError as refused:
                self.show_error(refused)
        self.undo_history.forget_level()
        self._restore_selection()

    def _restore_selection(self) -> None:
        if self.selection is not None:
            self.selection = selection.find_in_reloaded(self.level, self.selection)
        self._cached_numbers = None

    def number_rows(self) -> list[NumberField]:
        """Numbers of the selection, without the row of the face in view."""
        if self.selection is None or self.undo_history is None:
            return []
        if self.job_queue.is_busy:
            return self._cached_numbers[2] if self._cached_numbers is not None else []
        try:
            document = self.undo_history.document(self.selection.file(self.level))
            if self._cached_numbers is None or self._cached_numbers[:2] != (self.selection, document.text):
                fields = resize.number_fields(document, self.selection.find_entry(document))
                self._cached_numbers = self.selection, document.text, fields
            return self._cached_numbers[2]
        except ExternalChange as refused:
            self.show_error(refused)
        except (EditError, EditRefused):
            pass
        return []

    @property
    def has_faces(self) -> bool:
        """Whether the first row is the face in view."""
        return self.selection is not None and self.selection.kind in resize.PULLABLE_KINDS

    # Selection

    def is_selected(self, picked: PickHit) -> bool:
        """Whether the picked face or model belongs to the selection."""
        if self.selection is None:
            return False
        links = selection.select_picked(self.level, picked).links
        return any(place == self.selection.source_place for _, place in links)

    def select_aimed(self) -> None:
        """Select the piece under the cross-hair."""
        if self.editor.picked is None:
            self.deselect()
        else:
            self.select(selection.select_picked(self.level, self.editor.picked))

    def select(self, selected: Selection) -> None:
        """Change the selection."""
        if self.selection is None or selected.source_place != self.selection.source_place:
            self.selected_row = 0
        self.selection = selected
        self._open_history()

    def deselect(self) -> None:
        """Clear the selection and end the drag."""
        self.selection, self.drag_offset, self._grab_point = None, None, None

    def select_parent(self) -> None:
        """Select the enclosing group; with Shift the next inner one, towards the piece."""
        if self.selection is None:
            self.select_aimed()
            return
        shift = self.editor.shift
        other = self.selection.child() if shift else self.selection.parent()
        if other is None:
            self.editor.show_message("This is the piece itself" if shift else "No parent group")
        else:
            self.select(other)

    def _selection_or_hint(self) -> Selection | None:
        """The selection; without one, the player is told how to select."""
        if self.selection is None:
            self.editor.show_message("Click a piece to select it first")
        return self.selection

    def _open_history(self) -> UndoHistory:
        """The undo history of the present level."""
        if self.undo_history is None:
            self.undo_history = UndoHistory(self.editor.context.level)
        return self.undo_history

    # Edits

    def show_error(self, refused: EditError | EditRefused) -> None:
        """Show why an edit was refused."""
        if isinstance(refused, ExternalChange):
            self._cached_numbers, self.selection = None, None
        self.editor.show_message(str(refused), urgent=True)

    def edit_selection(self, label: str, edit: Edit) -> None:
        """Run an edit of the selection."""
        picked = self._selection_or_hint()
        if picked is None:
            return

        def edit_document(document: YamlDocument) -> Selection | None:
            edit(document, picked.find_entry(document))
            return picked

        self._run_edit(picked, f"{label} {picked.label}", edit_document)

    def _run_edit(
        self, picked: Selection | None, label: str, edit: Callable[[YamlDocument], Selection | None], message: str = ""
    ) -> None:
        """Run an edit in the job queue. message: shown when it is done."""
        history, level = self._open_history(), self.level
        file = picked.file(level) if picked is not None else history.path

        def done(after: Selection | None) -> None:
            if self.selection == picked or picked is None:  # else another was picked meanwhile
                self.selection = after
            self._on_saved()
            if message:
                self.editor.show_message(message)

        self._level = level
        self.job_queue.run(lambda: history.apply_edit(file, label, edit, picked, level), done, self._on_failed)

    def _on_saved(self) -> None:
        self.editor.notify_saved()
        self._restore_selection()

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, (EditError, EditRefused)):
            raise error
        self.show_error(error)

    def move(self, displacement: Vector) -> None:
        """Move the selection by a displacement (m, world)."""
        picked = self._selection_or_hint()
        if picked is None:
            return

        def edit(document: YamlDocument, entry: DocumentEntry) -> None:
            transforms.move_piece(document, entry, transforms.to_local_offset(picked.local_to_world, displacement))

        self.edit_selection("Moved", edit)

    def nudge(self, key: str) -> None:
        """Move by a grid step along the axis nearest to the view, across it, or vertically."""
        x, z = dominant_axis(self.editor.context.view_angles.yaw)
        step = self.editor.grid
        directions = {
            "UP": (x, 0.0, z), "DOWN": (-x, 0.0, -z), "RIGHT": (-z, 0.0, x), "LEFT": (z, 0.0, -x),
            "PAGEUP": (0.0, 1.0, 0.0), "PAGEDOWN": (0.0, -1.0, 0.0),
        }  # fmt: skip
        across, up, along = directions[key]
        self.move((across * step, up * step, along * step))

    def turn(self, sense: int) -> None:
        """Rotate the selection by 15 degrees, with Shift by 90. sense: 1 is counter-clockwise seen from above."""
        degrees = sense * (QUARTER_TURN_DEGREES if self.editor.shift else TURN_DEGREES)
        self.edit_selection("Rotated", lambda document, entry: transforms.rotate_piece(document, entry, degrees))

    def next_row(self) -> None:
        """Select the next number; with Shift the previous one."""
        count = len(self.number_rows()) + self.has_faces
        if count:
            self.selected_row = (self.selected_row + (-1 if self.editor.shift else 1)) % count
        else:
            self._selection_or_hint()

    def step_number(self, sense: int) -> None:
        """Step the selected number, or pull the face in view, by `sense` (1 or -1)."""
        if self._selection_or_hint() is None:
            return
        fine, grid = self.editor.shift, self.editor.grid
        if self.has_faces and self.selected_row == 0:
            self._pull_face(sense * grid * (resize.FINE_FACTOR if fine else 1.0))
            return
        rows, at = self.number_rows(), self.selected_row - self.has_faces
        if at < len(rows):
            number = rows[at]
            self.edit_selection(
                f"Changed {number.label} of",
                lambda document, entry: resize.step_value(document, entry, number, sense, grid, fine),
            )

    def _pull_face(self, by: float) -> None:
        aimed, picked = self.editor.picked, self.selection
        assert picked is not None
        if aimed is None or aimed.quad < 0 or not self.is_selected(aimed):
            self.editor.show_message("Look at a face of the piece, or choose a number with Tab")
            return
        frame, face = picked.local_to_world, self._aimed_face(aimed.quad, aimed.normal)
        self.edit_selection("Resized", lambda document, entry: resize.pull_face(document, entry, frame, face, by))

    def _aimed_face(self, quad: int, normal: Vector) -> PulledFace:
        """The face in view, and whether the rest of the piece lies behind it."""
        assert self.selection is not None
        selected, _ = selection.selected_faces(self.level, self.selection)
        along = self.level.faces.corners[selected].reshape(-1, 3) @ np.asarray(normal)
        height = float(self.level.faces.corners[quad].mean(axis=0) @ np.asarray(normal))
        return PulledFace(normal, height >= (float(along.min()) + float(along.max())) / 2.0)

    def duplicate(self) -> None:
        """Copy the selection to the right of the view and select the copy."""
        picked = self._selection_or_hint()
        if picked is None:
            return
        offset = transforms.to_local_offset(picked.local_to_world, self._duplicate_offset(picked))

        def copy(document: YamlDocument) -> Selection | None:
            copied = document.duplicate_piece(picked.find_entry(document))
            transforms.move_piece(document, copied, offset)
            return picked.relocated(*selection.entry_location(document, copied), copied.kind)

        self._run_edit(picked, f"Copied {picked.label}", copy)

    def _duplicate_offset(self, picked: Selection) -> Vector:
        """Displacement to the right by the width of the piece, rounded up to grid steps (m, world)."""
        x, z = dominant_axis(self.editor.context.view_angles.yaw)
        right = np.array((-z, 0.0, x))
        selected, _ = selection.selected_faces(self.level, picked)
        along = self.level.faces.corners[selected].reshape(-1, 3) @ right
        width = float(along.max() - along.min()) if len(along) else 1.0
        step = self.editor.grid
        distance = max(1, math.ceil(width / step - 1e-6)) * step
        return (float(right[0]) * distance, 0.0, float(right[2]) * distance)

    def delete(self) -> None:
        """Remove the selection from the level file."""
        picked = self._selection_or_hint()
        if picked is None:
            return

        def remove(document: YamlDocument) -> Selection | None:
            document.remove_piece(picked.find_entry(document))
            return None

        self._run_edit(picked, f"Deleted {picked.label}", remove, f"Deleted {picked.label}   ·   Z: undo")

    def undo_or_redo(self, back: bool) -> None:
        """Undo the last edit, or redo the last undone one."""
        history = self._open_history()

        def job() -> UndoStep | None:
            step = history.undo() if back else history.redo()
            _ = history.level  # loaded in this job, so that no frame waits for it
            return step

        def done(step: UndoStep | None) -> None:
            if step is None:
                self.editor.show_message("Nothing to undo" if back else "Nothing to redo")
                return
            self.selection = step.before if back else step.after
            self._on_saved()
            self.editor.show_message(f"{'Undone' if back else 'Redone'}: {step.label}")

        self._level = self.level
        self.job_queue.run(job, done, self._on_failed)

    # The palette

    def open_palette(self) -> None:
        """Open or close the palette of new pieces."""
        if self.palette:
            self.palette = []
            return
        history = self._open_history()
        try:
            self.palette = piece_palette.palette_entries(history.document(history.path))
        except EditError as refused:
            self.show_error(refused)
        self.palette_index = min(self.palette_index, max(0, len(self.palette) - 1))

    def choose_palette_entry(self, by: int) -> None:
        """Move the selection in the palette."""
        if self.palette:
            self.palette_index = (self.palette_index + by) % len(self.palette)

    def placement_point(self) -> Vector:
        """Position of a new piece (m): the aimed point, on the grid."""
        editor = self.editor
        aimed, step = editor.picked, editor.grid
        if aimed is not None and aimed.distance <= MAX_PLACEMENT_DISTANCE:
            point, on_floor = aimed.point, abs(aimed.normal[1]) > 0.5
        else:
            ray = np.asarray(editor.eye) + DEFAULT_PLACEMENT_DISTANCE * np.asarray(editor.direction)
            point, on_floor = (float(ray[0]), float(ray[1]), float(ray[2])), False
        x, y, z = (math.floor(coordinate / step + 0.5) * step for coordinate in point)
        return (x, round(point[1], 3) if on_floor else y, z)

    def place_new_piece(self) -> None:
        """Add the chosen piece to the level file at the aimed point and select it."""
        if not self.palette:
            return
        new_piece, position = self.palette[self.palette_index], self.placement_point()
        facing = round(self.editor.context.view_angles.yaw * DEGREES_PER_HEADING_UNIT / 90.0) % 4 * 90.0
        if new_piece.label == "sign":
            facing += 180.0

        def insert(document: YamlDocument) -> Selection | None:
            entry = piece_palette.insert_piece(document, new_piece, position, facing)
            return selection.select_top_level(*selection.entry_location(document, entry), entry.kind)

        self.palette, self.selected_row = [], 0
        self._run_edit(None, f"New {new_piece.label}", insert, f"New {new_piece.label}   ·   Arrows: move, Z: undo")

    # Dragging

    def begin_drag(self) -> None:
        """Begin to drag the selection if it is under the cross-hair."""
        aimed = self.editor.picked
        self._grab_point = self.drag_offset = None
        if aimed is not None and self.is_selected(aimed):
            x, z = dominant_axis(self.editor.context.view_angles.yaw)
            self._grab_point = aimed.point, ((x, 0.0, z) if self.editor.shift else (0.0, 1.0, 0.0))

    def update_drag(self) -> None:
        """Update the displacement of the drag, in grid steps. Called each frame."""
        if self._grab_point is None:
            return
        start, normal = self._grab_point
        eye, direction = np.asarray(self.editor.eye), np.asarray(self.editor.direction)
        towards = float(direction @ np.asarray(normal))
        distance = float((np.asarray(start) - eye) @ np.asarray(normal)) / towards if abs(towards) > 1e-3 else -1.0
        if not 0.0 < distance < MAX_DRAG_DISTANCE:
            return
        displacement = eye + distance * direction - np.asarray(start)
        step = self.editor.grid
        x, y, z = (np.floor(displacement / step + 0.5) * step + 0.0).tolist()
        self.drag_offset = (x, y, z) if (x or y or z) or self.drag_offset is not None else None

    def end_drag(self) -> None:
        """End the drag; the displacement becomes one edit."""
        offset, self.drag_offset, self._grab_point = self.drag_offset, None, None
        if offset is not None and any(offset):
            self.job_queue.run_after(lambda: self.move(offset))

    @property
    def is_dragging(self) -> bool:
        return self._grab_point is not None


def dominant_axis(yaw: float) -> tuple[float, float]:
    """x and z of the axis nearest to the view; yaw 65536 to the turn."""
    return ((0.0, -1.0), (-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))[round(4.0 * yaw / HEADING_UNITS_PER_TURN) % 4]
