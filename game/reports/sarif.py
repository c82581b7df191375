"""SARIF 2.1.0 of findings: a format that GitHub and editors show beside the lines of a file.

Source: OASIS, Static Analysis Results Interchange Format Version 2.1.0, 2020.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from .. import __version__
from ..level import Finding

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
    field = rule.removeprefix("level/")
    if finding.kind:
        text = BOT_KINDS.get(finding.kind, finding.kind)
        where = ", found by bots"
    elif field == "file":
        text = "a problem of the whole file"
        where = ""
    else:
        text = f"a problem of `{field}`"
        where = " in a level file"
    return {
        "id": rule,
        "shortDescription": {"text": text},
        "fullDescription": {"text": f"{text[0].upper()}{text[1:]}{where}."},
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
