"""Title page, pause page, result page, movie page, help page and pages of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...text.key_symbols import key_symbol, key_symbols
from ..runs.movies import LAST_SECONDS, MovieMaker, has_mp4, movie_folder
from ..runs.recording import display_path
from ..settings.settings_table import CHOICE
from .menu_stack import KEY_ROW, MenuPage, MenuRow, MenuStack

if TYPE_CHECKING:
    from ...level import Exit
    from ...render.snapshot import RunSummary
    from ..input.player_input import HeldActions
    from ..runs.movies import MovieJob
    from ..runs.run_results import RunResult

FOLDER_ROW = "folder"  # of a page that opens one

PageOpener = Callable[[MenuStack], MenuPage]


class LinkPage(MenuPage):
    """Page whose rows return actions or open other pages (`pages`, by the row's name)."""

    def __init__(self, rows: tuple[MenuRow, ...], pages: dict[str, PageOpener]) -> None:
        self._rows = rows
        self._pages = pages

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return self._rows

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        opener = self._pages.get(row.name)
        if opener is None:
            return row.name
        menu.open(opener(menu))
        return ""


class PausePage(LinkPage):
    name = "pause"
    title = "Paused"
    back_label = ""

    def __init__(self, pages: dict[str, PageOpener], text: str = "", checkpoint: MenuRow | None = None) -> None:
        """text: above the rows, such as the level's name and aim; checkpoint: the row that leads back to it."""
        self.text = text
        rows = (
            MenuRow("resume", "Resume"),
            checkpoint or MenuRow("checkpoint", "Back to checkpoint"),
            MenuRow("restart", "Restart level"),
            MenuRow("movie", "Keep the movie"),
            MenuRow("photo", "Photo mode"),
            MenuRow("help", "Controls"),
            MenuRow("settings", "Settings"),
            MenuRow("levels", "Levels"),
            MenuRow("runs", "Runs"),
            MenuRow("title", "Main menu"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, pages)


class TitlePage(LinkPage):
    """Main menu over the level."""

    name = "title"
    layout = "title"
    back_label = ""
    footer = f"{key_symbols('Up Down')} choose   ·   {key_symbol('Enter')} open"

    def __init__(
        self,
        pages: dict[str, PageOpener],
        play: MenuRow,
        next_level: Exit | None = None,
        won: tuple[str, ...] = (),
        has_ending: bool = False,
    ) -> None:
        """play: the row that plays the level; next_level: way into the level that follows; won: of `won_of_game`;
        has_ending: the ending is earned."""
        rows = (
            *_next_rows(next_level),
            play,
            MenuRow("levels", "Levels", value="   ·   ".join(won)),
            *((MenuRow("ending", "The ending"),) if has_ending else ()),
            MenuRow("new level", "New level"),
            MenuRow("runs", "Runs"),
            MenuRow("settings", "Settings"),
            MenuRow("help", "Controls"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, pages)

    def back(self, menu: MenuStack) -> str:
        """Select Quit without quitting."""
        menu.selected = len(self._rows) - 1
        return ""


def _next_rows(next_level: Exit | None) -> tuple[MenuRow, ...]:
    return () if next_level is None else (MenuRow("next", "Next level", value=next_level.name),)


class ResultPage(LinkPage):
    """The page at the end of a run."""

    name = layout = "result"
    footer = f"{key_symbol('Esc')} keep exploring"
    is_horizontal = True

    def __init__(
        self,
        result: RunResult,
        pages: dict[str, PageOpener],
        next_level: Exit | None = None,
        is_last_medal: bool = False,
    ) -> None:
        """next_level: way into the level that follows."""
        rows = (
            *((MenuRow("ending", "The ending"),) if is_last_medal else ()),
            *_next_rows(next_level),
            MenuRow("watch", "Watch run"),
            MenuRow("movie", "Keep the movie"),
            MenuRow("restart", "Play again"),
            MenuRow("resume", "Keep exploring"),
            MenuRow("levels", "Levels"),
            MenuRow("title", "Main menu"),
        )
        super().__init__(rows, pages)
        self.result = result
        self.movie: MovieJob | None = None  # of this run

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        if self.movie is None or self.movie.is_finished:
            return self._rows
        progress = MenuRow("movie", "Movie", value=f"{self.movie.fraction:.0%}")
        return tuple(progress if row.name == "movie" else row for row in self._rows)

    @property
    def run_summary(self) -> RunSummary:
        """The present content; it changes when the map is drawn."""
        return self.result.summary()


MOVIE_CHOICES: Mapping[str, Mapping[str, str]] = {
    "span": {"last": f"Last {LAST_SECONDS:.0f} s", "run": "This run"},
    "view": {"third": "From behind", "first": "From the eye", "fixed": "Fixed cameras"},
    "format": {"mp4": "MP4", "webp": "WebP"},
}
MOVIE_LABELS = {"span": "Film", "view": "Camera", "format": "Format"}
MOVIE_SENTENCES = {
    "span": "What the movie shows.",
    "view": "Fixed cameras stand beside your way and turn after you.",
    "format": "MP4 plays everywhere. WebP shows in web pages without a player.",
}
NO_MP4_SENTENCE = "MP4 needs one more package: python -m pip install imageio-ffmpeg"


class MoviePage(MenuPage):
    """Choices for the next movie. While one is made, its progress and a row that cancels it."""

    name = "movie"
    title = "Keep the movie"
    shows_descriptions = True
    width = 560.0

    def __init__(self, maker: MovieMaker, open_folder: Callable[[MenuStack, Path], None], span: str = "last") -> None:
        """span: that is offered, as of `MovieChoice`. What the player chose stays while the same span is offered."""
        self.maker = maker
        if maker.choice.offered != span:
            maker.choice.offered = maker.choice.span = span
        self._open_folder = open_folder

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        job = self.maker.job
        folder = MenuRow(FOLDER_ROW, "Open the folder", sentence=display_path(movie_folder()))
        if job is not None and self.maker.is_busy:
            progress = MenuRow("progress", "Making the movie", value=f"{job.fraction:.0%}", enabled=False)
            text = "Your movie is made while you play on."
            return progress, MenuRow("cancel_movie", "Cancel the movie", sentence=text), folder
        rows = []
        for name, labels in MOVIE_CHOICES.items():
            value = str(getattr(self.maker.choice, name))
            lacks = name == "format" and value == "mp4" and not has_mp4()
            sentence = NO_MP4_SENTENCE if lacks else MOVIE_SENTENCES[name]
            rows.append(MenuRow(name, MOVIE_LABELS[name], CHOICE, labels[value], sentence=sentence, is_warning=lacks))
        text = "The game goes on meanwhile. A message says where the movie is."
        return (*rows, MenuRow("make_movie", "Make the movie", sentence=text), folder)

    def adjust(self, menu: MenuStack, row: MenuRow, by: int) -> None:
        names = list(MOVIE_CHOICES[row.name])
        at = names.index(str(getattr(self.maker.choice, row.name)))
        setattr(self.maker.choice, row.name, names[(at + by) % len(names)])

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name != FOLDER_ROW:
            return row.name
        self._open_folder(menu, movie_folder())
        return ""


class TextPage(MenuPage):
    name = "text"
    width = 760.0

    def __init__(self, title: str, text: str) -> None:
        self.title = title
        self.text = text

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return (MenuRow("back", "Back"),)

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        return menu.back()


class ConfirmPage(MenuPage):
    """Question before an action that ends or leaves a run."""

    name = "confirm"
    width = 560.0

    def __init__(self, action: str, title: str, text: str, label: str) -> None:
        """action: what `activate` returns for the row `label`."""
        self.action = action
        self.title = title
        self.text = text
        self._label = label

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return MenuRow("yes", self._label), MenuRow("no", "Keep playing")

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        return self.action if row.name == "yes" else "resume"


class HelpPage(MenuPage):
    """List of the keys, or of the gamepad's buttons while one is in use."""

    name = "help"
    width = 980.0
    columns = 2

    def __init__(self, held: HeldActions) -> None:
        """held: its device is the one that the page shows, from frame to frame."""
        self._held = held

    @property
    def title(self) -> str:  # type: ignore[override]
        return "Gamepad controls" if self._held.uses_gamepad else "Controls"

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return tuple(MenuRow(key, key, KEY_ROW, meaning) for key, meaning in self._held.help)
