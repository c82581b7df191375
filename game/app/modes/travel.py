"""Exits: which one is taken or announced, and the modes that travel to another level while the picture is dark.

The world reports every entry into an exit's sphere. A step back at the spawn, or a turn after an arrival, must not
leave the level: until the player has been further away, an exit close to the spawn works only for a player who looks at
it, at the entry or for a moment in the door.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.time_format import format_time
from ...sim import World
from ..input.actions import GLOBAL_ACTIONS, WALKING_ACTIONS, Action, LoadingAction, PlayAction
from ..launch.memory import return_memory
from ..runs import saved_places
from ..settings.mode_names import ARRIVING, LEAVING, NOTICE, PREPARING
from ..visuals import thumbnails
from ..visuals.feedback import OFFER_SECONDS
from ..visuals.screen import FADE_SECONDS, LOAD_SECONDS, MAX_FADE_STEP, LoadingBar
from .menu import ExitToMode, MenuMode
from .mode import Mode

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...core.vectors import Point
    from ...level import Exit, Finding, Level
    from ...render import Snapshot
    from ..cameras.camera import CameraFrame
    from ..game import Game

OPEN_DISTANCE = 3.0  # m from the spawn: once the player has been there, every exit works at once
STAY_SECONDS = 0.7  # s of looking through the door, from inside, that an exit asks for before that
LABEL_DISTANCE = 2.5  # m from the sphere of an exit at which its destination is shown
SPAWN_DISTANCE = 1.0  # m from the spawn within which no exit is announced
MAX_VIEW_ANGLE = math.radians(50.0)  # between the view and an exit that the player looks at, horizontally


class ExitDoors:
    """The exits of the world that is played. Call `update` after the ticks of each frame."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._last_tick = 0
        self._farthest = 0.0  # m from the spawn, since the start
        self._waiting: tuple[Exit, int] | None = None  # the exit around the player, and the last tick with another view

    def update(self, world: World, yaw: float) -> Exit | None:
        """Take in the state of the world; the exit through which the player has looked long enough. yaw: of the view,
        65536 to the turn."""
        if world is not self._world or world.tick < self._last_tick:  # another level, a restart, a rewind
            self._world = world
            self._farthest = 0.0
            self._waiting = None
        self._last_tick = world.tick
        feet = world.walker_state.feet
        self._farthest = max(self._farthest, math.dist(feet, world.start.feet))
        if self._waiting is None:
            return None
        level_exit, since = self._waiting
        if math.dist(feet, level_exit.at) > level_exit.radius:
            self._waiting = None
        elif not _is_in_view(world, yaw, level_exit, world.start.feet):
            self._waiting = level_exit, world.tick
        elif world.tick - since >= STAY_SECONDS * world.settings.ticks_per_second:
            self._waiting = None
            return level_exit
        return None

    def enter(self, level_exit: Exit, world: World, yaw: float) -> bool:
        """The player has entered an exit: whether the level is left at once. yaw: of the view, 65536 to the turn."""
        if self._farthest >= OPEN_DISTANCE or _is_in_view(world, yaw, level_exit, world.walker_state.feet):
            return True
        self._waiting = level_exit, world.tick
        return False

    def label(self, world: World, yaw: float) -> str:
        """The line about the exit that is near and in view, else an empty one. yaw: of the view, 65536 to the turn."""
        if self._waiting is not None:
            level_exit = self._waiting[0]
            return f"Door to: {level_exit.name or level_exit.to}   ·   Turn to it to go through"
        feet = world.walker_state.feet
        if math.dist(feet, world.start.feet) < SPAWN_DISTANCE:
            return ""
        near = [
            (distance, door.name)
            for door in world.level.exits
            if (distance := math.dist(feet, door.at) - door.radius) < LABEL_DISTANCE
            and (distance <= 0.0 or (_is_in_view(world, yaw, door, feet) and not _is_behind_wall(world, door)))
        ]
        name = min(near, default=(0.0, ""))[1]
        return f"Door to: {name}" if name else ""


def _is_behind_wall(world: World, door: Exit) -> bool:
    """Whether the level's mesh is between the body's centre and an exit's sphere, at the same height above the exit."""
    state = world.walker_state
    offset = [there - here for there, here in zip(door.at, state.feet, strict=True)]
    distance = math.hypot(*offset) - door.radius
    return distance > 0.0 and world.mesh.raycast_any(state.position, offset, distance)


def _is_in_view(world: World, yaw: float, door: Exit, place: Point) -> bool:
    """Whether the view points in the direction from a place to the centre of an exit."""
    state = world.walker_state
    offset = [there - here for there, here in zip(door.at, place, strict=True)]
    (ux, uy, uz), (nx, ny, nz) = state.up, state.north
    left = (uy * nz - uz * ny, uz * nx - ux * nz, ux * ny - uy * nx)
    ahead = sum(a * b for a, b in zip(offset, state.north, strict=True))
    aside = sum(a * b for a, b in zip(offset, left, strict=True))
    turn = math.atan2(aside, ahead) - yaw * RADIANS_PER_HEADING_UNIT
    return abs(math.remainder(turn, math.tau)) <= MAX_VIEW_ANGLE


MAX_FINDINGS = 6  # findings that fit on a screen

Receiver = Callable[["Level | None", "Sequence[Finding]"], None]


class LevelTransition:
    """Loads the level behind an exit, by `fetch` or in a thread, and makes its world in a thread.

    fetch   asks another process for the level and passes the answer to the `receive` that it is given
    world   the level's world once it has arrived
    error   why the level cannot be played: a line for each finding
    """

    def __init__(self, level_exit: Exit, jobs: Jobs, fetch: Callable[[Exit, Receiver], None] | None = None) -> None:
        self.exit_taken = level_exit
        self.seconds = 0.0
        self.world: World | None = None
        self.error = ""
        self._jobs = jobs
        if fetch is not None:
            fetch(level_exit, self.receive)
        else:
            jobs.thread("level", self._make_world)

    def receive(self, level: Level | None, findings: Sequence[Finding] = ()) -> None:
        """Take the level, or the findings because of which there is none."""
        if level is None:
            lines = [f"{finding}{f' ({finding.cure})' if finding.cure else ''}" for finding in findings]
            self.error = "\n".join(lines[:MAX_FINDINGS]) or f"{self.exit_taken.to}: cannot be read as a level"
        else:
            self._jobs.thread("world", self._make_world, level)

    def _make_world(self, level: Level | None = None) -> None:
        """Make the world of a level. None: load it first."""
        from ...level import LevelError, load

        try:
            if level is None:
                level = load(self.exit_taken.path)
            place = None if self.exit_taken.spawn else saved_places.find_place(level.path)
            left_at = "" if place is None or place.spawn not in [spawn.name for spawn in level.spawns] else place.spawn
            world = World(level, spawn=self.exit_taken.spawn or left_at or None)
            world.mover_poses()  # else the first frame loads the kernel
            self.world = world
        except LevelError as error:
            self.receive(None, error.findings)
        except MemoryError:
            self.error = f"{self.exit_taken.to}: not enough memory"
        except (ValueError, OSError) as error:
            self.error = f"{self.exit_taken.to}: {error}"

    @property
    def is_loaded(self) -> bool:
        """Whether `world` or `error` is there."""
        return self.world is not None or bool(self.error)

    @property
    def is_finished(self) -> bool:
        """Whether the level has arrived behind a dark picture, or cannot be played."""
        return self.is_loaded and (bool(self.error) or self.seconds >= FADE_SECONDS)


@dataclass(slots=True)
class Journey:
    """A way to another level.

    picture        file of the level's thumbnail
    opens          the mode in which the level opens; None: play
    seconds        since its begin
    is_paused      whether the focus was lost on the way, and `pause_reason` why
    """

    exit: Exit
    picture: str
    opens: ExitToMode | None = None
    seconds: float = 0.0
    is_paused: bool = False
    pause_reason: str = ""

    @property
    def label(self) -> str:
        """The line about what takes long."""
        so_far = f"   ·   {self.seconds:.0f} s so far" if self.seconds > LOAD_SECONDS else ""
        return f"Loading {self.exit.name or self.exit.to}{so_far}"


class JourneyMode(Mode):
    """A part of a journey. The mode below stays in the picture, without its menu."""

    contexts = (WALKING_ACTIONS,)
    journey: Journey

    @property
    def captures_mouse(self) -> bool:
        return True

    def focus_lost(self, reason: str = "") -> None:
        self.journey.is_paused, self.journey.pause_reason = True, reason
        self.game.input.held.clear()

    def _end(self, now: float, seconds: float) -> None:
        """Go on in another mode, in this same frame."""
        self.game.input.held.consume()  # what was tapped in the dark acts nowhere
        if self.journey.is_paused:
            self.game.pause(self.journey.pause_reason)
        self.game.update_mode(now, seconds)


class TravelMode(JourneyMode):
    """Waits for another level and its picture. Its subject is the exit, or an `ExitToMode`."""

    name = LEAVING

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.transition: LevelTransition | None = None

    def enter(self, subject: Any = None) -> None:
        game = self.game
        game.played_session.pause()
        game.screen.fade.bar = LoadingBar(LOAD_SECONDS)
        opens = subject if isinstance(subject, ExitToMode) else None
        level_exit = subject if opens is None else opens.exit
        self.journey = Journey(level_exit, thumbnails.thumbnail_file(level_exit.path), opens)
        hot_reload = game.hot_reload
        fetch = hot_reload.request_exit_level if hot_reload is not None and hot_reload.is_worker_started else None
        self.transition = LevelTransition(level_exit, game.jobs, fetch)

    def leave(self) -> None:
        self.transition = None

    def update(self, now: float, seconds: float) -> None:
        """Fade out until the new level and its picture are there. Without the level, show why."""
        transition, journey, game = self.transition, self.journey, self.game
        assert transition is not None
        transition.seconds += min(seconds, MAX_FADE_STEP)
        journey.seconds += seconds
        fade = game.screen.fade
        fade.darken_for(transition.seconds, journey.picture)
        fade.bar.update(seconds)
        if not transition.error:
            fade.waiting_for = journey.label
        if transition.is_finished and (transition.world is None or self._is_picture_loaded(transition.world.level)):
            if transition.world is not None:
                self._start(transition.world)
                game.update_mode(now, seconds)
            else:
                self._give_up(transition.error)
                self._end(now, seconds)

    def _is_picture_loaded(self, level: Level) -> bool:
        hot_reload = self.game.hot_reload
        return hot_reload is None or hot_reload.is_picture_loaded(level)

    def _start(self, world: World) -> None:
        game, stood, view = self.game, self.game.world.walker_state, self.game.input.view
        yaw, pitch = view.yaw, view.pitch
        game.start(world)
        if self.journey.opens is not None and self.journey.opens.is_copy:
            game.place_walker(stood.replace(position=stood.position, velocity=(0.0, 0.0, 0.0)))
            view.yaw, view.pitch = yaw, pitch
        game.push_mode(ARRIVING, self.journey)

    def _give_up(self, reason: str) -> None:
        """Return to the mode below and show why: in its menu where it has one."""
        game = self.game
        below = self.below
        game.stop_input()
        game.pop_mode()
        if isinstance(below, MenuMode):
            below.show_load_error(reason)
        else:
            game.push_mode(NOTICE, reason)


class ArrivalMode(JourneyMode):
    """Stays while the first pictures of the level are drawn behind the dark one: they compile what the driver has not
    compiled yet. Its subject is the Journey."""

    name = ARRIVING

    def enter(self, subject: Any = None) -> None:
        self.journey = subject
        # One in each frame. The first frame does nothing but draw the new level.
        self._steps: deque[Callable[[], None]] = deque((lambda: None, self._continue, return_memory))
        self.game.runs.time_trial.update(self.game.session, 0.0)  # else the run of the level that was left goes on

    def update(self, now: float, seconds: float) -> None:
        fade = self.game.screen.fade
        fade.darken_for(FADE_SECONDS, self.journey.picture)
        fade.waiting_for = self.journey.label
        if self._steps:
            self._steps.popleft()()
            return
        self.game.pop_mode()
        if self.journey.opens is not None:
            self.game.push_mode(self.journey.opens.mode)
        self._end(now, seconds)

    def _continue(self) -> None:
        """Continue where the player has left this level, and say so, unless the level is played from a spawn or opens
        in another mode. A recording goes on from there."""
        game, journey = self.game, self.journey
        if journey.opens is None and not journey.exit.spawn:
            saved_places.restore_place(game)
            run = game.runs.time_trial.run
            if game.world.tick > 0:
                key = game.input.held.describe(PlayAction.RESTART)
                time = "" if run is None else f"{format_time(run.seconds)}   ·   "
                game.feedback.show_message("Continued where you left off", f"{time}{key}: restart", OFFER_SECONDS)
        if game.runs.recording is not None:
            game.runs.recording.move_to(game.played_session)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The camera of the start waits: the picture is dark, and its frames take long."""
        return super().apply_to_frame(shot, replace(frame, seconds=0.0))


class LoadingMode(Mode):
    """Lowest mode of the stack until `Game.start`. Only quitting works."""

    name = PREPARING
    contexts = (LoadingAction, GLOBAL_ACTIONS)

    def handle_action(self, action: Action) -> None:
        if action is LoadingAction.QUIT:
            self.game.screen.requests.append("quit")
