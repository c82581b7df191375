"""Title mode: the main menu over a level in which a walker repeats the level's own walk."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.springs import smoothstep
from ...core.time_format import format_time
from ...physics import Command
from ...render import Body, Hud, Panel, Snapshot, world_view
from ...sim import Session
from ...sim.command_script import CommandsError, read_script
from ..cameras import title_camera
from ..cameras.hero import Hero, hero_ellipsoids
from ..menus import level_library
from ..menus.menu_stack import MenuRow
from ..menus.pages import TitlePage
from ..runs import progress
from ..settings.mode_names import TITLE
from .menu import MenuMode

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ..cameras.camera import CameraFrame
    from ..game import Game

REVEAL_SECONDS = 1.1  # s until the menu has appeared


def title_loading_frame(level: Level, hud: Hud) -> Snapshot:
    """Snapshot before there is a world: the first view of the title camera, with the name of the game."""
    shots = title_camera.level_shots(level)
    view = shots[0].at(0.0) if shots else title_camera.spawn_view(level)
    return Snapshot(view, replace(hud, panel=Panel(layout="title")))


class TitleMode(MenuMode):
    """Main menu. Continue plays on where the session is, also where a level without an end was left; after the end of a
    run the next level comes first."""

    name = TITLE

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.scene: TitleScene | None = None

    def enter(self, subject: Any = None) -> None:
        game = self.game
        game.stop_input()
        is_first = progress.last_played() is None
        trial = game.runs.time_trial
        name = game.level.name
        way = None
        if trial.is_run_in_progress and trial.run is not None:
            row = MenuRow("continue", "Continue", value=f"{name}   {format_time(trial.run.seconds)}")
        elif trial.run is None and game.world.tick > 0:
            row = MenuRow("continue", "Continue", value=name)
        elif progress.is_won(game.level.path):
            row, way = MenuRow("restart", "Play again", value=name), level_library.next_level(game.level)
        else:
            row = MenuRow("continue", "Play", value=name)
        self.scene = TitleScene(game.world)
        won = () if is_first else level_library.won_of_game()
        has_ending = not is_first and level_library.has_ending()
        self.open_page(TitlePage(game.menus.page_openers, row, way, won, has_ending))

    def leave(self) -> None:
        super().leave()
        session = self.game.session
        if self.scene is not None and session is not None and session.world is self.scene.world:
            session.world.restore(self.scene.saved_state)
            session.reset_interpolation()
        self.scene = None
        self.game.clock.play_started = None

    @property
    def shows_run_clock(self) -> bool:
        return False

    @property
    def reveal(self) -> float:
        return 1.0 if self.scene is None or self.game.settings.reduce_motion else self.scene.reveal

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        assert self.scene is not None
        return self.scene.apply_to_frame(shot, frame, self.game.clock.now or 0.0)


class TitleScene:
    """Session of its own on the game's world, whose state it saves and restores.

    has_walk   whether the level has a command file, which the walker repeats
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.saved_state = world.state()
        world.restart()
        self.session = Session(world)
        self.camera = title_camera.TitleCamera()
        self.hero = Hero()
        self._initial_state = world.state()
        self._pending_command: Command | None = None
        self._commands = self._load_walk()
        self.has_walk = self._pending_command is not None

    def _load_walk(self) -> Iterator[Command]:
        """Commands of the file beside the level, without the first, which is the pending one."""
        commands: Iterator[Command] = iter(())
        with contextlib.suppress(CommandsError, OSError, ValueError):
            script = read_script(self.world.level.path.with_suffix(".commands"))
            commands = iter(script.commands(self.world.start.heading))
        self._pending_command = next(commands, None)
        return commands

    def _next_command(self) -> Command:
        """Next command of the walk, which starts again at its end."""
        if self._pending_command is None:
            if not self.has_walk:
                return Command(heading=self.world.walker_state.heading)
            self.world.restore(self._initial_state)
            self.session.reset_interpolation()
            self._commands = self._load_walk()
        command = self._pending_command or Command(heading=self.world.walker_state.heading)
        self._pending_command = next(self._commands, None)
        return command

    @property
    def reveal(self) -> float:
        """Fraction of the menu that has appeared, 0 to 1."""
        return smoothstep(min(1.0, self.camera.seconds / REVEAL_SECONDS))

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, now: float) -> Snapshot:
        """The snapshot with this scene's camera and walker at the clock reading `now` (s)."""
        self.session.advance(now, self._next_command)
        shot = self.camera.apply_to_frame(shot, replace(frame, session=self.session))
        pose = self.session.pose()
        yaw = pose.heading * RADIANS_PER_HEADING_UNIT
        body = Body(pose.centre, pose.radii, yaw, pose.up, pose.north)
        self.hero.update(self.session.current, body, frame.seconds, frame.settings.reduce_motion)
        figure = hero_ellipsoids(body, self.hero.pose) if self.has_walk else ()
        return replace(
            shot,
            hud=replace(shot.hud, cards=()),
            body=body,
            ellipsoids=(*shot.ellipsoids, *figure),
            movers=self.session.movers(),
            balls=world_view.ball_instances(self.world, self.session.alpha),
            goal_reached=False,
            targets=tuple(map(float, self.world.reached_targets)),
            overlay=None,
        )
