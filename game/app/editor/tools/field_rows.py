"""Rows of the selection's card: the face in view, the fields of the pieces, doors and windows, a typed displacement."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ....core.vectors import Floats, Vector
from ....level.build.pieces import WALL_KINDS
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number
from ....level.format.numbers import FINE_FACTOR, Formula, Point
from ....level.format.piece_kind import Pull
from ....level.format.record import KnownNames
from ....level.format.values import Text
from ....level.geometry.instance_transform import Matrix
from ..edit_tools import EditTools
from ..pieces.palette import top_names
from ..pieces.piece_fields import PieceFields
from ..pieces.piece_rows import PieceRow, common_rows, piece_rows, read_numbers, step_value, type_value
from ..pieces.resize import PULLABLE_KINDS
from ..pieces.transforms import to_local_offset
from ..selection import Selection
from ..undo_history import ExternalChange
from .dragging import pull_aimed_face

OPENINGS = {"door": "doors", "window": "windows"}  # the field of each kind of opening
FLAT = 0.3  # part of a unit normal along an axis below which a face is at right angles to it
WALL_TOLERANCE = 1e-3  # m by which an aimed point may lie before the inner face of a wall
MAX_TYPED = 200  # characters of a typed value
_DISPLACEMENT = Point("How far a face is pulled.")


@dataclass(frozen=True, slots=True)
class FieldRow:
    """Row of the card.

    limits    what may be typed
    step      what the keys for more (1) and less (-1) do
    write     writes a typed text; None in a row that nothing is typed into
    act       what Enter does in such a row
    written   the value with which typing begins. is_text: it is continued, not replaced
    """

    label: str
    value: str
    limits: str
    step: Callable[[int], None]
    write: Callable[[str], None] | None = None
    act: Callable[[], None] | None = None
    written: str = ""
    is_text: bool = False


class FieldRows:
    """Rows of the selection.

    label    of the selected row; the first one where there is none of that label
    typed    the text that is being typed into it; None while nothing is typed
    replaces_value   the next character replaces `typed`, which is the present value
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.label = ""
        self.typed: str | None = None
        self.replaces_value = False
        self._text_before: str | None = None  # the value that `typed` began with; it is not written again
        self._cached: tuple[tuple[Selection, ...], tuple[str, ...], list[PieceRow]] | None = None
        tools.selection_listeners.append(self.reset)

    def reset(self) -> None:
        """Select the first row: another piece was picked."""
        self.label = ""
        self.typed = None

    def fields(self) -> list[PieceRow]:
        """Fields that all selected pieces have."""
        tools = self.tools
        if tools.undo_history is None or not tools.selected:
            return []
        if tools.queue.is_busy:
            return self._cached[2] if self._cached is not None else []
        try:
            documents = [tools.undo_history.document(picked.file(tools.level)) for picked in tools.selected]
            texts = tuple(document.text for document in documents)
            if self._cached is None or self._cached[:2] != (tools.selected, texts):
                lists = [
                    piece_rows(document, picked.find_entry(document), picked.part)
                    for document, picked in zip(documents, tools.selected, strict=True)
                ]
                self._cached = tools.selected, texts, common_rows(lists)
            return self._cached[2]
        except ExternalChange as refused:
            tools.show_error(refused)
        except EditRefused:
            pass
        return []

    def rows(self) -> list[FieldRow]:
        """All rows from top to bottom."""
        tools = self.tools
        picked = tools.selection
        if picked is None:
            return []
        rows = []
        fields = self.fields()
        is_single = len(tools.selected) == 1
        if is_single and picked.kind in PULLABLE_KINDS:
            by = f"by {format_number(tools.view.grid)} m"
            limits = "metres; positive pulls the face towards you"
            rows.append(FieldRow("face in view", by, limits, self._step_face, self._write_face))
        for row in fields:
            step, write = partial(self._step_field, row), partial(self._write_field, row)
            written = row.value if row.is_written else ""
            is_text = isinstance(row.field, Text | Formula)
            rows.append(
                FieldRow(row.label, row.value, row.field.limits(), step, write, written=written, is_text=is_text)
            )
        if is_single and picked.kind in WALL_KINDS:
            rows += self._opening_rows(fields)
        hint = self._hint("Type a displacement: x y z, such as 1.25 0 -2")
        rows.append(FieldRow("move by", "", "x y z in metres", hint, self._write_displacement))
        return rows

    def _opening_rows(self, fields: list[PieceRow]) -> list[FieldRow]:
        """Rows that remove the doors and windows of a wall or room, and that add one."""
        there = sorted({(kind, int(row.path[1])) for kind, name in OPENINGS.items() for row in fields
                        if row.path[0] == name})  # fmt: skip
        acts: list[tuple[str, str, Callable[[], None]]] = [
            *((f"{kind} {index + 1}", "remove", partial(self._remove_opening, kind, index)) for kind, index in there),
            *((f"add {kind}", "to the wall in view", partial(self._add_opening, kind)) for kind in OPENINGS),
        ]
        hint = self._hint("Press Enter to do it")
        return [FieldRow(label, value, "", hint, act=act) for label, value, act in acts]

    def _hint(self, text: str) -> Callable[[int], None]:
        return lambda _: self.tools.view.show_message(text)

    @property
    def chosen(self) -> FieldRow | None:
        """The selected row; None without one."""
        rows = self.rows()
        return next((row for row in rows if row.label == self.label), rows[0] if rows else None)

    @property
    def is_displacement(self) -> bool:
        """Whether the selected row is the typed displacement."""
        row = self.chosen
        return row is not None and row.write == self._write_displacement

    def choose(self, by: int) -> None:
        """Select another row, by an offset."""
        labels = [row.label for row in self.rows()]
        if labels:
            index = labels.index(self.label) if self.label in labels else 0
            self.label = labels[(index + by) % len(labels)]
            self.typed = None

    def click(self, index: int) -> None:
        """Select a row and type into it, after what is being typed into another row is written."""
        label = self.rows()[index].label
        self.accept()
        self.label = label
        self.edit_value()

    def step(self, sense: int) -> None:
        """Step the selected row by `sense` (1 or -1): a number, the next word, or the face in view."""
        row = self.chosen
        if row is not None:
            row.step(sense)

    # Typing

    def begin_typing(self, text: str = "") -> None:
        """Begin to type a new value into the selected row."""
        row = self.chosen
        if row is not None and row.write is not None:
            self.typed = text
            self.replaces_value = False
            self._text_before = None

    def edit_value(self) -> None:
        """Begin to type with the present value of the selected row. A text is continued; the first character replaces
        any other value."""
        row = self.chosen
        if row is None:
            return
        if row.act is not None:
            row.act()
            return
        self.typed = self._text_before = row.written
        self.replaces_value = bool(row.written) and not row.is_text

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
        if row is None or row.write is None or typed is None or typed == self._text_before:
            return
        try:
            row.write(typed)
        except EditRefused as refused:
            self.tools.show_error(refused)

    # What the rows do

    def _step_face(self, sense: int) -> None:
        view = self.tools.view
        pull_aimed_face(self.tools, sense * view.grid * (FINE_FACTOR if view.shift else 1.0))

    def _write_face(self, typed: str) -> None:
        if typed.strip():
            pull_aimed_face(self.tools, _DISPLACEMENT.typed(typed, "face in view")[0])

    def _write_displacement(self, typed: str) -> None:
        numbers = read_numbers(typed)
        if len(numbers) == 3:
            self.tools.move((numbers[0], numbers[1], numbers[2]))
        elif typed.strip():
            raise EditRefused("a displacement has three numbers: x y z, such as `1.25 0 -2`")

    def _step_field(self, row: PieceRow, sense: int) -> None:
        grid, fine, names = self.tools.view.grid, self.tools.view.shift, self._known_names()
        self._edit_field(row, lambda document, entry, own: step_value(document, entry, own, sense, grid, fine, names))

    def _write_field(self, row: PieceRow, typed: str) -> None:
        names = self._known_names()
        self._edit_field(row, lambda document, entry, own: type_value(document, entry, own, typed, names))

    def _edit_field(self, row: PieceRow, write: Callable[[YamlDocument, DocumentEntry, PieceRow], None]) -> None:
        """Edit a field of all selected pieces, each of which has its own value."""

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            own = row
            if len(self.tools.selected) > 1:
                own = next((one for one in piece_rows(document, entry) if one.label == row.label), row)
            write(document, entry, own)

        self.tools.edit_each(f"Changed {row.label} of", edit)

    def _known_names(self) -> KnownNames:
        """Names that fields may refer to."""
        surfaces = tuple(surface.name for surface in self.tools.level.surfaces)
        return KnownNames(surfaces, tuple(top_names(self.tools.own_document(), "define")))

    def _add_opening(self, kind: str) -> None:
        """Add a door or window to the wall that is looked at."""
        tools = self.tools
        aimed = tools.view.picked
        if aimed is None or aimed.quad < 0 or not tools.is_selected(aimed):
            tools.view.show_message(f"Look at the wall that gets the {kind}")
            return

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            fields = PieceFields(document, entry)
            corners = tools.corners_of(picked)
            place = wall_point(fields, picked.local_to_world, corners, aimed.point, aimed.normal)
            add_opening(fields, kind, place, tools.view.grid)

        tools.edit_each(f"Added {kind} to", edit)

    def _remove_opening(self, kind: str, index: int) -> None:
        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            document.remove_item(entry, OPENINGS[kind], index)

        self.tools.edit_each(f"Removed {kind} {index + 1} of", edit)


# ---- doors and windows


@dataclass(frozen=True, slots=True)
class WallPoint:
    """A point of a wall. wall: of a room, else "". at: m along the wall. length, height: of the wall (m)."""

    wall: str
    at: float
    length: float
    height: float


def wall_point(fields: PieceFields, frame: Matrix, corners: Floats, point: Vector, normal: Vector) -> WallPoint:
    """The aimed point on a wall of a piece. EditRefused where another face is aimed at.

    frame: from the axes of the piece's numbers to the world. corners (n, 3): of the piece's faces, m (world).
    """
    local = np.array([to_local_offset(frame, corner) for corner in [*corners.tolist(), point]])
    local -= local[:-1].min(axis=0)
    size = local[:-1].max(axis=0)
    aimed = local[-1]
    across = np.array(to_local_offset(frame, normal))
    across /= max(float(np.linalg.norm(across)), 1e-9)
    if fields.record.pull is Pull.LINE:
        return _point_of_wall(fields, aimed, across, local[:-1])
    thickness = fields.number("thickness") or 0.0
    axis = 2 if abs(across[2]) > abs(across[0]) else 0
    is_far = aimed[axis] >= size[axis] - thickness - WALL_TOLERANCE
    if abs(across[1]) > FLAT or not (is_far or aimed[axis] <= thickness + WALL_TOLERANCE):
        raise EditRefused("look at a wall of the room")
    wall = (("west", "east") if axis == 0 else ("north", "south"))[int(is_far)]
    along = 2 - axis
    start, end = fields.vector("from") or [0.0] * 3, fields.vector("to") or [0.0] * 3
    return WallPoint(wall, float(aimed[along]) - thickness, abs(end[along] - start[along]), abs(end[1] - start[1]))


def _point_of_wall(fields: PieceFields, aimed: Floats, across: Floats, corners: Floats) -> WallPoint:
    start, end = fields.vector("from") or [0.0] * 2, fields.vector("to") or [0.0] * 2
    length = math.dist(start, end)
    direction = np.array((end[0] - start[0], 0.0, end[1] - start[1])) / max(length, 1e-9)
    if abs(across[1]) > FLAT or abs(float(across @ direction)) > FLAT:
        raise EditRefused("look at a side of the wall")
    at = float(aimed @ direction) - float((corners @ direction).min())
    return WallPoint("", at, length, fields.number("height") or 0.0)


def add_opening(fields: PieceFields, kind: str, place: WallPoint, grid: float) -> None:
    """Add a door or window at a point of a wall, on the grid and within the wall.

    kind: "door" or "window". EditRefused where the wall has no room for it.
    """
    name = OPENINGS[kind]
    schema = fields.field(name)
    assert schema is not None
    assert schema.record is not None
    fields_of = schema.record.fields.values()
    sizes = {field.name: float(field.default) for field in fields_of if isinstance(field.default, float)}
    sill = sizes.get("sill", 0.0)
    width = sizes["width"]
    height = min(sizes["height"], place.height - sill)
    if width > place.length or height <= 0.0:
        raise EditRefused(f"the wall has no room for a {kind}")
    at = min(max(round(place.at / grid) * grid, width / 2.0), place.length - width / 2.0)
    values = {"wall": place.wall, "at": format_number(at), "width": format_number(width)}
    values |= {"height": format_number(height)} | ({"sill": format_number(sill)} if sill else {})
    new = ", ".join(f"{field}: {value}" for field, value in values.items() if value)
    fields.document.append_item(fields.entry, name, f"{{{new}}}")
