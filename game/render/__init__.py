"""Renderer: scene and snapshot to pixels, with a window's OpenGL context or off screen."""

from .camera import Camera
from .decal import Decal, DecalPicture
from .gl.context import ContextError, offscreen_context, read_image
from .gl.programs import ShaderDiagnostic, ShaderError
from .gl.quality import QUALITIES, Quality, suggested_quality
from .hud.arrangement import menu_row_rectangles, slider_x_range
from .renderer import Renderer
from .scene.scene import (
    GoalAppearance,
    Scene,
    SignAppearance,
    SurfaceAppearance,
)
from .scene.scene_data import SceneBuilder, SceneData, build_scene_data
from .snapshot import (
    Body,
    Card,
    CardRow,
    EllipsoidInstance,
    Hud,
    Panel,
    PanelRow,
    ScreenLabel,
    Snapshot,
    Timeline,
)

__all__ = [
    "QUALITIES",
    "Body",
    "Camera",
    "Card",
    "CardRow",
    "ContextError",
    "Decal",
    "DecalPicture",
    "EllipsoidInstance",
    "GoalAppearance",
    "Hud",
    "Panel",
    "PanelRow",
    "Quality",
    "Renderer",
    "Scene",
    "SceneBuilder",
    "SceneData",
    "ScreenLabel",
    "ShaderDiagnostic",
    "ShaderError",
    "SignAppearance",
    "Snapshot",
    "SurfaceAppearance",
    "Timeline",
    "build_scene_data",
    "menu_row_rectangles",
    "offscreen_context",
    "read_image",
    "slider_x_range",
    "suggested_quality",
]
