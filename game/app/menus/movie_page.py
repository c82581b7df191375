"""Page "Keep the movie": what to film, from where and as what; and the movie that is being made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..runs.movies import LAST_SECONDS, MovieMaker, has_mp4, movie_folder
from ..runs.recording import display_path
from ..settings.settings_table import CHOICE
from .menu_stack import MenuPage, MenuStack
from .rows import MenuRow
from .run_actions import FOLDER_ROW

CHOICES: Mapping[str, Mapping[str, str]] = {
    "span": {"last": f"Last {LAST_SECONDS:.0f} s", "run": "This run"},
    "view": {"third": "From behind", "first": "From the eye", "fixed": "Fixed cameras"},
    "format": {"mp4": "MP4", "webp": "WebP"},
}
LABELS = {"span": "Film", "view": "Camera", "format": "Format"}
SENTENCES = {
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

    def __init__(self, maker: MovieMaker, open_folder: Callable[[MenuStack, Path], None]) -> None:
        self.maker = maker
        self._open_folder = open_folder

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        job = self.maker.job
        folder = MenuRow(FOLDER_ROW, "Open the folder", sentence=display_path(movie_folder()))
        if job is not None and self.maker.is_busy:
            text = "Your movie is made while you play on."
            return (
                MenuRow("progress", "Making the movie", value=f"{job.fraction:.0%}", enabled=False),
                MenuRow("cancel_movie", "Cancel the movie", sentence=text),
                folder,
            )
        rows = []
        for name, labels in CHOICES.items():
            value = str(getattr(self.maker.choice, _choice_field(menu, name)))
            lacks = name == "format" and value == "mp4" and not has_mp4()
            sentence = NO_MP4_SENTENCE if lacks else SENTENCES[name]
            rows.append(MenuRow(name, LABELS[name], CHOICE, labels[value], sentence=sentence, is_warning=lacks))
        text = "The game goes on meanwhile. A message says where the movie is."
        return (*rows, MenuRow("make_movie", "Make the movie", sentence=text), folder)

    def adjust(self, menu: MenuStack, row: MenuRow, by: int) -> None:
        names = list(CHOICES[row.name])
        field = _choice_field(menu, row.name)
        at = names.index(str(getattr(self.maker.choice, field)))
        setattr(self.maker.choice, field, names[(at + by) % len(names)])

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name != FOLDER_ROW:
            return row.name
        self._open_folder(menu, movie_folder())
        return ""


def _choice_field(menu: MenuStack, row: str) -> str:
    """Field of `MovieChoice` that a row changes: above the result page the span is one of its own."""
    is_result = menu.page_below is not None and menu.page_below.name == "result"
    return "result_span" if row == "span" and is_result else row
