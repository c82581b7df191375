"""Views that a camera goes to by itself: the shots of the title, and a flight to where something is seen."""

from __future__ import annotations

import itertools
import math

import pytest

from game.app.cameras import title_camera
from game.app.cameras.free import FLIGHT_SECONDS, CameraFlight, view_of
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import TriangleMesh
from game.render import Camera
from tests.support.level_builder import quad

WALL = quad((-9, -9, 1), (9, -9, 1), (9, 9, 1), (-9, 9, 1))  # 1 m behind the origin for one who looks to the north


@pytest.mark.parametrize("yaw", [0.0, 3.0, -3.0])
def test_a_flight_turns_the_short_way_and_ends_where_the_place_is_in_the_middle_of_the_picture(yaw):
    mesh = TriangleMesh(WALL)
    view = view_of(mesh, (0.0, 0.0, 0.0), 1.0, yaw)
    assert view.project_point((0.0, 0.0, 0.0), 16 / 9) == pytest.approx((0.5, 0.5))
    assert mesh.closest(view.eye).distance > 0.05
    assert mesh.raycast(view.eye, tuple(-x for x in view.eye), math.dist(view.eye, (0.0, 0.0, 0.0))) is None
    flight = CameraFlight(Camera((8.0, 2.0, 8.0), -2.5, 0.3), view)
    views = [flight.advance(FLIGHT_SECONDS / 20) for _ in range(21)]
    assert flight.is_over
    assert views[-1].eye == pytest.approx(view.eye)
    assert views[-1].basis()[2] == pytest.approx(view.basis()[2])
    assert abs(views[-1].yaw + 2.5) <= math.pi
    assert max(math.dist(a.eye, b.eye) for a, b in itertools.pairwise(views)) < 2.0, "no jump"


def test_the_title_shows_the_shots_of_a_level_one_after_another():
    level = load(SHIPPED_LEVELS / "demo.yaml")
    shots = title_camera.level_shots(level)
    for number, shot in enumerate(shots):
        begin = number * title_camera.SHOT_SECONDS
        eye, heading, pitch = shot.begin
        view = title_camera.title_view(level, begin)
        assert (*view.eye, view.yaw, view.pitch) == pytest.approx((*eye, math.radians(heading), math.radians(pitch)))
        end = title_camera.title_view(level, begin + title_camera.SHOT_SECONDS - 1e-6)
        assert (*end.eye, end.yaw) == pytest.approx((*shot.end[0], math.radians(shot.end[1])), abs=1e-4)
    assert title_camera.title_view(level, len(shots) * title_camera.SHOT_SECONDS).eye == shots[0].begin[0]
    assert title_camera.title_view(level, 3.0, still=True) == title_camera.title_view(level, 40.0, still=True)


def test_the_title_of_another_level_turns_to_both_sides_of_its_thumbnail():
    level = load(SHIPPED_LEVELS / "lifts.yaml")
    thumbnail = title_camera.thumbnail_view(level)
    period = title_camera.PAN_PERIOD
    views = [title_camera.title_view(level, seconds) for seconds in (0.25 * period, 0.75 * period)]
    assert [view.eye for view in views] == [thumbnail.eye] * 2
    left, right = (math.degrees(view.yaw - thumbnail.yaw) - title_camera.TEXT_OFFSET_DEGREES for view in views)
    assert (left, right) == pytest.approx((title_camera.PAN_DEGREES, -title_camera.PAN_DEGREES))
