"""A simulated author in the editor (flies, looks, presses keys, clicks), and levels to edit."""

from __future__ import annotations

import math

from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.level import load
from tests.support.player import Player

PART = """\
format: 1
spawn: {at: [0, 0, 0]}
pieces:
  - box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5]}     # of the part
  - group:
      at: [0, 1, 0]
      facing: 40
      of: [pillar: {at: [0, 0.1, 0], height: 1}]
"""

LEVEL = """\
format: 1
name: Everything
spawn: {at: [0, -0.5, 18], facing: north}     # where one begins
surfaces:
  stone: {colour: "#8d8a83", texture: flagstone}
  ice: {colour: "#bfe3f0", friction: 0.02}
define:
  tower:
    - box: {from: [-0.5, 0, -0.5], to: [0.5, 2, 0.5]}
    - pillar: {at: [0, 2.1, 0], radius: 0.3, height: 0.5}
pieces:
  - floor: {name: ground, from: [-20, -20], to: [20, 22], y: -0.5, surface: stone}
  # a comment of its own
  - box: {from: [0, 0, 0], to: [1, 2*0.5, 1], surface: ice}   # beside it
  - wall: {from: [-4, 6], to: [-1, 6], height: 2.5, doors: [{at: 1.5}]}
  - room: {from: [10, 0, 10], to: [14, 2.6, 13], doors: [{wall: west, at: 1}], windows: [{wall: north, at: 1.2}]}
  - stairs: {at: [6, 0, 6], facing: east, steps: 4, width: 1.5}
  - quad:
      corners:
        - [-8, 0, 8]
        - [-6, 0, 8]     # the near corner
        - [-6, 1, 6]
        - [-8, 1, 6]
  - arch: {from: [-8, 12], to: [-4, 12]}
  - sign: {text: Here, at: [3, 1.5, 6], facing: south, post: 1.4}
  - group:
      at: [-10, 0, -10]
      facing: 30
      scale: 2
      of:
        - box: {from: [0, 0, 0], to: [1, 1, 1], facing: 15}
        - group:
            at: [2, 0, 0]
            facing: west
            of:
              - ramp: {at: [0, 0, 0], facing: south, length: 1, rise: 0.5, width: 1}
  - array:
      count: 3
      turn: 35
      around: [10, 0, -10]
      of:
        - pillar: {at: [13, 0, -10], radius: 0.4, height: 2}
  - array: {count: 3, step: [0, 0, 2], of: [box: {from: [17, 0, -4], to: [18, 1, -3]}]}
  - place: {what: tower, at: [0, 0, -10], facing: 20, scale: [1, 1.5, 1]}
  - place: {what: tower, at: [3, 0, -12]}
  - include: {file: part.yaml, at: [-14, 0, 2], facing: 60}
"""


def write_level(folder, text=LEVEL):
    """The level and the part that it includes, as files."""
    path = folder / "level.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    (folder / "part.yaml").write_text(PART, encoding="utf-8", newline="")
    return path


class Author(Player):
    """In the F2 mode of a level."""

    def __init__(self, path):
        super().__init__(Game(load(path), Settings(), "low"))
        self.path = path
        self.press("F2")

    @property
    def editor(self):
        return self.game.modes["editing"]

    @property
    def tools(self):
        return self.game.modes["editing"].edit_tools

    @property
    def text(self):
        return self.path.read_bytes().decode()

    def type(self, text):
        for char in text:
            self.game.text_typed(char)
        self.wait(1 / 60)

    def strike(self, key, char):
        """Press a key that types a character: the window sends the key, then the character."""
        self.game.key_pressed(key)
        self.game.text_typed(char)
        self.game.key_released(key)
        self.wait(1 / 60)

    def choose_row(self, label):
        """Go to a row of the selected piece's numbers by Tab."""
        labels = [row.label for row in self.editor.rows.rows()]
        chosen = labels.index(self.editor.rows.chosen.label)
        self.press(*["TAB"] * ((labels.index(label) - chosen) % len(labels)))

    def with_shift(self, *keys):
        self.game.key_pressed("LSHIFT")
        self.press(*keys)
        self.game.key_released("LSHIFT")

    def stand(self, eye, at):
        """Fly to a place and look at another."""
        self.editor.view.camera.position, self.editor.view.camera.velocity = tuple(map(float, eye)), (0.0, 0.0, 0.0)
        x, y, z = (b - a for a, b in zip(eye, at, strict=True))
        self.game.input.view.yaw = math.atan2(-x, -z) * 65536 / (2 * math.pi) % 65536
        self.game.input.view.pitch = math.atan2(y, math.hypot(x, z)) * 65536 / (2 * math.pi)
        self.wait(1 / 60)

    def click(self, button="LEFT"):
        self.editor.mouse_button(button, True)
        self.wait(1 / 60)
        self.editor.mouse_button(button, False)
        self.wait(1 / 60)

    def pick(self, eye, at):
        self.editor.edit_tools.deselect()
        self.stand(eye, at)
        self.click()
        return self.tools.selection
