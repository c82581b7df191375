"""Courses, measures and tables of the benchmarks. No peer is run."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import courses
from benchmarks.courses import Leg, playground_course, terrain_course
from benchmarks.measures import (
    Body,
    Ground,
    arrival,
    measure_playground,
    smallest_gaps,
    smallest_speed_fraction,
    stuck_ticks,
)
from benchmarks.peers import measure, table, workers
from benchmarks.shapes import block, floor, profile, winding

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "benchmarks" / "peers"


def straight(name: str = "walk", ticks: int = 60, measures: str = "flat") -> Leg:
    return courses.leg(name, (0.0, 0.0, 0.0), [(0.0, ticks)], (0.0, -2.0, 0.0, -1.0), 30.0, measures, settle=4)


def walked(leg: Leg) -> np.ndarray:
    """Positions of an ideal walker on a floor after each tick."""
    plan = np.cumsum(leg.velocity / courses.TICKS_PER_SECOND, axis=0)
    return np.column_stack([plan[:, 0], np.zeros(len(plan)), plan[:, 1]]) + leg.start


# --- the courses


def test_the_playground_has_its_documented_size_and_no_degenerate_triangle():
    triangles = courses.playground()
    assert 6000 <= len(triangles) <= 7200
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    assert area.min() > 1e-6
    assert len(np.unique(np.sort(triangles.round(9).reshape(-1, 9), axis=1), axis=0)) <= len(triangles)


@pytest.mark.parametrize(
    ("point", "times"),
    [
        ((5.0, 1.0, 10.0), 0),  # the room's air
        ((5.0, -0.15, 10.0), 1),  # under its floor
        ((14.15, 1.0, 3.0), 1),  # in its wall
        ((14.5, 1.0, 3.0), 0),  # outside
        ((5.0, 1.0, -5.0), 1),  # in the block of the corridor
        ((-2.0, 2.0, -6.0), 1),  # in the low ceiling
        ((-2.0, 1.7, -6.0), 0),  # under it
        ((*courses.PILLARS[0][:1], 1.0, courses.PILLARS[0][1]), 1),
    ],
)
def test_the_solids_of_the_playground_are_closed(point, times):
    under = [
        floor(-11.5, courses.RAMP_END, -5.0, courses.STAIRS_FOOT),
        floor(-11.0, courses.STEEP, -8.0, courses.STEEP + 3.0),
    ]
    closed = np.concatenate([courses.playground(), *[bottom[:, ::-1] for bottom in under]])  # they stand on the floor
    assert winding(closed, point) == pytest.approx(times, abs=1e-6)


def test_stairs_and_ramps_stand_on_the_floor_and_are_closed_above_it():
    solid = profile(-1.0, 1.0, courses.stairs_line())
    z0, z1 = courses.stairs_line()[-1][0], courses.stairs_line()[0][0]
    bottom = floor(-1.0, z0, 1.0, z1)[:, ::-1]
    closed = np.concatenate([solid, bottom])
    assert winding(closed, (0.0, 0.5, courses.RAMP)) == pytest.approx(1.0, abs=1e-6)
    assert winding(closed, (0.0, 0.5, courses.STAIRS_FOOT + 0.1)) == pytest.approx(0.0, abs=1e-6)
    assert solid[..., 1].max() == pytest.approx(1.8)


def test_terrain_has_about_the_requested_triangles_and_faces_up():
    triangles = courses.terrain(10_000)
    assert abs(len(triangles) - 10_000) < 200
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    slope = np.degrees(np.arccos(normal[:, 1] / np.linalg.norm(normal, axis=1)))
    assert 28.0 < slope.max() < 33.0


COURSES = {"playground": lambda: playground_course(1), "terrain": lambda: terrain_course(10_000, 2000)}


@pytest.mark.parametrize("name", [pytest.param("playground", marks=pytest.mark.full), "terrain"])
def test_legs_start_clear_of_the_course_and_above_it(name):
    course = COURSES[name]()
    ground = Ground(course.triangles)
    for leg in course.legs:
        for kind in ("ellipsoid", "capsule"):
            feet = np.array([leg.start])
            assert ground.gaps(Body(kind), feet)[0] > 0.005, leg.name
            under = ground.profile(Body(kind), feet)
            assert 0.0 < feet[0, 1] - under[0] < 0.2, leg.name


@pytest.mark.full
def test_courses_are_reproducible_and_long_enough():
    first, again = playground_course(), playground_course()
    assert first.ticks >= courses.TICKS
    for a, b in zip(first.legs, again.legs, strict=True):
        assert a.start == b.start
        assert np.array_equal(a.velocity, b.velocity)
    assert terrain_course(10_000).ticks == courses.TICKS


@pytest.mark.full
def test_stairs_are_ideally_75_ticks():
    legs = {leg.name: leg for leg in courses.playground_legs(0)}
    assert legs["stairs up"].ideal == legs["stairs down"].ideal == 75
    assert legs["corridor there"].ideal is not None
    assert legs["pillars back"].ideal is not None


def test_frictionless_slides_along_a_wall_at_the_cosine():
    leg = courses.leg("rub", (0.0, 0.0, 0.0), [(-30.0, 200)], (0.0, -5.0, 0.0, -1.0), settle=0)
    wall = np.array([[[0.35, 1.0], [0.35, -9.0]]])
    ticks = 5.0 / (4.0 * math.cos(math.radians(30))) * 60
    assert courses.frictionless_ticks(leg, wall, 0.35) == math.ceil(ticks)


def test_the_file_for_the_peers(tmp_path):
    course = terrain_course(2000, 500)
    data = course.write(tmp_path).read_bytes()
    count, legs = np.frombuffer(data[:8], "<i4")
    assert (count, legs) == (len(course.triangles), 1)
    corners = np.frombuffer(data[8 : 8 + 36 * count], "<f4")
    assert np.array_equal(corners.reshape(-1, 3, 3), course.triangles.astype(np.float32))
    rest = data[8 + 36 * count :]
    assert np.frombuffer(rest[:4], "<i4")[0] == 500
    assert np.array_equal(np.frombuffer(rest[28:], "<f8").reshape(-1, 2), course.legs[0].velocity)


# --- measures


@pytest.mark.parametrize("kind", ["capsule", "ellipsoid"])
def test_gaps_to_floor_wall_and_ceiling(kind):
    body = Body(kind)
    ground = floor(-5.0, -5.0, 5.0, 5.0, tile=1.0)
    feet = np.array([[0.1, 0.25, 0.2], [0.1, -0.05, 0.2]])
    assert smallest_gaps(body, feet, ground) == pytest.approx([0.25, -0.05])
    post = block(0.4, -1.0, 1.0, 1.0, -2.0, 5.0)
    assert smallest_gaps(body, np.array([[0.0, 0.0, 0.0]]), post) == pytest.approx([0.05])
    assert smallest_gaps(body, np.array([[0.0, 0.0, 0.0]]), floor(-5, -5, 5, 5, 1.9)) == pytest.approx([0.1])


@pytest.mark.parametrize("kind", ["capsule", "ellipsoid"])
def test_gaps_against_points_of_the_surfaces(kind):
    """The gap to random triangles is the minimum over many points of them, within their spacing."""
    random = np.random.default_rng(7)
    steps = np.linspace(0.0, 1.0, 160)
    u, v = (each.ravel() for each in np.meshgrid(steps, steps))
    u, v = u[u + v <= 1.0], v[u + v <= 1.0]
    body = Body(kind)
    for _ in range(25):
        triangle = random.uniform(-1.0, 1.0, (1, 3, 3)) + np.array([0.5, 0.9, 0.0])
        points = (
            triangle[0, 0] + np.outer(u, triangle[0, 1] - triangle[0, 0]) + np.outer(v, triangle[0, 2] - triangle[0, 0])
        )
        if kind == "capsule":
            near = points - np.column_stack([0 * u, np.clip(points[:, 1], 0.35, 1.45), 0 * u])
            expected = np.linalg.norm(near, axis=1).min() - 0.35
            assert smallest_gaps(body, np.zeros((1, 3)), triangle)[0] == pytest.approx(expected, abs=0.02)
        else:
            inside = (np.linalg.norm((points - [0.0, 0.9, 0.0]) / [0.35, 0.9, 0.35], axis=1) < 1.0).any()
            assert (smallest_gaps(body, np.zeros((1, 3)), triangle)[0] < 0.0) == inside


def test_the_contact_profile_of_a_step():
    """In front of a step the body rests on the edge: the height follows the circle (or the ellipse)."""
    step = np.concatenate([floor(-3, -3, 3, 3), block(-3, -3, 3, 0, 0, 0.18)])
    away = np.array([0.05, 0.1, 0.15, 0.3])
    feet = np.column_stack([0 * away, 0 * away + 0.1, away])
    for kind, tall in (("capsule", 0.35), ("ellipsoid", 0.9)):
        rest = 0.18 - tall * (1.0 - np.sqrt(1.0 - (away / 0.35) ** 2))
        assert Ground(step).profile(Body(kind), feet) == pytest.approx(np.maximum(rest, 0.0), abs=1e-5)


def test_the_metrics_of_a_leg_find_arrival_stuck_ticks_and_smallest_speed():
    leg = straight()
    feet = walked(leg)
    assert arrival(leg, feet) == 30
    assert stuck_ticks(leg, feet) == 0
    assert smallest_speed_fraction(leg, feet, 0) == pytest.approx(1.0)
    feet[10:20] = feet[9]
    feet[20:, 2] += 10 * 4.0 / 60
    assert arrival(leg, feet) == 40
    assert stuck_ticks(leg, feet) == 10
    feet[5:] = feet[4]
    assert arrival(leg, feet) is None


def test_judging_a_walk_over_a_floor():
    leg = straight(ticks=40)
    course = courses.Course("floor", floor(-2.0, -4.0, 2.0, 2.0), (leg,))
    feet = walked(leg)
    feet[:, 1] = 0.01
    found = measure_playground(course, [(feet, np.ones(len(feet), bool))], "capsule")
    assert found["deepest penetration, mm"] == 0
    assert found["gap kept above a floor, mm"] == pytest.approx(10.0)
    assert found["walk, ticks (30)"] == 30
    assert found["stuck ticks"] == 0
    feet[7, 1] = -0.03
    assert measure_playground(course, [(feet, np.ones(len(feet), bool))], "capsule")[
        "deepest penetration, mm"
    ] == pytest.approx(30)
    feet[9:, 1] = -30.0
    assert measure_playground(course, [(feet, np.ones(len(feet), bool))], "capsule")["left the course"] == 1


# --- tables


def made_up() -> dict:
    def row(mean: float, **more: float) -> dict:
        base = {"low": mean, "high": 2 * mean, "least": mean, "rounds": 3, "median": mean, "p99": 4 * mean}
        return {"mean": mean, **base, "ready": mean / 4, "memory": 150.0, "own": 100.0, "legs": {"flat": mean}, **more}

    rows = {"ours": row(2.0), "physx": row(4.0), "jolt-enhanced": row(10.0), "octree": {"failed": "no answer in 30 s"}}
    names = {"ours": "ours", "physx": "PhysX", "jolt-enhanced": "Jolt, enhanced edges", "octree": "three Octree"}
    about = {key: {"name": name, "version": "1.2.3", "settings": ["as told"]} for key, name in names.items()}
    terrain = {key: dict(each) for key, each in rows.items()}
    return {
        "date": "2030-01-02 03:04 UTC",
        "machine": "a machine",
        "quick": False,
        "left_out": {"Rapier": "not installed"},
        "peers": about,
        "courses": {
            "playground": {"triangles": 6500, "ticks": 20000, "rows": rows},
            "10000": {"triangles": 10082, "ticks": 20000, "rows": terrain},
            "1000000": {"triangles": 999698, "ticks": 20000, "rows": {**terrain, "ours": row(3.5)}},
        },
        "quality": {"ours": {"stuck ticks": 0, "slowest": 1.0}, "physx": {"stuck ticks": 3, "slowest": None}},
        "calls": {"step": 9.0, "step_rounds": [9.0], "crowd": 2.0, "crowd_rounds": [2.0], "crowd_size": 1000},
    }


def test_targets_of_made_up_figures():
    by_name = {target.name: target for target in table.targets(made_up())}
    assert len(by_name) == 7
    assert by_name["`run`, a tick: PhysX's"].ratio == 0.5
    assert by_name["`run`, 99th percentile: PhysX's"].met
    assert by_name["`step` from Python: enhanced Jolt's tick"].ratio == pytest.approx(0.9)
    assert not by_name["`Crowd.step`, a walker: enhanced Jolt's tick"].met
    assert by_name["ready at 10^6 triangles: PhysX's"].ratio == pytest.approx(0.875)
    assert by_name["memory of 10^6 triangles: 200 bytes each"].ours == 100.0
    assert not by_name["a tick at 10^6 triangles: at 10^4"].met


def test_report_of_made_up_figures():
    text = table.report(made_up())
    for wanted in ("MISSED", "PhysX 1.2.3", "Rapier", "no answer in 30 s", "6500 triangles", "stuck ticks"):
        assert wanted in text
    for block_ in text.split("\n\n"):
        lines = block_.strip().splitlines()
        if lines and lines[0].startswith("|"):
            assert {line.count("|") for line in lines} == {lines[0].count("|")}
            assert len({len(line) for line in lines}) == 1


def with_native() -> dict:
    """The made-up figures with ours in three ways and a native peer, which ends the last of two legs elsewhere."""
    found = made_up()
    key = workers.NATIVE + "physx"
    found["peers"][key] = {"name": "native PhysX", "version": "5.0.0", "settings": ["as told"]}
    for course in found["courses"].values():
        ours = course["rows"]["ours"] = {**course["rows"]["ours"], "batches": {"median": 1.5, "p99": 3.0}}
        ours |= {"leg ticks": [10, 30], "leg totals": [20.0, 90.0], "ready": 0.2}
        ours["steps"] = {"mean": 6.0, "median": 5.0, "p99": 9.0, "leg totals": [80.0, 100.0]}
        ours["crowd"] = {"mean": 1.0, "median": 0.9, "p99": 1.1}
        native = {"mean": 3.0, "batches": {"median": 3.0, "p99": 30.0}, "leg totals": [40.0, 1000.0], "ready": 0.4}
        course["rows"][key] = {**course["rows"]["physx"], **native, "reached": [True, False]}
    found["courses"]["playground"]["rows"][key]["leg totals"] = [10.0, 1000.0]
    return found


def test_native_builds_are_compared_on_the_legs_that_they_walk():
    text = table.report(with_native()).partition("**Native builds**")[2].partition("**The playground**")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line]
    assert ["playground", "2 (3)", "6 (9)", "1", "3 (30)"] in rows
    assert ["playground", "1 of 2"] in rows
    assert ["ours, `run`: one call for many ticks", "0.79 (2.00)"] in rows  # 20 / 10, 20 / 40, 20 / 40
    assert ["ours, `step`: a call from Python for each tick", "3.17 (8.00)"] in rows
    assert ["ours, `Crowd.step`: a walker of a crowd", "0.40 (1.00)"] in rows
    assert ["ready, from the array of triangles", "0.50 (0.50)"] in rows
    assert "Native builds" not in table.report(made_up())


def test_batches_of_ticks_give_the_mean_and_the_median_of_the_rounds():
    legs = (straight(ticks=96), straight(ticks=56))
    course = courses.Course("two legs", floor(-2.0, -4.0, 2.0, 2.0), legs)
    ticks = np.concatenate([np.full(50, 1.0), np.full(50, 3.0), np.full(50, 5.0), np.full(10, 99.0)])
    found = measure.batches(course, [ticks, 2.0 * ticks])
    assert found["rounds"] == [3.0, 6.0]
    assert (found["mean"], found["median"]) == (4.5, 3.0)


def test_a_leg_counts_if_it_ends_within_a_metre():
    legs = (straight(ticks=36), straight(ticks=56))
    course = courses.Course("two legs", floor(-2.0, -4.0, 2.0, 2.0), legs)
    rows = np.concatenate([np.column_stack([walked(leg), np.ones(len(leg.speed))]) for leg in legs])
    other = rows.copy()
    other[20, :3] += (9.0, 0.0, 0.0)
    other[35, :3] += (0.6, 0.8, 0.0)
    other[-1, :3] += (0.6, 0.8, 0.1)
    assert measure.reaches(course, other, rows) == [True, False]


def test_where_another_is_nearer_to_perfect():
    found = made_up()
    names = ("stuck ticks", "slowest on the floor", "stairs, ticks (75)", "largest lift in a tick", "corner, ticks (9)")
    found["quality"] = {
        "ours": dict(zip(names, (0, 1.0, 76, 90.0, 9), strict=True)),
        "physx": dict(zip(names, (3, 0.5, 75, 10.0, 8), strict=True)),
        "jolt-enhanced": dict(zip(names, (0, 1.0, None, 10.0, None), strict=True)),
    }
    assert table.behind(found) == ["stairs, ticks (75): 76, PhysX 75"]
    found["quality"]["ours"]["corner, ticks (9)"] = None
    assert table.behind(found)[1:] == ["corner, ticks (9): -, PhysX 8"]


# --- peers


def test_every_peer_has_its_file_and_exact_version():
    package = json.loads((PEERS / "package.json").read_text(encoding="utf-8"))
    for peer in workers.PEERS:
        if peer.scripted:
            assert (PEERS / peer.module).is_file()
            assert package["dependencies"][peer.package][0].isdigit()
    assert not list(PEERS.glob("package-lock.json"))


def test_what_is_not_installed_is_named_and_left_out(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "panda3d", None)
    missing = {peer.key: peer.missing() for peer in workers.PEERS}
    assert missing.pop("ours") == ""
    assert all("not installed" in reason for reason in missing.values())
    said: list[str] = []
    found = measure.measure({"bullet", "physx"}, [], measure.QUICK, said.append)
    assert set(found["left_out"]) == {"PhysX", "Panda3D's Bullet"}
    assert len(said) == 2
    assert "PhysX" in table.report(found)


# --- native peers


@pytest.mark.full
@pytest.mark.parametrize("peer", workers.NATIVE_PEERS, ids=lambda peer: peer.key)
def test_a_native_build_walks_the_playground_as_ours_does(peer, tmp_path):
    if reason := peer.missing():
        pytest.skip(reason)
    run = measure.Run("playground", (workers.PEERS[0], peer), measure.QUICK, tmp_path, print)
    try:
        walks = run.walk()
        run.time()
    finally:
        run.end()
    assert run.rows[peer.key].keys() >= {"mean", "median", "p99", "batches", "ready", "own"}
    assert np.mean(run.rows[peer.key]["reached"]) >= 0.8
    judged = measure_playground(run.course, measure.split(run.course, walks[peer.key]), peer.kind)
    assert judged["left the course"] == 0
    assert judged["flat, along the tiles, ticks (300)"] == 300


def test_a_worker_that_ends_or_throws_says_so():
    peer = workers.Peer("stand-in", "stand-in", "capsule", "nothing")
    code = (
        "import sys\nprint('noise'); print('answer {\"name\": \"stand-in\"}', flush=True)\n"
        'for line in sys.stdin: print(\'answer {"error": "no such order\\\\nat line 3"}\', flush=True); break\n'
    )
    worker = workers.Worker(peer, [sys.executable, "-c", code])
    assert worker.about == {"name": "stand-in"}
    with pytest.raises(workers.Failed, match=r"^no such order$"):
        worker.ask(20.0, do="anything")
    with pytest.raises(workers.Failed, match="ended"):
        worker.ask(20.0, do="anything")
    worker.end()
