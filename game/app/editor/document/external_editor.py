"""External text editor: the command that opens a file at a line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from ....core.errors import error_reason

# How each editor wants the line. {f} is the file, {n} the line, {c} the column.
LINE_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
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
TERMINAL_EDITORS = frozenset(
    ("vim", "nvim", "vi", "view", "ex", "ed", "nano", "rnano", "pico", "ne", "micro", "joe", "jed", "mg", "kak",
     "mcedit", "hx", "helix")
)  # fmt: skip
TERMINAL_FLAGS = frozenset(("-nw", "-t", "--tty", "-q", "--no-window-system"))


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """Command line in VISUAL, else in EDITOR; empty if neither is set."""
    for name in ("VISUAL", "EDITOR"):
        words = environment.get(name, "").strip()
        if words:
            try:
                return shlex.split(words)
            except ValueError:
                return [words]
    return []


def program_name(words: list[str]) -> str:
    """Program name without folder and suffix: /usr/bin/code.exe is `code`."""
    name = Path(words[0].replace("\\", "/")).name.lower() if words else ""
    return name.removesuffix(".exe").removesuffix(".cmd")


def is_terminal_editor(words: list[str]) -> bool:
    """Whether the editor needs a terminal, which the game does not have."""
    return program_name(words) in TERMINAL_EDITORS or (
        program_name(words).startswith("emacs") and bool(TERMINAL_FLAGS & set(words))
    )


def open_command(words: list[str], file: str, line: int, column: int = 1) -> list[str]:
    """Command that opens a file at a line; at its beginning for an unknown editor."""
    syntax = LINE_ARGUMENTS.get(program_name(words), ("{f}",))
    return [*words, *(argument.format(f=file, n=line, c=column) for argument in syntax)]


def _launch(call: list[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.Popen(call, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def open_at_line(
    file: Path,
    line: int,
    column: int = 1,
    environment: Mapping[str, str] | None = None,
    start: Callable[[list[str]], None] = _launch,
) -> tuple[str, bool]:
    """Open a file at a line in the user's editor; returns a message and whether it was opened.

    Where it was not, `file:line` belongs into the clipboard.
    """
    words = editor_command(os.environ if environment is None else environment)
    location = f"{file}:{line}"
    if not words:
        return f"no text editor is set: set VISUAL (VISUAL=code). {location} was copied to the clipboard", False
    if is_terminal_editor(words):
        return f"{program_name(words)} needs a terminal: {location} was copied to the clipboard", False
    call = open_command(words, str(file.absolute()), line, column)
    if shutil.which(call[0]) is None and start is _launch:
        return f"{words[0]} was not found: {location} was copied to the clipboard", False
    try:
        start(call)
    except OSError as error:
        reason = error_reason(error)
        return f"{words[0]} does not start ({reason}): {location} was copied to the clipboard", False
    return f"Opened {location} in {program_name(words)}", True
