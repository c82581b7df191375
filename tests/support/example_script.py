"""Scripts of the folder `examples` for tests of what they define."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def load_example(name: str) -> SimpleNamespace:
    """What a script defines, such as `learning/ppo`, without running its `main`."""
    return SimpleNamespace(**runpy.run_path(str(EXAMPLES / f"{name}.py")))
