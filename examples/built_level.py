"""Level built in Python: pieces in a loop, checked as a file is, and written as a level file and as a model."""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path

from ellipsoid_walker.level import Level, LevelBuilder
from ellipsoid_walker.level.build.pieces import Box, Floor, Group


def tower(steps: int = 11) -> LevelBuilder:
    """Steps around a corner of a floor. Fields and pieces are those of the level format."""
    level = LevelBuilder(
        name="Tower",
        spawn={"at": (0, 0, 8), "facing": "north"},
        surfaces={"stone": {"colour": "#b8a98c", "texture": "flagstone"}, "wood": {"texture": "planks"}},
        sky={"palette": "evening"},
    )
    level.add(Floor(from_=(-10, -10), to=(10, 10), surface="stone"))
    for k in range(steps):
        step = Box(from_=(-0.9, 0, 0.5), to=(0.9, 0.25 * (k + 1), 4), surface="wood")
        level.add(Group(at=(0, 0, 0), facing=22.5 * k, of=[step]))
    angle = math.radians(22.5 * (steps - 1))
    level.set(goal={"at": (2.5 * math.sin(angle), 0.25 * steps, 2.5 * math.cos(angle)), "radius": 0.8})
    return level


def main(folder: Path) -> Level:
    """Write tower.yaml and tower.glb into a folder; the level."""
    builder = tower()
    for finding in builder.check():  # each names the line of its `add` above
        print(finding)
    level = builder.build()
    level.save(folder / "tower.yaml", overwrite=True)
    level.to_glb(folder / "tower.glb", overwrite=True)
    print(f"{len(builder)} pieces, {len(level.triangles)} triangles: {folder / 'tower.yaml'}, {folder / 'tower.glb'}")
    return level


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
