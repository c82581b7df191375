"""Settings file: reading, atomic writing, and saving in the background."""

from __future__ import annotations

import json
from concurrent.futures import Future
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...core import atomic_files, user_folders
from ...core.background import run_in_thread
from ...core.errors import error_reason
from ...core.file_reading import read_at_most
from . import key_bindings
from .settings_table import OPTIONS, Settings

__all__ = ["Settings", "SettingsSaver", "load_settings", "save_settings"]

MAX_BYTES = 1 << 20


def load_settings(path: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings, and sentences for the player. Never raises for a damaged file.

    A copy of a damaged file is kept as `settings.json.damaged`, and the valid fields are written in its place.
    """
    path = user_folders.config_folder() / "settings.json" if path is None else path
    try:
        data = read_at_most(path, MAX_BYTES)
    except FileNotFoundError:
        return Settings(), []
    except OSError as error:
        return Settings(), [f"The settings in {path} cannot be read ({error_reason(error)}); using the defaults."]
    settings, errors = _parse_settings(data)
    if not errors:
        return settings, []
    copy = user_folders.keep_damaged(path, data, MAX_BYTES)
    save_settings(settings, path)
    return settings, [f"The settings file was damaged ({errors}) and was saved as {user_folders.describe_file(copy)}."]


def _parse_settings(data: bytes) -> tuple[Settings, str]:
    """The valid settings of a file, and a description of what is invalid (empty if all is valid)."""
    settings = Settings()
    values = user_folders.decode_object(data, MAX_BYTES)
    if values is None:
        return settings, "not a settings file"
    _carry_over(values)
    errors = []
    for name in (option.name for option in OPTIONS if option.name in values):
        try:
            settings = settings.with_value(name, values[name])
        except ValueError as error:
            errors.append(str(error))
    if "own_keys" in values:
        overrides, problems = key_bindings.parse_overrides(values["own_keys"])
        settings = replace(settings, own_keys=overrides)
        errors += problems
    return settings, "; ".join(errors)


def _carry_over(values: dict[str, Any]) -> None:
    """Replace what earlier versions wrote: one of more frame rates, and the horizontal of two speeds of the gamepad."""
    if values.get("frame_cap") in ("30", "75", "90", "144", "165", "240"):
        values["frame_cap"] = "60" if int(values["frame_cap"]) <= 90 else "120"
    if "pad_speed_x" in values:
        values.setdefault("pad_speed", values["pad_speed_x"])


def settings_text(settings: Settings) -> str:
    own_keys = key_bindings.overrides_as_data(settings.own_keys)
    return json.dumps(asdict(settings) | {"own_keys": own_keys}, indent=1) + "\n"


def save_settings(settings: Settings, path: Path | None = None) -> str | None:
    """Write the settings atomically; a sentence for the player where that fails, else None."""
    path = user_folders.config_folder() / "settings.json" if path is None else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.write_atomic(path, settings_text(settings).encode())
    except OSError as error:
        return f"The settings cannot be saved in {user_folders.describe_file(path)}: {error_reason(error)}."
    return None


class SettingsSaver:
    """Saves changed settings in a thread, so that a dragged slider does not wait for the disk.

    What changes while a thread saves is saved after it, and only the newest of it. Call `update` once a frame.
    """

    def __init__(self, settings: Settings, path: Path | None = None) -> None:
        """settings: as they were loaded; they are not written again."""
        self._path = path
        self._newest = self._saved = settings
        self._saving: Future[str | None] | None = None  # a sentence for the player where the last one failed

    def update(self, settings: Settings) -> None:
        """Save these settings if they differ from the last ones."""
        self._newest = settings
        is_idle = self._saving is None or self._saving.done()
        if is_idle and settings is not self._saved and settings != self._saved:
            self._saved = settings
            self._saving = run_in_thread("settings", save_settings, settings, self._path)

    def close(self) -> str | None:
        """Save what is not saved yet, and wait for it; a sentence for the player where that fails, else None."""
        problem = None if self._saving is None else self._saving.result()
        return problem if self._newest == self._saved else save_settings(self._newest, self._path)
