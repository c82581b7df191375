"""Loading mode: before there is a world, while the kernels compile."""

from __future__ import annotations

from ..settings.mode_names import PREPARING
from .mode import Mode


class LoadingMode(Mode):
    """Lowest mode of the stack until `Game.start`. Only quitting works."""

    name = PREPARING

    def key_pressed(self, key: str) -> None:
        if key == "ESCAPE":
            self.context.window_requests.append("quit")
