"""Toolbox of the editor: the edit tools with the rows of the selection's card, dragging and placement."""

from __future__ import annotations

from ..edit_tools import EditTools
from .dragging import Drag
from .editor_host import EditorHost
from .field_rows import FieldRows
from .placement import Placement


class Toolbox(EditTools):
    """Edit tools of the editor mode.

    rows        rows of the selection's card
    drag        of the selection by the mouse
    placement   of new pieces
    """

    def __init__(self, editor: EditorHost) -> None:
        super().__init__(editor)
        self.rows, self.drag, self.placement = FieldRows(self), Drag(self), Placement(self)

    def selection_changed(self) -> None:
        self.rows.reset()
        self.drag.cancel()
