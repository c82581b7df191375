"""Documents of `--json`, and SARIF 2.1.0 of findings, which GitHub and editors show beside the lines of a file.

A document of `--json` is one object with the name and the version of its schema. The version grows when a field is
removed, renamed or changes its meaning. A new field does not change it.

Source: OASIS, Static Analysis Results Interchange Format Version 2.1.0, 2020.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .. import __version__

if TYPE_CHECKING:
    from ..level import Finding, Level
    from ..sim.bots.walk_findings import BotReport
    from ..sim.headless_run import WalkResult

SCHEMAS = Path(__file__).parent / "schemas"
FINDING_FIELDS = ("severity", "kind", "file", "line", "column", "length", "where", "message", "cure", "excerpt")
SARIF_VERSION = "2.1.0"
SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT_ID = "SRCROOT"  # GitHub resolves relative URIs against the root of the repository
LEVELS = {"fatal": "error", "dropped": "error", "warning": "warning"}
NOTE_KINDS = frozenset({"unreached"})  # findings of the bots about ground that may be scenery
BOT_KINDS = {
    "fall": "a player can fall out of the level",
    "pit": "a player can get in, and not out",
    "stuck": "no key moves the player",
    "narrow": "a gap is slightly too narrow",
    "low": "a passage is slightly too low",
    "steep": "a slope is slightly too steep",
    "step": "a ledge is slightly too high",
    "unreached": "bots did not reach this ground",
    "goal": "bots did not reach the goal",
    "target": "bots did not reach a target",
    "exit": "bots did not reach an exit",
    "spawn": "bots did not reach a spawn",
}
LEVEL_HELP = (
    "`walker check FILE` shows the line and the fix, and `walker check FILE --fix` applies the fixes that are certain. "
    "The page docs/level_format.md describes all pieces and fields."
)
WALK_HELP = (
    "`walker check FILE --walk` walks with bots, and describes each finding with a walk that leads there. The page "
    "docs/checking.md explains the findings."
)
_NAMED_FIELDS = ("surfaces.", "prefabs.", "movers.", "define.")  # followed by names of the author
_INDEX = re.compile(r"\[\d+\]|\.\d+\b|#\d+")
_NOT_RULE = re.compile(r"[^A-Za-z0-9_.-]+")


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
    """Result of `check` for one level: displayed path of its file, exit status, findings; with --walk (`walks`) what
    the bots report, None where they could not start."""

    file: str
    status: int
    findings: tuple[Finding, ...]
    walks: bool = False
    report: BotReport | None = None


def check_fields(levels: Sequence[CheckedLevel]) -> dict[str, object]:
    """Fields of the document (schemas/check.json)."""
    return {"levels": [_level_fields(level) for level in levels]}


def _level_fields(level: CheckedLevel) -> dict[str, object]:
    counts = Counter(finding.severity for finding in level.findings)
    fields: dict[str, object] = {
        "file": level.file,
        "status": level.status,
        "counts": {severity: counts[severity] for severity in ("fatal", "dropped", "warning")},
        "findings": [finding_fields(finding) for finding in level.findings],
    }
    if level.walks:
        report = level.report
        solution = None if report is None else report.solution
        fields["walk"] = {
            "ran": report is not None,
            "finished": report is not None and report.is_complete,
            "interrupted": report is not None and report.is_interrupted,
            "goal_tick": None if solution is None or solution.missing else solution.tick,
        }
    return fields


def finding_fields(finding: Finding) -> dict[str, object]:
    """One finding. A line of 0 stands for the whole file."""
    fields = {name: getattr(finding, name) for name in FINDING_FIELDS}
    return fields if finding.edit is None else {**fields, "edit": asdict(finding.edit)}


def sim_fields(result: WalkResult, level: Level, output: Path | None) -> dict[str, object]:
    """Fields of the document (schemas/sim.json). Lengths in metres, speeds in m/s."""
    count = len(result.tick)
    end = result.feet[-1] if count else result.start
    return {
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


# ---- SARIF


def encode_sarif(findings: Sequence[Finding], root: Path) -> bytes:
    """One run with a result for each finding. root: the folder that the URIs are relative to."""
    rules: dict[str, dict[str, object]] = {}
    results = []
    for finding in findings:
        rule = rule_id(finding)
        rules.setdefault(rule, _rule(rule, finding))
        results.append(_result(finding, rule, list(rules).index(rule), root))
    driver = {"name": "ellipsoid-walker", "version": __version__, "rules": list(rules.values())}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT_ID: {"description": {"text": "the folder in which the command ran"}}},
        "results": results,
    }
    document = {"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}
    return (json.dumps(document, indent=1, ensure_ascii=True) + "\n").encode()


def rule_id(finding: Finding) -> str:
    """`walk/fall` for a finding of the bots, else the field without list positions and names: `level/stairs.rise`."""
    if finding.kind:
        return f"walk/{finding.kind}"
    where = finding.where.partition(".")[0] if finding.where.startswith(_NAMED_FIELDS) else finding.where
    where = re.split(r"[ (\"]", where, maxsplit=1)[0]  # `room "hall"`, `spawn (spawn 1)`
    field = _NOT_RULE.sub("-", _INDEX.sub("", where)).strip("-.")
    return f"level/{field[:80] or 'file'}"


def _rule(rule: str, finding: Finding) -> dict[str, object]:
    """A rule with all that GitHub requires of one."""
    if finding.kind:
        text = f"{BOT_KINDS.get(finding.kind, finding.kind)}, found by bots"
    else:
        field = rule.removeprefix("level/")
        text = "a problem of the whole file" if field == "file" else f"a problem of `{field}` in a level file"
    return {
        "id": rule,
        "shortDescription": {"text": text},
        "fullDescription": {"text": f"{text[0].upper()}{text[1:]}."},
        "help": {"text": WALK_HELP if finding.kind else LEVEL_HELP},
        "defaultConfiguration": {"level": result_level(finding)},
    }


def result_level(finding: Finding) -> str:
    """`error` where something is left out, `warning`, or `note` for what may be intended."""
    return "note" if finding.kind in NOTE_KINDS else LEVELS[finding.severity]


def _result(finding: Finding, rule: str, index: int, root: Path) -> dict[str, object]:
    text = f"{finding.where}: {finding.message}" if finding.where else finding.message
    if finding.cure:
        text += f"\nFix: {finding.cure}"
    column = max(1, finding.column)
    region = {"startLine": max(1, finding.line), "startColumn": column, "endColumn": column + max(1, finding.length)}
    location = {"artifactLocation": _artifact_location(finding.file, root), "region": region}
    identity = "\0".join((rule, finding.file, finding.where, finding.message))
    return {
        "ruleId": rule,
        "ruleIndex": index,
        "level": result_level(finding),
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"finding/v1": hashlib.sha256(identity.encode()).hexdigest()[:32]},
    }


def _artifact_location(file: str, root: Path) -> dict[str, str]:
    """A relative URI with forward slashes; an absolute one for a file on another drive."""
    try:
        relative = os.path.relpath(os.path.realpath(file), os.path.realpath(root))
    except ValueError:
        return {"uri": Path(os.path.abspath(file)).as_uri()}
    return {"uri": quote(relative.replace(os.sep, "/")), "uriBaseId": ROOT_ID}
