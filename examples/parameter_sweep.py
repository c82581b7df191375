"""Sweep of a parameter: which stairs does a walker climb, for several step heights?"""

from __future__ import annotations

from ellipsoid_walker.level import LevelBuilder
from ellipsoid_walker.physics import TriangleMesh, Walker, WalkerSettings

STEP_HEIGHTS = (0.2, 0.3, 0.4, 0.5)  # metres: the setting
RISES = [0.05 * k for k in range(2, 13)]  # metres: height of one step of the stairs


def stairs(rise: float) -> TriangleMesh:
    """A floor and five steps."""
    level = LevelBuilder(spawn={"at": (0, 0, 2)})
    level.add("floor", from_=(-2, -4), to=(2, 4))
    level.add("stairs", at=(0, 0, 0), facing="north", steps=5, rise=rise, run=0.5, width=2)
    return level.build().mesh


def climbs(mesh: TriangleMesh, step_height: float, top: float) -> bool:
    """True if a walker with this setting, who only walks forward for two seconds, stands on the top step once."""
    walker = Walker(WalkerSettings(step_height=step_height))
    start = walker.spawn(mesh, feet=(0.0, 0.0, 1.0))
    states = walker.run(start, walker.commands(forward=[1.0] * 90), mesh)
    feet = states["position"][:, 1] - walker.settings.radii[1]
    return bool((states["grounded"] & (abs(feet - top) < 0.05)).any())


def main() -> dict[float, list[bool]]:
    """By step height: whether the walker climbs stairs of each rise."""
    meshes = [stairs(rise) for rise in RISES]
    table = {
        height: [climbs(mesh, height, 5 * rise) for mesh, rise in zip(meshes, RISES, strict=True)]
        for height in STEP_HEIGHTS
    }
    print("step height  highest rise that is climbed")
    for height, row in table.items():
        print(f"{height:10.2f}  {max((rise for rise, done in zip(RISES, row, strict=True) if done), default=0):.2f} m")
    return table


if __name__ == "__main__":
    main()
