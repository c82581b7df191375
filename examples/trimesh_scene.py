"""trimesh: walk on a scene of trimesh, with a friction for each of its materials."""

from __future__ import annotations

from typing import Any

import trimesh

from ellipsoid_walker.physics import Material, TriangleMesh, Walker


def make_scene() -> trimesh.Scene:
    """A floor, a rotated block of ice on it, and a dome. `trimesh.load_scene("house.glb")` works in its place."""
    scene = trimesh.Scene()
    floor = trimesh.creation.box(extents=(12, 0.2, 12))
    scene.add_geometry(floor, geom_name="stone", transform=trimesh.transformations.translation_matrix((0, -0.1, 0)))
    slab = trimesh.transformations.rotation_matrix(0.35, (1, 0, 0), point=(0, 0, 0.5))
    scene.add_geometry(trimesh.creation.box(extents=(2, 0.4, 4)), geom_name="ice", transform=slab)
    dome = trimesh.creation.icosphere(subdivisions=3, radius=1.2)
    scene.add_geometry(dome, geom_name="dome", transform=trimesh.transformations.translation_matrix((3, -0.5, -2)))
    return scene


def main() -> tuple[TriangleMesh, dict[str, Any]]:
    """The mesh, and the states of one walk for each friction of the ice."""
    walker, walks = Walker(), {}
    for friction in (1.0, 0.1):
        mesh = TriangleMesh.from_trimesh(make_scene(), materials={"ice": Material(friction=friction)})
        start = walker.spawn(mesh, feet=(0.0, 0.0, 3.0))
        forward = [1.0] * 65 + [0.0] * 115  # walk up the slab, then stand still
        walks[f"friction {friction}"] = walker.run(start, walker.commands(forward=forward), mesh)
    print(f"{len(mesh)} triangles, surfaces {', '.join(mesh.surface_names)}")
    for name, states in walks.items():
        print(f"{name}: z = {states['position'][64, 2]:.2f} m when it stops, {states['position'][-1, 2]:.2f} m later")
    print(f"back in trimesh: {mesh.to_trimesh().area:.1f} square metres")
    return mesh, walks


if __name__ == "__main__":
    main()
