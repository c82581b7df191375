"""The picture: a scene and a snapshot in, pixels out; with a window's context or without one."""

from .camera import View, near_plane
from .gl.context import ContextError, offscreen_context
from .gl.programs import ShaderError, ShaderProblem
from .gl.quality import QUALITIES, Quality, suggested_quality
from .hud.layout import row_boxes, slider_span
from .passes.ellipsoids import EllipsoidLook
from .renderer import Renderer, read_image
from .scene.scene import ExitLook, GoalLook, LampLook, Scene, SignLook, SkyLook, SurfaceLook, TargetLook
from .scene.scene_data import Prepared, Preparer, prepare
from .snapshot import Body, Card, CardRow, Debug, Hud, Label, Panel, Row, Snapshot, Timeline

__all__ = [
    "QUALITIES",
    "Body",
    "Card",
    "CardRow",
    "ContextError",
    "Debug",
    "EllipsoidLook",
    "ExitLook",
    "GoalLook",
    "Hud",
    "Label",
    "LampLook",
    "Panel",
    "Prepared",
    "Preparer",
    "Quality",
    "Renderer",
    "Row",
    "Scene",
    "ShaderError",
    "ShaderProblem",
    "SignLook",
    "SkyLook",
    "Snapshot",
    "SurfaceLook",
    "TargetLook",
    "Timeline",
    "View",
    "near_plane",
    "offscreen_context",
    "prepare",
    "read_image",
    "row_boxes",
    "slider_span",
    "suggested_quality",
]
