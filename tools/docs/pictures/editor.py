"""Render the pictures of the level editor in docs/pictures/editor: `python -m tools.docs.pictures.editor`.

Each picture is a game without a window, played by key presses on a copy of the demo level.
"""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.level import load
from game.render import Renderer, Scene, offscreen_context
from tools.docs.pictures.shared import DOCS, ROOT, SIZE, asked_for, drawn, keep

FRAME = 1 / 60  # s
Point = tuple[float, float, float]


class Player:
    """Flies in the editor and presses keys."""

    def __init__(self, path: Path) -> None:
        self.game, self.now = Game(load(path), Settings(), "high"), 0.0
        self.game.advance_frame(self.now, SIZE[0] / SIZE[1])
        self.game.start(self.game.make_world())
        self.wait()
        self.press("F2")

    def wait(self) -> None:
        self.now += FRAME
        self.shown = self.game.advance_frame(self.now, SIZE[0] / SIZE[1])

    def press(self, *keys: str) -> None:
        for key in keys:
            self.game.key_pressed(key)
            self.game.key_released(key)
            self.wait()

    def stand(self, eye: Point, at: Point) -> None:
        self.game.modes["editing"].view.camera.place(eye)
        x, y, z = (b - a for a, b in zip(eye, at, strict=True))
        self.game.input.view.yaw = math.atan2(-x, -z) * 65536 / (2 * math.pi) % 65536
        self.game.input.view.pitch = math.atan2(y, math.hypot(x, z)) * 65536 / (2 * math.pi)
        self.wait()

    def click(self) -> None:
        self.game.modes["editing"].mouse_button("LEFT", True)
        self.game.modes["editing"].mouse_button("LEFT", False)
        self.wait()


def looking(player: Player) -> None:
    """The grid on the paving, before a bench."""
    player.press("_1")
    player.stand((-0.4, 2.1, 8.3), (-1.62, 0.0, 5.9))


def slopes(player: Player) -> None:
    """Walkable surfaces in front of the ramps."""
    player.press("_4")
    player.stand((0.4, 3.4, 1.2), (9.0, 0.6, -2.5))


def editing(player: Player) -> None:
    """The fountain is selected as a group and raised by one step."""
    player.stand((1.7, 2.7, 6.8), (-1.45, 0.7, 1.7))
    player.click()
    player.press("Q", "PAGEUP")
    player.stand((1.9, 2.9, 7.2), (-1.2, 0.35, 3.5))


PICTURES: dict[str, Callable[[Player], None]] = {"looking": looking, "slopes": slopes, "editing": editing}


def main() -> int:
    options = asked_for("looking and editing", PICTURES, DOCS / "editor", quality="medium")
    context = offscreen_context()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            path = Path(folder) / "demo.yaml"
            shutil.copy(ROOT / "levels" / "demo.yaml", path)
            player = Player(path)
            PICTURES[name](player)
            level = player.game.modes["editing"].edit_tools.level
            renderer = Renderer(context, Scene.from_level(level), options.quality)
            picture = drawn(renderer, player.shown)
            renderer.release()
            keep(picture, options.folder / f"{name}.jpg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
