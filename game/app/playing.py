"""The game behind the window: what keys and mouse do, what a frame shows. Knows no window, no clock."""

from __future__ import annotations

import json
import math
from collections import deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from game.app import hud, view
from game.app.input import Held, Look, command
from game.app.menu import Menu
from game.app.settings import Settings
from game.physics import Command
from game.render import Body, Snapshot, View
from game.sim import GoalReached, Respawned, Session, World

if TYPE_CHECKING:
    from game.level import Level

UNIT = 2.0 * math.pi / 65536
HINT_SECONDS = 8.0
MESSAGE_SECONDS = 4.0
GOAL_SECONDS = 10.0
FRAMES_KEPT = 240

RESPAWNED = {
    "fell": ("You fell", "back to where you last stood safely"),
    "stuck": ("You were stuck", "back to where you last stood safely"),
}

PREPARING, PLAYING, PAUSED, HELP = "preparing", "playing", "paused", "help"


@dataclass(slots=True)
class Message:
    """Two lines in the middle of the picture until the clock passes `until`."""

    text: str
    below: str
    until: float


class Game:
    """One level being played. The window hands in keys, mouse and clock, and draws what it gets.

    `requests` collects what only the window can do: "quit", "fullscreen", "screenshot".
    """

    def __init__(self, level: Level, settings: Settings, quality: str) -> None:
        self.level, self.settings, self.quality = level, settings, quality
        self.mode = PREPARING
        self.progress, self.progress_label = 0.0, ""
        self.debug = False
        self.requests: list[str] = []
        self.held = Held()
        self.look = Look(level.spawns[0].heading)
        self.session: Session | None = None
        self.menu: Menu | None = None
        self.message: Message | None = None
        self.frames: deque[float] = deque(maxlen=FRAMES_KEPT)
        self.frame_count = 0
        self.notes: list[str] = []
        self._last: float | None = None
        self._began: float | None = None

    def start(self, world: World) -> None:
        """The world is ready: play."""
        self.session = Session(world)
        self.eye = view.Eye(world.mesh, world.settings.eye, self.session.pose())
        self.look.face(world.start.heading)
        self.mode = PLAYING
        self.look.captured()

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse should be held by the window."""
        return self.mode == PLAYING

    def pause(self) -> None:
        """Stop the clock, let go of every key and of the mouse, and show the menu."""
        if self.mode == PLAYING or self.mode == HELP:
            self._still()
            self.mode = PAUSED
            self.menu = Menu(self.settings, self.quality)

    def resume(self) -> None:
        """Go on from a pause."""
        if self.session is not None:
            self.mode, self.menu = PLAYING, None
            self.look.captured()

    def help(self) -> None:
        """Show what all the keys do."""
        self._still()
        self.mode = HELP

    def _still(self) -> None:
        self.held.clear()
        if self.session is not None:
            self.session.pause()

    def restart(self) -> None:
        """Start again at the spawn, with the clock at zero."""
        if self.session is None:
            return
        respawned = self.session.world.restart()
        self._moved(respawned)
        self.message = None

    def _moved(self, event: Respawned) -> None:
        assert self.session is not None
        self.session.jumped()
        self.eye.jump(self.session.pose())
        if event.heading is not None:
            self.look.face(event.heading)

    # What the player does

    def key_pressed(self, key: str) -> None:
        """A key went down, by its name (`W`, `ESCAPE`, `F3`)."""
        if key == "F3":
            self.debug = not self.debug
        elif key == "F11":
            self.requests.append("fullscreen")
        elif key == "F12":
            self.requests.append("screenshot")
        elif self.mode == PLAYING:
            if key == "ESCAPE":
                self.pause()
            elif key == "F1":
                self.help()
            elif key == "R":
                self.restart()
            else:
                self.held.press(key)
        elif self.mode == HELP:
            if key in ("F1", "ESCAPE", "RETURN", "ENTER", "SPACE"):
                self.resume()
        elif self.mode == PAUSED:
            self._menu_key(key)
        elif key == "ESCAPE":
            self.requests.append("quit")

    def key_released(self, key: str) -> None:
        """A key went up."""
        self.held.release(key)

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The held mouse moved by so many pixels, positive to the right and upwards."""
        if self.mode == PLAYING:
            self.look.move(dx, dy, self.settings.sensitivity)

    def clicked(self) -> None:
        """The left button went down: help goes away."""
        if self.mode == HELP:
            self.resume()

    def _menu_key(self, key: str) -> None:
        assert self.menu is not None
        if key == "ESCAPE":
            self.resume()
        elif key in ("UP", "W"):
            self.menu.move(-1)
        elif key in ("DOWN", "S", "TAB"):
            self.menu.move(1)
        elif key in ("LEFT", "A", "RIGHT", "D"):
            self.menu.adjust(-1 if key in ("LEFT", "A") else 1)
        elif key in ("RETURN", "ENTER", "NUM_ENTER", "SPACE"):
            self.choose(self.menu.activate())
        if self.menu is not None:
            self.settings = self.menu.settings

    def menu_pointed(self, row: int, part: float, pressed: bool, first: bool) -> None:
        """The mouse is over a menu row, at a part (0 to 1) of its slider's length.

        `pressed`: with the button down, which drags a slider; `first`: it has just gone down, which chooses.
        """
        if self.menu is None:
            return
        self.menu.choose(row)
        if pressed and self.menu.rows[self.menu.selected].part is not None:
            self.menu.slide(part)
        elif first:
            self.choose(self.menu.activate())
        if self.menu is not None:
            self.settings = self.menu.settings

    def choose(self, action: str) -> None:
        """Do what a menu row asks for."""
        if action == "quit":
            self.requests.append("quit")
        elif action in ("resume", "restart"):
            if action == "restart":
                self.restart()
            self.resume()

    def say(self, text: str, below: str = "", seconds: float = MESSAGE_SECONDS) -> None:
        """Show a message in the middle of the picture for some seconds from the next frame on."""
        self.message = Message(text, below, (self._last or 0.0) + seconds)

    # What a frame shows

    def frame(self, now: float, aspect: float) -> Snapshot:
        """Advance to the clock reading `now` (seconds) and say what to draw. `aspect`: width over height."""
        seconds = 0.0 if self._last is None else max(0.0, now - self._last)
        if self._last is not None:
            self.frames.append(seconds)
        self._last = now
        self.frame_count += 1
        fov = view.vertical_fov(self.settings.fov)
        if self.session is None:
            return self._preparing_frame(fov)
        if self._began is None:
            self._began = now
        if self.mode == PLAYING:
            for event in self.session.advance(now, self._sample):
                self._happened(event)
        if self.message is not None and now > self.message.until:
            self.message = None
        pose = self.session.pose()
        at = self.eye.follow(pose, seconds if self.mode == PLAYING else 0.0)
        world = self.session.world
        near = view.near_plane(world.mesh, at, fov, aspect)
        return Snapshot(
            view=View(at, self.look.yaw * UNIT, self.look.pitch * UNIT, fov, near),
            hud=hud.playing(self, now - self._began < HINT_SECONDS),
            debug=hud.contacts(world) if self.debug else None,
            body=Body(pose.centre, pose.radii, pose.heading * UNIT),
            goal_reached=world.goal_tick >= 0,
            time=now - self._began,
        )

    def _preparing_frame(self, fov: float) -> Snapshot:
        spawn = self.level.spawns[0]
        x, y, z = spawn.feet
        eye = (x, y + 1.44, z)
        shown = hud.preparing(self.progress, self.progress_label)
        return Snapshot(view=View(eye, spawn.heading * UNIT, 0.0, fov, 0.02), hud=shown)

    def _sample(self) -> Command:
        return command(self.held.take(), self.look)

    def _happened(self, event: Any) -> None:
        if isinstance(event, Respawned):
            self._moved(event)
            self.say(*RESPAWNED[event.reason])
        elif isinstance(event, GoalReached):
            self.say("You made it", f"{hud.clock(event.seconds)}   ·   R starts again", GOAL_SECONDS)

    def report(self) -> str:
        """Where the player is, as JSON text: what `--report FILE` writes at the end."""
        fields: dict[str, Any] = {
            "mode": self.mode,
            "frames": self.frame_count,
            "view_heading": self.look.yaw,
            "view_pitch": self.look.pitch,
            "settings": asdict(self.settings),
            "held": sorted(self.held.actions),
        }
        if self.session is not None:
            world, state = self.session.world, self.session.world.walker_state
            fields |= {
                "tick": world.tick,
                "goal_tick": world.goal_tick,
                "feet": state.feet,
                "velocity": state.velocity,
                "heading": state.heading,
                "radii": state.radii,
                "grounded": state.grounded,
                "dropped_seconds": self.session.dropped,
            }
        return json.dumps(fields, indent=1) + "\n"
