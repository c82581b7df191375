"""Game window: passes pyglet's events to the game and draws its frames. Import needs a display."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyglet

pyglet.options.debug_gl = False  # before pyglet.gl is imported: no error check after each call

import moderngl  # noqa: E402
from pyglet.window import Window, key, mouse  # noqa: E402

from ..text import font_stack  # noqa: E402
from .audio.sound_bank import DRY  # noqa: E402
from .audio.sound_player import LOST_DEVICE, MUSIC_IN_PLAY, NO_DEVICE, SoundPlayer, volume_function  # noqa: E402
from .audio.sounds import Rumble, strongest_effect  # noqa: E402
from .display import splash, still_image  # noqa: E402
from .display.display_settings import DisplaySettings, default_window_size, effective_quality  # noqa: E402
from .display.level_renderer import LevelRenderer  # noqa: E402
from .game import Game  # noqa: E402
from .input.gamepad import GamepadInput, GamepadManager  # noqa: E402
from .settings.mode_names import ENDING, MENU_MODES, PLAYING, PREPARING, REPLAY, REWIND, TITLE  # noqa: E402

if TYPE_CHECKING:
    from ..render import Snapshot

CAPTION = "Walker"
MIN_WINDOW_SIZE = (800, 600)
HIDDEN_FRAME_SECONDS = 1 / 10  # s, per frame while the window is minimised
SETTLING_FRAMES = 2  # drawn after a change of the size of the window, before the mouse turns the view again
IDLE_FRAME_SECONDS = 1 / 30  # s, per frame of a menu
RELOAD_FRAME_SECONDS = 1 / 25  # s, per frame while a reload or pictures are prepared and the CPU renders
MIN_FRAME_SECONDS = {
    TITLE: 1 / 120,
    ENDING: 1 / 120,
    PLAYING: 1 / 250,  # s, without vsync
    REWIND: 1 / 250,
    REPLAY: 1 / 250,
    PREPARING: 1 / 5,  # s: the CPU compiles
}

X11_INPUT_EVENTS = (2, 3, 4, 5)  # KeyPress, KeyRelease, ButtonPress, ButtonRelease
MAX_EVENT_DELAY = 2.0  # s that an event may wait for its frame
X11_TAB_KEYCODE = 23  # Shift+Tab is ISO_Left_Tab there, which pyglet does not know


def key_name(symbol: int) -> str:
    """Name of a key as in the bindings."""
    if sys.platform.startswith("linux") and symbol == key.user_key(X11_TAB_KEYCODE):
        return "TAB"
    return str(key.symbol_string(symbol))


class GameWindow(Window):  # type: ignore[misc]
    """Window with an OpenGL 3.3 core context.

    before_frame   called before each frame with the clock reading (s)
    rest           called after each frame with the seconds to wait
    clock          reading of the game's clock (s); another one plays faster or slower than real time
    """

    def __init__(self, game: Game, size: tuple[int, int] | None, quality: str | None) -> None:
        config = pyglet.gl.Config(
            double_buffer=True, depth_size=24, major_version=3, minor_version=3, forward_compatible=True
        )
        screen = pyglet.display.get_display().get_default_screen()
        width, height = size or default_window_size(screen.width, screen.height)
        super().__init__(
            width, height, CAPTION, resizable=True, vsync=True, config=config, visible=False, file_drops=True
        )
        self.set_minimum_size(*MIN_WINDOW_SIZE)
        splash.set_icon(self)
        self.game = game
        self.fixed_quality = quality
        self._at_start = game.settings
        self.before_frame: Callable[[float], None] = lambda now: None
        self.rest: Callable[[float], None] = game.jobs.wait
        self.clock: Callable[[], float] = time.perf_counter
        self.gl = moderngl.create_context(require=330)
        self._automatic = still_image.automatic_quality(self.gl)
        font_stack.system_fonts.in_background = True  # a search for a font must not stop the frames
        self.level_renderer = LevelRenderer(self.gl, game, software=self._automatic == "low")
        self.sound_player = SoundPlayer()
        self.rumble = Rumble()
        self.display_settings = DisplaySettings(self)
        self.gamepads = GamepadManager(GamepadInput(game))
        self._frame_start = time.perf_counter()
        self._waited_seconds = 0.0  # s, since then
        self._unfocused = False
        self._is_window_in_front = True
        self._hidden = False
        self._drawn_size = (0, 0)  # of the last frame, pixels
        self._pointer_size = self.get_size()  # of the window, for which the pointer was captured
        self._settling_frames = 0  # until movements of the pointer are the player's again
        self._server_offset = math.inf  # s from the time of the X server to the clock, the least that was seen

    # Frames

    def on_draw(self) -> None:
        began = time.perf_counter()
        self.before_frame(began)
        if self.display_settings.update(self.game.settings):
            self._release_all_keys()
            self.game.input.view.skip_pointer_jump()
        if self._unfocused:
            self._unfocused = False
            self.game.pause("The window lost the focus.")
        is_captured = self.game.menus.is_pointer_hidden = self.game.wants_mouse
        self._settling_frames = max(self._settling_frames - 1, 0)
        if self.get_size() != self._pointer_size:  # the middle, where the pointer is held, is elsewhere
            self._pointer_size, self._settling_frames = self.get_size(), SETTLING_FRAMES
            self.set_exclusive_mouse(False)
        self.set_exclusive_mouse(is_captured)
        self._mouse_in_window |= is_captured  # else pyglet drops the first movement after a capture
        seconds = began - self._frame_start
        self.gamepads.update(seconds, self._is_window_in_front)
        self.level_renderer.record_frame_time(seconds - self._waited_seconds)
        self._frame_start = began
        self._waited_seconds = 0.0
        width, height = self.get_framebuffer_size()
        if self._hidden or width < 1 or height < 1:  # minimised: nothing is drawn
            self.sound_player.pause_loops()
            self.sound_player.set_music(0.0, volume_function(self.game.settings), HIDDEN_FRAME_SECONDS)
            self._wait(HIDDEN_FRAME_SECONDS)
            return
        if self._drawn_size not in ((0, 0), (width, height)):
            self.game.window_resized()
        self._drawn_size = (width, height)
        self.game.menus.mouse_navigation.size = (width, height)
        snapshot = self.game.advance_frame(self.clock(), width / height)
        self._play_sounds(snapshot, seconds)
        settings = self.game.settings
        renderer = self.level_renderer.update(
            effective_quality(settings, self._at_start, self.fixed_quality, self._automatic)
        )
        self.level_renderer.bake_step(snapshot.view, self.clock())
        renderer.render(snapshot, (width, height), target=self.gl.screen)
        self._handle_requests(snapshot, (width, height))
        min_seconds = MIN_FRAME_SECONDS.get(self.game.mode, IDLE_FRAME_SECONDS)
        is_reloading = self.game.hot_reload is not None and self.game.hot_reload.is_waiting
        if self.level_renderer.software and (is_reloading or self.level_renderer.is_loading_pictures):
            min_seconds = max(min_seconds, RELOAD_FRAME_SECONDS)
        self._wait(self.display_settings.frame_wait(time.perf_counter(), min_seconds, settings))

    def _wait(self, seconds: float) -> None:
        began = time.perf_counter()
        self.rest(seconds)
        self._waited_seconds = time.perf_counter() - began

    def _play_sounds(self, snapshot: Snapshot, seconds: float) -> None:
        """Let the frame be heard, `seconds` after the one before."""
        game = self.game
        player = self.sound_player
        loud = volume_function(game.settings)
        sounds = game.feedback.sound_events
        eye = snapshot.view.eye
        if sounds is None:
            player.enter(DRY, 0.0, seconds)
        else:
            player.enter(sounds.surroundings, sounds.room_size, seconds)
        player.listen(eye, *(axis.tolist() for axis in snapshot.view.basis()))
        cues = game.feedback.sound_cues
        heard = cues if sounds is None else sounds.sources.occlusion.of_cues(eye, cues)
        player.play_cues([*heard, *game.feedback.take_clicks()], loud)
        self.rumble.play(self.gamepads.rumbling, strongest_effect(game.feedback.sound_cues, game.settings.rumble))
        if game.current_mode.is_heard and game.current_mode.is_moving and sounds is not None:
            player.set_loop_volumes(sounds.loops, loud)
            player.set_sources(sounds.sources.update(eye, snapshot.movers, seconds), loud, seconds)
        else:
            player.pause_loops()
        player.set_music(1.0 if game.mode in MENU_MODES else MUSIC_IN_PLAY, loud, seconds)
        if game.mode == PLAYING and game.feedback.message is None and (problem := player.take_problem()):
            is_silent = problem in (NO_DEVICE, LOST_DEVICE)
            game.feedback.show_message("" if is_silent else "Some sounds are missing", problem)

    def _handle_requests(self, snapshot: Snapshot, size: tuple[int, int]) -> None:
        requests, self.game.screen.requests = self.game.screen.requests, []
        for request in requests:
            if request == "quit":
                pyglet.app.exit()
            elif request == "fullscreen":
                self._change_setting("borderless", not self.fullscreen)
            elif request == "clipboard":
                self.set_clipboard_text(self.game.screen.clipboard)
            elif request.startswith("photo"):
                assert self.level_renderer.renderer is not None
                image = still_image.photograph(self.level_renderer.renderer, snapshot, size, int(request[-1]))
                self.game.feedback.show_message(*still_image.save_screenshot(image))
            elif request == "screenshot":
                assert self.level_renderer.renderer is not None
                self.game.feedback.show_message(*still_image.save_screenshot(self.level_renderer.renderer.image()))

    def _change_setting(self, name: str, value: object) -> None:
        """Change a setting, in an open menu too."""
        self.game.settings = self.game.settings.with_value(name, value)
        if self.game.menu is not None:
            self.game.menu.settings = self.game.settings

    def _release_all_keys(self) -> None:
        """Release all keys, whose releases may not arrive. On X11 pyglet would take their next press for a repeat."""
        self.game.release_keys()
        getattr(self, "pressed_keys", set()).clear()

    # Events

    def dispatch_platform_event(self, event: Any) -> None:
        """Handle an X11 event of the window. Other systems do not call this: there input acts in the next tick."""
        self._handle_in_its_time(event, super().dispatch_platform_event)

    def dispatch_platform_event_view(self, event: Any) -> None:
        """Handle an X11 event of the picture in the window."""
        self._handle_in_its_time(event, super().dispatch_platform_event_view)

    def _handle_in_its_time(self, event: Any, handle: Callable[[Any], None]) -> None:
        """Handle an X11 event; a key or button acts at the time of the event, which may have waited for its frame."""
        if not hasattr(self, "game"):  # the window is being made
            handle(event)
            return
        held = self.game.input.held
        if event.type in X11_INPUT_EVENTS and self.clock is time.perf_counter:
            now, sent = time.perf_counter(), event.xkey.time / 1000.0
            if now - sent - self._server_offset > MAX_EVENT_DELAY:  # the server's time began anew
                self._server_offset = math.inf
            self._server_offset = min(self._server_offset, now - sent)
            held.event_time = sent + self._server_offset
        handle(event)
        held.event_time = None

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        self.game.input.held.uses_gamepad = False
        self.game.key_pressed(key_name(symbol))
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        self.game.key_released(key_name(symbol))
        if key_name(symbol) == "TAB":  # Shift may have been released before: the press had another symbol
            getattr(self, "pressed_keys", set()).difference_update((key.TAB, key.user_key(X11_TAB_KEYCODE)))
        return True

    def on_text(self, text: str) -> None:
        self.game.text_typed(text)

    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        self.game.menus.run_actions.drop_files(paths)

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        self._turn_view(dx, dy)
        self._move_pointer(x, y, pressed=False, first=False)

    def _turn_view(self, dx: float, dy: float) -> None:
        """Pass a movement of the mouse on.

        When the size of the window changes, the system moves the pointer into it, pyglet counts from the old height,
        and the pointer is captured again: the mouse did not move.
        """
        if self._settling_frames == 0 and self.get_size() == self._pointer_size:
            self.game.mouse_moved(dx, dy)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        self._turn_view(dx, dy)
        self._move_pointer(x, y, pressed=bool(buttons & mouse.LEFT), first=False)

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        self.game.input.held.uses_gamepad = False
        self._move_pointer(x, y, pressed=False, first=False)
        self.game.mouse_button(mouse.buttons_string(button), True)
        if button == mouse.LEFT and not self.game.captures_next_key:
            self.game.left_pressed()
            self._move_pointer(x, y, pressed=True, first=True)
        else:
            self.game.key_pressed(mouse_button_name(button))

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        self.game.menus.mouse_navigation.release()
        self.game.mouse_button(mouse.buttons_string(button), False)
        self.game.key_released(mouse_button_name(button))

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        self.game.scrolled(scroll_y)

    def _move_pointer(self, x: float, y: float, pressed: bool, first: bool) -> None:
        """Pass the pointer's position to the menus, in pixels of the framebuffer."""
        scale = self.get_framebuffer_size()[0] / max(self.width, 1)
        self.game.menus.move_pointer(x * scale, (self.height - 1 - y) * scale, pressed, first)

    def close(self) -> None:
        self.sound_player.close()
        self.gamepads.close()
        self.level_renderer.close()
        super().close()

    def on_activate(self) -> None:
        self._unfocused = False
        self._is_window_in_front = True

    def on_deactivate(self) -> None:
        """Release the keys at once; pause before the next frame unless the focus is back by then.

        X11 takes the focus and gives it back at once during a window manager's grab.
        """
        self._release_all_keys()
        self._unfocused = True
        self._is_window_in_front = False

    def on_hide(self) -> None:
        self._hidden = True
        self.game.pause("The window was minimised.")

    def on_show(self) -> None:
        self._hidden = False

    def on_close(self) -> bool:
        if self.game.request_quit():
            pyglet.app.exit()
        return True


def mouse_button_name(button: int) -> str:
    """Key name of a mouse button: MOUSE_RIGHT, MOUSE_4."""
    return f"MOUSE_{mouse.buttons_string(button).removeprefix('MOUSE')}"
