"""Pulling a face of the selected piece."""

from __future__ import annotations

import numpy as np

from ....core.vectors import Floats
from ....level.edit import DocumentEntry, YamlDocument
from .. import selection
from ..edit_tools import EditTools
from ..entities.zone_boxes import side_corners
from ..picking import PickHit
from ..pieces import resize
from ..pieces.resize import PulledFace
from ..selection import Selection


def can_pull(aimed: PickHit | None) -> bool:
    """Whether a face or the side of a zone is aimed at."""
    return aimed is not None and (aimed.quad >= 0 or (aimed.handle is not None and aimed.handle.zone is not None))


def face_at(tools: EditTools, aimed: PickHit) -> PulledFace:
    """The aimed face of the selected piece, and whether the rest of the piece lies behind it."""
    assert tools.selection is not None
    normal = np.asarray(aimed.normal)
    if aimed.handle is not None and aimed.handle.zone is not None:
        outwards = np.asarray(aimed.point) - np.asarray(aimed.handle.zone.centre)
        return PulledFace(aimed.normal, float(outwards @ normal) >= 0.0)
    corners = tools.level.faces.corners
    selected, _ = selection.selected_faces(tools.level, tools.selection)
    along = corners[selected].reshape(-1, 3) @ normal
    height = float(corners[aimed.quad].mean(axis=0) @ normal)
    return PulledFace(aimed.normal, height >= (float(along.min()) + float(along.max())) / 2.0)


def face_corners(tools: EditTools, aimed: PickHit) -> Floats:
    """Corners (4, 3) of the aimed face or side, m."""
    if aimed.handle is not None and aimed.handle.zone is not None:
        return side_corners(aimed.handle.zone, np.asarray(aimed.point))
    corners: Floats = tools.level.faces.corners[aimed.quad]
    return corners


def pull_face(tools: EditTools, face: PulledFace, by: float) -> None:
    """Move a face of the selected piece along its normal (m)."""

    def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
        resize.pull_face(document, entry, picked.local_to_world, face, by)

    tools.edit_each("Resized", edit)


def pull_aimed_face(tools: EditTools, by: float) -> None:
    """Move the face under the cross-hair towards the eye (m)."""
    aimed = tools.view.picked
    if aimed is None or not can_pull(aimed) or not tools.is_selected(aimed):
        tools.view.show_message("Look at a face of the piece, or choose a number with Tab")
        return
    pull_face(tools, face_at(tools, aimed), by)
