"""Replay viewer: a game in a window that opens in the replay mode. Play is not reached from it."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...sim import Replay, ReplayError, World
from ...sim.replay.verifier import make_replay_world
from ..game import Game
from ..input.actions import ReplayAction
from ..launch import kernel_compilation
from ..launch.display_check import missing_display_reason
from ..launch.level_lookup import UserError
from ..launch.world_setup import NOT_WRITTEN_STATUS, prepare_cache_folder
from ..menus.menu_stack import MenuStack
from ..menus.pages import LinkPage
from ..menus.rows import MenuRow
from ..modes.replay import ReplayMode
from ..runs.library.replay_player import ReplayRequest
from ..settings.mode_names import REPLAYING
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ..menus.pages import PageOpener
    from ..runs.library.replay_levels import ReplayLevels

NO_WINDOW_TEXT = "cannot open a window ({}); without --show the replay is verified"


class ReplayMenuPage(LinkPage):
    """Menu that Esc opens in the viewer."""

    name = "replay"
    title = "Replay"
    back_label = ""

    def __init__(self, viewer: ReplayViewer) -> None:
        pages: dict[str, PageOpener] = viewer.menus.page_openers
        rows = (
            MenuRow("resume", "Continue"),
            MenuRow("start", "From the start"),
            MenuRow("settings", "Settings"),
            MenuRow("controls", "Controls"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, {"settings": pages["settings"]})
        self._viewer = viewer

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name in ("start", "controls"):
            self._viewer.resume()
            self._viewer.handle_action(ReplayAction.GO_TO_START if row.name == "start" else ReplayAction.HELP)
            return ""
        return super().activate(menu, row)


class ReplayViewer(Game):
    """Game that shows a replay. `playback` is its replay mode, and the time trial is off."""

    def __init__(self, replay: Replay, levels: ReplayLevels, settings: Settings) -> None:
        """ReplayError or UserError where the replay's first level cannot be loaded."""
        if not replay.parts or not any(part.blocks for part in replay.parts):
            raise ReplayError("it contains no ticks")
        self._first_part = next(part for part in replay.parts if part.blocks)
        super().__init__(levels.level(self._first_part), settings, "")
        self.runs.time_trial.enabled = False
        self._request = ReplayRequest(replay, levels.level, exit_page=lambda: ReplayMenuPage(self))

    @property
    def playback(self) -> ReplayMode:
        mode = self.modes[REPLAYING]
        assert isinstance(mode, ReplayMode)
        return mode

    def make_replay_world(self) -> World:
        """World of the replay's first part. ReplayError where its settings do not fit this version."""
        return make_replay_world(self._first_part, self.level, [])

    def start(self, world: World) -> None:
        super().start(world)
        self.push_mode(REPLAYING, self._request)


def show_replay(record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> int:
    """Show a replay in the window; the exit status. UserError where no window can be opened."""
    from ..startup import NoWindowError, play_in_window

    began = time.perf_counter()
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is not None:
        raise UserError(NO_WINDOW_TEXT.format(reason), NOT_WRITTEN_STATUS)
    compilation = kernel_compilation.KernelCompilation(complete=True)
    try:
        level = levels.level(record.parts[0])
        return play_in_window(
            level, options, compilation, began, lambda settings: ReplayViewer(record, levels, settings)
        )
    except NoWindowError as error:
        raise UserError(NO_WINDOW_TEXT.format(error), NOT_WRITTEN_STATUS) from None
    except ReplayError as error:
        raise UserError(f"{record.path}: {error}") from None
    finally:
        compilation.stop()
