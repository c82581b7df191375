"""Own mesh: walk up a ramp that is made of vertices and faces, with a surface for each face."""

from __future__ import annotations

from typing import Any

from ellipsoid_walker.physics import Material, TriangleMesh, Walker

# Metres, Y up. Faces count vertices from 0, counter-clockwise seen from the front, here from above.
VERTICES = [(-3, 0, 3), (3, 0, 3), (3, 0, -1), (-3, 0, -1), (3, 1.2, -4), (-3, 1.2, -4), (0, 1.2, -8)]
FACES = [(0, 1, 2, 3), (3, 2, 4, 5), (5, 4, 6)]  # quads and triangles
NAMES = ["floor", "ramp", "platform"]
MATERIALS = [Material(), Material(friction=0.9), Material(friction=0.6)]


def main() -> tuple[TriangleMesh, Any]:
    """The mesh, and the state after each tick."""
    mesh = TriangleMesh.from_faces(VERTICES, FACES, surfaces=range(3), materials=MATERIALS, surface_names=NAMES)
    walker = Walker()
    start = walker.spawn(mesh, feet=(0.0, 0.0, 2.0), heading=0)  # heading 0 looks along -Z
    states = walker.run(start, walker.commands(forward=[1.0] * 110), mesh)
    for tick in (0, 50, 109):
        state = walker.state(states[tick])
        below = mesh.ground_below(state.position)
        assert below is not None  # None: no ground
        name = mesh.surface_names[mesh.surface[mesh.source == below.triangle][0]]
        x, y, z = state.feet
        print(f"tick {state.tick:3}: feet ({x:.2f}, {y:.2f}, {z:.2f}) on the {name}, grounded {state.grounded}")
    return mesh, states


if __name__ == "__main__":
    main()
