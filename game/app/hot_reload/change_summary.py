"""Messages about a reloaded level: the changes, the relocation of the walker, or the findings."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...render import Card
from ...sim.replay.level_migration import MigrationOutcome, MigrationResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...level import Finding, Level

MAX_FINDINGS = 4  # cards at once; more would cover the view
MIN_REPORTED_PUSH = 0.05  # m; shorter pushes are not reported
MAX_NAMED_CHANGES = 4
MAX_MESSAGE_LENGTH = 220  # characters


def describe_relocation(result: MigrationResult) -> str:
    """A sentence about a walker that was moved; empty where it stayed."""
    if result.outcome == MigrationOutcome.PUSHED and result.distance > MIN_REPORTED_PUSH:
        return f"you were in the way and were moved {result.distance:.1f} m"
    if result.outcome == MigrationOutcome.SAFE:
        return "no room where you stood: back to your last safe position"
    if result.outcome == MigrationOutcome.SPAWN:
        return "no room where you stood: back to the start"
    return ""


def describe_changes(before: Level, now: Level) -> str:
    """The differences between two versions of a level, in a few words."""
    old, new = (Counter(_piece_kind(level, k) for k in range(len(level.origins))) for level in (before, now))
    more = {name: new[name] - old[name] for name in sorted(set(old) | set(new))}
    words = [f"{name}: {abs(count)} {'more' if count > 0 else 'fewer'}" for name, count in more.items() if count]
    words += [f"{name}: changed" for name in sorted(_changed_kinds(before, now)) if not more.get(name)]
    for name in ("name", "surfaces", "sky", "spawns", "goal", "exits", "signs", "lights", "targets", "player"):
        if getattr(before, name, None) != getattr(now, name, None):
            words.append(name)
    if not any(word.startswith("mover:") for word in words) and _motions(before) != _motions(now):
        words.append("motion of movers")
    if getattr(before, "all_zones", ()) != getattr(now, "all_zones", ()):
        words.append("zones")
    if not words and not np.array_equal(before.faces.surface, now.faces.surface):
        words.append("surfaces of pieces")
    return (
        ", ".join(words[:MAX_NAMED_CHANGES]) + (", ..." if len(words) > MAX_NAMED_CHANGES else "")
        or "no visible change"
    )


def _motions(level: Level) -> list[object]:
    """Places and motions of the movers."""
    return [(marker.at, marker.payload) for marker in level.faces.marks if marker.kind == "mover"]


def _piece_kind(level: Level, origin: int) -> str:
    return level.origins[origin].label.split(" ")[0].rstrip(":")  # the label of a part of a model is "model: NAME"


def _changed_kinds(before: Level, now: Level) -> set[str]:
    """Kinds of the pieces that have a quad which the other version does not have."""
    rows = [np.ascontiguousarray(level.faces.corners).reshape(len(level.faces.corners), -1) for level in (before, now)]
    quads = [row.view(f"V{row.shape[1] * row.itemsize}").reshape(-1).tolist() for row in rows]
    kinds: set[str] = set()
    for level, level_quads, other_quads in ((before, quads[0], set(quads[1])), (now, quads[1], set(quads[0]))):
        origins = {int(level.faces.origin[k]) for k, quad in enumerate(level_quads) if quad not in other_quads}
        kinds |= {_piece_kind(level, origin) for origin in origins}
    return kinds


def finding_cards(findings: Sequence[Finding], title: str) -> tuple[Card, ...]:
    """Cards for the findings of files; the first one has the title and their number."""
    if not findings:
        return ()
    count = len(findings)
    cards = [Card(f"{title}: {count} finding{'s' if count > 1 else ''}")]
    for finding in findings[:MAX_FINDINGS]:
        name = Path(finding.file).name
        place = f"{name}:{finding.line}" + (f":{finding.column}" if finding.column else "") if finding.line else name
        prefix = f"{finding.where}: " if finding.where else ""
        cards.append(
            Card(place, (prefix + finding.message)[:MAX_MESSAGE_LENGTH], note=finding.cure[:MAX_MESSAGE_LENGTH])
        )
    if count > MAX_FINDINGS:
        cards.append(Card("", note=f"and {count - MAX_FINDINGS} more"))
    return tuple(cards)
