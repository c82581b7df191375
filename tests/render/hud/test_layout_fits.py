"""Every screen at every size: no text is cut off or overlaps another, and every row can be reached.

By default at three extreme sizes. With --full at more of them, and at a seeded selection of the whole product of sizes;
with WALKER_ALL_LAYOUTS=1 as well, at all of them. A new HUD element is added to `play_hud`.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

from game.app.editor.views.editor_hud import HELP_WIDTH, SELECTION_STRIP, strip_rows
from game.app.input.actions import EditorAction
from game.app.input.player_input import HeldActions
from game.app.menus.level_library import find_levels
from game.app.menus.level_page import LevelListPage
from game.app.menus.menu_controller import build_menu_panel
from game.app.menus.menu_stack import MenuPage, MenuRow, MenuStack
from game.app.menus.mouse_navigation import MouseNavigation
from game.app.menus.new_level_page import NewLevelPage
from game.app.menus.pages import ConfirmPage, HelpPage, MoviePage, PausePage, ResultPage, TextPage, TitlePage
from game.app.menus.runs_page import DeletePage, RunPage, RunsPage
from game.app.menus.settings_page import SettingsPage
from game.app.modes.hud_builder import add_captions, hud_style, loading_hud
from game.app.runs.library import run_library
from game.app.runs.library.run_library import RunEntry
from game.app.runs.movies import MovieChoice, MovieMaker
from game.app.settings.key_bindings import KeyBindings
from game.app.settings.settings_table import PAGES, Settings
from game.app.visuals import timelines
from game.app.visuals.feedback import Feedback
from game.core.jobs import Jobs
from game.level import Exit, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import Camera, Card, CardRow, Hud, Panel, ScreenLabel, Snapshot, Timeline
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import NO_ELEMENT, HudItems, TextRun
from game.render.snapshot import (
    DONE_AGAIN,
    DONE_BEFORE,
    DONE_FIRST,
    NOT_DONE,
    ChallengeRow,
    RunSummary,
    ScreenMarker,
    SplitRow,
    TitleCard,
)
from game.render.text import fonts
from game.text.key_symbols import key_symbol, key_symbols
from tests.support.editor_author import Author, write_level
from tests.support.player import Player

WINDOWS = ((800, 600), (1024, 768), (1280, 720), (1920, 1080), (2560, 1080), (3840, 2160))
INTERFACE_SCALES, TEXT_SCALES, CONTRASTS = (0.7, 1.0, 1.6), (0.8, 1.0, 1.5, 2.0), (False, True)
TOLERANCE = 1.5  # pixels: positions are rounded

Window = tuple[int, int]
Box = tuple[float, float, float, float]  # left, top, right, bottom
BINDINGS = KeyBindings()
LONG_TEXT = "\n".join(
    f"levels/my_level.yaml:{n}:5: the ramp is 48.2 degrees steep, and the walker stands on at most 45"
    for n in range(30)
)


@dataclass(frozen=True)
class Screen:
    """Screen of the game: its menu page, or its HUD, for some settings."""

    name: str
    page: Callable[[], MenuPage] | None = None
    hud: Callable[[Settings], Hud] | None = None
    tab: int = 0
    required: tuple[str, ...] = ()  # names of the areas that must be there at every size


def gamepad_in_use() -> HeldActions:
    held = HeldActions()
    held.uses_gamepad = True
    return held


def summary(count: int, picture: str = "") -> RunSummary:
    """Result of a run with `count` splits and challenges."""
    states = (NOT_DONE, DONE_BEFORE, DONE_AGAIN, DONE_FIRST)
    challenges = tuple(
        ChallengeRow(f"Only walk forwards {n}", "Reach the goal without walking sideways or backwards.", states[n % 4])
        for n in range(count)
    )
    splits = tuple(SplitRow(f"The upper gallery {n}", f"0:{n:02d}.00", "+0.10", n % 2 == 0) for n in range(2 * count))
    return RunSummary(
        "The courtyard", "1:23.45", "12 strokes, par 9" if count else "", "New best, -0.52 s" if count else "",
        bool(count), splits, challenges, picture, (((1.0, 0.0, 0.0), "This run"), ((0.0, 0.0, 1.0), "Previous best")),
        "No time, no medal: rewind used" if count else "", bool(count),
        medal="silver" if count else "", medal_text="Silver medal: new! Gold at 1:02.35" if count else "",
        is_new_medal=bool(count),
    )  # fmt: skip


class FixedResult:
    """Result of a run as the result page sees it."""

    def __init__(self, content: RunSummary) -> None:
        self.content = content

    def summary(self) -> RunSummary:
        return self.content


def full_result_page() -> MenuPage:
    way = Exit((0.0, 0.0, 0.0), 0.0, "water.yaml", None, "The water gardens", "")
    return ResultPage(FixedResult(summary(5)), NO_PAGES, way)  # type: ignore[arg-type]


CARDS = (
    Card(
        "box  (walls)", "levels/demo.yaml:123, in courtyard, tower",
        (CardRow("size", "12.00 x 3.50 x 0.40 m"), CardRow("friction", "0.80"), CardRow("material", "sandstone")),
    ),
    Card(
        "Selected: box", "demo.yaml:123, in courtyard",
        tuple(CardRow(f"number {n}", f"{n}.25", chosen=n == 5) for n in range(8)),
    ),
    Card("", "", note="The file was changed by another program: save again to overwrite it.", urgent=True),
    Card("Views", "", (CardRow("grid", "0.25 m"), CardRow("quads", "4213", (1.0, 0.5, 0.2))), side="right"),
    Card("New", "", tuple(CardRow(name, chosen=name == "box") for name in ("box", "ramp", "stairs")), side="right"),
)  # fmt: skip
DEBUG_LINES = (
    "feet 12.345 -6.789 101.112", "view 123.4°   body 123.4°", "speed 4.00 m/s   up +0.00 m/s   on ground, slope 0.0°",
    "normal +0.000 +1.000 +0.000", "tick 123456   1:23.45", "frame 16.6 ms   worst 21.3 ms", "physics 0.01 ms a tick",
)  # fmt: skip


HINT = f"{key_symbols('W A S D')} to move   ·   {key_symbol('Mouse')} to look   ·   {key_symbol('F1')} for help"


def play_hud(settings: Settings) -> Hud:
    """All that play can show at the same time."""
    return Hud(
        debug_lines=DEBUG_LINES,
        message="The upper gallery is open", message_detail=f"1:23.45   ·   {key_symbol('R')}: restart",
        hint=HINT, timer="1:23.45", timer_caption="The upper gallery   +0.52", counter="Bells 2/3",
        cards=(CARDS[0], replace(CARDS[3], note="and 3 more")), progress=0.4, progress_label="Release to hit",
        labels=(ScreenLabel("The upper gallery", 0.5, 0.5, (1.0, 1.0, 1.0)),), **hud_style(settings),
    )  # fmt: skip


def level_start_hud(settings: Settings) -> Hud:
    """The first seconds of a level."""
    aim = "Find 3 more bells in the upper gallery and the tower, then reach the light in the middle of the garden."
    card = TitleCard("The turning stairs", aim, "12 bells", "Best 1:23.45", "silver", "Next medal: Gold 1:02.35")
    markers = (ScreenMarker("hole", 0.6, 0.4, 12.0), ScreenMarker("ball", 0.95, 0.5, 1234.0, 1.0, (1.0, 0.0)))
    return Hud(
        title_card=card, markers=markers, hint=HINT, timer="0:00.00", timer_caption="Silver 2:03.45",
        counter="Hole 2 of 3   ·   Par 4   ·   2 strokes", **hud_style(settings),
    )  # fmt: skip


def long_message_hud(settings: Settings) -> Hud:
    text = "Look at a face of the piece that you want to move, or choose a number of it with Tab"
    return Hud(message=text, message_detail=f"{text}   ·   {text}", hint=f"{text}   ·   {text}", **hud_style(settings))


@cache
def edited_huds() -> dict[str, Hud]:
    """The editor with each of its panels open, from a real level."""
    with TemporaryDirectory() as folder:
        author = Author(write_level(Path(folder)))
        author.pick((0.5, 3, 4), (0.5, 1.0, 0.5))
        author.press("I")
        huds = {"tools": author.shown.hud}
        author.press("BACKSPACE")
        author.type("a long name of a thing that is typed into the card")
        huds["typing"] = author.shown.hud
        author.press("ESCAPE", "I")
        for key, word in (("N", "lamp post"), ("U", ""), ("J", "")):
            author.press(key)
            author.type(word)
            author.wait(0.5)
            huds[author.shown.hud.cards[-1].title.lower()] = author.shown.hud
            author.press("ESCAPE", "ESCAPE") if word else author.press("ESCAPE")
            author.pick((0.5, 3, 4), (0.5, 1.0, 0.5))
    return huds


def edited_hud(name: str) -> Callable[[Settings], Hud]:
    return lambda settings: replace(edited_huds()[name], **hud_style(settings))


def editor_hud(settings: Settings) -> Hud:
    return Hud(
        cards=CARDS,
        key_strip=strip_rows(SELECTION_STRIP, KeyBindings().label),
        hint="Grid step 0.25 m",
        **hud_style(settings),
    )


def rewind_hud(settings: Settings) -> Hud:
    strip = (
        (BINDINGS.describe("rewind"), "Hold to rewind"), ("Left Right", "1 step"), ("Shift", "10 steps"),
        ("Enter or walk", "Play from here"), ("V", "First / third person"), ("Mouse", "Look around"),
        ("F3", "Physics of the tick"), ("Esc", "Back to now"),
    )  # fmt: skip
    columns = tuple((0.01 * (n % 100), (0.3, 0.9, 0.4)) for n in range(180))
    marks = tuple((0.03 + 0.05 * n, "jump") for n in range(19))
    timeline = Timeline(columns, 0.4, "12.34 s ago", marks, "30 s ago", "now")
    labels = tuple(
        ScreenLabel(text, 0.5 + 0.02 * n, 0.5, (1.0, 0.8, 0.3), badge=n > 2)
        for n, text in enumerate(("requested 66.7 mm", "moved 12.1 mm", "blocked 54.6 mm", "1", "2"))
    )
    rows = tuple(CardRow(f"slide {n}", "12.1 mm, hit at 43 %", (1.0, 0.5, 0.2)) for n in range(6))
    card = Card(
        "Blocked by a wall", "tick 1234   ·   0:20.57", rows, "The walker slid along the wall. " * 4, side="right"
    )
    return Hud(crosshair=False, timeline=timeline, key_strip=strip, labels=labels, cards=(card,), **hud_style(settings))


def ghosts_hud(settings: Settings) -> Hud:
    rows = tuple(CardRow(f"{n}  Slides in scaled space", "Speed 98 %", (0.3, 0.6, 0.9)) for n in range(6))
    card = Card("Ghosts", "", rows, "Speed: % of intended. Gap: smallest so far.")
    hint = "1 to 6: ghosts   ·   G: bring all ghosts here   ·   7 8 9 0 P: faults of ghost 1"
    return Hud(cards=(card,), hint=hint, timer="0:12.34", counter="4 strokes, par 5", **hud_style(settings))


def replay_hud(settings: Settings) -> Hud:
    hint = "   ·   ".join(
        (f"{key_symbol('Space')} pause", f"{key_symbols('Left Right')} 5 s", f"{key_symbol('Esc')} quit")
    )
    message = "Recorded with another version; showing the original"
    return Hud(
        hint=hint, message=message, timer="0:12.34 / 1:23.45", timer_caption="The courtyard", **hud_style(settings)
    )


def replay_timeline_hud(settings: Settings) -> Hud:
    """A replay with its time line, at the end of the run beside a ghost."""
    columns = tuple((0.01 * (n % 100), (0.3, 0.9, 0.4)) for n in range(180))
    marks = tuple((0.03 + 0.05 * n, "checkpoint") for n in range(19))
    strip = timelines.replay_keys(HeldActions(), 2, False, True, "outside", "on")
    message, detail = timelines.end_texts(83.45, True, HeldActions())
    timeline = Timeline(columns, 0.97, "1:23.45   ·   End", marks, "0:00.00", "1:23.45")
    return Hud(
        crosshair=False, timeline=timeline, key_strip=strip,
        timer="1:23.45", timer_caption="+0.52   to Anna's best run", message=message,
        message_detail=detail, **hud_style(settings),
    )  # fmt: skip


@cache
def _photo_hud() -> Hud:
    text = "format: 1\nspawn: {at: [0, 0, 0], facing: north}\npieces:\n  - floor: {from: [-5, -5], to: [5, 5]}\n"
    player = Player.in_level(load(text=text))
    player.game.key_pressed("F10")
    player.hold("M", 0.5)
    return player.shown.hud


def photo_hud(settings: Settings) -> Hud:
    """Photo mode with another time of day, which adds a note."""
    return replace(_photo_hud(), **hud_style(settings))


def captions_hud(settings: Settings) -> Hud:
    """Captions over play."""
    lines = ("← Platform passes", "Ghost passes (behind)", "Launch pad →")
    return add_captions(Snapshot(Camera((0.0, 0.0, 0.0)), replace(play_hud(settings), labels=())), lines).hud


RUNS = tuple(
    RunEntry(
        f"{name}-{n}.replay", "The turning stairs", f"shipped/{name}.yaml", "0" * 16, "start", 83.45 + n, 12,
        "2026-01-02T03:04:05+00:00", "flying used" if n % 2 else "", 1 + n,
    )
    for name in ("escher", "golf")
    for n in range(4)
)  # fmt: skip
ACTIONS: Any = SimpleNamespace(
    open_folder=print, host=SimpleNamespace(level=SimpleNamespace(path=SHIPPED_LEVELS / "demo.yaml"), jobs=Jobs())
)


class ManyRunsPage(RunsPage):
    """The page of runs with RUNS."""

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return self._build_rows({entry.file: entry for entry in RUNS})


class BusyMovie:
    """A movie that is being made."""

    is_busy, fraction, choice = True, 0.42, MovieChoice()

    @property
    def job(self) -> BusyMovie:
        return self


def title_loading_hud(settings: Settings) -> Hud:
    return replace(loading_hud(0.4, "First-time setup: compiling the physics", settings), panel=Panel(layout="title"))


def crash_hud(settings: Settings) -> Hud:
    text = "The report is in /home/someone/.local/share/ellipsoid-walker/crashes/2026-01-01-12-00-00.txt. " * 2
    panel = Panel(title="The game crashed", text=text, footer="Press any key to quit", width=820.0)
    return Hud(crosshair=False, panel=panel, **hud_style(settings))


def editor_help_hud(settings: Settings) -> Hud:
    panel = Panel(
        title="Level editor", keys=KeyBindings().context_help(EditorAction), width=HELP_WIDTH, back="Continue"
    )
    return Hud(panel=panel, **hud_style(settings))


def mode_help_hud(settings: Settings) -> Hud:
    panel = Panel(
        title="Gamepad controls",
        keys=BINDINGS.help_rows(pad=True),
        columns=2,
        width=980.0,
        back="Continue",
        back_key="Pad B",
    )
    return Hud(panel=panel, debug_lines=DEBUG_LINES, **hud_style(settings))


PAUSE_TEXT = "The courtyard: a warm afternoon in an old house. The goal is the light on the roof."
NO_PAGES: dict[str, Callable[[MenuStack], MenuPage]] = {}
SCREENS: tuple[Screen, ...] = (
    Screen("title", lambda: TitlePage(NO_PAGES, MenuRow("continue", "Continue", value="The courtyard"))),
    Screen("pause", lambda: PausePage(NO_PAGES, PAUSE_TEXT)),
    Screen("question", lambda: ConfirmPage("quit", "Quit the game?", "The run so far is lost. " * 3, "Quit the game")),
    *(Screen(f"settings {name}", SettingsPage, tab=number) for number, name in enumerate(PAGES)),
    Screen("runs", lambda: ManyRunsPage(ACTIONS)),
    Screen("no runs", lambda: RunsPage(ACTIONS)),
    Screen("run", lambda: RunPage(ACTIONS, RUNS[0])),
    Screen("delete run", lambda: DeletePage(RUNS[0])),
    Screen("movie", lambda: MoviePage(MovieMaker(Feedback(), HeldActions(), Jobs()), ACTIONS.open_folder)),
    Screen("movie in work", lambda: MoviePage(BusyMovie(), ACTIONS.open_folder)),  # type: ignore[arg-type]
    Screen("photo", hud=photo_hud, required=("card", "key strip")),
    Screen("replay and time line", hud=replay_timeline_hud, required=("timeline", "key strip", "timer")),
    Screen("captions", hud=captions_hud, required=("hint", "timer")),
    Screen("help", lambda: HelpPage(HeldActions())),
    Screen("gamepad help", lambda: HelpPage(gamepad_in_use())),
    Screen("levels", lambda: LevelListPage(find_levels())),
    Screen("text", lambda: TextPage("This level cannot be played", LONG_TEXT)),
    Screen("result", lambda: ResultPage(FixedResult(summary(0, "map.png")), NO_PAGES)),  # type: ignore[arg-type]
    Screen("full result", full_result_page),
    Screen(
        "play", hud=play_hud, required=("message", "hint", "timer", "counter", "progress bar", "debug lines", "card")
    ),
    Screen("level start", hud=level_start_hud, required=("title card", "hint", "timer")),
    Screen("long message", hud=long_message_hud, required=("message", "hint")),
    Screen("editor", hud=editor_hud, required=("key strip", "hint", "card")),
    *(
        Screen(f"editor {name}", hud=edited_hud(name), required=("key strip", "card"))
        for name in ("tools", "typing", "new piece", "surface", "findings")
    ),
    Screen("new level", NewLevelPage),
    Screen("rewind", hud=rewind_hud, required=("key strip", "timeline", "card", "label")),
    Screen("ghosts", hud=ghosts_hud, required=("hint", "timer", "counter", "card")),
    Screen("replay", hud=replay_hud, required=("hint", "timer", "message")),
    Screen(
        "loading", hud=lambda settings: loading_hud(0.4, "First-time setup...", settings), required=("progress bar",)
    ),
    Screen(
        "travel",
        hud=lambda settings: replace(loading_hud(0.4, "Loading Room", settings), veil=1.0, picture="room.jpg"),
        required=("progress bar", "loading picture"),
    ),
    Screen("title while loading", hud=title_loading_hud, required=("progress bar",)),
    Screen("crash", hud=crash_hud),
    Screen("editor help", hud=editor_help_hud),
    Screen("help over play", hud=mode_help_hud),
)


# Checks


def ink_box(run: TextRun) -> Box:
    """Area of the letters of a line, in pixels."""
    width = fonts.text_width(run.text, run.size) + run.spacing * (len(run.text) - 1)
    return run.x, run.y - 0.72 * run.size, run.x + width, run.y + 0.2 * run.size


def visible_runs(layout: HudItems) -> Iterator[tuple[TextRun, Box]]:
    """Text lines with their areas; lines that have scrolled out of view are left out."""
    top, bottom = layout.scroll_band
    for item in layout.items:
        if isinstance(item, TextRun) and item.text.strip():
            box = ink_box(item)
            if not item.clipped or (box[1] >= top and box[3] <= bottom):
                yield item, box


def boxes_overlap(a: Box, b: Box, tolerance: float = TOLERANCE) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > tolerance and min(a[3], b[3]) - max(a[1], b[1]) > tolerance


def is_inside(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0] - TOLERANCE
        and inner[1] >= outer[1] - TOLERANCE
        and inner[2] <= outer[2] + TOLERANCE
        and inner[3] <= outer[3] + TOLERANCE
    )


def layout_problems(layout: HudItems, window: Window) -> list[str]:
    """A sentence for each text or area that is cut off or overlaps another."""
    problems: list[str] = []
    whole = (0.0, 0.0, float(window[0]), float(window[1]))
    areas = [(x, y, x + width, y + height) for x, y, width, height in (each.rectangle for each in layout.elements)]
    for element, area in zip(layout.elements, areas, strict=True):
        if not is_inside(area, whole):
            problems.append(f"the area {element.name} is not in the window: {area}")
    for first, second in combinations(range(len(areas)), 2):
        if boxes_overlap(areas[first], areas[second]):
            problems.append(f"the areas {layout.elements[first].name} and {layout.elements[second].name} overlap")
    runs = list(visible_runs(layout))
    for run, box in runs:
        if not is_inside(box, whole):
            problems.append(f"{run.text!r} is cut off by the window: {box}")
        if run.element == NO_ELEMENT:
            problems.append(f"{run.text!r} belongs to no area")
        elif not is_inside(box, areas[run.element]):
            problems.append(
                f"{run.text!r} leaves its area {layout.elements[run.element].name}: {box}, {areas[run.element]}"
            )
        if "…" in run.text:
            problems.append(f"{run.text!r} is shortened")
    for (run, box), (other, other_box) in combinations(runs, 2):
        is_shadow = run.text == other.text and abs(run.x - other.x) < 2 and abs(run.y - other.y) < 0.05 * run.size + 1
        if boxes_overlap(box, other_box) and not is_shadow:
            problems.append(f"{run.text!r} and {other.text!r} overlap")
    return problems


def open_menu(screen: Screen, settings: Settings) -> MenuStack:
    """Menu with the page of a screen."""
    assert screen.page is not None
    page = screen.page()
    page.tab = screen.tab
    return MenuStack(page, settings, "medium")


def screen_hud(screen: Screen, settings: Settings, menu: MenuStack | None = None, scroll: float = 0.0) -> Hud:
    """HUD of a screen."""
    if screen.hud is not None:
        return screen.hud(settings)
    return Hud(
        crosshair=False, panel=build_menu_panel(menu or open_menu(screen, settings), scroll), **hud_style(settings)
    )


EVERYTHING = list(itertools.product(WINDOWS, INTERFACE_SCALES, TEXT_SCALES, CONTRASTS))
EXTREMES = [
    ((800, 600), 1.6, 2.0, True),
    ((800, 600), 0.7, 2.0, False),
    ((1280, 720), 1.6, 1.5, True),
    ((1280, 720), 1.0, 1.0, False),
    ((2560, 1080), 1.6, 1.0, False),
]
RUNS_ALL = bool(os.environ.get("WALKER_ALL_LAYOUTS"))


Size = tuple[Window, float, float, bool]
FROM_A_GAME = ("photo", "editor ")  # their cards come from a level that is played or edited
screens = pytest.mark.parametrize(
    "screen",
    [pytest.param(s, marks=[pytest.mark.full] if s.name.startswith(FROM_A_GAME) else []) for s in SCREENS],
    ids=lambda screen: screen.name,
)


@screens
def test_a_screen_can_be_read_at_extreme_sizes(screen: Screen) -> None:
    check_screen(screen, EXTREMES[::2])


@pytest.fixture(autouse=True)
def _no_runs(monkeypatch):
    monkeypatch.setattr(run_library, "read_library", dict)


@pytest.mark.full
@screens
def test_a_screen_can_be_read_at_every_size(screen: Screen) -> None:
    check_screen(screen, EVERYTHING if RUNS_ALL else EXTREMES[1::2] + random.Random(screen.name).sample(EVERYTHING, 4))


def check_screen(screen: Screen, sizes: list[Size]) -> None:
    problems: list[str] = []
    for window, interface, text, contrast in sizes:
        settings = Settings(interface_scale=interface, text_size=text, high_contrast=contrast)
        menu = open_menu(screen, settings) if screen.page is not None else None
        hud = screen_hud(screen, settings, menu)
        layout = arrange_hud(hud, window)
        found = layout_problems(layout, window)
        names = {element.name for element in layout.elements}
        found += [f"{name} is not shown" for name in screen.required if name not in names]
        if menu is not None:
            found += unreachable_rows(screen, settings, window)
        problems += [f"{window} interface {interface} text {text} contrast {contrast}: {line}" for line in found]
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems[:12])


def unreachable_rows(screen: Screen, settings: Settings, window: Window) -> list[str]:
    """A sentence for each row that is not wholly visible when it is selected, or that scrolling does not show."""
    menu = open_menu(screen, settings)
    navigation = MouseNavigation()
    navigation.size = window
    problems: list[str] = []
    rows = [number for number, row in enumerate(menu.rows) if row.is_selectable]
    if not RUNS_ALL and len(rows) > 6:
        rows = [*rows[:2], rows[len(rows) // 2], *rows[-2:]]
    navigation.update(menu, screen_hud(screen, settings, menu), 0.0, True)
    for number in rows:
        menu.selected = number
        if menu.page.text and len(rows) < 2:  # it is read from its first line on, and the row is below it
            navigation.scroll_by_wheel(-1000.0)
        for _ in range(2):  # the description of a row may change the height of the list
            scroll = navigation.update(menu, screen_hud(screen, settings, menu, navigation.scroll), 0.0, True)
        layout = arrange_hud(screen_hud(screen, settings, menu, scroll), window)
        x, y, width, height = layout.row_rectangles[number]
        if layout.row_spans:
            top, bottom = layout.row_spans[number]
            hidden = top - scroll < -1.0 or bottom - scroll > layout.visible_fraction + 1.0
            if hidden and layout.max_scroll > 0.0:
                problems.append(f"row {number} is selected and not wholly visible")
        if height <= 0.0 or x < -0.5 or y < -0.5 or x + width > window[0] + 0.5 or y + height > window[1] + 0.5:
            problems.append(f"row {number} is not in the window")
        problems += [f"row {number} selected: {line}" for line in layout_problems(layout, window)]
    return problems
