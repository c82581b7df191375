"""Golden hashes of tests: written into the text of a level, or of the file of tests beside it."""

from __future__ import annotations

from collections.abc import Mapping

from ..format.findings import SourceSpan
from .yaml_document import YamlDocument


def replace_test_hashes(text: str, hashes: Mapping[SourceSpan, tuple[str, str]]) -> str:
    """`text` with new hashes, all else unchanged.

    text: contents of `LevelTest.path`. hashes: by `HashExpectation.place`, the hash (16 hexadecimal digits) and its
    platform (`machine_name()`). Raises LevelError if the text is not YAML, EditRefused if no value is at a place.
    """
    document = YamlDocument(text)
    from_the_end = sorted(hashes.items(), key=lambda item: (item[0].line, item[0].column), reverse=True)
    for place, (value, platform) in from_the_end:  # an edit moves only what stands behind it
        document.set_value_at(place.line, place.column, f'"{platform} {value}"', everywhere=True)
    return document.text
