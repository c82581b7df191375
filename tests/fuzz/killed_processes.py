"""Tasks that kill their process, in a module that a new process imports quickly."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def kill_once(task: str, levels: object) -> str:
    """Kill this process the first time. `task`: a file that says whether it was."""
    if Path(task).name == "killer" and not Path(task).exists():
        Path(task).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return Path(task).name


def kill_always(task: str, levels: object) -> str:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return task
