"""Search for one mistyped size that explains all geometry warnings of a level: a decimal point that is lost or moved.

Each candidate is a number of a piece, ten times smaller or larger. The level is checked with it in memory; the number
is the mistake if no finding is left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .format.findings import Finding
from .format.source import LevelSource
from .format.yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar

LOW_SIZES = ("y", "height")  # fields whose numbers are tried ten times larger
SIZES = (*LOW_SIZES, "width", "thickness", "radius", "rise", "run", "length")  # and ten times smaller
POINTS = ("from", "to")  # those with a height that is tried ten times smaller
MAX_FINDINGS = 6  # of a level that one number explains
MAX_TRIES, MAX_FACES = 8, 10_000  # candidates that are tried, and faces of the level in all of them together
_NUMBER = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?")
_LINE_REFERENCE = re.compile(r"\(line (\d+)\)")


@dataclass(frozen=True, slots=True)
class _Size:
    """A number of a piece: line and kind of the piece, the field, and the node of the number."""

    line: int
    kind: str
    field: str
    node: YamlScalar

    @property
    def is_large(self) -> bool:
        """Whether its decimal point may be lost; else it may stand one digit too far left."""
        return "." not in self.node.text and abs(int(self.node.text)) >= 10

    @property
    def shifted(self) -> str:
        """The number with its decimal point where it may belong."""
        value = float(self.node.text)
        return f"{value / 10.0 if self.is_large else value * 10.0:.10g}"


def report_mistyped_size(source: LevelSource, face_count: int, is_clean: Callable[[str], bool]) -> None:
    """Replace the findings of a level by one, if one number explains them all.

    is_clean: whether a text in place of the level's has no finding. face_count: of the level, which bounds the tries.
    """
    report, findings = source.report, source.report.findings()
    own_file = all(one.file == report.file and one.severity == "warning" and one.line for one in findings)
    if not 0 < len(findings) <= MAX_FINDINGS or not own_file:
        return
    lines = report.texts[""].splitlines(keepends=True)
    cures: list[_Size] = []
    for size in _candidates(source.root, findings)[: min(MAX_TRIES, MAX_FACES // max(face_count, 1))]:
        place = size.node.place
        start, end = (sum(map(len, lines[: place.line - 1])) + place.column - 1 + k for k in (0, len(size.node.text)))
        text = report.texts[""]
        if text[start:end] == size.node.text and is_clean(text[:start] + size.shifted + text[end:]):
            cures.append(size)
    if len(cures) == 1 and f": {cures[0].shifted}`" not in findings[0].cure:
        size, first = cures[0], findings[0]
        message = f"with {size.shifted} in place of {size.node.text} nothing is wrong; now, at line {first.line}, "
        report.replace_all(
            size.node.place,
            f"{size.kind}.{size.field}",
            f"{message}{first.where}: {first.message}",
            f"write {size.shifted}",
        )


def _candidates(root: YamlMapping, findings: Sequence[Finding]) -> list[_Size]:
    """Sizes of which only the shifted number stands elsewhere in the file, then those that seem ten times too large of
    the pieces that findings are about or name.
    """
    lines = {one.line for one in findings}
    lines |= {int(line) for one in findings for line in _LINE_REFERENCE.findall(one.message)}
    numbers = Counter(abs(float(node.text)) for node in _numbers(root))
    sizes = [one for one in _sizes(root) if one.is_large or ("." in one.node.text and one.field in LOW_SIZES)]
    usual = [one for one in sizes if numbers[abs(float(one.shifted))] and numbers[abs(float(one.node.text))] == 1]
    return usual + [one for one in sizes if one.is_large and one.line in lines and one not in usual]


def _numbers(node: YamlNode) -> Iterator[YamlScalar]:
    if isinstance(node, YamlScalar) and node.plain and _NUMBER.fullmatch(node.text):
        yield node
    for child in node.items if isinstance(node, YamlList) else ():
        yield from _numbers(child)
    for _, value in node.pairs if isinstance(node, YamlMapping) else ():
        yield from _numbers(value)


def _sizes(node: YamlNode, kind: str = "", line: int = 0) -> Iterator[_Size]:
    """The sizes of all pieces: an entry of a list, `kind: {fields}`, is one."""
    for item in node.items if isinstance(node, YamlList) else ():
        for key, fields in item.pairs[:1] if isinstance(item, YamlMapping) else ():
            if isinstance(key, YamlScalar) and isinstance(fields, YamlMapping):
                yield from _sizes(fields, key.text, key.place.line)
    for key, value in node.pairs if isinstance(node, YamlMapping) else ():
        field = key.text if isinstance(key, YamlScalar) else ""
        is_point = field in POINTS and isinstance(value, YamlList) and len(value.items) == 3
        number = value.items[1] if is_point and isinstance(value, YamlList) else value
        if not isinstance(number, YamlScalar):
            yield from _sizes(value, kind, line)
        elif kind and (is_point or field in SIZES) and number.plain and _NUMBER.fullmatch(number.text):
            yield _Size(line, kind, field, number)
