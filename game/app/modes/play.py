"""Play mode: the keys walk, the session runs in real time, and events are shown and heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.time_format import format_duration
from ...level.format.file_access import is_shipped
from ...physics import Command
from ...render.world_view import vertical_fov
from ...sim import Event, ExitReached, GoalReached, Respawned
from ...sim.bots.free_space import place_walker_near
from ...sim.golf import CHARGING
from ..audio.sounds import SoundCue
from ..guidance import hints
from ..input.actions import Action, Context, LabAction, PlayAction
from ..input.player_input import build_command
from ..launch import level_lookup
from ..menus.pages import ConfirmPage
from ..settings.mode_names import EDITING, HELP, LEAVING, PAUSED, PHOTO, PLAYING, REWIND
from ..visuals import golf_visuals
from ..visuals.feedback import MAX_SOUND_STEP, ScreenMessage
from . import event_messages
from .mode import Mode
from .travel import ExitDoors

if TYPE_CHECKING:
    from ...level import Level
    from ...render import Snapshot
    from ..cameras.camera import CameraFrame
    from ..game import Game

ASSIST_MESSAGE_SECONDS = 1.5  # s that a change of an assist is shown
GOLF_MESSAGE_SECONDS = 3.0  # s that the length of a stroke is shown
MISSING_PARTS_SECONDS = 12.0
LAB_MESSAGE_SECONDS = 1.5  # s that the effect of an action of the lab is shown
LAB_GHOSTS = tuple(LabAction)[:6]
LAB_FAULTS = {  # of the first ghost, as the lab names them
    LabAction.FAULT_TURN: "turn", LabAction.FAULT_INSIDE: "inside", LabAction.FAULT_MARGIN: "margin",
    LabAction.FAULT_SLIDE: "slide", LabAction.FAULT_SINGLE: "single",
}  # fmt: skip
LIFT_BELL = SoundCue("target", 0.35, 1.25)
MUTED_LOOPS = ("slide",)  # looped sounds that the body makes, silent in free flight


class PlayMode(Mode):
    """Walking, and free flight (F), during which the world stands still."""

    name = PLAYING
    is_moving = True
    binds_left_button = True
    is_heard = True

    @property
    def captures_mouse(self) -> bool:
        return True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.exit_doors = ExitDoors()
        self._announced_level: Level | None = None
        self._missing_parts: ScreenMessage | None = None
        self._uses = False  # the last command

    def focus_lost(self, reason: str = "") -> None:
        self.game.push_mode(PAUSED, reason)

    # Keys

    @property
    def contexts(self) -> tuple[Context, ...]:  # type: ignore[override]
        lab = self.game.runs.lab
        return (PlayAction,) if lab is None or lab.reference_walkers is None else (PlayAction, LabAction)

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        game = self.game
        return {
            PlayAction.MENU: self.focus_lost,
            PlayAction.HELP: lambda: game.push_mode(HELP),
            PlayAction.EDIT: self._edit,
            PlayAction.MOVIE: lambda: game.push_mode(PAUSED, "movie"),
            PlayAction.PHOTO: lambda: game.push_mode(PHOTO),
            PlayAction.RESTART: game.restart,
            PlayAction.REWIND: self._rewind,
            PlayAction.CHECKPOINT: game.return_to_checkpoint,
            PlayAction.FLY: self._toggle_flight,
            PlayAction.AUTO_WALK: self._toggle_auto_walk,
            PlayAction.SLOW_MOTION: self._toggle_slow_motion,
            PlayAction.AIM: game.guide.show_aim,
            PlayAction.THIRD_PERSON: game.cameras.third_person.toggle,
        }

    def hold_key(self, key: str) -> None:
        self.game.cameras.hero_camera.skip()
        super().hold_key(key)

    def handle_action(self, action: Action) -> None:
        self.game.cameras.hero_camera.skip()
        super().handle_action(action)
        lab = self.game.runs.lab
        if not isinstance(action, LabAction) or lab is None:
            return
        if action in LAB_GHOSTS:
            message = lab.toggle_ghost(LAB_GHOSTS.index(action) + 1)
        elif action in LAB_FAULTS:
            message = lab.toggle_defect(LAB_FAULTS[action])
        else:
            message = lab.bring_ghosts()
        if message:
            self.game.feedback.show_message(message, seconds=LAB_MESSAGE_SECONDS)

    def _edit(self) -> None:
        self._remove_missing_parts()
        game = self.game
        if is_shipped(game.level.path):
            question = "Shipped levels stay as they are. The copy is among your levels; its doors lead where they led."
            game.push_mode(PAUSED, ConfirmPage("copy", "Edit a copy of this level?", question, "Edit a copy"))
            return
        game.push_mode(EDITING)

    def _rewind(self) -> None:
        """Undo a restart; else rewind, where there is a recorded tick of this world."""
        session = self.game.session
        if self.game.undo_restart():
            return
        if session is not None and session.history and session.history.world is session.world:
            self.game.guide.hints.mark_used("rewind")
            self.game.push_mode(REWIND)

    def _toggle_auto_walk(self) -> None:
        held = self.game.input.held
        held.auto_walk = not held.auto_walk
        text = "Auto-walk on" if held.auto_walk else "Auto-walk off"
        self.game.feedback.show_message(text, seconds=ASSIST_MESSAGE_SECONDS)

    def _toggle_slow_motion(self) -> None:
        assist = self.game.runs.assist
        assist.slow_motion = not assist.slow_motion
        speed = assist.speed(self.game.settings)
        detail = "No time, no medal" if speed < 1.0 and self.game.runs.time_trial.run is not None else ""
        text = f"Game speed {100.0 * speed:.0f} %"
        self.game.feedback.show_message(text, detail, ASSIST_MESSAGE_SECONDS)

    # Free flight

    def _toggle_flight(self) -> None:
        """Take off, or bring the walker to the camera."""
        if self.game.cameras.free.is_active:
            self._land()
        else:
            self._take_off()

    def _take_off(self) -> None:
        game = self.game
        session = game.played_session
        cameras = game.cameras
        settings = session.world.settings
        third_person = cameras.third_person
        eye = third_person.position if third_person.is_active else cameras.first_person.update(session.pose(), 0.0)
        cameras.free.place(eye, settings.walk_speed, settings.sprint_speed)
        cameras.free.is_active = True
        session.pause()
        if game.feedback.sound_events is not None:
            game.feedback.sound_events.loops |= dict.fromkeys(MUTED_LOOPS, 0.0)

    def _land(self) -> None:
        """Put the walker at the camera, pushed clear of walls; where there is no room the flight continues."""
        game = self.game
        state = place_walker_near(
            game.world, game.cameras.free.position, round(game.input.view.yaw) % HEADING_UNITS_PER_TURN
        )
        if state is None:
            game.feedback.show_message("No room to stand here", "Fly to a place with more room")
        else:
            game.move_walker(state)

    def _fly(self, seconds: float) -> None:
        game = self.game
        cameras = game.cameras
        held = game.input.held
        held.consume()  # a key that is tapped in flight must not act on the ground later
        up, north = cameras.first_person.up_transition.up, cameras.first_person.up_transition.north
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        actions = held.pressed | (held.active & {PlayAction.SPRINT})  # a latched crouch must not sink the camera
        game.cameras.free.update(seconds, actions, yaw, pitch, held.stick, (up, north))

    # Frame

    def update(self, now: float, seconds: float) -> None:
        self._announce_missing_parts()
        game = self.game
        game.input.view.rotate_by_keys(game.input.held.active, seconds, game.settings)
        session = game.played_session
        runs = game.runs
        runs.assist.update(session, game.settings)
        if game.cameras.free.is_active:
            self._fly(seconds)
        elif runs.time_trial.update(session, seconds):
            self.advance_session(now, seconds)
        else:
            game.push_mode(PAUSED, runs.time_trial.result)
        game.guide.update(seconds)
        if game.guide.rings_bell:
            game.feedback.sound_cues.append(LIFT_BELL)

    def _announce_missing_parts(self) -> None:
        """Say once for each level that it was loaded without some of its parts; cards say it of a reloaded one."""
        game = self.game
        if self._announced_level is game.level or game.mode != self.name:
            return
        self._remove_missing_parts()
        if game.feedback.message is None:
            self._announced_level = game.level
            has_cards = game.hot_reload is not None and bool(game.hot_reload.dropped_findings)
            if not has_cards and (lines := level_lookup.missing_parts_message(game.level)):
                game.feedback.show_message(*lines, seconds=MISSING_PARTS_SECONDS)
                self._missing_parts = game.feedback.message

    def _remove_missing_parts(self) -> None:
        """Remove the message about missing parts: the level has changed, or the editor shows its findings."""
        if self._missing_parts is not None and self.game.feedback.message is self._missing_parts:
            self.game.feedback.message = None
        self._missing_parts = None

    def advance_session(self, now: float, seconds: float) -> None:
        """Run the ticks that are due, and show and sound their events. An exit ends the frame's events."""
        game = self.game
        session = game.played_session
        sounds = game.feedback.sounds_of(session)
        events = session.advance(now, self.next_command)
        game.feedback.sound_cues = sounds.update(events, min(seconds, MAX_SOUND_STEP))
        stayed_in = self.exit_doors.update(session.world, game.input.view.yaw)
        for event in events:
            self.on_event(event)
            if game.mode == LEAVING:
                break
        text, detail = game.feedback.golf_hud.take_end_text()
        if text:
            game.feedback.show_message(text, detail, GOLF_MESSAGE_SECONDS)
        if stayed_in is not None and game.mode == self.name:
            game.push_mode(LEAVING, stayed_in)
        if game.runs.lab is not None:
            game.runs.lab.step_ghosts()

    def next_command(self) -> Command | None:
        """Command of the next tick, from the input; None ends the ticks of this frame."""
        game = self.game
        world = game.world
        if world.platform_turn:  # a platform has rotated the walker: the view follows
            if game.settings.platform_view and not game.settings.reduce_motion:
                game.input.view.yaw = (game.input.view.yaw + world.platform_turn) % HEADING_UNITS_PER_TURN
            world.platform_turn = 0
        held = game.input.held
        golf, play = world.golf, world.balls.play
        is_over = golf.phase != CHARGING if golf is not None else play is not None and play.throws
        if self._uses and is_over:  # a swing that was cancelled, or a throw: the next press acts again
            held.end_latch(PlayAction.USE)
        command = build_command(held.consume(game.played_session.next_tick_end), game.input.view, held.stick)
        self._uses = command.use
        if game.runs.lab is not None:
            game.runs.lab.record_command(command)
        return command

    def on_event(self, event: Event) -> None:
        """React to an event of a tick."""
        game = self.game
        game.guide.on_event(event)
        if isinstance(event, Respawned):
            no_fail = game.settings.no_fail
            place = game.runs.assist.catch_fall(event, game.world) if no_fail else None
            if place is not None:
                game.place_walker(place)
                game.feedback.show_message("Back to the last safe place", seconds=ASSIST_MESSAGE_SECONDS)
                return
            game.on_respawned(event)
        elif isinstance(event, ExitReached) and self.exit_doors.enter(event.exit, game.world, game.input.view.yaw):
            game.push_mode(LEAVING, event.exit)
        elif isinstance(event, GoalReached):
            game.cameras.hero.hop()
            game.cameras.hero_camera.show_goal()
        message = event_messages.message_for_event(event, game)
        if message is not None:
            game.feedback.show_message(*message)

    @property
    def bottom_line(self) -> str:
        """The recording's length, the keys of free flight, the first hints, or the state of the level's objective."""
        game = self.game
        keys = game.input.held
        if game.runs.recording is not None:
            stop = keys.describe(PlayAction.RECORD)
            return f"Recording {format_duration(game.runs.recording.seconds)}   ·   {stop}: stop"
        if game.cameras.free.is_active:
            return (
                f"Flying   ·   {keys.describe(PlayAction.JUMP)}: up   ·   {keys.describe(PlayAction.CROUCH)}: down"
                f"   ·   {keys.describe(PlayAction.FLY)}: land here"
            )
        if game.session is None:
            return ""
        world, view = game.world, game.input.view
        charging = f"{keys.describe(PlayAction.CROUCH)}: slower   ·   {keys.describe(PlayAction.JUMP)}: cancel"
        use, aim = hints.strike_text(keys, game.settings), game.feedback.golf_hud.aim
        is_tried = PlayAction.USE in keys.active
        far = f"Too far from the ball   ·   {keys.describe(PlayAction.CHECKPOINT)}: to the ball" if is_tried else ""
        fov = vertical_fov(game.settings.fov)
        if golf := golf_visuals.hint_text(world, use, view.pitch, aim, charging, far, fov):
            return golf
        hint = "" if game.runs.time_trial.result is not None else game.guide.hint_text
        return event_messages.objective_line(world, hint) or self.exit_doors.label(world, view.yaw)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        game = self.game
        cameras = game.cameras
        camera = cameras.free if cameras.free.is_active else cameras.third_person
        shot = camera.apply_to_frame(shot, frame)
        if not cameras.free.is_active:
            shot = cameras.ball.apply_to_frame(shot, frame)
            shot = cameras.hero_camera.apply_to_frame(shot, frame)
        if game.runs.lab is not None and not game.runs.lab.is_idle:
            game.runs.lab.update(game.level)
            is_grabbing = PlayAction.USE in game.input.held.active
            return game.runs.lab.apply_to_frame(shot, is_grabbing, shot.hud.panel is not None)
        return shot
