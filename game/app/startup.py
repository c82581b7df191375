"""From the command line to a running window: settings, level, context, kernels, and the way out."""

from __future__ import annotations

import argparse
import gc
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .display import crash_screen, splash
from .launch import crash_report
from .launch.kernel_compilation import Preparation
from .launch.level_lookup import UserError
from .launch.state_report import report
from .launch.world_setup import has_balls, tell
from .settings import settings_file as user_settings

if TYPE_CHECKING:
    from ..level import Level
    from ..sim import World
    from .game import Game
    from .settings.settings_file import Settings


class NoWindowError(Exception):
    """No window with OpenGL 3.3 can be had here; the text says why, as half a sentence."""


def play_in_window(
    level: Level,
    options: argparse.Namespace,
    preparation: Preparation,
    began: float,
    make_game: Callable[[Settings], Game] | None = None,
) -> int:
    """Open the window, play until it is closed, leave the report. NoWindowError where there can be none.

    `make_game` makes another game than that of a player in the level."""
    settings, notes = user_settings.load()
    for note in notes:
        tell(note)
    try:
        import pyglet

        from .window import GameWindow
    except Exception as error:
        raise _no_window(error) from error
    from .game import Game
    from .hot_reload import lighting_worker
    from .hot_reload.level_reload import Reloading

    game = Game(level, settings, "") if make_game is None else make_game(settings)
    try:
        window = GameWindow(game, options.size, options.quality)
    except Exception as error:
        raise _no_window(error) from error
    if make_game is None:
        game.reloading = Reloading(game, light_cache=lighting_worker.folder(), tell=tell)
        game.reloading.drawing = window.drawing
        game.editor.hands.bench.beside = True
    opening = Opening(game, preparation, began, title=make_game is None and options.level is None)
    opening.spawn = getattr(options, "spawn", "")
    keeper = opening.keeper = user_settings.Keeper(settings)
    window.before_frame, window.rest = opening.before_frame, opening.rest
    for note in notes:
        game.say("Settings", note, 10.0)
    window.set_visible(True)
    if splash.show(window.gl, window.get_framebuffer_size()):
        window.flip()
    status = 0
    try:
        pyglet.app.run(0)
    except UserError:
        raise
    except Exception as error:
        status, said = crash_report.STATUS, crash_report.leave(error, sys.argv[1:], game)
        tell(said)
        crash_screen.show(window, game, said)
    finally:
        window.close()
        if game.reloading is not None:
            game.reloading.stop()
        recorded = game.close()
        if recorded:
            tell(recorded)
        keeper.follow(game.settings)
        problem = keeper.close()
        if problem:
            tell(problem)
        if options.report is not None:
            write_report(options.report, report(game))
    return status


class Opening:
    """What happens ahead of each frame until there is a world to play in."""

    def __init__(self, game: Game, preparation: Preparation, began: float, title: bool = False) -> None:
        """title: begin with the title over the level, not in it."""
        self.game, self.preparation, self.began, self.title = game, preparation, began, title
        self.spawn = ""  # the name of the place to begin at, another than the level's first
        self._frames_playable = 0
        game.menus.expected = title
        self._balls: threading.Thread | None = None
        self.keeper: user_settings.Keeper | None = None

    def before_frame(self, now: float) -> None:
        """Follow the compiling child; make the world when it is done; tell the first playable frame."""
        game = self.game
        if self.keeper is not None:
            self.keeper.follow(game.settings)
        if game.session is None:
            game.progress, game.progress_label = self.preparation.fraction, "Preparing the physics, this once"
            self.preparation.tell(tell)
            # The world is made behind a picture, not behind an empty window.
            if self.preparation.finished and game.frame_count > 0 and self._balls_ready():
                world = game.make_world()
                if self.spawn:
                    world = begin_at(world, self.spawn)
                warm(world)
                game.start(world)
                if self.title:
                    game.menus.open_title()
        elif self._frames_playable < 2:
            self._frames_playable += 1
            if self._frames_playable == 2:
                gc.freeze()  # a later collection leaves alone what is there now: it would hold up a frame
                gc.enable()
                tell(f"Playing {game.level.name}: first playable frame after {now - self.began:.2f} s.")

    def _balls_ready(self) -> bool:
        """Whether the tick of balls is compiled, where this level needs it; a child is at it meanwhile."""
        if not has_balls(self.game.level):
            return True
        if self._balls is None:
            from ..physics import prepare

            self._balls = threading.Thread(target=prepare.compile_balls, name="preparing balls", daemon=True)
            self._balls.start()
            self._balls.join(0.05)  # where it is done already
        self.game.progress_label = "Preparing the balls, this once"
        return not self._balls.is_alive()

    def rest(self, seconds: float) -> None:
        """Wait until the next frame is due, or the kernels are ready."""
        if self.game.session is None and not self.preparation.finished:
            self.preparation.join(seconds)
        else:
            time.sleep(seconds)


def begin_at(world: World, spawn: str) -> World:
    """The same level from another of its spawns; as it was where there is no room."""
    from ..sim import World as Made

    try:
        return Made(world.level, spawn=spawn)
    except ValueError:
        return world


def warm(world: World) -> None:
    """Use every kernel once that a frame may need: none is loaded or compiled inside the first tick."""
    from ..physics import Command
    from ..sim import Session
    from .cameras.first_person import Eye, near_plane

    kept = world.state()
    world.step(Command(forward=1.0, jump=True, crouch=True, heading=world.start.heading + 900))
    world.restore(kept)
    pose = Session(world).pose()
    eye = Eye(world.mesh, world.settings.eye, pose)
    near_plane(world.mesh, eye.lifted(pose, 10.0), 60.0, 1.8)


def _no_window(error: Exception) -> Exception:
    """NoWindowError for what the display, the driver or a missing library did; else the error itself."""
    foreign = type(error).__module__.partition(".")[0] in ("pyglet", "moderngl", "_moderngl", "glcontext")
    return NoWindowError(why_no_window(error)) if foreign or isinstance(error, (ImportError, OSError)) else error


def why_no_window(error: Exception) -> str:
    """Why pyglet or the driver gave no window, in half a sentence."""
    name, text = type(error).__name__, " ".join(str(error).split())[:200]
    if name == "NoSuchDisplayException":
        return "the display that DISPLAY names does not answer"
    if isinstance(error, ImportError) and "Library" in text:
        return f"a library is missing ({text}): install the packages libgl1 and libgl1-mesa-dri"
    if name in ("NoSuchConfigException", "ContextException", "MissingFunctionException"):
        return "the graphics driver gives no OpenGL 3.3: install libgl1-mesa-dri or update the driver"
    return f"no window with OpenGL 3.3 could be opened ({name}: {text})"


def write_report(path: Path, text: str) -> None:
    """Leave the report; UserError where it cannot be written."""
    from ..core import atomic_files

    try:
        atomic_files.write(path, text.encode())
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}", 1) from None
