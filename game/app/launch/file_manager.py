"""File manager of the system: the command that opens a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def folder_command(folder: Path) -> list[str]:
    """Command that opens a folder in the system's file manager; empty where there is none."""
    if sys.platform == "win32":
        return ["explorer", str(folder)]
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    has_display = sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    program = shutil.which(opener) if has_display else None
    return [] if program is None else [program, str(folder)]


def _launch(command: list[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def open_folder(folder: Path, start: Callable[[list[str]], None] = _launch) -> bool:
    """Open a folder, which is made where it does not exist; whether that was possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        command = folder_command(folder)
        if command:
            start(command)
    except OSError:
        return False
    return bool(command)
