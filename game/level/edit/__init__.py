"""Editing a level's text in place: comments, layout and everything that an edit is not about stay as they are."""

from .entry import DocumentEntry
from .layout import EditRefused
from .number_format import format_number, format_point, format_scalar
from .save import SaveError, backup_path, read_text, save_text
from .text_diff import unified_diff
from .yaml_document import YamlDocument

__all__ = [
    "DocumentEntry",
    "EditRefused",
    "SaveError",
    "YamlDocument",
    "backup_path",
    "format_number",
    "format_point",
    "format_scalar",
    "read_text",
    "save_text",
    "unified_diff",
]
