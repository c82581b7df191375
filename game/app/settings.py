"""What the player has set, kept in one small file of the user's own."""

from __future__ import annotations

import contextlib
import json
import math
import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from game.sim import atomic

NAME = "ellipsoid-walker"
VARIABLE = "WALKER_CONFIG"  # environment: another folder for the settings
QUALITIES = ("low", "medium", "high")
RANGES = {"sensitivity": (0.02, 0.5), "fov": (60.0, 110.0), "sound": (0.0, 1.0), "ambience": (0.0, 1.0)}
MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """Each with its unit; the ranges are in RANGES."""

    sensitivity: float = 0.12  # degrees of turn for a pixel of mouse movement
    fov: float = 90.0  # degrees across a picture of 16:9; other shapes keep its height
    sound: float = 0.7  # how loud steps and what happens are; 0 silent
    ambience: float = 0.5  # how loud wind and water are
    quality: str = ""  # low, medium or high; empty: chosen at the start by what draws

    def changed(self, name: str, value: Any) -> Settings:
        """The same with one field set, cut to its range; ValueError for what is no such value."""
        return replace(self, **{name: _value(name, value)})


def _value(name: str, value: Any) -> Any:
    if name == "quality":
        if value == "" or value in QUALITIES:
            return value
        raise ValueError(f"quality is one of {', '.join(QUALITIES)}")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise ValueError(f"{name} is a number")
    least, most = RANGES[name]
    return float(min(max(value, least), most))


def folder() -> Path:
    """Where the settings file is kept: the user's configuration folder."""
    other = os.environ.get(VARIABLE)
    if other:
        return Path(other)
    import platformdirs

    return Path(platformdirs.user_config_dir(NAME, appauthor=False))


def load(path: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings, and what the player should be told. Never raises for a bad file.

    A damaged file is kept beside the good one (`settings.json.damaged`), and the fields that can be read
    are used.
    """
    path = folder() / "settings.json" if path is None else path
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Settings(), []
    except OSError as error:
        return Settings(), [f"The settings in {path} cannot be read ({_why(error)}); the defaults are used."]
    settings, wrong = _parse(data)
    if not wrong:
        return settings, []
    kept = path.with_name(path.name + ".damaged")
    with contextlib.suppress(OSError):
        atomic.write(kept, data[:MAX_BYTES])
    return settings, [f"The settings file was damaged ({wrong}) and is kept as {kept}."]


def _parse(data: bytes) -> tuple[Settings, str]:
    settings = Settings()
    try:
        values = json.loads(data.decode("utf-8")) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return settings, "not a settings file"
    wrong = []
    for field in fields(Settings):
        if field.name in values:
            try:
                settings = settings.changed(field.name, values[field.name])
            except ValueError as error:
                wrong.append(str(error))
    return settings, "; ".join(wrong)


def save(settings: Settings, path: Path | None = None) -> str | None:
    """Write the settings atomically; a sentence for the player where that fails, else None."""
    path = folder() / "settings.json" if path is None else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(path, (json.dumps(asdict(settings), indent=1) + "\n").encode())
    except OSError as error:
        return f"The settings cannot be saved in {path.parent}: {_why(error)}."
    return None


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
