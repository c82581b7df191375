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
    for name in ("name", "surfaces", "sky", "spawns", "goal", "exits", "signs", "lights", "targets"):
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


def findings_cards(findings: Sequence[Finding], title: str) -> tuple[Card, ...]:
    """Cards for what is wrong with the files; the first says how many there are."""
    if not findings:
        return ()
    count = len(findings)
    cards = [Card(f"{title}: {count} finding{'s' if count > 1 else ''}")]
    for finding in findings[:MOST_FINDINGS]:
        name = Path(finding.file).name
        place = f"{name}:{finding.line}" + (f":{finding.column}" if finding.column else "") if finding.line else name
        where = f"{finding.where}: " if finding.where else ""
        cards.append(Card(place, (where + finding.message)[:LONGEST], note=finding.cure[:LONGEST]))
    if count > MOST_FINDINGS:
        cards.append(Card("", note=f"and {count - MOST_FINDINGS} more"))
    return tuple(cards)
