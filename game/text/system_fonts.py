"""Fonts of the operating system, for characters that the shipped fonts lack.

They are searched by their character tables: fonts for the script by their usual names first, then all others without
serifs, then the rest. A search takes some milliseconds to a second, so a caller may leave it to a thread.
WALKER_FONTS=shipped turns them off, for pictures that are the same on each machine.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from ..core import notices
from ..core.background import run_in_thread
from .font_tables import FontTableError, FontTables, read_font_tables

SWITCH, SHIPPED_ONLY = "WALKER_FONTS", "shipped"  # environment variable and its value that turns them off
FONT_FILES = (".ttf", ".otf", ".ttc", ".otc")
MAX_FILES, MAX_DEPTH = 20_000, 6
# Parts of file names in small letters without separators, best first: made for many scripts or for one.
_PREFERRED = ("notosanscjk", "sourcehansans", "pingfang", "hiraginosans", "hiragino", "msyh", "yugoth", "meiryo",
              "malgun", "applesdgothicneo", "wenquanyi", "wqy", "droidsansfallback", "notosans", "segoeui",
              "arialunicode", "dejavusans", "freesans", "lucidagrande", "tahoma", "arial", "nirmala", "leelawui",
              "seguisym", "applesymbols", "notoemoji", "symbola")  # fmt: skip
_UNWANTED = re.compile("serif|mono|italic|oblique|bold|black|light|thin|condensed|narrow|medium|extra|semi|display")


@dataclass(frozen=True, slots=True)
class SystemFont:
    """A font file of the system."""

    path: str
    tables: FontTables


class SystemFonts:
    """Search for fonts by character. `revision` counts the answers; another thread may raise it."""

    def __init__(self, is_usable: Callable[[str, str], bool]) -> None:
        """is_usable: whether a file draws a character."""
        self.in_background = False  # texts do not wait for a search: they are empty until a font is found
        self.revision = 0
        self._is_usable = is_usable
        self._found: dict[str, SystemFont | None] = {}
        self._wanted: set[str] = set()  # characters that the worker has or had to search
        self._files: list[str] | None = None
        self._tables: dict[str, FontTables | None] = {}
        self._noticed: set[str] = set()
        self._search_lock = threading.Lock()
        self._queue: SimpleQueue[str] = SimpleQueue()  # of characters, for a thread that searches them
        self._searching: Future[None] | None = None

    @property
    def enabled(self) -> bool:
        """Whether the environment allows the system's fonts."""
        return os.environ.get(SWITCH, "").strip().lower() != SHIPPED_ONLY

    def find(self, char: str) -> SystemFont | None:
        """Font that has a character; None where there is none. Searches now."""
        if not self.enabled:
            return None
        if char not in self._found:
            with self._search_lock:
                if char not in self._found:
                    self._found[char] = self._search(char)
                    self.revision += 1
        return self._found[char]

    def is_known(self, char: str) -> bool:
        """Whether `find` answers at once. If not, a thread searches, and then raises `revision`."""
        if not self.enabled or char in self._found:
            return True
        if char not in self._wanted:
            self._wanted.add(char)
            self._queue.put(char)
            if self._searching is None or self._searching.done():
                self._searching = run_in_thread("system fonts", self._find_queued)
        return False

    def _find_queued(self) -> None:
        while True:
            self.find(self._queue.get())

    def _search(self, char: str) -> SystemFont | None:
        used = dict.fromkeys(font.path for font in self._found.values() if font is not None)
        if self._files is None:
            self._files = sorted_font_files()
        for path in (*used, *self._files):
            tables = self._read(path)
            if tables is not None and tables.has(char):
                if self._is_usable(path, char):
                    return SystemFont(path, tables)
                self._tables[path] = None
        self._notice(char)
        return None

    def _read(self, path: str) -> FontTables | None:
        if path not in self._tables:
            try:
                self._tables[path] = read_font_tables(path)
            except FontTableError:
                self._tables[path] = None
        return self._tables[path]

    def _notice(self, char: str) -> None:
        """Say once for each script that it has no font."""
        script = unicodedata.name(char, "unknown").partition(" ")[0].partition("-")[0]
        if script not in self._noticed:
            self._noticed.add(script)
            notices.show(
                f"no font has the character U+{ord(char):04X} ({unicodedata.name(char, 'without a name').lower()}): "
                "a box stands in its place. Install a font for its script, for example one of Noto Sans."
            )


def sorted_font_files() -> list[str]:
    """Font files of the system, the most suitable first."""
    files = [path for folder in font_folders() for path in _font_files(folder, MAX_DEPTH)][:MAX_FILES]
    return sorted(dict.fromkeys(files), key=_rank)


def font_folders() -> list[Path]:
    """Folders in which the system and the user keep fonts."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", str(home / "AppData" / "Local"))
        return [
            Path(os.environ.get("WINDIR", "C:\\Windows")) / "Fonts",
            Path(local) / "Microsoft" / "Windows" / "Fonts",
        ]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library" / "Fonts"]
    data = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = os.environ.get("XDG_DATA_HOME") or str(home / ".local" / "share")
    folders = [Path(own) / "fonts", home / ".fonts", *(Path(one) / "fonts" for one in data.split(":") if one)]
    return list(dict.fromkeys(folders))


def _font_files(folder: Path, depth: int) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir():
                if depth:
                    yield from _font_files(Path(entry.path), depth - 1)
            elif entry.name.lower().endswith(FONT_FILES):
                yield entry.path
        except OSError:
            continue


def _rank(path: str) -> tuple[int, int, str]:
    """Place of a font file in the search: plain fonts without serifs before others, preferred names first."""
    name = re.sub("[ _-]", "", os.path.splitext(os.path.basename(path))[0].lower())
    unwanted = len(_UNWANTED.findall(name))
    preferred = next((place for place, part in enumerate(_PREFERRED) if name.startswith(part)), len(_PREFERRED))
    return unwanted, preferred, path
