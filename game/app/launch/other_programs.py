"""Other programs: the system's file manager for a folder, and the user's text editor for a line of a file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ...core.errors import error_reason

# How text editors want the line. {f} is the file, {n} the line, {c} the column.
LINE_ARGUMENTS = {
    name: arguments
    for arguments, names in {
        "-g {f}:{n}:{c}": "code code-insiders codium vscodium cursor windsurf",
        "{f}:{n}:{c}": "subl sublime_text zed zeditor lapce",
        "--line {n} {f}": "kate kwrite mousepad pycharm idea webstorm clion",
        "+{n} {f}": "gedit pluma xed gnome-text-editor emacs emacsclient gvim nvim-qt mvim bbedit",
        "{f}:{n}": "geany",
        "-n{n} {f}": "notepad++",
        "-l {n} {f}": "mate",
    }.items()
    for name in names.split()
}
TERMINAL_EDITORS = frozenset(
    ("vim", "nvim", "vi", "view", "ex", "ed", "nano", "rnano", "pico", "ne", "micro", "joe", "jed", "mg", "kak",
     "mcedit", "hx", "helix")
)  # fmt: skip
TERMINAL_FLAGS = frozenset(("-nw", "-t", "--tty", "-q", "--no-window-system"))  # of Emacs


def open_folder(folder: Path) -> bool:
    """Open a folder, which is made where it does not exist; whether that was possible."""
    opener = {"win32": "explorer", "darwin": "open"}.get(sys.platform, "xdg-open")
    has_display = opener != "xdg-open" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        program = shutil.which(opener) if has_display else None
        if program is not None:
            launch([program, str(folder)])
    except OSError:
        return False
    return program is not None


def open_line(file: Path, line: int, column: int = 1) -> tuple[str, bool]:
    """Open a file at a line in the editor of VISUAL, else of EDITOR; a message, and whether it was opened. Where it was
    not, `file:line` belongs into the clipboard."""
    location = f"{file}:{line}"
    copied = f"{location} was copied to the clipboard"
    setting = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    if not setting:
        return f"no text editor is set: set VISUAL (VISUAL=code). {copied}", False
    try:
        words = shlex.split(setting)
    except ValueError:  # a quote without its end
        words = [setting]
    name = Path(words[0].replace("\\", "/")).name.lower().removesuffix(".exe").removesuffix(".cmd")
    if name in TERMINAL_EDITORS or (name.startswith("emacs") and TERMINAL_FLAGS & set(words)):
        return f"{name} needs a terminal: {copied}", False
    arguments = LINE_ARGUMENTS.get(name, "{f}").split()
    try:
        launch([*words, *(one.format(f=file.absolute(), n=line, c=column) for one in arguments)])
    except OSError as error:
        return f"{words[0]} does not start ({error_reason(error)}): {copied}", False
    return f"Opened {location} in {name}", True


def launch(call: Sequence[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.Popen(call, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
