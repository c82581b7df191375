"""Camera: matrices and pick rays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.render import Camera


@pytest.mark.each_once
@pytest.mark.parametrize("yaw", [0.0, 0.5, math.pi / 2, 3.0, -2.2])
@pytest.mark.parametrize("pitch", [-math.pi / 2, -0.4, 0.0, 1.0, math.pi / 2])
def test_the_view_direction_is_the_centre_and_depth_is_near_over_distance(yaw: float, pitch: float) -> None:
    view = Camera((3.0, 1.44, -7.0), yaw, pitch, 70.0, 0.02)
    ahead = np.array((-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch)))
    for distance in (0.02, 1.0, 40.0, 500.0):
        clip = np.append(np.array(view.eye) + distance * ahead, 1.0) @ view.view_projection_matrix(1.6)
        assert clip[3] == pytest.approx(distance, rel=1e-9)
        assert clip[2] / clip[3] == pytest.approx(0.02 / distance, rel=1e-9)
        # looking straight up or down is held off the pole by MAX_PITCH: 2e-5 radians
        assert np.abs(clip[:2]).max() < 4e-5 * distance


@pytest.mark.each_once
@pytest.mark.parametrize("yaw", [0.0, 1.3, -2.8])
@pytest.mark.parametrize("pitch", [0.0, 0.9, -1.57])
def test_pixel_rays_match_the_projection(yaw, pitch):
    """A point on the ray projects back to the pixel of the ray."""
    view = Camera((3.0, 1.7, -8.0), yaw, pitch, fov_degrees=75.0)
    width, height = 1280, 720
    generator = np.random.default_rng(4)
    across, down = generator.uniform(0, width, 50), generator.uniform(0, height, 50)
    ways = view.pixel_ray(across, down, width, height)
    assert np.linalg.norm(ways, axis=1) == pytest.approx(np.ones(50), abs=1e-15)
    places = np.array(view.eye) + generator.uniform(0.1, 90.0, (50, 1)) * ways
    assert view.project(places, width / height) * (width, height) == pytest.approx(np.column_stack((across, down)))
    assert view.project_point(tuple(places[3]), width / height) == pytest.approx((across[3] / width, down[3] / height))
    behind = 2.0 * np.array(view.eye) - places
    assert np.isnan(view.project(behind, width / height)).all()
    assert view.project_point(tuple(behind[3]), width / height) is None
    assert view.pixel_ray(width / 2, height / 2, width, height) == pytest.approx(view.basis()[2], abs=1e-15)
    assert view.pixel_ray(across[7], down[7], width, height).tolist() == ways[7].tolist()


def test_pixel_rays_follow_up_and_reject_empty_pictures():
    view = Camera((0, 0, 0), 0.3, 0.2, up=(1.0, 0.0, 0.0), north=(0.0, 1.0, 0.0))
    right, up, forward = view.basis()
    assert view.pixel_ray(0, 0, 2, 2) @ right < 0.0 < view.pixel_ray(0, 0, 2, 2) @ up
    assert view.pixel_ray(1, 1, 2, 2) == pytest.approx(forward)
    with pytest.raises(ValueError, match="must be above 0"):
        view.pixel_ray(0, 0, 0, 1)
