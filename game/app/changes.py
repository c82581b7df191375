"""What is said about a level that was saved while it is played: what changed, or what is wrong with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from game.render import Card
from game.sim.takeover import PUSHED, SAFE, SPAWN, Taken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game.level import Finding, Level

MOST_FINDINGS = 4  # shown at once: more would cover the world
LIFTED = 0.05  # m: a body that was pushed less needs no word
LONGEST = 220  # characters of a message
SHOWN_PATH = 44


def told(taken: Taken) -> str:
    """Where the walker got to, where that needs a word."""
    if taken.how == PUSHED and taken.metres > LIFTED:
        return f"you stood in the way, and stand {taken.metres:.1f} m from there"
    if taken.how == SAFE:
        return "there is no room where you stood: back to where you last stood safely"
    if taken.how == SPAWN:
        return "there is no room where you stood: back to the beginning"
    return ""


def changed(before: Level, now: Level) -> str:
    """What is new, in a few words."""
    words: list[str] = []
    old, new = _pieces(before), _pieces(now)
    for name in sorted(set(old) | set(new)):
        more = new[name] - old[name]
        if more:
            words.append(f"{abs(more)} {name} {'more' if more > 0 else 'less'}")
    if not words and not _same(before.triangles, now.triangles):
        words.append("pieces moved")
    for name in ("surfaces", "sky", "spawns", "goal", "exits", "signs", "lights", "targets"):
        if getattr(before, name, None) != getattr(now, name, None):
            words.append(name)
    if not words:
        return "nothing that one could see" if _same(before.drawn, now.drawn) else "what is seen"
    return ", ".join(words[:4]) + (", ..." if len(words) > 4 else "")


def _pieces(level: Level) -> Counter[str]:
    """How many pieces of each kind there are, counted where they are written."""
    return Counter(origin.label.split(" ")[0] for origin in level.origins)


def _same(before: Any, now: Any) -> bool:
    return bool(before.shape == now.shape and (before == now).all())


def findings_card(findings: Sequence[Finding], played: str) -> tuple[Card, ...]:
    """Cards for what is wrong with the files, the worst first."""
    if not findings:
        return ()
    worst = sorted(findings, key=lambda finding: finding.severity != "fatal")
    fatal = sum(finding.severity == "fatal" for finding in findings) or len(findings)
    cards = [
        Card(f"Not reloaded: {fatal} finding{'s' if fatal > 1 else ''}", note=f"{played} as it was last", side="left")
    ]
    for finding in worst[: min(MOST_FINDINGS, fatal)]:
        place = f"{Path(finding.file).name}:{finding.line}" + (f":{finding.column}" if finding.column else "")
        where = f"{finding.where}: " if finding.where else ""
        cards.append(
            Card(place if finding.line else Path(finding.file).name, (where + finding.message)[:LONGEST], (),
                 finding.cure[:LONGEST], side="left")
        )  # fmt: skip
    if fatal > MOST_FINDINGS:
        cards.append(Card("", f"and {fatal - MOST_FINDINGS} more", side="left"))
    return tuple(cards)
