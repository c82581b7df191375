"""Camera: matrices, pick rays and the safe near distance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.render import Camera, safe_near_distance
from game.render.camera import NEAR_MARGIN, eye_clearance

BODIES = [
    ((0.35, 0.90, 0.25), 0.80),
    ((0.35, 0.90, 0.12), 0.80),
    ((0.35, 0.55, 0.25), 0.80),
    ((0.35, 0.90, 0.25), 0.95),
    ((0.50, 0.50, 0.50), 0.70),
    ((0.80, 0.40, 0.90), 0.60),
    ((0.30, 0.31, 0.30), 0.55),
]


def corner_reach(view: Camera, aspect: float) -> float:
    horizontal, vertical = view.half_fov_tangents(aspect)
    return view.near * math.sqrt(1 + horizontal**2 + vertical**2)


@pytest.fixture(scope="module")
def bases() -> np.ndarray:
    """Right, up and forward (825, 3, 3) of cameras in every direction."""
    yaws, pitches = np.linspace(0, 2 * math.pi, 33), np.linspace(-math.pi / 2, math.pi / 2, 25)
    return np.array([Camera((0, 0, 0), yaw, pitch).basis() for yaw in yaws for pitch in pitches])


@pytest.mark.parametrize(("radii", "fraction"), BODIES)
def test_the_near_rectangle_is_inside_the_body_for_every_direction(
    bases: np.ndarray, radii: tuple[float, float, float], fraction: float
) -> None:
    eye = np.array((0.0, (2 * fraction - 1) * radii[1], 0.0))
    across = np.linspace(-1, 1, 5)
    for fov in (40.0, 70.0, 90.0, 110.0):
        for aspect in (4 / 3, 16 / 9, 32 / 9):
            near = safe_near_distance(radii, fraction, fov, aspect)
            horizontal, vertical = Camera((0, 0, 0), 0.0, 0.0, fov, near).half_fov_tangents(aspect)
            x, y = (each.ravel() for each in np.meshgrid(across * horizontal, across * vertical))
            points = eye + near * (np.column_stack((x, y, np.ones_like(x))) @ bases)  # (825, 25, 3)
            assert (((points / radii) ** 2).sum(axis=-1) < 1.0).all()


@pytest.mark.full
@pytest.mark.sample(3)
@pytest.mark.parametrize(("radii", "fraction"), BODIES)
def test_eye_clearance_is_the_distance_to_the_surface(radii: tuple[float, float, float], fraction: float) -> None:
    a, b, c = radii
    v, u = np.meshgrid(np.linspace(0, math.pi, 1501), np.linspace(0, 2 * math.pi, 801))
    surface = np.stack((a * np.sin(v) * np.cos(u), b * np.cos(v), c * np.sin(v) * np.sin(u)), axis=-1)
    eye = np.array((0.0, (2 * fraction - 1) * b, 0.0))
    sampled = np.linalg.norm(surface - eye, axis=-1).min()
    room = eye_clearance(radii, fraction)
    # the grid's nearest sample is at most half a cell (max radius * step / 2) beside the nearest point
    slack = max(radii) * (math.pi / 1500) ** 2 / min(radii) + 1e-5
    assert room <= sampled + 1e-12
    assert sampled - room < slack
    near = safe_near_distance(radii, fraction, 75.0, 16 / 9)
    assert corner_reach(Camera((0, 0, 0), 0, 0, 75.0, near), 16 / 9) == pytest.approx(NEAR_MARGIN * room)


def test_an_eye_outside_the_body_is_rejected() -> None:
    for fraction in (1.0, 1.2, -0.1, math.nan):
        with pytest.raises(ValueError, match="not inside"):
            safe_near_distance((0.35, 0.9, 0.25), fraction, 75.0, 1.6)


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


def test_right_and_up_match_the_screen() -> None:
    view = Camera((0.0, 0.0, 0.0), math.pi / 2, 0.0, 90.0, 0.1)  # looks along -x: north is to the right
    clip = np.array((-10.0, 1.0, -2.0, 1.0)) @ view.view_projection_matrix(2.0)
    assert clip[0] / clip[3] == pytest.approx(2.0 / 10.0 / 2.0)
    assert clip[1] / clip[3] == pytest.approx(1.0 / 10.0)
    assert view.view_projection_matrix(2.0).dtype == np.float64


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
    clip = np.column_stack((places, np.ones(50))) @ view.view_projection_matrix(width / height)
    x, y = clip[:, 0] / clip[:, 3], clip[:, 1] / clip[:, 3]
    assert 0.5 * (x + 1.0) * width == pytest.approx(across, abs=1e-9)
    assert 0.5 * (1.0 - y) * height == pytest.approx(down, abs=1e-9)
    assert view.pixel_ray(width / 2, height / 2, width, height) == pytest.approx(view.basis()[2], abs=1e-15)
    assert view.pixel_ray(across[7], down[7], width, height).tolist() == ways[7].tolist()


def test_pixel_rays_follow_up_and_reject_empty_pictures():
    view = Camera((0, 0, 0), 0.3, 0.2, up=(1.0, 0.0, 0.0), north=(0.0, 1.0, 0.0))
    right, up, forward = view.basis()
    assert view.pixel_ray(0, 0, 2, 2) @ right < 0.0 < view.pixel_ray(0, 0, 2, 2) @ up
    assert view.pixel_ray(1, 1, 2, 2) == pytest.approx(forward)
    with pytest.raises(ValueError, match="must be above 0"):
        view.pixel_ray(0, 0, 0, 1)
