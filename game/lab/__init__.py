"""Published character controllers, in the walker's place, for comparison.

The game uses none of them. Each module names its source and its defects; docs/lab.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..physics import Walker, WalkerSettings
from .fauerby_slide import FauerbyController, FixedFauerbyController
from .linahan_slide import LinahanController
from .nettle_ellipsoid import NettleController
from .probe_controller import ProbeController
from .reference_controller import ReferenceController
from .sliding_sphere import SlidingSphereController
from .walk_metrics import WalkMetrics, surface_gap

REFERENCE_CONTROLLERS: dict[str, type[ReferenceController]] = {
    kind.name: kind
    for kind in (  # in the order of the ghosts' keys, 1 to 6
        FauerbyController,
        NettleController,
        SlidingSphereController,
        ProbeController,
        LinahanController,
        FixedFauerbyController,
    )
}
OWN_CONTROLLER = "walker"


def create_controller(name: str, settings: WalkerSettings | None = None, fixed: Iterable[str] = ()) -> Walker:
    """The controller of that name ("walker" is this project's own); fixed: names of the defects to fix.

    ValueError for an unknown name or defect.
    """
    fixed = tuple(fixed)
    if name == OWN_CONTROLLER:
        if fixed:
            raise ValueError(f"'{OWN_CONTROLLER}' has no defects that can be fixed")
        return Walker(settings)
    if name not in REFERENCE_CONTROLLERS:
        raise ValueError(
            f"no technique is called '{name}' (known: {', '.join((*REFERENCE_CONTROLLERS, OWN_CONTROLLER))})"
        )
    return REFERENCE_CONTROLLERS[name](settings, fixed)


__all__ = [
    "OWN_CONTROLLER",
    "REFERENCE_CONTROLLERS",
    "ReferenceController",
    "WalkMetrics",
    "create_controller",
    "surface_gap",
]
