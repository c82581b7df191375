"""Dragging with the mouse: moves the selection in its plane or vertically, or pulls a face of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.vectors import Floats, Vector
from .. import selection
from ..edit_tools import EditTools, dominant_axis
from ..entities.handles import handle_corners
from ..pieces.resize import PULLABLE_KINDS, PulledFace
from . import face_pull
from .snapping import Snap, SnapTargets, snap_tolerance

MAX_DRAG_DISTANCE = 200.0  # m from the eye to the plane of a drag
MOVE, RESIZE = "move", "resize"


@dataclass(slots=True)
class Grab:
    """Start of a drag: the point (m) that was taken, and the normal of the plane of the movement.

    face, face_corners   the face that is pulled, if any
    """

    point: Floats
    normal: Floats
    targets: SnapTargets
    face: PulledFace | None = None
    face_corners: Floats | None = None


class Drag:
    """Drag of the selection.

    tool     MOVE or RESIZE
    offset   displacement so far (m, world); None before the first step
    snap     corner or edge that the displacement has snapped to
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.tool = MOVE
        self.offset: Vector | None = None
        self.snap: Snap | None = None
        self.is_click = False  # nothing has moved since the button went down
        self._grab: Grab | None = None

    @property
    def is_active(self) -> bool:
        return self._grab is not None

    @property
    def pulled_corners(self) -> Floats | None:
        """Corners (4, 3) of the face that is pulled, where they would be."""
        grab = self._grab
        if grab is None or grab.face_corners is None or self.offset is None:
            return None
        moved: Floats = grab.face_corners + np.asarray(self.offset)
        return moved

    @property
    def is_pulling(self) -> bool:
        return self._grab is not None and self._grab.face is not None

    def begin(self) -> None:
        """Begin to drag the selection if it is under the cross-hair."""
        tools, editor = self.tools, self.tools.editor
        aimed = editor.picked
        self.cancel()
        if aimed is None or not tools.is_selected(aimed):
            return
        level = tools.level
        masks = [selection.selected_faces(level, picked)[0] for picked in tools.selected]
        points = [handle_corners(level, picked) for picked in tools.selected]
        targets = SnapTargets(level, np.logical_or.reduce(masks), np.concatenate(points))
        self.is_click = True
        chosen = tools.selection
        pulls = self.tool == RESIZE and len(tools.selected) == 1 and chosen is not None
        if pulls and chosen is not None and chosen.kind in PULLABLE_KINDS and face_pull.can_pull(aimed):
            face, corners = face_pull.face_at(tools, aimed), face_pull.face_corners(tools, aimed)
            self._grab = Grab(np.asarray(aimed.point), np.asarray(aimed.normal), targets, face, corners)
            return
        x, z = dominant_axis(editor.context.input.view.yaw)
        normal = (x, 0.0, z) if editor.shift else (0.0, 1.0, 0.0)
        self._grab = Grab(np.asarray(aimed.point), np.asarray(normal), targets)

    def update(self) -> None:
        """Update the displacement: snapped to corners and edges, else in grid steps. Called each frame."""
        grab = self._grab
        if grab is None:
            return
        editor = self.tools.editor
        eye, direction = np.asarray(editor.eye), np.asarray(editor.direction)
        if grab.face is not None:
            self._update_pull(grab, eye, direction)
            return
        towards = float(direction @ grab.normal)
        distance = float((grab.point - eye) @ grab.normal) / towards if abs(towards) > 1e-3 else -1.0
        if not 0.0 < distance < MAX_DRAG_DISTANCE:
            return
        displacement = eye + distance * direction - grab.point
        step = editor.grid
        on_grid = np.floor(displacement / step + 0.5) * step + 0.0
        self.snap = None
        if editor.snaps and (np.any(on_grid) or self.offset is not None):
            self.snap = grab.targets.in_plane(displacement, grab.normal, snap_tolerance(distance))
        x, y, z = on_grid.tolist() if self.snap is None else self.snap.displacement
        self._set_offset((x, y, z))

    def _update_pull(self, grab: Grab, eye: Floats, direction: Floats) -> None:
        """Distance along the face's normal at which the line of sight passes nearest (two lines in space)."""
        editor = self.tools.editor
        across = eye - grab.point
        cosine = float(direction @ grab.normal)
        if 1.0 - cosine * cosine < 1e-4:
            return  # looking along the normal
        by = (float(across @ grab.normal) - cosine * float(across @ direction)) / (1.0 - cosine * cosine)
        step = editor.grid
        on_grid = float(np.floor(by / step + 0.5) * step + 0.0)
        self.snap = None
        if editor.snaps and (on_grid or self.offset is not None):
            tolerance = snap_tolerance(float(np.linalg.norm(across)))
            self.snap = grab.targets.along(grab.point, grab.normal, by, tolerance)
        if self.snap is not None:
            on_grid = float(np.asarray(self.snap.displacement) @ grab.normal)
        x, y, z = (grab.normal * on_grid).tolist()
        self._set_offset((x, y, z))

    def _set_offset(self, offset: Vector) -> None:
        if any(offset) or self.offset is not None:
            self.offset, self.is_click = offset, False

    def end(self) -> None:
        """End the drag; the displacement becomes one edit."""
        offset, grab = self.offset, self._grab
        self.cancel()
        if offset is None or grab is None or not any(offset):
            return
        tools, face = self.tools, grab.face
        if face is None:
            tools.job_queue.run_after(lambda: tools.move(offset))
        else:
            by = float(np.asarray(offset) @ grab.normal)
            tools.job_queue.run_after(lambda: face_pull.pull_face(tools, face, by))

    def cancel(self) -> None:
        """End the drag without an edit."""
        self.offset, self.snap, self._grab, self.is_click = None, None, None, False
