"""Startup of the game in a window: settings, window, kernels, first world; and its end."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import WalkerError, error_reason
from ..physics.numerics import jit
from .display import splash
from .launch import crash_hooks, crash_report
from .launch.kernel_compilation import KernelCompilation
from .launch.level_lookup import UserError
from .launch.memory import limit_allocator
from .launch.world_setup import has_balls, print_status
from .menus.pages import TextPage
from .settings import settings_file as user_settings
from .settings.mode_names import TITLE
from .visuals.screen import LoadingBar

if TYPE_CHECKING:
    from ..core.jobs import Jobs
    from ..level import Level
    from ..sim import World
    from .game import Game
    from .runs.library.run_library import RunEntry
    from .settings.settings_file import Settings

SETUP_SECONDS = 80.0  # s that the kernels take to compile on an idle machine
NOTE_SECONDS = 10.0  # s that a sentence about the settings is shown
BALLS = "balls"  # step of physics.prepare, which is imported late


class NoWindowError(WalkerError):
    """No window with OpenGL 3.3 can be opened; the text has the reason as half a sentence."""


def play_in_window(
    level: Level,
    options: argparse.Namespace,
    compilation: KernelCompilation,
    began: float,
    make_game: Callable[[Settings, Jobs], Game] | None = None,
) -> int:
    """Open the window and play until it is closed; returns the exit status. NoWindowError if no window can be opened.

    make_game: makes another game than a player's in the level, such as the replay viewer.
    """
    program = GameProgram(level, options, compilation, began, make_game)
    import pyglet

    window = program.window
    game = program.game
    window.set_visible(True)
    if splash.draw_splash(window.gl, window.get_framebuffer_size()):
        window.flip()
    status = 0
    crash_hooks.set_running_game(game)
    try:
        with crash_hooks.fatal_trace(sys.argv[1:], print_status):
            pyglet.app.run(0)
    except UserError:
        raise
    except Exception as error:
        status = crash_report.CRASH_STATUS
        message = crash_report.write_crash_report(error, sys.argv[1:], game)
        print_status(message)
        splash.show_crash_screen(window, message)
    finally:
        crash_hooks.set_running_game(None)
        for line in program.close(save=status == 0):
            print_status(line)
        if options.report is not None:
            write_report(options.report, crash_report.state_report(game))
    return status


class GameProgram:
    """A game with its window and what runs beside it: hot reload, savers and the startup sequence.

    The constructor raises NoWindowError if no window can be opened. `close` ends every thread and child process.
    """

    def __init__(
        self,
        level: Level,
        options: argparse.Namespace,
        compilation: KernelCompilation,
        began: float,
        make_game: Callable[[Settings, Jobs], Game] | None = None,
    ) -> None:
        limit_allocator()
        settings, notes = user_settings.load_settings()
        for note in notes:
            print_status(note)
        try:
            from .window import GameWindow
        except Exception as error:
            raise _as_no_window_error(error) from error
        from ..render.scene.lightmap import lightmap_folder
        from .game import Game
        from .hot_reload.level_reload import LevelReloader
        from .runs.saved_places import PlaceSaver

        jobs = compilation.jobs
        self.game = game = Game(level, settings, "", jobs) if make_game is None else make_game(settings, jobs)
        try:
            self.window = window = GameWindow(game, options.size, options.quality)
        except Exception as error:
            raise _as_no_window_error(error) from error
        if make_game is None:
            game.hot_reload = LevelReloader(game, light_cache=lightmap_folder(), print_line=print_status)
            game.hot_reload.level_renderer = window.level_renderer
            game.place_saver = PlaceSaver(game)
            game.use_threads()
        self.startup = StartupSequence(game, compilation, began, title=make_game is None and options.level is None)
        self.startup.spawn = getattr(options, "spawn", "")
        self.startup.ghost_run = getattr(options, "ghost_run", None)
        self.startup.notes = notes
        self.settings_saver = self.startup.settings_saver = user_settings.SettingsSaver(settings)
        window.before_frame = self.startup.update

    def close(self, save: bool = True) -> list[str]:
        """Close the window and end what runs beside the game. Returns lines for the player. save: for Continue."""
        try:
            self.window.close()
        finally:
            lines = self._end_game(save)
        return lines

    def _end_game(self, save: bool) -> list[str]:
        game = self.game
        jit.use_compiled()
        unsaved = game.leave_session() if save else ""
        lines = [f"Your place cannot be saved: {unsaved}"] if unsaved else []
        if game.hot_reload is not None:
            game.hot_reload.stop()
        lines.append(game.close())
        self.settings_saver.update(game.settings)
        lines.append(self.settings_saver.close() or "")
        return list(filter(None, lines))


class StartupSequence:
    """Work before each frame until there is a world: kernels compile, then play or the title starts.

    Where the level has no balls, play does not wait for the kernels: they run in Python until they are compiled. Until
    then nothing else takes a processor from the compiler: no other level is loaded ahead, and no light is baked.
    """

    def __init__(self, game: Game, compilation: KernelCompilation, began: float, title: bool = False) -> None:
        """title: start with the main menu over the level."""
        self.game = game
        self.compilation = compilation
        self.began = began
        self.title = title
        self.spawn = ""  # name of the spawn; empty for the level's first
        self.ghost_run: RunEntry | None = None  # to race against
        self.notes: list[str] = []  # sentences about the settings file, shown with the first world
        self._playable_frames = 0  # up to two
        game.menus.is_opening = title
        self._loading: Future[None] | None = None  # of the compiled kernels
        self._ball_kernels: KernelCompilation | None = None
        self._bar = LoadingBar(SETUP_SECONDS)
        self._updated: float | None = None  # reading of the clock at the last update (s)
        self.settings_saver: user_settings.SettingsSaver | None = None
        if not compilation.is_finished:
            jit.interpret()
            game.screen.is_compiling = True

    def update(self, now: float) -> None:
        """Report the compilation; start the world when it is done; print the time of the first playable frame."""
        game = self.game
        if self.settings_saver is not None:
            self.settings_saver.update(game.settings)
        if game.screen.is_compiling and self.compilation.is_finished:
            self._use_kernels()
        if game.session is None or game.screen.is_compiling:
            self._show_progress(now)
        if game.session is None:
            self.compilation.print_status(print_status)
            # A picture is drawn before the world is made, so that the window is not empty.
            if game.clock.frame_count > 0 and (not has_balls(game.level) or self._are_all_kernels_ready()):
                world = game.make_world()
                if self.spawn:
                    world = move_to_spawn(world, self.spawn)
                warm_up_kernels(world)
                game.start(world)
                if self.ghost_run is not None:
                    game.menus.run_actions.choose_ghost(self.ghost_run)
                if self.title:
                    self._restore_place()
                    game.push_mode(TITLE)
                for note in self.notes:
                    if game.menu is not None:
                        game.menu.open(TextPage("Settings", note))
                    else:
                        game.feedback.show_message("Settings", note, NOTE_SECONDS)
        elif self._playable_frames < 2:
            self._playable_frames += 1
            if self._playable_frames == 2:
                gc.freeze()  # later collections skip what exists now: they would delay a frame
                gc.enable()
                print_status(f"Playing {game.level.name}: first playable frame after {now - self.began:.2f} s.")

    def _use_kernels(self) -> None:
        """Load the kernels, which a frame should not wait for, and then switch to them."""
        if self._loading is None:
            self.compilation.print_status(print_status)
            self._loading = self.game.jobs.thread("kernels", jit.load_kept, *jit.READY)
        elif self._loading.done():
            jit.use_compiled()
            self.game.screen.is_compiling = False

    def _restore_place(self) -> None:
        """Continue where the player left; where that is impossible, say why when the title is left."""
        if self.game.place_saver is None:
            return
        from .runs import saved_places

        for problem in (saved_places.carry_over_place(), saved_places.restore_place(self.game)):
            if problem:
                print_status(problem)

    def _show_progress(self, now: float) -> None:
        """Move the bar of the screen that loads, and of play in Python.

        The first part of it is the walker's kernels, the second those of balls.
        """
        screen = self.game.screen
        is_compiling = not self.compilation.is_finished or self._ball_kernels is not None
        parts = 2 if has_balls(self.game.level) else 1
        done = self.compilation.fraction + (0.0 if self._ball_kernels is None else self._ball_kernels.fraction)
        screen.progress = self._bar.update(now - (self._updated or now), done / parts if is_compiling else 0.0)
        screen.progress_label = "Setup..." if is_compiling else "Loading..."
        self._updated = now

    def _are_all_kernels_ready(self) -> bool:
        """Whether the kernels are compiled, those of balls too, for which this starts a child process."""
        if self.game.screen.is_compiling:
            return False
        if self._ball_kernels is None:
            self._ball_kernels = KernelCompilation(self.game.jobs, (BALLS,))
        return self._ball_kernels.is_finished


def move_to_spawn(world: World, spawn: str) -> World:
    """The world at another spawn; unchanged if there is no room."""
    from .. import sim

    try:
        return sim.World(world.level, spawn=spawn)
    except ValueError:
        return world


def warm_up_kernels(world: World) -> None:
    """Call every kernel of a frame once, so that none is loaded or compiled in the first tick."""
    from ..physics import Command
    from ..render.world_view import near_distance
    from ..sim import Session
    from .cameras.first_person import FirstPersonCamera

    state = world.state()
    world.step(Command(forward=1.0, jump=True, crouch=True, heading=world.start.heading + 900))
    world.restore(state)
    pose = Session(world).pose()
    eye = FirstPersonCamera(world.mesh, world.settings.eye, pose)
    near_distance(world.mesh, eye.place_at_height(pose, 10.0), 60.0, 1.8)


def _as_no_window_error(error: Exception) -> Exception:
    """NoWindowError for an error of display, driver or libraries; any other error itself."""
    foreign = type(error).__module__.partition(".")[0] in ("pyglet", "moderngl", "_moderngl", "glcontext")
    return NoWindowError(no_window_reason(error)) if foreign or isinstance(error, (ImportError, OSError)) else error


def no_window_reason(error: Exception) -> str:
    """Reason why there is no window, as half a sentence."""
    name = type(error).__name__
    text = " ".join(str(error).split())[:200]
    if name == "NoSuchDisplayException":
        return "the display named by DISPLAY does not answer"
    if isinstance(error, ImportError) and "Library" in text:
        return f"a library is missing ({text}): install the packages libgl1 and libgl1-mesa-dri"
    if name in ("NoSuchConfigException", "ContextException", "MissingFunctionException"):
        return "the graphics driver has no OpenGL 3.3: install libgl1-mesa-dri or update the driver"
    return f"cannot open a window with OpenGL 3.3 ({name}: {text})"


def write_report(path: Path, text: str) -> None:
    """Write the report file; UserError if it cannot be written."""
    from ..core import atomic_files

    try:
        atomic_files.write_atomic(path, text.encode())
    except OSError as error:
        raise UserError(f"{path}: {error_reason(error)}", 1) from None
