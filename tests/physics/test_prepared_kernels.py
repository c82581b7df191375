"""The kernels that are compiled ahead are the ones that queries call: no query needs other argument types."""

import json

import numba
import pytest

from game.physics.numerics import jit
from tests.support.child_processes import run_python

QUERIES = """
import gc, json
import numpy as np
from numba.core.dispatcher import Dispatcher
from game.physics import (
    Box, Capsule, Command, Crowd, Ellipsoid, Environment, HeightField, Mover, Movers, Sphere, TriangleMesh, Walker,
    point_in_polygon, prepare,
)
from game.physics.balls.balls import Balls
from game.sim.ball_walls import BallWalls

PACKAGE = prepare.__name__.partition(".")[0] + "."
for part in prepare.COMPILE_PARTS.values():
    part()
Movers([Mover(TriangleMesh(np.zeros((0, 3, 3))))]).poses(0)  # compiled with the balls, and not loaded with them
kernels = [k for k in gc.get_objects() if isinstance(k, Dispatcher) and k.py_func.__module__.startswith(PACKAGE)]
assert len(kernels) > 100
prepared = {kernel: len(kernel.overloads) for kernel in kernels}

grid, field = HeightField.of_grid(np.sin(np.arange(36.0)).reshape(6, 6))
surfaces = np.arange(len(grid), dtype=np.int32) % 2
meshes = [TriangleMesh(grid, surfaces), TriangleMesh(grid, surfaces, fields=[field]), TriangleMesh(np.zeros((0, 3, 3)))]
points = np.random.default_rng(1).uniform(0.0, 5.0, (20, 3))
ways, yaw, body = points[::-1] - 2.5, np.zeros(20), Ellipsoid((0.3, 0.9, 0.2))
ends = points + (0.0, 1.0, 0.0)
shapes = [Sphere(points, 0.4), Capsule(points, ends, 0.3), Box(points, (0.3, 0.4, 0.5), 0.2)]
for mesh in meshes:
    for chosen in ({}, {"surfaces": [0]}, {"ignore": 1}):
        for k, many in ((0, ""), (slice(None), "_many")):
            def query(name, *arguments, **more):
                getattr(mesh, name + many)(*arguments, **more, **chosen)

            query("raycast", points[k], ways[k], 9.0)
            query("raycast_any", points[k], ways[k])
            query("raycast_all", points[k], ways[k])
            query("ground_below", points[k], 9.0, 45.0)
            query("closest", points[k])
            query("sweep", body, points[k], yaw[k], ways[k])
            query("overlap", body, points[k], yaw[k])
            for shape in shapes:
                query("sweep", shape[k] if k == 0 else shape, displacement=ways[k])
                query("overlap", shape[k] if k == 0 else shape)
    mesh.ground_below(points[0])
    mesh.ground_below_many(points)
for shape in shapes:
    shape.raycast_many(points, ways)
    shape[0].raycast(points[1], ways[1])
    for other in shapes:
        for a, b, many in ((shape, other, "_many"), (shape[0], other[1], "")):
            getattr(a, "overlaps" + many)(b), getattr(a, "gap" + many)(b)
            getattr(a, "sweep" + many)((1.0, 0.0, 0.0), b)
point_in_polygon(points[:, :2], grid[0][:, ::2])
walker = Walker()
around = Environment(movers=Movers([Mover(meshes[0])]))
states = [walker.spawn(meshes[2], feet=(0.0, 9.0, 0.0))] * 3
crowd = Crowd(walker, meshes[1], around=around)
crowd.raycast(states, ways)
crowd.sweep(states, ways)
crowd.step(states, [Command()] * 3)
walker.run(states[0], walker.commands(forward=np.ones(5)), meshes[1], around=around)
beside = Balls.rows([np.add(states[0].position, (walker.settings.radii[0] + 0.1, 0.0, 0.0))])
balls = Balls().step(beside, meshes[0], around, bodies=[(states[0], states[0])])
assert BallWalls(walker.settings, states[0], beside).update(states[0], beside)
print(json.dumps(sorted(k.py_func.__qualname__ for k in kernels if len(k.overloads) > prepared[k])))
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT or not jit.CACHED, reason="compiles nothing, or keeps nothing")
def test_no_query_needs_another_kernel_than_those_compiled_ahead():
    assert json.loads(run_python(QUERIES)) == []
