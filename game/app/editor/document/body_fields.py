"""The field `player` of a level file: its preset as it is written, and writing another body into it."""

from __future__ import annotations

from typing import Any

from ....core.walker_settings import WALKER_PRESETS, WalkerSettings
from ....level.build.entities.player import body_settings
from ....level.edit import DocumentEntry, YamlDocument, format_number
from ....level.format.schema.player import PLAYER_SETTINGS

FIELD = "player"
PRESET = "preset"
FOLLOWING_FIELDS = ("goal", "medals", "golf", "play", "exits", "sky", "surfaces", "define", "pieces")


def written_preset(document: YamlDocument) -> str:
    """The preset that a level file names; empty without one."""
    entry = document.top_entry(FIELD)
    text = "" if entry is None else document.top_text(FIELD) or entry.field_text(PRESET) or ""
    return text if text in WALKER_PRESETS else ""


def write_body(document: YamlDocument, preset: str, settings: WalkerSettings, before: WalkerSettings) -> None:
    """Write a body into a level file. Settings that are those of the preset are left out; what has not changed since
    `before`, the present body of the file, keeps its text."""
    values = given_settings(preset, settings)
    entry = document.top_entry(FIELD)
    if entry is not None and entry.fields and (values or preset):
        _write_fields(document, entry, preset, values, before)
    elif entry is not None and not entry.fields and (text := document.top_text(FIELD)) and (values or preset):
        start = entry.span[0] + entry.text.rindex(text)
        line = document.line_of(start)
        document.set_value_at(line, start - document.index_of(line, 1) + 1, _value_text(preset, values))
    else:
        if entry is not None:
            document.remove_piece(entry)
        if values or preset:
            names = document.top_names()
            above = next((name for name in FOLLOWING_FIELDS if name in names), "pieces")
            document.add_top_field(FIELD, _value_text(preset, values), above)


def given_settings(preset: str, settings: WalkerSettings) -> dict[str, Any]:
    """The settings that a level has to write beside its preset."""
    base = body_settings(preset, {})
    given: dict[str, Any] = {}
    if settings.radii != base.radii:
        given["radii"] = settings.radii
        base = body_settings(preset, given)  # a small body lowers some settings
    for name in PLAYER_SETTINGS:
        if getattr(settings, name) != getattr(base, name):
            given[name] = getattr(settings, name)
    return {name: given[name] for name in PLAYER_SETTINGS if name in given}


def _write_fields(
    document: YamlDocument, entry: DocumentEntry, preset: str, values: dict[str, Any], before: WalkerSettings
) -> None:
    """Change the fields of a body that is written as a mapping."""
    for name, value in values.items():
        if name not in entry.fields or getattr(before, name) != value:
            document.set_field(entry, name, _setting_text(value))
    if preset and entry.field_text(PRESET) != preset:
        document.set_field(entry, PRESET, preset)
    for name in entry.fields:
        if (name in PLAYER_SETTINGS and name not in values) or (name == PRESET and not preset):
            document.remove_field(entry, name)


def _value_text(preset: str, values: dict[str, Any]) -> str:
    fields = [f"{name}: {_setting_text(value)}" for name, value in values.items()]
    if not fields:
        return preset
    return f"{{{', '.join([f'{PRESET}: {preset}', *fields] if preset else fields)}}}"


def _setting_text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(format_number(part) for part in value)}]"
    return format_number(value)
