"""The game behind the window: what keys and mouse do, what a frame shows. Knows no window, no clock."""

from __future__ import annotations

import json
import math
from collections import deque
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from game.app import balls, golfing, hud, quest, recording, view
from game.app.behind import Behind
from game.app.editor.editor import EDITING, Editor
from game.app.flying import Flying
from game.app.hearing import Cue, Hearing
from game.app.input import Held, Look, command
from game.app.lab import Lab
from game.app.menus import Menu, Menus, coming
from game.app.rewinding import REWINDING, Rewinding
from game.app.settings import Settings
from game.app.travel import FADE_SECONDS, WAIT_SECONDS, Journey
from game.app.trial import Trial
from game.app.verbs import make_world
from game.physics import Command
from game.render import Body, Snapshot, View
from game.sim import (
    BallLost,
    CheckpointReached,
    GoalReached,
    HoledOut,
    Left,
    Respawned,
    Session,
    TargetReached,
    World,
)

if TYPE_CHECKING:
    from game.app.reloading import Reloading
    from game.app.result import Result
    from game.level import Exit, Level

UNIT = 2.0 * math.pi / 65536
HINT_SECONDS = 8.0
MESSAGE_SECONDS = 4.0
GOAL_SECONDS = 10.0
RECORDED_SECONDS = 8.0
FRAMES_KEPT = 240
LONGEST_STEP = 0.05  # s that a fade goes on by in one frame: a late frame is not one that is left out

RESPAWNED = {
    "fell": ("You fell", "back to where you last stood safely"),
    "stuck": ("You were stuck", "back to where you last stood safely"),
    "killed": ("That was no place to be", "back to the last checkpoint"),
}

PREPARING, PLAYING, PAUSED, HELP = "preparing", "playing", "paused", "help"
LEAVING, NOTICE = "leaving", "notice"  # on the way to another level; a text to read, which `notice` is


@dataclass(slots=True)
class Message:
    """Two lines in the middle of the picture until the clock passes `until`."""

    text: str
    below: str
    until: float


class Game:
    """What is being played, a level at a time. The window hands in keys, mouse and clock, and draws what it gets.

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
        self.menus = Menus(self)
        self.message: Message | None = None
        self.recording: recording.Recording | None = None
        self.journey: Journey | None = None
        self.editor = Editor(self)
        self.behind, self.flying = Behind(), Flying(self)
        self.lab: Lab | None = None
        self.rewinding = Rewinding(self)
        self.reloading: Reloading | None = None  # keeps the level like its files
        self.notice = ""
        self.veil = 0.0
        self.hearing: Hearing | None = None
        self.cues: list[Cue] = []  # sounds that the last frame began
        self.fading = quest.Fading()
        self.golfing = golfing.Golfing()
        self.trial = Trial(self)
        self._lost_focus = False
        self.frames: deque[float] = deque(maxlen=FRAMES_KEPT)
        self.frame_count = 0
        self.notes: list[str] = []
        self._last: float | None = None
        self.began: float | None = None  # when play began, by the clock: the first keys are told then

    def make_world(self) -> World:
        """The world to begin in. UserError where the level has no room for the walker."""
        return make_world(self.level)

    def start(self, world: World) -> None:
        """The world is ready: play."""
        self.menus.close()
        self.level = world.level
        self.session = Session(world)
        self.rewinding.watch(self.session)
        self.eye = view.Eye(world.mesh, world.settings.eye, self.session.pose())
        self.look.face(world.start.heading)
        self.flying.stop()
        self.behind.jump()
        self.lab = Lab(self.level, self.session)
        self.mode = PLAYING
        self.fading.follow(world.targets.flags, 0.0, jump=True)
        self.look.captured()

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse should be held by the window."""
        return self.mode in (PLAYING, LEAVING, REWINDING) or (self.mode == EDITING and not self.editor.away)

    def pause(self) -> None:
        """Stop the clock, let go of every key and of the mouse, and show the menu."""
        if self.mode == LEAVING:
            self._lost_focus = True
            self.held.clear()
        elif self.mode == REWINDING:
            self.rewinding.let_go()
        elif self.editor.open:
            self.editor.pause()
        elif self.mode in (PLAYING, HELP, NOTICE):
            self._still()
            self.mode = PAUSED
            self.menus.pause()

    def show_result(self, result: Result) -> None:
        """Stop the clock and show what came of the run."""
        self._still()
        self.mode, self.message = PAUSED, None
        self.menus.show_result(result)

    def resume(self) -> None:
        """Go on from a pause."""
        if self.session is not None:
            self.menus.close()
            self.mode = EDITING if self.editor.open else PLAYING
            self.look.captured()
            self.frames.clear()  # those of a menu come more seldom

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
        self._moved(self.session.restart())
        self.message = None

    def record(self) -> None:
        """Begin to record, or stop."""
        if self.recording is not None:
            self.say(*recording.end(self.recording), RECORDED_SECONDS)
            self.recording = None
        elif self.session is not None and self.mode == PLAYING:
            self.recording, text, below = recording.begin(self.session)
            self.say(text, below)

    def close(self) -> str:
        """The game ends: finish what is being written. A line about it, if there is something to say."""
        self.editor.hands.bench.finish()
        if self.recording is None:
            return ""
        said = recording.end(self.recording, "the game was left")
        self.recording = None
        return ": ".join(said)

    def _moved(self, event: Respawned) -> None:
        assert self.session is not None
        self.session.jumped()
        self.eye.jump(self.session.pose())
        self.flying.stop()
        self.behind.jump()
        if self.lab is not None and event.reason == "asked":
            self.lab.gather()
        if event.heading is not None:
            self.look.face(event.heading)

    # What the player does

    def key_pressed(self, key: str) -> None:
        """A key went down, by its name (`W`, `ESCAPE`, `F3`)."""
        if self.menu is not None and self.menu.waiting:
            self.menus.key(key)
            return
        for word in self.held.bound.words(key, self.mode):
            self._key_pressed(word)

    def _key_pressed(self, key: str) -> None:
        if key == "F3":
            self.debug = not self.debug
        elif key == "F11":
            self.requests.append("fullscreen")
        elif key == "F12":
            self.requests.append("screenshot")
        elif key == "F5":
            self.record()
        elif self.mode == PLAYING:
            if key == "ESCAPE":
                self.pause()
            elif key == "F1":
                self.help()
            elif key == "F2":
                self.editor.enter()
            elif key == "R":
                self.restart()
            elif key == "BACKSPACE":
                self.rewinding.enter()
            elif key in ("F", "V"):
                (self.flying if key == "F" else self.behind).toggle()
            elif self.lab is not None and (said := self.lab.key(key)):
                self.say(said, seconds=1.5)
            else:
                self.held.press(key)
        elif self.mode == EDITING:
            self.editor.key_pressed(key)
        elif self.mode == REWINDING:
            self.rewinding.key_pressed(key)
        elif self.mode in (HELP, NOTICE):
            if key in ("F1", "ESCAPE", "RETURN", "ENTER", "SPACE"):
                self.resume()
            self.menus.scroll_by(key)
        elif self.mode == LEAVING:
            self.held.press(key)
        elif self.menu is not None:
            self.menus.key(key)
        elif key == "ESCAPE":
            self.requests.append("quit")

    def key_released(self, key: str) -> None:
        """A key went up."""
        self.held.release(key)
        self.rewinding.key_released(key)

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The held mouse moved by so many pixels, positive to the right and upwards."""
        if self.mode == REWINDING:
            self.rewinding.mouse_moved(dx, dy)
        elif self.wants_mouse:
            self.look.mouse(dx, dy, self.settings)

    def clicked(self) -> None:
        """The left button went down: help or notice goes away; in play it is a key like others."""
        if self.mode in (HELP, NOTICE):
            self.resume()
        elif self.mode == PLAYING:
            self.key_pressed("MOUSE_LEFT")

    def unclicked(self) -> None:
        """The left button went up."""
        self.key_released("MOUSE_LEFT")

    def navigate(self, word: str) -> None:
        """A word of navigation: up, down, left, right, confirm, back, tab. It opens the pause menu by "back"."""
        if self.menu is not None:
            self.menus.navigate(word)
        elif self.mode in (HELP, NOTICE) and word in ("confirm", "back"):
            self.resume()
        elif word == "back":
            self.pause()

    @property
    def menu(self) -> Menu | None:
        """The menu that is open, if one is."""
        return self.menus.menu

    def say(self, text: str, below: str = "", seconds: float = MESSAGE_SECONDS) -> None:
        """Show a message in the middle of the picture for some seconds from the next frame on."""
        self.message = Message(text, below, (self._last or 0.0) + seconds)

    # What a frame shows

    @property
    def bottom_line(self) -> str:
        """What stands at the bottom of the picture: that one is recorded, or at first which keys there are."""
        if self.recording is not None:
            seconds = int(self.recording.seconds)
            return f"recording {seconds // 60}:{seconds % 60:02d}   ·   F5 stops"
        if self.flying.away:
            return self.flying.hint
        fresh = self.began is not None and self._last is not None and self._last - self.began < HINT_SECONDS
        world = self.session.world if self.session is not None else None
        if world is None:
            return ""
        return quest.bottom_line(world, self.held.hint if fresh else "") or golfing.hint(world)

    def frame(self, now: float, aspect: float) -> Snapshot:
        """Advance to the clock reading `now` (seconds) and say what to draw. `aspect`: width over height."""
        seconds = 0.0 if self._last is None else max(0.0, now - self._last)
        if self._last is not None:
            self.frames.append(seconds)
        self._last = now
        self.frame_count += 1
        self.held.follow(self.settings)
        fov = view.vertical_fov(self.settings.fov)
        if self.session is None:
            return self._preparing_frame(fov)
        if self.began is None:
            self.began = now
        if self.reloading is not None:
            self.reloading.frame(now)
        if self.mode == LEAVING:
            self._travel(seconds)
        else:
            self.veil = max(0.0, self.veil - min(seconds, LONGEST_STEP) / FADE_SECONDS)
        self.cues = []
        if self.mode == PLAYING and self.flying.away:
            self.flying.frame(seconds)
        elif self.mode == PLAYING and self.trial.follow(seconds):
            self._play(now, seconds)
        elif self.mode == REWINDING:
            self.rewinding.frame(seconds)
        if self.recording is not None and self.recording.problem:
            self.record()
        if self.message is not None and now > self.message.until:
            self.message = None
        pose = self.session.pose()
        moves = self.mode in (PLAYING, REWINDING)
        at = self.eye.frame(self.session, seconds if moves else 0.0, self.settings, self.hearing)
        world = self.session.world
        poses = self.session.movers()
        moving = None if world.around is None else world.around.movers
        near = view.near_plane(world.mesh, at, fov, aspect, moving, poses)
        yaw, pitch = self.direction()
        shot = Snapshot(
            view=View(at, yaw * UNIT, pitch * UNIT, fov, near, self.eye.righting.up, self.eye.righting.north),
            hud=replace(hud.playing(self, seconds), tint=view.tint(self.level, at)),
            debug=hud.contacts(world, self.settings.palette) if self.debug else None,
            overlay=self.golfing.overlay(world, round(yaw), round(pitch), self.session.alpha),
            ellipsoids=golfing.drawn(world, self.session.alpha),
            body=Body(pose.centre, pose.radii, pose.heading * UNIT, pose.up, pose.north),
            goal_reached=world.goal_tick >= 0,
            targets=self.fading.follow(world.targets.flags, seconds if self.mode == PLAYING else 0.0),
            time=now - (self.began or now),
            balls=balls.look(world, self.session.alpha),
            movers=poses,
        )
        shot = self.trial.over(shot)
        if self.mode == REWINDING:
            return self.rewinding.over(shot, seconds, aspect)
        if self.menus.title is not None:
            return self.menus.title.over(shot, now, seconds, aspect, self.settings.reduce_motion)
        if self.editor.open:
            return self.editor.over(shot, seconds, now, aspect)
        shot = (self.flying if self.flying.away else self.behind).over(shot, self, seconds, aspect)
        if self.lab is not None and not self.lab.idle:
            self.lab.follow(self.level)
            return self.lab.over(shot, "use" in self.held.actions, shot.hud.panel is not None)
        return shot

    def _play(self, now: float, seconds: float) -> None:
        assert self.session is not None
        if self.hearing is None or self.hearing.world is not self.session.world:
            self.hearing = Hearing(self.session.world)
        events = self.session.advance(now, self._sample)
        self.cues = self.hearing.follow(events, min(seconds, LONGEST_STEP))
        for event in events:
            self._happened(event)
            if self.mode == LEAVING:
                break
        if self.lab is not None:
            self.lab.settle()

    def direction(self) -> tuple[float, float]:
        """Yaw and pitch of the view, 65536 to the turn."""
        return self.look.yaw, self.look.pitch

    def _preparing_frame(self, fov: float) -> Snapshot:
        shown = hud.preparing(self.progress, self.progress_label, self.settings)
        if self.menus.expected:
            return coming(self.level, shown)
        spawn = self.level.spawns[0]
        x, y, z = spawn.feet
        eye = (x, y + 1.44, z)
        return Snapshot(view=View(eye, spawn.heading * UNIT, 0.0, fov, 0.02), hud=shown)

    def _sample(self) -> Command | None:
        if self.session is not None and self.session.world.turned:
            self.look.yaw = (self.look.yaw + self.session.world.turned) % 65536
            self.session.world.turned = 0
        sampled = command(self.held.take(), self.look, self.held.stick)
        if self.lab is not None:
            self.lab.sampled(sampled)
        return sampled

    def _happened(self, event: Any) -> None:
        if isinstance(event, Respawned):
            self._moved(event)
            if event.reason in RESPAWNED:
                text, below = RESPAWNED[event.reason]
                self.say(event.name or text, below)
            elif event.name:
                self.say(event.name)
        elif isinstance(event, CheckpointReached):
            if not self.trial.tells(event.name):
                self.say("Checkpoint", event.name)
        elif isinstance(event, Left):
            self.leave(event.exit)
        elif isinstance(event, HoledOut | BallLost) and self.session is not None:
            self.say(*self.golfing.happened(event, self.session.world), GOAL_SECONDS)
        elif isinstance(event, TargetReached) and self.session is not None:
            self.say(*quest.reached(event, self.session.world), quest.MESSAGE_SECONDS)
        elif isinstance(event, GoalReached):
            self.say(*self.trial.said_at_the_goal(event.seconds), GOAL_SECONDS)

    # From level to level

    def leave(self, way: Exit) -> None:
        """Go through an exit; the clock stops until the other level is there."""
        assert self.session is not None
        self.session.pause()
        fetch = self.reloading.fetch if self.reloading is not None and self.reloading.ready else None
        self.journey, self.mode, self._lost_focus = Journey(way, fetch), LEAVING, False

    def _travel(self, seconds: float) -> None:
        """A frame on the way: darken, and arrive; or stay, and say what is wrong with the other level."""
        journey = self.journey
        assert journey is not None
        journey.seconds += min(seconds, LONGEST_STEP)
        self.veil = journey.veil
        if not journey.arrived:
            return
        self.journey = None
        if journey.world is None:
            self._still()
            if not self.menus.refused(journey.error):
                self.mode, self.notice = NOTICE, journey.error
        else:
            self.arrive(journey.world)
        if self._lost_focus:
            self.pause()

    def arrive(self, world: World) -> None:
        """Play on in another world."""
        self.start(world)
        assert self.session is not None
        if self.recording is not None:
            self.recording.moved(self.session)
        self.say(self.level.name)

    @property
    def waiting_for(self) -> str:
        """The name of the level that one has waited for for long, or nothing."""
        journey = self.journey
        return "" if journey is None or journey.seconds < WAIT_SECONDS else journey.way.name or journey.way.to

    def report(self) -> str:
        """Where the player is, as JSON text: what `--report FILE` writes at the end."""
        fields: dict[str, Any] = {
            "mode": self.mode,
            "level": self.level.name,
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
