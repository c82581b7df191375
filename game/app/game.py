"""The game behind the window: what is being played, and how it goes on from frame to frame. Knows no window, no clock.

What keys do is in `routing`, what a frame shows in `framing`, the way to another level in `travel`.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ..lab.lab_session import Lab
from ..physics import Command
from ..render import Snapshot
from ..sim import Event, Left, Respawned, Session, World
from .audio.sound_events import Cue, Hearing
from .cameras import first_person
from .cameras.free import Flying
from .cameras.third_person import Behind
from .display import event_messages, frame_builder, objective_messages
from .display.event_messages import Message
from .input import key_dispatch
from .input.player_input import Held, Look, command
from .launch.world_setup import make_world
from .menus.menu_controller import Menus
from .menus.menu_stack import Menu
from .modes.editor import Editor
from .modes.rewind import Rewinding
from .modes.travel import Travel
from .runs import recording
from .runs.time_trial import Trial
from .settings.mode_names import EDITING, HELP, LEAVING, PAUSED, PLAYING, PREPARING, REWINDING, TO_READ
from .settings.settings_file import Settings
from .visuals import golf_visuals

if TYPE_CHECKING:
    from ..level import Level
    from .hot_reload.level_reload import Reloading
    from .runs.run_results import Result

HINT_SECONDS = 8.0
RECORDED_SECONDS = 8.0
FRAMES_KEPT = 240
LONGEST_STEP = 0.05  # s of sound in one frame: a late frame is not one that is left out


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
        self.travel = Travel(self)
        self.editor = Editor(self)
        self.behind, self.flying = Behind(), Flying(self)
        self.lab: Lab | None = None
        self.rewinding = Rewinding(self)
        self.reloading: Reloading | None = None  # keeps the level like its files
        self.notice = ""
        self.hearing: Hearing | None = None
        self.cues: list[Cue] = []  # sounds that the last frame began
        self.fading = objective_messages.Fading()
        self.golfing = golf_visuals.Golfing()
        self.trial = Trial(self)
        self.frames: deque[float] = deque(maxlen=FRAMES_KEPT)
        self.frame_count = 0
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
        self.eye = first_person.Eye(world.mesh, world.settings.eye, self.session.pose())
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
            self.travel.pause()
        elif self.mode == REWINDING:
            self.rewinding.let_go()
        elif self.editor.open:
            self.editor.pause()
        elif self.mode == PLAYING or self.mode in TO_READ:
            self.stand_still()
            self.mode = PAUSED
            self.menus.pause()

    def show_result(self, result: Result) -> None:
        """Stop the clock and show what came of the run."""
        self.stand_still()
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
        self.stand_still()
        self.mode = HELP

    def stand_still(self) -> None:
        """No key is held, and the clock stops until the next tick."""
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
            self.recording, text, below = recording.begin(self.session, self.held.told("record"))
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
            key_dispatch.press(self, word)

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
        if self.mode in TO_READ:
            self.resume()
        elif self.mode == PLAYING:
            self.key_pressed("MOUSE_LEFT")

    def unclicked(self) -> None:
        """The left button went up."""
        self.key_released("MOUSE_LEFT")

    @property
    def menu(self) -> Menu | None:
        """The menu that is open, if one is."""
        return self.menus.menu

    def say(self, text: str, below: str = "", seconds: float = event_messages.USUAL_SECONDS) -> None:
        """Show a message in the middle of the picture for some seconds from the next frame on."""
        self.message = Message(text, below, (self._last or 0.0) + seconds)

    # A frame

    @property
    def bottom_line(self) -> str:
        """What stands at the bottom of the picture: that one is recorded, or at first which keys there are."""
        if self.recording is not None:
            seconds = int(self.recording.seconds)
            return f"recording {seconds // 60}:{seconds % 60:02d}   ·   {self.held.told('record')} stops"
        if self.flying.away:
            return self.flying.hint
        fresh = self.began is not None and self._last is not None and self._last - self.began < HINT_SECONDS
        world = self.session.world if self.session is not None else None
        if world is None:
            return ""
        return objective_messages.bottom_line(world, self.held.hint if fresh else "") or golf_visuals.hint(
            world, self.held.told("use")
        )

    def frame(self, now: float, aspect: float) -> Snapshot:
        """Advance to the clock reading `now` (seconds) and say what to draw. `aspect`: width over height."""
        seconds = 0.0 if self._last is None else max(0.0, now - self._last)
        if self._last is not None:
            self.frames.append(seconds)
        self._last = now
        self.frame_count += 1
        self.held.follow(self.settings)
        if self.session is None:
            return frame_builder.preparing(self)
        if self.began is None:
            self.began = now
        self._go_on(now, seconds)
        return frame_builder.moment(self, now, seconds, aspect)

    def _go_on(self, now: float, seconds: float) -> None:
        """Everything that changes by itself, `seconds` after the frame before."""
        if self.reloading is not None:
            self.reloading.frame(now)
        self.travel.frame(seconds)
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

    def _sample(self) -> Command | None:
        if self.session is not None and self.session.world.turned:
            self.look.yaw = (self.look.yaw + self.session.world.turned) % 65536
            self.session.world.turned = 0
        sampled = command(self.held.take(), self.look, self.held.stick)
        if self.lab is not None:
            self.lab.sampled(sampled)
        return sampled

    def _happened(self, event: Event) -> None:
        if isinstance(event, Respawned):
            self._moved(event)
        elif isinstance(event, Left):
            self.travel.leave(event.exit)
        said = event_messages.told(event, self)
        if said is not None:
            self.say(*said)
