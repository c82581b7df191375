"""Rows of the selection's card: the face in view, a typed displacement, and the fields of the pieces."""

from __future__ import annotations

from dataclasses import dataclass

from ....level.build.pieces import WALL_KINDS
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number
from ....level.format.numbers import FINE_FACTOR, Formula, Point
from ....level.format.record import KnownNames
from ....level.format.values import Text
from ..document.field_access import PieceFields
from ..document.undo_history import EditError, ExternalChange
from ..edit_tools import EditTools
from ..pieces import openings, palette_entries, piece_rows, resize
from ..pieces.piece_rows import PieceRow
from ..selection import Selection
from . import dragging

FACE_ROW_LABEL = "face in view"
MOVE_ROW_LABEL = "move by"
MAX_TYPED = 200  # characters of a typed value
_DISPLACEMENT = Point("How far a face is pulled.")


@dataclass(frozen=True, slots=True)
class FieldRow:
    """Row of the card: label, value, and the field behind it; None for the face in view, the displacement and rows that
    do something. opening: kind of door or window that the row adds or removes; remove: its index, -1 for a new one."""

    label: str
    value: str
    field: PieceRow | None = None
    opening: str = ""
    remove: int = -1

    @property
    def limits(self) -> str:
        """What may be typed, from the schema."""
        if self.label == FACE_ROW_LABEL and self.field is None:
            return "metres; positive pulls the face towards you"
        if self.field is None:
            return "x y z in metres"
        return self.field.field.limits()


class FieldRows:
    """Rows of the selection.

    index    the selected row
    typed    the text that is being typed into it; None while nothing is typed
    replaces_value   the next character replaces `typed`, which is the present value
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.index = 0
        self.typed: str | None = None
        self.replaces_value = False
        self._text_before: str | None = None  # the value that `typed` began with; it is not written again
        self._cached: tuple[tuple[Selection, ...], tuple[str, ...], list[PieceRow]] | None = None
        tools.selection_listeners.append(self.reset)

    def reset(self) -> None:
        """Select the first row: another piece was picked."""
        self.index = 0
        self.typed = None

    @property
    def has_faces(self) -> bool:
        """Whether the first row is the face in view."""
        tools = self.tools
        return len(tools.selected) == 1 and tools.selected[0].kind in resize.PULLABLE_KINDS

    def fields(self) -> list[PieceRow]:
        """Fields that all selected pieces have."""
        tools = self.tools
        if tools.undo_history is None or not tools.selected:
            return []
        if tools.job_queue.is_busy:
            return self._cached[2] if self._cached is not None else []
        try:
            documents = [tools.undo_history.document(picked.file(tools.level)) for picked in tools.selected]
            texts = tuple(document.text for document in documents)
            if self._cached is None or self._cached[:2] != (tools.selected, texts):
                lists = [
                    piece_rows.piece_rows(document, picked.find_entry(document), picked.part)
                    for document, picked in zip(documents, tools.selected, strict=True)
                ]
                self._cached = tools.selected, texts, piece_rows.common_rows(lists)
            return self._cached[2]
        except ExternalChange as refused:
            tools.show_error(refused)
        except (EditError, EditRefused):
            pass
        return []

    def rows(self) -> list[FieldRow]:
        """All rows from top to bottom."""
        if not self.tools.selected:
            return []
        grid = format_number(self.tools.view.grid)
        rows = [FieldRow(FACE_ROW_LABEL, f"by {grid} m")] if self.has_faces else []
        rows += [FieldRow(field.label, field.value, field) for field in self.fields()]
        rows += self._opening_rows()
        rows.append(FieldRow(MOVE_ROW_LABEL, ""))
        return rows

    def _opening_rows(self) -> list[FieldRow]:
        """Rows that remove the doors and windows of a wall or room, and that add one."""
        picked = self.tools.selection
        if len(self.tools.selected) != 1 or picked is None or picked.kind not in WALL_KINDS:
            return []
        fields = self.fields()
        rows = []
        for kind, name in openings.OPENINGS.items():
            numbers = sorted({int(field.path[0]) for field in fields if field.name == name})
            rows += [FieldRow(f"{kind} {number + 1}", "remove", None, kind, number) for number in numbers]
        return [*rows, *(FieldRow(f"add {kind}", "to the wall in view", None, kind) for kind in openings.OPENINGS)]

    def _change_opening(self, row: FieldRow) -> None:
        """Add a door or window to the wall that is looked at, or remove one."""
        tools = self.tools
        aimed = tools.view.picked
        if row.remove < 0 and (aimed is None or aimed.quad < 0 or not tools.is_selected(aimed)):
            tools.view.show_message(f"Look at the wall that gets the {row.opening}")
            return

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            fields = PieceFields(document, entry)
            if row.remove >= 0:
                document.remove_item(entry, openings.OPENINGS[row.opening], row.remove)
            elif aimed is not None:
                corners = tools.corners_of(picked)
                place = openings.wall_point(fields, picked.local_to_world, corners, aimed.point, aimed.normal)
                openings.add_opening(fields, row.opening, place, tools.view.grid)

        if row.remove >= 0:
            tools.edit_each(f"Removed {row.label} of", edit, f"Removed {row.label}   ·   Z: undo")
        else:
            tools.edit_each(f"Added {row.opening} to", edit, f"New {row.opening}   ·   Tab: its place and size")

    @property
    def chosen(self) -> FieldRow | None:
        """The selected row; None without one."""
        rows = self.rows()
        return rows[min(self.index, len(rows) - 1)] if rows else None

    def choose(self, by: int) -> None:
        """Select another row, by an offset."""
        count = len(self.rows())
        if count:
            self.index = (min(self.index, count - 1) + by) % count
            self.typed = None

    @property
    def is_displacement(self) -> bool:
        """Whether the selected row is the typed displacement."""
        row = self.chosen
        return row is not None and row.field is None and row.label == MOVE_ROW_LABEL

    def click(self, index: int) -> None:
        """Select a row and type into it, after what is being typed into another row is written."""
        self.accept()
        self.index = index
        self.edit_value()

    def known_names(self) -> KnownNames:
        """Names that fields may refer to."""
        tools = self.tools
        surfaces = tuple(surface.name for surface in tools.level.surfaces)
        try:
            history = tools.open_history()
            prefabs = tuple(palette_entries.prefab_names(history.document(history.path)))
        except EditError:
            prefabs = ()
        return KnownNames(surfaces, prefabs)

    # Typing

    def begin_typing(self, text: str = "") -> None:
        """Begin to type a new value into the selected row."""
        if self.chosen is not None and not self.chosen.opening:
            self.typed = text
            self.replaces_value = False
            self._text_before = None

    def edit_value(self) -> None:
        """Begin to type with the present value of the selected row. A text is continued; the first character replaces
        any other value."""
        row = self.chosen
        if row is None:
            return
        if row.opening:
            self._change_opening(row)
            return
        field = row.field
        value = field.value if field is not None and field.is_written else ""
        is_text = field is not None and isinstance(field.field, Text | Formula)
        self.typed = value
        self.replaces_value = bool(value) and not is_text
        self._text_before = value

    def type_text(self, text: str) -> None:
        """Add typed characters."""
        if self.typed is not None:
            before = "" if self.replaces_value else self.typed
            self.typed = (before + "".join(char for char in text if char.isprintable()))[:MAX_TYPED]
            self.replaces_value = False

    def erase(self) -> None:
        """Remove the last typed character."""
        if self.typed is not None:
            self.typed = self.typed[:-1]
            self.replaces_value = False

    def accept(self) -> None:
        """Write what was typed, unless it is the value of before."""
        row = self.chosen
        typed = self.typed
        self.typed = None
        if row is None or typed is None or typed == self._text_before or (row.field is None and not typed.strip()):
            return
        try:
            self._write(row, typed)
        except EditRefused as refused:
            self.tools.show_error(refused)

    def _write(self, row: FieldRow, typed: str) -> None:
        field = row.field
        if field is None and row.label == FACE_ROW_LABEL:
            dragging.pull_aimed_face(self.tools, _DISPLACEMENT.typed(typed, FACE_ROW_LABEL)[0])
        elif field is None:
            numbers = piece_rows.read_numbers(typed)
            if len(numbers) != 3:
                raise EditRefused("a displacement has three numbers: x y z, such as `1.25 0 -2`")
            self.tools.move((numbers[0], numbers[1], numbers[2]))
        else:
            names = self.known_names()

            def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
                piece_rows.type_value(document, entry, self._of(document, entry, field), typed, names)

            self.tools.edit_each(f"Changed {field.label} of", edit)

    def _of(self, document: YamlDocument, entry: DocumentEntry, field: PieceRow) -> PieceRow:
        """The row of one of several pieces, with its own value."""
        if len(self.tools.selected) == 1:
            return field
        rows = piece_rows.piece_rows(document, entry)
        return next((row for row in rows if row.label == field.label), field)

    def step(self, sense: int) -> None:
        """Step the selected row by `sense` (1 or -1): a number, the next word, or the face in view."""
        row = self.chosen
        view = self.tools.view
        fine = view.shift
        grid = view.grid
        if row is None:
            return
        if row.opening:
            if row.remove < 0 and sense > 0:
                self._change_opening(row)
            else:
                view.show_message(f"Press Enter to {row.value if row.remove >= 0 else row.label}")
            return
        if row.field is None:
            if row.label == FACE_ROW_LABEL:
                dragging.pull_aimed_face(self.tools, sense * grid * (FINE_FACTOR if fine else 1.0))
            else:
                view.show_message("Type a displacement: x y z, such as 1.25 0 -2")
            return
        field = row.field
        names = self.known_names()

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            piece_rows.step_value(document, entry, self._of(document, entry, field), sense, grid, fine, names)

        self.tools.edit_each(f"Changed {field.label} of", edit)
