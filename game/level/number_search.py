"""Search for one mistyped size that explains all geometry warnings of a level: its decimal point is lost or moved.

Each candidate is a number of a piece, ten times smaller or larger. It is the mistake if the level has no finding then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .format.findings import Finding
from .format.source import LevelSource
from .format.yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar

LOW_SIZES = ("y", "height")  # fields whose numbers are tried ten times larger; those of SIZES ten times smaller
SIZES = (*LOW_SIZES, "width", "thickness", "radius", "rise", "run", "length", "from.1.3", "to.1.3")
MAX_EXPLAINED = 12  # findings that one number may explain
MAX_TRIES, MAX_FACES = 8, 8_000  # candidates that are tried, and faces of the level in all of them together
_NUMBER = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of a file. line, kind: of its piece. field: its name; `to.1.3`: of item 1 of 3 in its list."""

    line: int
    kind: str
    field: str
    node: YamlScalar

    @property
    def shifted(self) -> str:
        """The number with the decimal point that it may lack, or with its point one digit to the right; else ''."""
        value, has_point = float(self.node.text), "." in self.node.text
        least = 1.0 if self.field in ("thickness", "run") else 10.0  # other sizes are often of metres
        is_tried = self.field in LOW_SIZES if has_point else self.field in SIZES and abs(value) >= least
        return f"{value * 10.0 if has_point else value / 10.0:.10g}" if is_tried else ""


def report_mistyped_size(source: LevelSource, face_count: int, is_clean: Callable[[str], bool]) -> None:
    """Replace the findings of a level by one, if one number explains them all.

    is_clean: whether a text in place of the level's has no finding. face_count: of the level, which bounds the tries.
    """
    report, findings = source.report, source.report.findings()
    is_own = all(one.file == report.file and one.severity == "warning" and one.line for one in findings)
    if not 0 < len(findings) <= MAX_EXPLAINED or not is_own:
        return
    cures: list[_Number] = []
    for number in _candidates(source.root, findings)[: min(MAX_TRIES, MAX_FACES // max(face_count, 1))]:
        lines, place, old = report.texts[""].splitlines(keepends=True), number.node.place, number.node.text
        line, start = lines[place.line - 1], place.column - 1
        lines[place.line - 1] = line[:start] + number.shifted + line[start + len(old) :]
        if line[start:].startswith(old) and is_clean("".join(lines)):
            cures.append(number)
    cures = [one for one in cures if "." not in one.node.text] or cures  # a point is lost more often than moved
    if len(cures) == 1 and f": {cures[0].shifted}`" not in findings[0].cure:
        (size,), first = cures, findings[0]
        message = f"with {size.shifted} in place of {size.node.text} nothing is wrong; now, at line {first.line}, "
        message += f"{first.where}: {first.message}"
        where = f"{size.kind}.{size.field.split('.')[0]}"
        report.replace_all(size.node.place, where, message, f"write {size.shifted}")


def _candidates(root: YamlMapping, findings: Sequence[Finding]) -> list[_Number]:
    """Sizes of which only the shifted number stands elsewhere in the file; then large ones of pieces with findings."""
    lines = {int(line) for one in findings for line in (one.line, *re.findall(r"\(line (\d+)\)", one.message))}
    count = Counter(key for one in _numbers(root) for key in (abs(float(one.node.text)), (one.field, one.node.text)))
    sizes = [one for one in _numbers(root) if one.shifted]
    usual = [one for one in sizes if count[abs(float(one.shifted))] and count[one.field, one.node.text] == 1]
    large = [one for one in sizes if one.line in lines and re.fullmatch("-?[0-9]{2,}", one.node.text)]
    return usual + [one for one in large if all(one.node.place != other.node.place for other in usual)]


def _numbers(node: YamlNode, line: int = 0, kind: str = "", field: str = "") -> Iterator[_Number]:
    """All plain numbers in a node, in file order."""
    if isinstance(node, YamlScalar) and node.plain and _NUMBER.fullmatch(node.text):
        yield _Number(line, kind, field, node)
    items = node.items if isinstance(node, YamlList) else []
    for k, item in enumerate(items):
        yield from _numbers(item, line, kind, f"{field}.{k}.{len(items)}")
    for key, value in node.pairs if isinstance(node, YamlMapping) else ():
        name = key.text if isinstance(key, YamlScalar) else ""
        is_piece = isinstance(value, YamlMapping)
        yield from _numbers(value, key.place.line if is_piece else line, name if is_piece else kind, name)
