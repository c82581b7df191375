"""The methods of others, as they were published, in the walker's place: to compare, and to see why ours is as it is.

None of them is used by the game. Each module names its source and its defects; docs/lab.md has their figures.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..physics import Walker, WalkerSettings
from .fauerby_slide import Guide, Mended
from .linahan_slide import Repair
from .nettle_ellipsoid import Article
from .probe_controller import Probes
from .reference_controller import Technique
from .sliding_sphere import SlidingPoint
from .walk_metrics import Measure, gap

TECHNIQUES: dict[str, type[Technique]] = {
    kind.name: kind for kind in (Guide, Article, SlidingPoint, Probes, Repair, Mended)
}
OURS = "walker"


def make(name: str, settings: WalkerSettings | None = None, mended: Iterable[str] = ()) -> Walker:
    """The method of that name ("walker" is ours), with some of its defects mended.

    ValueError, in words, for a name that is none and for a defect that it does not have.
    """
    mended = tuple(mended)
    if name == OURS:
        if mended:
            raise ValueError(f"'{OURS}' has no defects that can be switched")
        return Walker(settings)
    if name not in TECHNIQUES:
        raise ValueError(f"no technique is called '{name}' (there is: {', '.join((*TECHNIQUES, OURS))})")
    return TECHNIQUES[name](settings, mended)


__all__ = ["OURS", "TECHNIQUES", "Measure", "Technique", "gap", "make"]
