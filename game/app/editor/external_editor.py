"""The author's own editor and clipboard: which command opens a file at a line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

# How each editor wants the line. {f} is the file, {n} the line, {c} the column.
SYNTAX: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), ("-g", "{f}:{n}:{c}")),
    **dict.fromkeys(("subl", "sublime_text", "zed", "zeditor", "atom", "hx", "helix", "lapce"), ("{f}:{n}:{c}",)),
    **dict.fromkeys(("kate", "kwrite", "mousepad"), ("--line", "{n}", "{f}")),
    **dict.fromkeys(("gedit", "pluma", "xed", "gnome-text-editor", "leafpad", "emacs", "emacsclient"), ("+{n}", "{f}")),
    **dict.fromkeys(("vim", "nvim", "vi", "view", "gvim", "nvim-qt", "mvim", "nano", "pico", "ne"), ("+{n}", "{f}")),
    **dict.fromkeys(("micro", "joe", "jed", "mg", "kak", "mcedit", "ed"), ("+{n}", "{f}")),
    **dict.fromkeys(("pycharm", "idea", "webstorm", "clion"), ("--line", "{n}", "{f}")),
    "geany": ("{f}:{n}",),
    "notepad++": ("-n{n}", "{f}"),
    "mate": ("-l", "{n}", "{f}"),
    "bbedit": ("+{n}", "{f}"),
}
TERMINAL = frozenset(
    ("vim", "nvim", "vi", "view", "ex", "ed", "nano", "rnano", "pico", "ne", "micro", "joe", "jed", "mg", "kak",
     "mcedit", "hx", "helix")
)  # fmt: skip
TERMINAL_FLAGS = frozenset(("-nw", "-t", "--tty", "-q", "--no-window-system"))


def chosen(environment: Mapping[str, str]) -> list[str]:
    """The words of VISUAL, else of EDITOR; empty where neither is set."""
    for name in ("VISUAL", "EDITOR"):
        words = environment.get(name, "").strip()
        if words:
            try:
                return shlex.split(words)
            except ValueError:
                return [words]
    return []


def name_of(words: list[str]) -> str:
    """An editor's bare name: /usr/bin/code.exe is `code`."""
    name = Path(words[0].replace("\\", "/")).name.lower() if words else ""
    return name.removesuffix(".exe").removesuffix(".cmd")


def needs_terminal(words: list[str]) -> bool:
    """Whether it draws into a terminal, which a game in a window has none of."""
    return name_of(words) in TERMINAL or (name_of(words).startswith("emacs") and bool(TERMINAL_FLAGS & set(words)))


def command(words: list[str], file: str, line: int, column: int = 1) -> list[str]:
    """The call that opens a file at a line; at its beginning where the editor is not known."""
    syntax = SYNTAX.get(name_of(words), ("{f}",))
    return [*words, *(part.format(f=file, n=line, c=column) for part in syntax)]


def _start(call: list[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.Popen(call, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def open_line(
    file: Path,
    line: int,
    column: int = 1,
    environment: Mapping[str, str] | None = None,
    start: Callable[[list[str]], None] = _start,
) -> tuple[str, bool]:
    """Open a file at a line in the author's editor: what to tell, and whether that was done.

    Where it was not, `file:line` belongs into the clipboard.
    """
    words = chosen(os.environ if environment is None else environment)
    where = f"{file}:{line}"
    if not words:
        return f"no editor is named: set VISUAL (VISUAL=code). {where} is in the clipboard", False
    if needs_terminal(words):
        return f"{name_of(words)} needs a terminal: {where} is in the clipboard", False
    call = command(words, str(file.absolute()), line, column)
    if shutil.which(call[0]) is None and start is _start:
        return f"{words[0]} is not found: {where} is in the clipboard", False
    try:
        start(call)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return f"{words[0]} does not start ({why}): {where} is in the clipboard", False
    return f"{where} in {name_of(words)}", True
