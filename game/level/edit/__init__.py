"""Editing of a level's YAML text in place. Comments, layout and all other text stay as they are."""

from ..format.plain_values import format_number, format_point, format_scalar, format_text
from ..format.yaml_layout import EditRefused
from .save import SaveError, backup_path, read_text, save_text, unified_diff
from .yaml_document import DocumentEntry, YamlDocument

__all__ = [
    "DocumentEntry",
    "EditRefused",
    "SaveError",
    "YamlDocument",
    "backup_path",
    "format_number",
    "format_point",
    "format_scalar",
    "format_text",
    "read_text",
    "save_text",
    "unified_diff",
]
