"""JSON document of `check`: the findings of each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..level import Finding


@dataclass(frozen=True, slots=True)
class CheckedLevel:
    """Result of `check` for one level: displayed path of its file, exit status, findings."""

    file: str
    status: int
    findings: tuple[Finding, ...]


def check_fields(levels: Sequence[CheckedLevel], status: int) -> dict[str, object]:
    """Fields of the document (schemas/check.json)."""
    return {"status": status, "levels": [_level_fields(level) for level in levels]}


def _level_fields(level: CheckedLevel) -> dict[str, object]:
    counts = Counter(finding.severity for finding in level.findings)
    return {
        "file": level.file,
        "status": level.status,
        "counts": {severity: counts[severity] for severity in ("fatal", "dropped", "warning")},
        "findings": [finding_fields(finding) for finding in level.findings],
    }


def finding_fields(finding: Finding) -> dict[str, object]:
    """One finding. A line of 0 stands for the whole file."""
    return {
        "severity": finding.severity,
        "kind": finding.kind,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "length": finding.length,
        "where": finding.where,
        "message": finding.message,
        "cure": finding.cure,
        "excerpt": finding.excerpt,
    }
