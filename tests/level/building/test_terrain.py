"""Terrain: heights from numbers, formulas and images; closed, without cracks, and walkable."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.level import Finding, Level, check, load
from game.level.build.pieces import PIECES
from game.level.build.pieces.terrain import COPLANAR_CELL_TOLERANCE, read_image, resample_heights
from game.level.format.findings import InputError
from game.level.format.piece_kind import Standing

physics = pytest.importorskip("game.physics")

Built = Callable[..., Level]
ROLLING = "0.9 * noise(x / 4, z / 4) + 0.5 * sin(25 * x) * cos(20 * z)"


def terrain_of(level: Level) -> np.ndarray:
    """Triangles (N,3,3) of the terrain."""
    kinds = np.array([origin.kind == "terrain" for origin in level.origins])
    return level.triangles[kinds[level.faces.origin[level.quad_index]]]


def height_at(triangles: np.ndarray, x: float, z: float) -> float:
    """Height of the highest triangle at x, z, by barycentric coordinates."""
    first, edge, other = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    double = edge[:, 0] * other[:, 2] - edge[:, 2] * other[:, 0]
    dx, dz = x - first[:, 0], z - first[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (dx * other[:, 2] - dz * other[:, 0]) / double
        t = (edge[:, 0] * dz - edge[:, 2] * dx) / double
    inside = (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1 + 1e-9)
    return float((first[:, 1] + s * edge[:, 1] + t * other[:, 1])[inside].max())


def edges(triangles: np.ndarray) -> Counter[tuple[bytes, bytes]]:
    """Count of each directed edge, by the bytes of its ends."""
    names = [[corner.tobytes() for corner in triangle] for triangle in triangles]
    return Counter((row[k], row[(k + 1) % 3]) for row in names for k in range(3))


def test_rows_go_from_north_to_south_and_west_to_east(built: Built) -> None:
    level = built("terrain: {from: [2, 4], to: [-2, 0], y: 1, heights: [[0, 1, 2], [3, 4, 5], [6, 7, 9]]}")
    corners = {(x, z): y for x, y, z in terrain_of(level).reshape(-1, 3).tolist()}
    assert corners == {
        (-2, 0): 1, (0, 0): 2, (2, 0): 3, (-2, 2): 4, (0, 2): 5, (2, 2): 6, (-2, 4): 7, (0, 4): 8, (2, 4): 10
    }  # fmt: skip
    triangles = terrain_of(level)
    assert (np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 1] > 0).all()


def test_what_is_plane_stays_one_quad(built: Built) -> None:
    slope = built('terrain: {from: [0, 0], to: [4, 3], formula: "x / 2 + z / 5"}')
    assert len(slope.faces) - 1 == 12
    bent = built("terrain: {from: [0, 0], to: [2, 1], heights: [[0, 0, 0], [0, 0, 0.1]]}")
    assert [len(slope.faces), len(bent.faces)] == [13, 4]
    off = built(f"terrain: {{from: [0, 0], to: [1, 1], heights: [[0, 0], [0, {COPLANAR_CELL_TOLERANCE * 0.9}]]}}")
    assert len(off.faces) == 2


@pytest.mark.parametrize(
    ("heights", "fold"),
    [
        ("[[2, 0], [0.5, 2]]", ((0, 0), (1, 1))),  # a ridge from the north-west to the south-east
        ("[[0, 2], [2, 0.3]]", ((1, 0), (0, 1))),
        ("[[-1, 0.2], [0, -1]]", ((0, 0), (1, 1))),  # a valley
    ],
)
def test_a_cell_folds_along_its_ridge_or_valley(built: Built, heights: str, fold: object) -> None:
    first, second = terrain_of(built(f"terrain: {{from: [0, 0], to: [1, 1], heights: {heights}}}"))
    shared = set(map(tuple, first[:, ::2].tolist())) & set(map(tuple, second[:, ::2].tolist()))
    assert shared == {tuple(map(float, corner)) for corner in fold}  # type: ignore[attr-defined]


def test_no_cracks_within_or_between_neighbours(built: Built) -> None:
    rows = [f"terrain: {{from: [{x}, -3], to: [{x + 3.3}, 4.1], formula: '{ROLLING}', cell: 0.37}}" for x in (0, 3.3)]
    level = built(*rows)
    count = edges(terrain_of(level))
    assert max(count.values()) == 1
    lonely = [edge for edge in count if edge[::-1] not in count]
    ends = np.array([[np.frombuffer(end) for end in edge] for edge in lonely])
    rim = np.isclose(ends[..., 0], 0) | np.isclose(ends[..., 0], 6.6) | np.isclose(ends[..., 2], -3)
    rim |= np.isclose(ends[..., 2], 4.1)
    assert rim.all(), "edges without a neighbour lie on the rim, and none where the two terrains meet"
    assert len(lonely) == 2 * 9 * 2 + 2 * 20


@pytest.mark.parametrize("thickness", [0.5, 2.0])
def test_a_thick_terrain_is_a_solid(built: Built, thickness: float) -> None:
    level = built(f"terrain: {{from: [0, 0], to: [3, 2], y: 5, heights: [[0, 1], [2, 4]], thickness: {thickness}}}")
    a, b, c = np.moveaxis(terrain_of(level), 1, 0)
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
    # two triangles, folded along the diagonal of [0, 4]'s others: a prism each over half of six square metres
    assert volume == pytest.approx(3 * ((0 + 1 + 2) / 3 + (4 + 1 + 2) / 3) + 6 * thickness)


def test_numbers_can_be_drawn_finer_straight_or_round(built: Built) -> None:
    flat = resample_heights(np.array([[0.0, 1.0], [2.0, 3.0]]), 5, 3)
    assert flat == pytest.approx(np.add.outer(np.linspace(0, 2, 5), np.linspace(0, 1, 3)))
    bumps = np.array([[0.0, 1.0, 0.0, 2.0], [1.0, 3.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    for curved in (False, True):
        fine = resample_heights(bumps, 9, 13, curved)
        assert fine[::4, ::4] == pytest.approx(bumps)
    line = resample_heights(np.array([[0.0, 1.0, 2.0, 3.0]] * 2), 2, 31, True)
    assert line[0] == pytest.approx(np.linspace(0, 3, 31))
    turns = np.abs(np.diff(resample_heights(bumps, 9, 61, True)[0], 2)).max()
    assert turns < 0.2 * np.abs(np.diff(resample_heights(bumps, 9, 61)[0], 2)).max()
    level = built("terrain: {from: [0, 0], to: [6, 4], cell: 2, smooth: true, heights: [[0, 1], [2, 3]]}")
    assert len(np.unique(terrain_of(level).reshape(-1, 3)[:, [0, 2]], axis=0)) == 4 * 3


def test_cells_are_at_most_as_large_as_specified_and_fit(built: Built) -> None:
    level = built('terrain: {from: [0, 0], to: [5, 2], formula: "x*z", cell: 0.75}')
    places = np.unique(terrain_of(level).reshape(-1, 3)[:, [0, 2]], axis=0)
    assert np.unique(places[:, 0]) == pytest.approx(np.linspace(0, 5, 8))
    assert np.unique(places[:, 1]) == pytest.approx(np.linspace(0, 2, 4))


def test_terms_stand_for_their_expressions_in_the_formula_and_in_patches(built: Built) -> None:
    head = "terrain: {from: [-5, -5], to: [5, 5], "
    far, hill = "sqrt(x**2 + z**2)", "3 * noise(x / 4, z / 4)"
    named = built(
        f'{head}let: {{far: "{far}", h2: "{hill}", island: "h2 - far / 5"}}, formula: island + 0.1 * far,'
        " paint: [{surface: default, where: 3 - far}]}"
    )
    inline = built(
        f'{head}formula: "{hill} - {far} / 5 + 0.1 * {far}", paint: [{{surface: default, where: "3 - {far}"}}]}}'
    )
    assert len(named.faces) == len(inline.faces)
    assert np.allclose(named.faces.corners, inline.faces.corners, atol=1e-7)


def test_formulas_of_a_level_end_in_time(said: Callable[..., list[Finding]]) -> None:
    slow = "+".join(["noise(x, z)"] * 80)
    terms = ", ".join(f't{k}: "{slow}"' for k in range(30))
    whole = "+".join(f"t{k}" for k in range(30))
    start = time.perf_counter()
    (finding,) = said(f"terrain: {{from: [0, 0], to: [440, 440], let: {{{terms}}}, formula: {whole}}}")
    assert finding.message == "the formulas of the level take too long"
    assert time.perf_counter() - start < 2.0


def test_a_formula_counts_as_from_and_to_do_even_in_a_group(built: Built) -> None:
    level = built('group: {at: [100, 10, 0], of: [terrain: {from: [2, 0], to: [3, 1], formula: "x + 10 * z"}]}')
    corners = {(x, z): y for x, y, z in terrain_of(level).reshape(-1, 3).tolist()}
    assert corners == {(102, 0): 12, (103, 0): 13, (102, 1): 22, (103, 1): 23}


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_a_picture_of_8_or_16_bits(tmp_path: Path, kind: type) -> None:
    most = np.iinfo(kind).max
    grey = (np.add.outer(np.arange(5), 2 * np.arange(5)) / 12 * most).astype(kind)
    Image.fromarray(grey).save(tmp_path / "hills.png")
    path = tmp_path / "level.yaml"
    path.write_text(
        "format: 1\nspawn: {at: [0, 3, 0]}\npieces:\n"
        "  - terrain: {from: [0, 0], to: [4, 4], image: hills.png, height: [1, 3], cell: 0.5}\n"
    )
    assert check(path) == []
    level = load(path)
    assert tmp_path / "hills.png" in level.files
    triangles = terrain_of(level)
    for x, z in ((0, 0), (4, 0), (0, 4), (4, 4), (2.5, 1.5)):
        assert height_at(triangles, x, z) == pytest.approx(1 + 2 * (z + 2 * x) / 12, abs=2 * 2 / most + 1e-9)


def test_a_picture_is_looked_at_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can decompress to an image of any size."""
    folder = Path(__file__).parents[1] / "corpus" / "terrain"

    def never(*_: object, **__: object) -> None:
        raise AssertionError("unpacked")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", never)
    for name in ("huge", "bomb", "colour", "tiny"):
        with pytest.raises(InputError, match=r"pixels|greyscale"):
            read_image((folder / f"{name}.png").read_bytes())


def test_hostile_pictures_never_leave_a_trace() -> None:
    folder = Path(__file__).parents[1] / "corpus" / "terrain"
    data = (folder / "hills.png").read_bytes()
    generator = np.random.default_rng(8)
    outcomes = Counter()
    for _ in range(600):
        broken = bytearray(data)
        for _ in range(int(generator.integers(1, 4))):
            broken[int(generator.integers(len(broken)))] = int(generator.integers(256))
        broken = broken[: int(generator.integers(len(broken)))] if generator.random() < 0.3 else broken
        try:
            outcomes[read_image(bytes(broken)).shape] += 1
        except InputError:
            outcomes["refused"] += 1
    assert outcomes["refused"] > 300


def test_what_is_steep_is_made_of_something_else(built: Built) -> None:
    level = built(
        "terrain: {from: [0, 0], to: [3, 1], cell: 1, surface: grass, steep_surface: rock, steep: 30, "
        'side_surface: earth, thickness: 1, formula: "max(0, x - 1) * 0.55 + max(0, x - 2) * 0.1"}',
        more="surfaces: {grass: {}, rock: {}, earth: {}}\n",
    )
    names = [level.surfaces[index].name for index in level.faces.surface[1:]]
    assert names[:3] == ["grass", "grass", "rock"]  # level, 28.8 degrees, 33.0 degrees
    assert set(names[3:]) == {"earth"}


def test_only_what_looks_up_is_drawn_as_a_sheet(built: Built) -> None:
    hill = "terrain: {from: [0, 0], to: [2, 2], heights: [[0, 1], [2, 4]], thickness: 1}"
    level = built(hill, "box: {from: [5, 0, 5], to: [6, 1, 6]}")
    assert level.faces.smooth.sum() == 2


@pytest.mark.sample(1)
@pytest.mark.parametrize(("cell", "way"), [(1.0, 0.0), (0.5, 37.0), (0.5, 90.0)])
def test_one_walks_over_rolling_ground_without_a_snag(built: Built, cell: float, way: float) -> None:
    level = built(f"terrain: {{from: [-16, -16], to: [16, 16], cell: {cell}, formula: '{ROLLING}'}}")
    triangles = terrain_of(level)
    slopes = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    steepest = math.degrees(math.acos(float((slopes[:, 1] / np.linalg.norm(slopes, axis=1)).min())))
    assert 20 < steepest < 43, "rolling, and all of it to be walked"
    settings = physics.WalkerSettings()
    walker = physics.Walker(settings)
    turn = math.radians(way)
    along = np.array([-math.sin(turn), -math.cos(turn)])
    start = -12 * along
    state = walker.spawn(level.mesh, feet=(start[0], height_at(triangles, *start) + 0.1, start[1]), heading=0)
    heading = round(way / 360 * 65536)
    command = physics.Command(forward=1.0, heading=heading)
    before, slow = None, 0
    for tick in range(600):
        state, _ = walker.step(state, command, level.mesh)
        x, y, z = state.feet
        if tick > 20:
            # an ellipsoid rests beside its lowest point on a slope: by no more than its own depth says
            below = height_at(triangles, x, z)
            assert -0.02 < y - below < 0.40
            assert state.grounded
            assert before is not None
            moved = float(np.dot((x - before[0], z - before[1]), along)) * 60
            slow += moved < 0.5 * settings.walk_speed
            assert moved > 0.3 * settings.walk_speed, f"a snag at {x:.2f} {z:.2f}"
        before = x, z
        if float(np.dot((x, z), along)) > 12:
            break
    else:
        pytest.fail("it did not get across")
    assert slow <= tick // 20
    assert abs(float(np.dot((x, z), (along[1], -along[0])))) < 0.8, "pushed off its line"


SLOPE = 'terrain: {from: [-40, -40], to: [40, 40], formula: "0.3 * x - 0.2 * z + 7"}'
HEAD = "format: 1\nspawn: {at: [0, 30, 0]}\ndefine: {tower: [pillar: {at: [0, 0, 0]}, light: {at: [0, 4, 0]}]}\n"
STANDING = [kind for kind, piece in PIECES.items() if issubclass(piece, Standing)]


def placed_points(pieces: str) -> np.ndarray:
    """Corners (n,3) of all faces but the terrain's, and the lights and targets."""
    level = load(text=f"{HEAD}pieces: [{pieces}]\n")
    of_others = np.array([origin.kind != "terrain" for origin in level.origins])[level.faces.origin]
    places = [mark.at for mark in level.faces.marks if mark.kind in ("light", "target")]
    return np.concatenate([level.faces.corners[of_others].reshape(-1, 3), np.reshape(places, (-1, 3))])


@pytest.mark.parametrize("kind", [kind for kind in STANDING if kind not in ("terrain", "model", "include")])
def test_on_ground_raises_a_piece_by_the_height_of_the_terrain(kind: str) -> None:
    example = PIECES[kind].example
    plain, raised = (placed_points(f"{SLOPE}, {piece}") for piece in (example, f"{example[:-1]}, on_ground: true}}"))
    assert (plain[:, ::2] == raised[:, ::2]).all()
    copies = plain.reshape(8 if kind == "array" else 1, -1, 3)
    anchors = (copies.min(axis=1) + copies.max(axis=1))[:, ::2] / 2
    written = re.match(r"\w+: \{.*?\bat: \[([-.0-9]+), [-.0-9]+, ([-.0-9]+)\]", example)
    if written and kind != "array":
        anchors = np.array([[float(written[1]), float(written[2])]])
    heights = anchors @ [0.3, -0.2] + 7
    assert (raised - plain)[:, 1] == pytest.approx(np.repeat(heights, copies.shape[1]))


def test_on_ground_holds_in_the_axes_of_a_scaled_group() -> None:
    group = f"group: {{at: [3, 1, 2], facing: 40, scale: [1, 2, 1.5], of: [{SLOPE}, pillar: {{%s}}]}}"
    by_hand, standing = (placed_points(group % at) for at in ("at: [4, 9, 1]", "at: [4, 1, 1], on_ground: true"))
    assert standing == pytest.approx(by_hand)


def test_the_highest_terrain_counts_and_movers_and_cups_do_not() -> None:
    flat = "terrain: {from: [-9, -9], to: [9, 9], y: %s, formula: 0, cups: [{at: [0, 0], radius: 1}]}"
    carried = "terrain: {from: [-9, -9], to: [9, 9], y: 8, formula: 0}"
    mover = f"mover: {{path: [[0, 0, 0], [0, 1, 0]], of: [{carried}]}}"
    pieces = f"{flat % 1}, {flat % 3}, {mover}, pillar: {{on_ground: true, at: [%s, 0, 0]}}"
    assert placed_points(pieces % 4)[:, 1].min() == 3
    (finding,) = load(text=f"{HEAD}pieces: [{pieces % 0}]\n").findings
    assert "there is no terrain below [0, 0]" in str(finding)


def test_copies_on_ground_stand_apart_with_their_lights() -> None:
    row = "array: {count: 3, step: [5, 0, 2], on_ground: true, of: [place: {what: tower, at: [1, 0, 1]}]}"
    level = load(text=f"{HEAD}pieces: [{SLOPE}, {row}]\n")
    assert [light.at[1] for light in level.lights] == pytest.approx([4 + 7.1 + 1.1 * k for k in range(3)])


def test_too_much_terrain_below_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.level.geometry.column_grid.MAX_POINT_TESTS", 1)
    (finding,) = load(text=f"{HEAD}pieces: [{SLOPE}, pillar: {{at: [1, 0, 0], on_ground: true}}]\n").findings
    assert "too much terrain lies over [1, 0]" in str(finding)
