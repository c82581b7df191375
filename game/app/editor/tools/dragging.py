"""Dragging with the mouse: moves the selection in its plane or vertically, or pulls a face of it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ....core.vectors import Floats, Vector, to_point
from ....level.edit import DocumentEntry, YamlDocument
from ....render.overlay_layers import Overlay, OverlayPoints
from ...input.actions import MouseButton
from .. import selection
from ..edit_tools import EditTools
from ..picking import PickHit, side_corners
from ..pieces import resize
from ..pieces.resize import PULLABLE_KINDS, PulledFace
from ..selection import Selection, handle_corners
from ..views import overlays, wireframe
from .mouse_tools import EditorTool
from .snapping import Snap, SnapTargets, snap_tolerance

MAX_DRAG_DISTANCE = 200.0  # m from the eye to the plane of a drag
SNAP_COLOUR = (0.55, 1.0, 0.62, 1.0)


@dataclass(slots=True)
class Grab:
    """Start of a drag: the point (m) that was taken, and the normal of the plane, or of the face, of the movement."""

    point: Floats
    normal: Floats
    targets: SnapTargets


class DragTool(EditorTool):
    """Drag of the selection by a point that was taken.

    offset   displacement so far (m, world); None before the first step
    snap     corner or edge that the displacement has snapped to
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.offset: Vector | None = None
        self.snap: Snap | None = None
        self._grab: Grab | None = None
        tools.selection_listeners.append(self.stop)

    @property
    def is_active(self) -> bool:
        return self._grab is not None

    @abstractmethod
    def normal_at(self, aimed: PickHit) -> Vector | None:
        """Normal of the movement that begins at a point of the selection; None where the tool refuses it."""

    @abstractmethod
    def displacement(self, grab: Grab, eye: Floats, direction: Floats) -> Vector | None:
        """Displacement of what is dragged by a line of sight; None where the line does not tell. Sets `snap`."""

    @abstractmethod
    def apply(self, grab: Grab, offset: Vector) -> None:
        """Make the edit of a drag."""

    def press(self, button: str) -> bool:
        tools = self.tools
        aimed = tools.view.picked
        if button != MouseButton.LEFT or aimed is None or not tools.is_selected(aimed):
            return False
        self.stop()
        normal = self.normal_at(aimed)
        if normal is None:
            return False
        masks = [selection.selected_faces(tools.level, picked)[0] for picked in tools.selected]
        points = [handle_corners(tools.level, picked) for picked in tools.selected]
        targets = SnapTargets(tools.level, np.logical_or.reduce(masks), np.concatenate(points))
        self._grab = Grab(np.asarray(aimed.point), np.asarray(normal), targets)
        return True

    def hold(self) -> None:
        """Update the displacement: snapped to corners and edges, else in grid steps."""
        if self._grab is None:
            return
        view = self.tools.view
        offset = self.displacement(self._grab, np.asarray(view.eye), np.asarray(view.direction))
        if offset is not None and (any(offset) or self.offset is not None):
            self.offset = offset

    def _on_grid(self, distance: Floats) -> Floats:
        """Distances (m) in whole steps of the grid. Forgets the snap."""
        step = self.tools.view.grid
        self.snap = None
        rounded: Floats = np.floor(distance / step + 0.5) * step + 0.0
        return rounded

    def _may_snap(self, on_grid: Floats) -> bool:
        """Whether the displacement is more than a click's, and snapping is on."""
        return self.tools.view.snaps and (bool(np.any(on_grid)) or self.offset is not None)

    def release(self) -> None:
        is_click = self.is_active and self.offset is None
        self.interrupt()
        if is_click and self.tools.view.shift:
            self.tools.select_aimed(add=True)

    def interrupt(self) -> None:
        """End the drag; the displacement becomes one edit."""
        offset = self.offset
        grab = self._grab
        self.stop()
        if offset is not None and grab is not None and any(offset):
            self.tools.queue.run_after(lambda: self.apply(grab, offset))

    def stop(self) -> None:
        """End the drag without an edit."""
        self.offset = self.snap = self._grab = None

    def overlay(self) -> Overlay | None:
        if self.snap is None:
            return None
        return Overlay(points=(OverlayPoints([self.snap.point], SNAP_COLOUR, 16.0, 0.9),))


class MoveTool(DragTool):
    """Moves the selection in the ground plane; with Shift in the upright plane across the view."""

    def normal_at(self, aimed: PickHit) -> Vector | None:
        x, z = self.tools.view.main_axis
        return (x, 0.0, z) if self.tools.view.shift else (0.0, 1.0, 0.0)

    def displacement(self, grab: Grab, eye: Floats, direction: Floats) -> Vector | None:
        towards = float(direction @ grab.normal)
        distance = float((grab.point - eye) @ grab.normal) / towards if abs(towards) > 1e-3 else -1.0
        if not 0.0 < distance < MAX_DRAG_DISTANCE:
            return None
        wanted = eye + distance * direction - grab.point
        on_grid = self._on_grid(wanted)
        if self._may_snap(on_grid):
            self.snap = grab.targets.in_plane(wanted, grab.normal, snap_tolerance(distance))
        return to_point(on_grid if self.snap is None else self.snap.displacement)

    def apply(self, grab: Grab, offset: Vector) -> None:
        self.tools.move(offset)


class PullTool(DragTool):
    """Pulls a face of the selected piece along its normal, while `is_on`; other grabs are left to the next tool."""

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        self.is_on = False
        self._face: PulledFace | None = None
        self._corners: Floats | None = None

    def toggle(self) -> None:
        """Let the mouse pull faces, or not."""
        self.is_on = not self.is_on
        self.tools.view.show_message(f"The mouse {'pulls faces' if self.is_on else 'moves pieces'}")

    def normal_at(self, aimed: PickHit) -> Vector | None:
        chosen = self.tools.selected
        is_single = self.is_on and len(chosen) == 1 and chosen[0].kind in PULLABLE_KINDS
        found = aimed_face(self.tools) if is_single else None
        if found is None:
            return None
        self._face, self._corners = found
        return aimed.normal

    def displacement(self, grab: Grab, eye: Floats, direction: Floats) -> Vector | None:
        """The point of the normal at which the line of sight passes nearest (two lines in space)."""
        across = eye - grab.point
        cosine = float(direction @ grab.normal)
        if 1.0 - cosine * cosine < 1e-4:
            return None  # looking along the normal
        by = (float(across @ grab.normal) - cosine * float(across @ direction)) / (1.0 - cosine * cosine)
        on_grid = self._on_grid(np.array(by))
        if self._may_snap(on_grid):
            self.snap = grab.targets.along(grab.point, grab.normal, by, snap_tolerance(float(np.linalg.norm(across))))
        if self.snap is not None:
            on_grid = np.asarray(self.snap.displacement) @ grab.normal
        return to_point(grab.normal * float(on_grid))

    def apply(self, grab: Grab, offset: Vector) -> None:
        assert self._face is not None
        pull_face(self.tools, self._face, float(np.asarray(offset) @ grab.normal))

    @property
    def pulled_corners(self) -> Floats | None:
        """Corners (4, 3) of the face that is pulled, where they would be."""
        return None if self._corners is None or self.offset is None else self._corners + np.asarray(self.offset)

    def overlay(self) -> Overlay | None:
        """The pulled face where it would be."""
        snapped = super().overlay()
        corners = self.pulled_corners
        if corners is None:
            return snapped
        edges, _ = wireframe.face_edges(corners[None])
        marks = () if snapped is None else snapped.points
        return Overlay(lines=overlays.glowing_lines(edges, overlays.SELECTION_COLOUR), points=marks)


def aimed_face(tools: EditTools) -> tuple[PulledFace, Floats] | None:
    """The face of the selected piece, or the side of its zone, that is aimed at, and its corners (4, 3), m; None where
    something else is aimed at."""
    aimed = tools.view.picked
    if aimed is None or tools.selection is None or not tools.is_selected(aimed):
        return None
    normal, corners = np.asarray(aimed.normal), tools.level.faces.corners
    if aimed.quad >= 0:
        selected, _ = selection.selected_faces(tools.level, tools.selection)
        along = corners[selected].reshape(-1, 3) @ normal
        height = float(corners[aimed.quad].mean(axis=0) @ normal)
        is_outer = height >= (float(along.min()) + float(along.max())) / 2.0
        return PulledFace(aimed.normal, is_outer), corners[aimed.quad]
    zone = None if aimed.handle is None else aimed.handle.zone
    if zone is None:
        return None
    point = np.asarray(aimed.point)
    return PulledFace(aimed.normal, float((point - zone.centre) @ normal) >= 0.0), side_corners(zone, point)


def pull_face(tools: EditTools, face: PulledFace, by: float) -> None:
    """Move a face of the selected piece along its normal (m)."""

    def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
        resize.pull_face(document, entry, picked.local_to_world, face, by)

    tools.edit_each("Resized", edit)


def pull_aimed_face(tools: EditTools, by: float) -> None:
    """Move the face under the cross-hair towards the eye (m)."""
    found = aimed_face(tools)
    if found is None:
        tools.view.show_message("Look at a face of the piece, or choose a number with Tab")
    else:
        pull_face(tools, found[0], by)
