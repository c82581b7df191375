"""Pictures of an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.arguments import as_integer, describe_value

if TYPE_CHECKING:
    from ..core.vectors import Floats
    from ..level import Level

RENDER_MODES = ["human", "rgb_array"]
RENDER_FPS = 15
VIEWS = ("eye", "behind")


class WalkerPicture:
    """The picture of a walker, drawn off screen. A pickled one draws anew: its graphics context is not kept."""

    def __init__(self, mode: str | None, width: int, height: int, view: str) -> None:
        if mode not in (None, *RENDER_MODES):
            raise ValueError(
                f"render_mode must be one of {', '.join(RENDER_MODES)}, or None, not {describe_value(mode)}"
            )
        if view not in VIEWS:
            raise ValueError(f"view must be one of {', '.join(VIEWS)}, not {describe_value(view)}")
        self.mode, self.view = mode, view
        self.size = as_integer(width, "width", 16, 8192), as_integer(height, "height", 16, 8192)

    def draw(self, level: Level, state: Floats, clock: int, reached: Any) -> Any:
        """The picture."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the context and the window."""
