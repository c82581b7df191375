"""Panda3D's Bullet: BulletCharacterControllerNode on a triangle mesh. It moves only with its whole world."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.courses import HEIGHT, RADIUS, TICKS_PER_SECOND, Course, WalkedLeg

STEP = 0.4  # m
GRAVITY = 9.81  # m/s2
HIGH = 1000.0  # m, above everything


class Bullet:
    """Bullet controller. Z is up in Panda3D: (x, y, z) of ours is (x, -z, y)."""

    name = "Panda3D's Bullet"
    settings = (
        f"BulletCharacterControllerNode: step height {STEP} m, slopes to 45 degrees, gravity {GRAVITY} m/s2",
        "moved by BulletWorld.doPhysics with one step of a tick and nothing else in the world but the level",
    )

    def __init__(self) -> None:
        from importlib.metadata import version

        from panda3d import bullet, core

        self.bullet, self.core = bullet, core
        self.version = version("panda3d")

    def build(self, course: Course) -> float:
        """Seconds of processor time from the array to a world that is ready."""
        bullet, core = self.bullet, self.core
        corners = np.stack([course.triangles[..., 0], -course.triangles[..., 2], course.triangles[..., 1]], -1)
        points = np.ascontiguousarray(corners.reshape(-1, 3), np.float32)
        count = len(points)
        start = time.process_time()
        data = core.GeomVertexData("level", core.GeomVertexFormat.get_v3(), core.Geom.UH_static)
        data.unclean_set_num_rows(count)
        memoryview(data.modify_array(0)).cast("B")[:] = points.tobytes()
        primitive = core.GeomTriangles(core.Geom.UH_static)
        primitive.set_index_type(core.Geom.NT_uint32)
        primitive.add_next_vertices(count)
        geometry = core.Geom(data)
        geometry.add_primitive(primitive)
        mesh = bullet.BulletTriangleMesh()
        mesh.add_geom(geometry)
        self.world = bullet.BulletWorld()
        self.world.set_gravity(core.Vec3(0.0, 0.0, -GRAVITY))
        level = bullet.BulletRigidBodyNode("level")
        level.add_shape(bullet.BulletTriangleMeshShape(mesh, dynamic=False))
        self.root = core.NodePath("world")
        self.root.attach_new_node(level)
        self.world.attach(level)
        shape = bullet.BulletCapsuleShape(RADIUS, HEIGHT - 2 * RADIUS, bullet.ZUp)
        self.body = bullet.BulletCharacterControllerNode(shape, STEP, "body")
        self.body.set_max_slope(np.pi / 4)
        self.body.set_gravity(GRAVITY)
        self.path = self.root.attach_new_node(self.body)
        self.path.set_z(HIGH)
        self.world.attach(self.body)
        self.world.do_physics(1.0 / TICKS_PER_SECOND, 0)
        taken = time.process_time() - start
        self.course = course
        self.wishes = [[core.Vec3(float(x), -float(z), 0.0) for x, z in leg.velocity] for leg in course.legs]
        return taken

    def bytes_a_triangle(self) -> float:
        return 0.0

    def _place(self, start: tuple[float, float, float]) -> None:
        # Reset: the controller keeps its fall speed until it has stood somewhere.
        bullet = self.bullet
        self.world.remove(self.body)
        shape = bullet.BulletCapsuleShape(RADIUS, HEIGHT - 2 * RADIUS, bullet.ZUp)
        self.path.remove_node()
        self.body = bullet.BulletCharacterControllerNode(shape, STEP, "body")
        self.body.set_max_slope(np.pi / 4)
        self.body.set_gravity(GRAVITY)
        self.path = self.root.attach_new_node(self.body)
        x, y, z = start
        self.path.set_pos(x, -z, y + HEIGHT / 2)
        self.world.attach(self.body)

    def walk(self) -> list[WalkedLeg]:
        """For each leg the feet after each tick (ticks, 3), m, and the grounded flags."""
        found = []
        for leg, wishes in zip(self.course.legs, self.wishes, strict=True):
            self._place(leg.start)
            feet, grounded = np.empty((len(wishes), 3)), np.empty(len(wishes), bool)
            for k, wish in enumerate(wishes):
                self.body.set_linear_movement(wish, False)
                self.world.do_physics(1.0 / TICKS_PER_SECOND, 1, 1.0 / TICKS_PER_SECOND)
                x, y, z = self.path.get_pos()
                feet[k] = x, z - HEIGHT / 2, -y
                grounded[k] = self.body.is_on_ground()
            found.append((feet, grounded))
        return found

    def _timed(self, each: bool) -> Any:
        clock, movement, physics = time.perf_counter_ns, None, self.world.do_physics
        dt = 1.0 / TICKS_PER_SECOND
        legs, ticks = [], []
        for leg, wishes in zip(self.course.legs, self.wishes, strict=True):
            self._place(leg.start)
            movement, place, ground = self.body.set_linear_movement, self.path.get_pos, self.body.is_on_ground
            busy, start = time.thread_time_ns(), clock()
            if each:
                for wish in wishes:
                    begun = clock()
                    movement(wish, False)
                    physics(dt, 1, dt)
                    place()
                    ground()
                    ticks.append(clock() - begun)
            else:
                for wish in wishes:
                    movement(wish, False)
                    physics(dt, 1, dt)
                    place()
                    ground()
            wall = clock() - start
            legs.append((wall / 1e3, (time.thread_time_ns() - busy) / 1e3))
        return np.array(ticks) / 1e3 if each else legs

    def time_legs(self) -> list[tuple[float, float]]:
        """Microseconds of each complete leg: wall time and processor time."""
        return self._timed(False)

    def time_ticks(self) -> np.ndarray:
        """Microseconds of each tick."""
        return self._timed(True)
