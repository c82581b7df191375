"""Documents of `--json`: one JSON object with the name and the version of its schema.

The version of a schema grows when a field is removed, renamed or changes its meaning. A new field does not change it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__

if TYPE_CHECKING:
    from ..level import Finding, Level
    from ..sim.headless_run import WalkResult

SCHEMAS = Path(__file__).parent / "schemas"


def load_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of a kind of document. It holds the version."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    return schema


def format_document(kind: str, fields: Mapping[str, object]) -> str:
    """Text of a document: its fields after `schema`, `schema_version` and `program`. Ends with a line break.

    kind: the name of a file in SCHEMAS. ValueError for a number that is not finite: JSON has none.
    """
    document = {
        "schema": f"walker/{kind}",
        "schema_version": load_schema(kind)["properties"]["schema_version"]["const"],
        "program": f"ellipsoid-walker {__version__}",
        **fields,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


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


def sim_fields(result: WalkResult, level: Level, status: int, output: Path | None) -> dict[str, object]:
    """Fields of the document (schemas/sim.json). Lengths in metres, speeds in m/s."""
    count = len(result.tick)
    end = result.feet[-1] if count else result.start
    return {
        "status": status,
        "level": {"name": level.name, "file": str(level.path)},
        "ticks": count,
        "seconds": count / result.ticks_per_second,
        "ticks_per_second": result.ticks_per_second,
        "distance": dict(zip(("horizontal", "up", "down"), result.distances, strict=True)),
        "fastest": result.top_speed,
        "grounded": float(result.grounded.mean()) if count else 0.0,
        "start": [float(value) for value in result.start],
        "end": [float(value) for value in end],
        "heading": int(result.heading[-1]) if count else result.start_heading,
        "falls": result.falls,
        "targets": {"reached": result.targets_reached, "count": result.target_count},
        "goal": {"outcome": result.goal.name.lower(), "tick": result.goal_tick if result.goal_tick >= 0 else None},
        "hash": result.hash,
        "output": None if output is None else str(output),
    }
