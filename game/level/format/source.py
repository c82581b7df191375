"""Reading of a level file: path lookup, decoding and YAML, with bounds on time and memory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from ...core.arguments import as_instance
from .file_access import SHIPPED_LEVELS, is_tests_file, read_file_bytes
from .findings import TESTS_SUFFIX, FindingCollector, InputError, SourceSpan, suggest_file
from .level_file import LevelFields
from .yaml_nodes import YAML_LOADER, YamlMapping, YamlNode, YamlScalar, compose_nodes

MAX_LEVEL_BYTES = (
    8 * 2**20 if YAML_LOADER is not yaml.BaseLoader else 2**20
)  # the pure Python parser is 20 times slower

MAX_NAMES = 12  # of shipped levels that a message lists
_CONTROL_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class LevelSource:
    """A level file that was read: its path, its findings and the root of its YAML nodes."""

    path: Path
    report: FindingCollector
    root: YamlMapping


def find_level(level: str | os.PathLike[str]) -> Path:
    """The path itself, or that of the shipped level with this name (`demo`, `golf/one`)."""
    path = Path(level)
    name = os.fspath(level)
    if re.fullmatch("([A-Za-z0-9_-]{1,60}/)?[A-Za-z0-9_-]{1,60}", name) and not os.path.lexists(path):
        for folder in (SHIPPED_LEVELS, SHIPPED_LEVELS / "museum"):
            shipped = folder / f"{name}.yaml"
            if shipped.is_file():
                return _relative_path(shipped)
    return path


def read_source(level: str | os.PathLike[str], overrides: Mapping[Path, bytes] | None = None) -> LevelSource:
    """Read a level file into YAML nodes. Raises LevelError with one finding where that is impossible.

    overrides: see FindingCollector.
    """
    overrides = _check_overrides(overrides)
    path = find_level(level)
    report = FindingCollector(str(path))
    report.overrides.update(overrides)
    report.add_dependency(path)
    if is_tests_file(path):
        cure = f"give the level, {path.name[: -len(TESTS_SUFFIX)]}.yaml: its tests are read with it"
        report.raise_fatal("this is a file of tests, not a level", cure)
    try:
        data = read_level_bytes(path, report)
    except InputError as error:
        missing = not os.path.lexists(path) if "\0" not in str(path) else False
        if "\n" in str(path):
            report.raise_fatal("this is the text of a level, not a path", "call it with text=...")
        report.raise_fatal(error.message, _suggest_level_names(path) if missing else error.cure)
    return _compose_source(path, report, data)


def read_source_text(text: str | bytes, path: Path, overrides: Mapping[Path, bytes] | None = None) -> LevelSource:
    """As `read_source`, for contents that are read already. path: of the file that they stand for; it need not exist.

    Bytes are decoded as those of a file.
    """
    report = FindingCollector(str(path))
    report.overrides.update(_check_overrides(overrides))
    report.add_dependency(path)
    size = len(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) else len(text)
    if size > MAX_LEVEL_BYTES:
        report.raise_fatal(f"the text is larger than the limit for a level, {MAX_LEVEL_BYTES / 2**20:g} MiB")
    return _compose_source(path, report, text)


def _compose_source(path: Path, report: FindingCollector, content: str | bytes) -> LevelSource:
    try:
        report.texts[""] = check_yaml_text(content) if isinstance(content, str) else decode_yaml_text(content)
        root = compose_nodes(report.texts[""]).root
        return LevelSource(path, report, check_level_root(root))
    except InputError as error:
        report.raise_fatal(error.message, error.cure, error.place)


def _check_overrides(overrides: Mapping[Path, bytes] | None) -> Mapping[Path, bytes]:
    return {} if overrides is None else as_instance(overrides, Mapping, "overrides")  # type: ignore[type-abstract]


def read_level_bytes(path: Path, report: FindingCollector) -> bytes:
    """Contents of a level file, or of its unsaved version. Raises InputError."""
    if report.overrides:
        unsaved = report.overrides.get(Path(os.path.realpath(path)))
        if unsaved is not None:
            return unsaved
    return read_file_bytes(path, MAX_LEVEL_BYTES)


def check_level_root(root: YamlNode | None) -> YamlMapping:
    """The root node, if it is a mapping with a field of a level. Raises InputError otherwise."""
    cure = "start with `format: 1`; see the example in docs/level_format.md"
    if root is None:
        raise InputError("the file is empty", cure)
    if not isinstance(root, YamlMapping) or not any(
        isinstance(key, YamlScalar) and key.text.lower() in LevelFields.fields for key, _ in root.pairs
    ):
        raise InputError("the file is not a level: it has no `format:` and no `pieces:`", cure, root.place)
    return root


def _relative_path(path: Path) -> Path:
    """Path relative to the working folder, if it lies inside."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _suggest_level_names(path: Path) -> str:
    """Fix for a missing file: the most similar file name, or the names of the shipped levels."""
    shipped = sorted(
        file.stem
        for folder in (SHIPPED_LEVELS, SHIPPED_LEVELS / "museum")
        for file in folder.glob("*.yaml")
        if not is_tests_file(file)
    )
    name = path.name.removesuffix(".yaml").removesuffix(".yml")
    try:
        siblings = [entry.name for entry in path.parent.glob("*.y*ml")][:1000]
    except (OSError, ValueError):
        siblings = []
    near = suggest_file(path.name, siblings)
    if len(path.parts) > 1 or path.suffix:  # a path, no name: other folders do not matter
        return near or ("" if path.parent.is_dir() else "its folder does not exist either")
    more = f" and {len(shipped) - MAX_NAMES} more" if len(shipped) > MAX_NAMES else ""
    names = f"shipped levels: {', '.join(shipped[:MAX_NAMES])}{more}" if shipped else ""
    return near or suggest_file(name, shipped) or names


def decode_yaml_text(data: bytes) -> str:
    """Text of UTF-8 bytes without a byte order mark. Raises InputError for other encodings and control characters."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError("the file is encoded as UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the file is not UTF-8: byte 0x{data[error.start]:02x}"
        raise InputError(message, "save it as UTF-8", SourceSpan(line, column)) from None
    return check_yaml_text(text)


def check_yaml_text(text: str) -> str:
    """`text` without a byte order mark. Raises InputError for control characters and lone surrogates."""
    text = text.removeprefix("\ufeff")
    match = _CONTROL_CHARACTER.search(text)
    if match:
        start = match.start()
        place = SourceSpan(text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1)
        raise InputError(
            f"a control character (U+{ord(match.group()):04X}): the file is damaged or not text", "", place
        )
    return text
