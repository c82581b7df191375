"""Each piece is a closed solid of the right size with outward faces."""

# ruff: noqa: E501 (one line a piece)
from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.level import Level
from game.level.build.pieces import PIECES
from game.level.geometry.faces import unit_normals
from game.level.geometry.quads import find_quad_fault

SLOW = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
SIZES = st.floats(0.05, 6).map(lambda value: round(value, 3))

# Each with its volume in cubic metres.
SOLIDS = {
    "box: {from: [2, 0, 2], to: [3, 0.5, 4]}": 1.0,
    "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30, tile: 0.3}": 1.0,
    "floor: {from: [0, 0], to: [5, 3], thickness: 0.2, tile: 1}": 3.0,
    "floor: {from: [0, 0], to: [5, 3], thickness: 0.2, holes: [{from: [1, 1], to: [2, 2]}]}": 2.8,
    "wall: {from: [0, 0], to: [6, 0]}": 3.6,
    "wall: {from: [0, 0], to: [3, 4], doors: [{at: 2}], windows: [{at: 4, width: 1}]}": 0.2 * (15 - 2.1 - 1.2),
    "wall: {from: [0, 0], to: [3, 4], doors: [{height: 3}], tile: 0.7}": 0.2 * (15 - 3),
    "room: {from: [8, 0, -8], to: [16, 3, 0], floor: false}": 8.4 * 8.4 * 3.2 - 8 * 8 * 3,
    "room: {from: [0, 0, 0], to: [4, 3, 5], floor: false, ceiling: false}": 3 * (4.4 * 5.4 - 20),
    "room: {from: [0, 0, 0], to: [4, 3, 5], floor: false, doors: [{wall: west}, {wall: south, at: 1}],"
    " windows: [{wall: north}, {wall: east, at: 3}]}": 4.4 * 5.4 * 3.2 - 60 - 0.2 * (2 * 2.1 + 2 * 1.44),
    "room: {from: [0, 0, 0], to: [4, 3, 5], floor: false, holes: [{from: [1, 1], to: [2, 3]}]}": 4.4 * 5.4 * 3.2 - 60.4,
    "room: {from: [0, 0, 0], to: [4, 3, 5], floor_thickness: 0.3, ceiling_thickness: 0.1, doors: [{wall: west}],"
    " holes: [{from: [1, 1], to: [2, 3]}], floor_holes: [{from: [3, 0], to: [4, 2]}]}": 4.4 * 5.4 * 3.4
    - (60 + 0.2 + 0.6 + 0.2 * 2.1),
    "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}": 55 * 0.18 * 0.3 * 2,
    "stairs: {at: [4, 0, 2], steps: 1, rise: 0.18, run: 0.30, width: 2}": 0.18 * 0.3 * 2,
    "stairs: {at: [4, 0, 2], facing: 17, steps: 5, rise: 0.2, run: 0.3, width: 1, open: true}": 5 * 0.06 * 0.3,
    "stairs: {at: [4, 1, 2], to: [7, 2.8, 6], width: 2}": 55 * 0.18 * 0.5 * 2,
    "ramp: {at: [-6, 0, 0], facing: 200, length: 4, rise: 2, width: 2}": 8.0,
    "ramp: {at: [-6, 0, 0], to: [-9, 2, -4], width: 2}": 10.0,
    "ramp: {at: [-6, 0, 0], length: 4, rise: 2, width: 2, open: true}": 0.8,
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}": 3 * 8 * 0.16 * np.sin(np.pi / 8),
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 3}": 3 * 1.5 * 0.16 * np.sin(2 * np.pi / 3),
    "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2, segments: 32}": 0.4
    * (14 - 3.2 - 0.64 * 16 * np.sin(np.pi / 32)),
    "group: {at: [5, 1, 0], facing: west, of: [ramp: {at: [1, 0, 0], length: 1, rise: 1, width: 1}]}": 0.5,
    "array: {count: 7, turn: 40, step: [0, 1, 0], of: [box: {from: [2, 0, 2], to: [3, 0.5, 4]}]}": 7.0,
}


def drawn_of(level: Level) -> np.ndarray:
    """Visible triangles without the floor that every test level stands on."""
    return level.drawn[2:]


def volume(triangles: np.ndarray) -> float:
    """Signed volume by the divergence theorem; positive if the faces point outwards."""
    middle = triangles.reshape(-1, 3).mean(axis=0)
    a, b, c = (triangles - middle).transpose(1, 0, 2)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def unpaired(triangles: np.ndarray) -> int:
    """Number of directed edges without their reverse: 0 for closed solids without T-junctions."""
    _, ids = np.unique(np.round(triangles.reshape(-1, 3), 6), axis=0, return_inverse=True)
    ids = ids.reshape(-1, 3).astype(np.int64)
    edges = np.stack([ids, np.roll(ids, -1, axis=1)], axis=-1).reshape(-1, 2)
    there = Counter((edges[:, 0] << 32 | edges[:, 1]).tolist())
    back = Counter((edges[:, 1] << 32 | edges[:, 0]).tolist())
    return sum((there - back).values())


@pytest.mark.parametrize("piece", SOLIDS)
def test_a_solid_is_closed_and_has_its_volume(built: Callable[..., Level], piece: str) -> None:
    triangles = drawn_of(built(piece))
    assert unpaired(triangles) == 0
    assert volume(triangles) == pytest.approx(SOLIDS[piece], rel=1e-9)


@pytest.mark.parametrize("turn", [24, -24])
@pytest.mark.parametrize("thickness", [0.1, 0.18, 0.2, 0.5])
def test_spiral_treads_are_where_they_should_be(built: Callable[..., Level], turn: int, thickness: float) -> None:
    level = built(
        f"spiral_stairs: {{at: [3, 1, 2], facing: east, steps: 20, rise: 0.18, turn: {turn}, thickness: {thickness}}}"
    )
    faces = level.faces.select(level.faces.origin == 1)
    normals = unit_normals(faces.corners)
    quads = ~faces.is_triangle
    treads = faces.corners[quads & (normals[:, 1] > 0.99)]
    assert sorted(set(np.round(treads[:, 0, 1], 9))) == pytest.approx([1 + 0.18 * (k + 1) for k in range(20)])
    assert np.ptp(treads[:, :, 1], axis=1).max() < 1e-12
    first = treads[np.argmin(treads[:, 0, 1])]
    begins = first[np.argmin(np.abs(first[:, 2] - 2))]  # facing east: the first edge lies along +X
    assert begins[0] > 3
    outer = np.linalg.norm(first[:, ::2] - [3, 2], axis=1).max()
    assert outer == pytest.approx(1.6)
    winds = first[:, 2].mean() - 2  # counter-clockwise from east goes north, to -Z
    assert np.sign(winds) == -np.sign(turn)
    undersides = faces.corners[quads & (normals[:, 1] < -0.99)]
    assert len(undersides) == 20


@pytest.mark.parametrize("turn", [24, -30])
@pytest.mark.parametrize("thickness", [0.1, 0.2, 0.5])
def test_spiral_faces_look_outwards(built: Callable[..., Level], turn: int, thickness: float) -> None:
    level = built(f"spiral_stairs: {{at: [0, 0, 0], steps: 10, turn: {turn}, thickness: {thickness}}}")
    faces = level.faces.select(level.faces.origin == 1)
    normals, middles = unit_normals(faces.corners), faces.corners.mean(axis=1)
    upright = np.abs(normals[:, 1]) < 1e-9
    rim = np.linalg.norm(middles[:, ::2], axis=1)
    radial = np.einsum("md,md->m", normals[:, ::2], middles[:, ::2]) / rim
    assert (radial[upright & (rim > 1.5)] > 0.9).sum() == 10  # the treads' outer ends
    assert (radial[upright & (np.abs(radial) > 0.9) & (rim < 0.3)] > 0).all()  # the column
    along = np.cross([0.0, 1.0, 0.0], middles)[:, ::2] * np.sign(turn)
    ahead = np.einsum("md,md->m", normals[:, ::2], along)[upright & (np.abs(radial) < 0.1) & (rim < 1.5)]
    assert (ahead < 0).sum() == 10, "one riser a step, each looking back down the stairs"
    assert (ahead > 0).sum() == (9 if thickness == 0.5 else 10), "thick treads: the first end is behind the second"


@pytest.mark.parametrize("turn", [24, -30])
def test_a_spiral_rail_is_closed_and_outside_the_treads(built: Callable[..., Level], turn: int) -> None:
    text = f"spiral_stairs: {{at: [0, 0, 0], steps: 10, rise: 0.18, turn: {turn}, rail: "
    bare, railed = (drawn_of(built(text + f"{rail}}}")) for rail in (0.0, 0.9))

    def rows(triangles: np.ndarray) -> set[bytes]:
        return {triangle.tobytes() for triangle in triangles}

    rail = np.array([triangle for triangle in railed if triangle.tobytes() not in rows(bare)])
    assert len(railed) == len(bare) + len(rail)
    assert unpaired(rail) == 0
    radii = np.linalg.norm(rail[:, :, ::2], axis=-1)
    assert radii.min() == pytest.approx(1.6)
    turns = np.radians(abs(turn))
    middle = 1.6 * np.cos(turns / 2)
    assert volume(rail) == pytest.approx(0.05 * 2 * middle * np.tan(turns / 2) * (0.9 + 0.18 + 0.2) * 10, rel=0.08)


def test_thick_spiral_treads_show_each_part_of_their_ends_once(built: Callable[..., Level]) -> None:
    level = built("spiral_stairs: {at: [0, 0, 0], steps: 10, rise: 0.18, thickness: 0.5}")
    faces = level.faces.select((level.faces.origin == 1) & ~level.faces.is_triangle)
    middles, normals = faces.corners.mean(axis=1), unit_normals(faces.corners)
    radial = np.einsum("md,md->m", normals[:, ::2], middles[:, ::2]) / np.linalg.norm(middles[:, ::2], axis=1)
    ends = (np.abs(normals[:, 1]) < 1e-9) & (np.abs(radial) < 0.1)
    tall = np.ptp(faces.corners[ends][:, :, 1], axis=1)
    assert tall.max() == pytest.approx(0.5)  # the last one's back, which shows wholly
    assert np.sort(tall)[:-1].max() <= 0.18 + 1e-9


@pytest.mark.parametrize(
    ("points", "length", "posts"),
    [
        ("[[0, 0, 0], [0, 0, -4], [3, 0, -4]]", 7.0, 6),
        ("[[0, 0, 0], [0, 2, -4], [3, 2, -4]]", 7.0, 6),
        ("[[0, 1, 0], [4, 1, 0], [4, 1, 4], [0, 1, 4], [0, 1, 0]]", 16.0, 12),
    ],
)
def test_a_rail_collides_as_a_wall_and_shows_posts_and_bars(
    built: Callable[..., Level], points: str, length: float, posts: int
) -> None:
    level = built(f"rail: {{points: {points}, height: 0.9}}")
    wall, shown = level.triangles[2:], drawn_of(level)
    assert unpaired(wall) == unpaired(shown) == 0
    assert volume(wall) == pytest.approx(0.06 * 0.9 * length, rel=1e-6)
    bars = (0.06 * 0.04 + 2 * 0.03**2) * length
    assert volume(shown) == pytest.approx(bars + posts * 0.04**2 * 0.88, rel=1e-6)
    assert shown.reshape(-1, 3).max(axis=0)[1] == pytest.approx(wall.reshape(-1, 3).max(axis=0)[1])
    assert {origin.label for origin in level.origins} == {"floor", "rail"}


def test_a_room_wears_its_surfaces(built: Callable[..., Level]) -> None:
    parts = ("floor", "wall", "ceiling", "roof")
    level = built(
        "room: {from: [0, 0, 0], to: [4, 3, 4], doors: [{wall: east}], surface: outside, "
        + ", ".join(f"{part}_surface: {part}" for part in parts) + "}",
        more=f"surfaces: {{{', '.join(f'{name}: {{}}' for name in ('outside', *parts))}}}\n",
    )  # fmt: skip
    normals, middles = unit_normals(level.faces.corners), level.faces.corners.mean(axis=1)
    worn = np.array([surface.name for surface in level.surfaces])[level.faces.surface]
    level_at = {name: set(np.round(middles[worn == name, 1], 6)) for name in ("floor", "ceiling", "roof")}
    assert level_at == {"floor": {0.0}, "ceiling": {3.0}, "roof": {3.2}}
    assert (normals[worn == "ceiling", 1] == -1).all()
    assert (normals[worn == "floor", 1] == 1).all()
    inner = worn == "wall"
    assert (normals[inner, 1] == 0).all()
    towards = np.einsum("md,md->m", normals[inner], np.array([2, 1.5, 2]) - middles[inner])
    assert (towards > 0).all(), "inner walls look at the middle of the room"
    assert {"outside"} == set(worn[(middles[:, 0] < -0.1) & (middles[:, 1] < 3.1)])


def test_stairs_are_measured_from_the_middle_of_the_foot(built: Callable[..., Level]) -> None:
    level = built("stairs: {at: [4, 1, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}")
    corners = drawn_of(level).reshape(-1, 3)
    assert corners.min(axis=0) == pytest.approx([4, 1, 1])
    assert corners.max(axis=0) == pytest.approx([7, 2.8, 3])
    treads = unit_normals(level.faces.corners)[:, 1] > 0.99
    heights = level.faces.corners[treads & (level.faces.origin == 1)][:, :, 1].mean(axis=1)
    assert sorted(heights) == pytest.approx([1 + 0.18 * (k + 1) for k in range(10)])


@pytest.mark.parametrize("to", [(7, 2.8, 2), (4, 2.75, -3), (1, 1.05, 6)])
def test_a_flight_ends_where_it_says_with_steps_as_low_as_asked(
    built: Callable[..., Level], to: tuple[float, float, float]
) -> None:
    end = f"at: [4, 1, 2], to: {list(to)}, width: 2"
    for piece in (f"stairs: {{{end}}}", f"stairs: {{{end}, rise: 0.1, open: true}}", f"ramp: {{{end}}}"):
        corners = drawn_of(built(piece)).reshape(-1, 3)
        head = corners[corners[:, 1] > to[1] - 1e-9]
        reach = (head - [4, 1, 2])[:, ::2] @ (np.array(to) - [4, 1, 2])[::2]
        edge = head[reach > reach.max() - 1e-9]
        assert (edge.min(axis=0) + edge.max(axis=0)) / 2 == pytest.approx(to)
        if "stairs" in piece:
            treads = np.unique(np.round(corners[:, 1], 9)) if "open" not in piece else []
            assert all(np.diff(treads) < 0.18 + 1e-9)
            assert len(treads) in (0, round((to[1] - 1) / 0.18 + 0.499) + 1)


@pytest.mark.parametrize(("facing", "towards"), [("north", (0, -1)), ("west", (-1, 0)), (270, (1, 0)), (180, (0, 1))])
def test_a_ramp_climbs_where_it_faces(built: Callable[..., Level], facing: str, towards: tuple[int, int]) -> None:
    corners = drawn_of(built(f"ramp: {{at: [0, 0, 0], facing: {facing}, length: 4, rise: 2}}")).reshape(-1, 3)
    top = corners[corners[:, 1] == 2.0].mean(axis=0)
    assert (top[0], top[2]) == (4 * towards[0], 4 * towards[1]), "exact at quarter turns"


def test_a_door_leads_through_the_wall_where_it_says(built: Callable[..., Level]) -> None:
    level = built("room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 3, width: 1.2, height: 2.1}]}")
    jambs = [
        q for q in level.faces.corners[1:] if np.ptp(q[:, 2]) == 0 and q[:, 0].max() <= 8 and q[:, 1].max() <= 2.1001
    ]
    assert sorted({float(q[0, 2]) for q in jambs}) == pytest.approx([-8.2, -5.6, -4.4, 0.2])


def test_feet_are_left_out_on_a_floor_and_kept_in_the_air(built: Callable[..., Level]) -> None:
    box = "box: {{from: [2, {y}, 2], to: [3, {top}, 4]}}"
    floor = "floor: {from: [0, 0], to: [9, 9], tile: 2}"
    assert len(built(floor, box.format(y=0, top=1)).faces) == 1 + 25 + 5
    assert len(built(floor, box.format(y=0.5, top=1)).faces) == 1 + 25 + 6
    outside = "box: {from: [-1, 0, 2], to: [3, 1, 4]}"
    assert len(built(floor, outside).faces) == 1 + 25 + 6, "half of it hangs over the rim"
    ghost = "floor: {from: [0, 0], to: [9, 9], tile: 2, collide: false}"
    assert len(built(ghost, box.format(y=0, top=1)).faces) == 1 + 25 + 6, "one cannot stand on a picture of a floor"


def test_a_room_on_the_ground_has_no_second_floor(built: Callable[..., Level]) -> None:
    room = "room: {from: [2, 0, 2], to: [6, 3, 6], doors: [{wall: south}]}"
    alone, standing = built(room), built("floor: {from: [0, 0], to: [9, 9]}", room)
    level_faces = [
        sum(1 for quad in level.faces.corners[1:] if np.ptp(quad[:, 1]) == 0 and quad[0, 1] == 0)
        for level in (alone, standing)
    ]
    assert level_faces[0] > 1
    assert level_faces[1] == 1


def test_signs_look_where_they_face_and_fit_their_words(built: Callable[..., Level]) -> None:
    level = built(
        'group: {at: [10, 0, 0], facing: west, of: [sign: {text: "Up\\nand away", at: [0, 1.6, 2], facing: south}]}'
    )
    (sign,) = level.signs
    assert sign.text == "Up\nand away"
    assert sign.at == pytest.approx((12, 1.6, 0))
    assert sign.heading == 49152  # south turned west is east
    assert sign.width > 8 * 0.06
    board = drawn_of(level)
    assert len(level.triangles) == 2, "a sign stops nobody"
    assert board.reshape(-1, 3)[:, 0].max() == pytest.approx(12), "the board lies behind the written face"
    assert board.reshape(-1, 3)[:, 0].min() == pytest.approx(11.97)
    across = np.ptp(board.reshape(-1, 3)[:, 2])
    assert across == pytest.approx(sign.width)


def test_array_copies_step_and_turn(built: Callable[..., Level]) -> None:
    level = built(
        "array: {count: 4, step: [0, 1, 0], turn: 90, around: [10, 0, 0], of: [box: {from: [11, 0, 1], to: [12, 1, 2]}]}"
    )
    middles = level.faces.corners[1:].reshape(4, 6, 4, 3).mean(axis=(1, 2))
    assert middles == pytest.approx(np.array([[11.5, 0.5, 1.5], [11.5, 1.5, -1.5], [8.5, 2.5, -1.5], [8.5, 3.5, 1.5]]))


@SLOW
@given(width=SIZES, depth=SIZES, height=SIZES, facing=st.integers(0, 359), tile=st.sampled_from([0, 0.5, 1.7]))
def test_any_box_is_closed(
    built: Callable[..., Level], width: float, depth: float, height: float, facing: int, tile: float
) -> None:
    triangles = drawn_of(
        built(f"box: {{from: [1, 0, 1], to: [{1 + width}, {height}, {1 + depth}], facing: {facing}, tile: {tile}}}")
    )
    assert unpaired(triangles) == 0
    assert volume(triangles) == pytest.approx(width * depth * height, rel=1e-6)


@pytest.mark.full
@SLOW
@given(
    doors=st.lists(
        st.tuples(st.sampled_from(["north", "east", "south", "west"]), st.floats(0.3, 3.7), st.floats(0.1, 0.6)),
        max_size=5,
    ),
    windows=st.lists(
        st.tuples(st.sampled_from(["north", "east", "south", "west"]), st.floats(0.5, 3.5), st.floats(0.1, 0.9)),
        max_size=5,
    ),
    ceiling=st.booleans(),
)
def test_any_room_is_closed(built: Callable[..., Level], doors: list, windows: list, ceiling: bool) -> None:
    """Openings may meet, overlap and share edges."""
    text = ", ".join(f"{{wall: {wall}, at: {at:.2f}, width: {width:.2f}, height: 2.5}}" for wall, at, width in doors)
    more = ", ".join(f"{{wall: {wall}, at: {at:.2f}, width: {width:.2f}, sill: 1}}" for wall, at, width in windows)
    level = built(
        f"room: {{from: [0, 0, 0], to: [4, 3, 4], floor: false, ceiling: {str(ceiling).lower()}, doors: [{text}], windows: [{more}]}}"
    )
    assert unpaired(drawn_of(level)) == 0
    assert volume(drawn_of(level)) > 0


@pytest.mark.sample(11)
@pytest.mark.parametrize("kind", [kind for kind in PIECES if kind not in ("group", "array")])
def test_every_quad_keeps_the_rule_for_quads(built: Callable[..., Level], kind: str) -> None:
    level = built(PIECES[kind].example)
    for corners, triangular in zip(level.faces.corners, level.faces.is_triangle, strict=True):
        assert find_quad_fault(corners[:3] if triangular else corners) is None
