"""Levels built in Python: the same as from the file that they write, with findings at the calls that made them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import LevelBuilder, LevelError, check, load
from game.level.build.pieces import PIECES, Box, Floor, Group, Place, Room, Stairs, Terrain, Wall
from game.level.build.pieces.rooms import RoomDoor, RoomWindow
from game.level.build.pieces.walls import Door
from game.level.format.level_file import LevelFields, SpawnFields
from game.level.format.record_values import Pieces
from game.sim import World
from game.sim.replay.fingerprint import level_hash

HERE = Path(__file__)


def line_of(marker: str) -> int:
    """Line of this file that ends with `# marker`."""
    lines = HERE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {marker}"))


def make(**fields: Any) -> LevelBuilder:
    builder = LevelBuilder({"spawn": {"at": (0, 0, 6)}}, **fields)
    builder.add("floor", from_=(-8, -8), to=(8, 8))
    return builder


def test_a_built_level_is_that_of_its_text() -> None:
    builder = LevelBuilder(
        name="Built: in # Python\n",
        spawn={"at": np.array([0.0, 0.1 + 0.2, 6.0]), "facing": "north"},
        surfaces={"wood": {"texture": "planks", "colour": "#aa8855", "friction": np.float32(0.5)}},
        goal={"at": (0, 1.08, -4), "radius": 0.8},
        kill_height=-1e-7,
        ghosts=True,
        define={"crate": [{"box": {"from": [0, 0, 0], "to": [1, 1, 1], "surface": "wood"}}]},
    )
    assert builder.add("floor", from_=(-8, -8), to=(8, 8), surface="wood") == 0
    assert builder.add("stairs", at=(0, 0, 0), facing="north", steps=6, rise=0.18, run=0.30, width=2) == 1
    for k in range(5):
        builder.add("place", {"what": "crate"}, at=(k / 3, 0, 4))
    builder.add("terrain", from_=(10, 10), to=(20, 20), heights=np.arange(12.0).reshape(3, 4) / 7)
    crate = {"box": {"from": [0, 0, 0], "to": [1, 1, 1]}}
    builder.add("mover", at=(5, 0.1, 0), path=[[0, 0, 0], [3, 0, 0]], seconds=4, of=[crate])
    assert len(builder) == 9
    level, other = builder.build(), load(text=builder.text)
    assert level.findings == other.findings == ()
    assert level.name == "Built: in # Python\n"
    assert level.spawns[0].feet == (0.0, 0.1 + 0.2, 6.0)
    assert level.kill_height == -1e-7
    assert level.triangles.tobytes() == other.triangles.tobytes()
    assert level_hash(level) == level_hash(other)
    assert builder.check() == [] == check(text=builder.text)
    assert World(level).walker_state.feet == World(other).walker_state.feet
    assert pickle.loads(pickle.dumps(level)).name == level.name


def test_findings_name_the_call_and_the_piece() -> None:
    builder = make()
    for k in range(2):
        builder.add("box", from_=(k, 0, 0), to=(k, 0, "wide"))  # loop
    builder.add("stairs", at=(0, 0, 0), stpes=6)  # stairs
    builder.add("grup", at=(0, 0, 0))  # kind
    builder.set(sky={"palette": "midday"})  # sky
    found = {str(finding).partition(".py:")[2]: finding for finding in builder.check()}
    heads = list(found)
    loop, sky = line_of("loop"), line_of("sky")
    assert f"{loop}:9: pieces[1].box.to: `wide` is not a number" in heads
    assert f"{loop}:9: pieces[2].box.to: `wide` is not a number" in heads
    assert f"{line_of('stairs')}:5: pieces[3].stairs: there is no field `stpes`" in heads
    assert f"{line_of('kind')}:5: pieces[4].: there is no piece `grup`" not in heads
    assert f"{line_of('kind')}:5: pieces[4].pieces: there is no piece `grup`" in heads
    assert f"{sky}:5: sky.palette: `midday` is not one of day, morning, evening, overcast or night" in heads
    finding = found[f"{loop}:9: pieces[2].box.to: `wide` is not a number"]
    assert finding.excerpt.strip().startswith("builder.add(")
    assert finding.excerpt[finding.caret : finding.caret + finding.length].endswith("# loop")
    assert Path(finding.file).resolve() == HERE.resolve()
    assert found[f"{line_of('stairs')}:5: pieces[3].stairs: there is no field `stpes`"].cure == "did you mean `steps`?"


def test_pieces_by_their_classes() -> None:
    builder = LevelBuilder(
        spawn=SpawnFields(at=(0, 0, 6), facing="north"),
        surfaces={"wood": {"texture": "planks"}},
        define={"crate": [Box(from_=(0, 0, 0), to=(1, 1, 1), surface="wood")]},
    )
    other = LevelBuilder({"spawn": {"at": (0, 0, 6), "facing": "north"}}, surfaces={"wood": {"texture": "planks"}})
    other.set(define={"crate": [{"box": {"from": (0, 0, 0), "to": (1, 1, 1), "surface": "wood"}}]})
    stairs = Stairs(at=(0, 0, 0), steps=np.int64(6), rise="2 * 0.09", facing="east")
    assert (stairs.steps, stairs.rise, stairs.facing, stairs.width) == (6, 0.18, 270.0, 1.2)
    wall = Wall(from_=(-8, -8), to=(8, -8), doors=[Door(at=2)])
    crates = Group(at=(4, 0, 0), of=[Place(what="crate"), Box(from_=(2, 0, 0), to=(3, 1, 1))])
    for piece in (Floor(from_=(-8, -8), to=(8, 8), surface="wood"), stairs, wall, crates):
        builder.add(piece)
    other.add("floor", {"from": (-8, -8), "to": (8, 8)}, surface="wood")
    other.add("stairs", at=(0, 0, 0), steps=6, rise="2 * 0.09", facing="east")
    other.add("wall", {"from": (-8, -8), "to": (8, -8)}, doors=[{"at": 2}])
    other.add("group", at=(4, 0, 0), of=[{"place": {"what": "crate"}}, {"box": {"from": (2, 0, 0), "to": (3, 1, 1)}}])
    assert builder.text == other.text
    assert builder.build().triangles.tobytes() == other.build().triangles.tobytes()


def test_a_surface_that_is_not_there_is_a_finding_of_the_call() -> None:
    builder = make()
    builder.add(Box(from_=(0, 0, 0), to=(1, 1, 1), surface="wod"))  # late
    (finding, *_) = builder.check()
    assert (finding.line, finding.message) == (line_of("late"), "there is no surface `wod`")


def test_a_record_says_what_was_given_to_it() -> None:
    door = RoomDoor(wall="south", width=1.2)
    room = Room(from_=(0, 0, 0), to=(4, 3, 4), doors=[door, {"wall": "north"}], surface="brick")
    assert room.doors == (door, RoomDoor(wall="north"))
    assert (room.doors[0].width, room.collide, Room(from_=(0, 0, 0), to=(4, 3, 4)).surface) == (1.2, True, 0)
    with pytest.raises(AttributeError, match="room: surface is known when the level is built"):
        _ = room.surface
    assert repr(room) == (
        "Room(from_=(0, 0, 0), to=(4, 3, 4), doors=[RoomDoor(wall='south', width=1.2), RoomDoor(wall='north')],"
        " surface='brick')"
    )
    assert eval(repr(room)) == room


def test_a_record_does_not_change() -> None:
    stairs = Stairs(at=(0, 0, 0), steps=6)
    for change in (
        lambda: setattr(stairs, "rise", 0.3), lambda: setattr(stairs, "rize", 1), lambda: delattr(stairs, "steps"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=r"stairs: a record does not change; make another Stairs\(\.\.\.\)"):
            change()
    assert (stairs.rise, stairs.steps) == (0.18, 6)


def test_records_of_equal_values_are_equal() -> None:
    stairs = Stairs(at=(0, 0, 0), steps=6)
    assert stairs == Stairs(steps=np.int64(6), at=[0.0, 0.0, 0.0])
    assert hash(stairs) == hash(Stairs(steps=6, at=[0.0, 0.0, 0.0]))
    assert stairs not in (Stairs(at=(0, 0, 0), steps=7), Stairs(at=(0, 0, 0), steps=6, rise=0.18), "stairs")
    assert RoomDoor(wall="south") != RoomWindow(wall="south")
    ground = Terrain(from_=(0, 0), to=(3, 3), formula="x + z")
    assert ground == Terrain(from_=(0, 0), to=(3, 3), formula="x + z")
    assert ground != Terrain(from_=(0, 0), to=(3, 3), formula="x - z")
    read = [Stairs.begin(stairs.place, "stairs") for _ in range(2)]
    assert read[0] not in (read[1], stairs)


def test_findings_of_geometry_name_the_call() -> None:
    builder = make()
    builder.add("box", from_=(0, 0, 0), to=(1, 1, 1))  # first box
    builder.add("box", from_=(0, 0, 0), to=(1, 1, 1))  # second box
    (finding, *_) = builder.check()
    assert (finding.line, finding.where) == (line_of("second box"), "pieces[2].box")
    assert f"line {line_of('first box')}" in finding.message
    level = builder.build()
    label, file, line, column = level.origin(len(level.triangles) - 1)
    assert (label, Path(file).resolve(), column) == ("box", HERE.resolve(), 5)
    assert line in (line_of("first box"), line_of("second box"))


def test_pieces_of_one_call_are_told_apart() -> None:
    builder = make()
    box = {"box": {"from": [-0.5, 0, -0.5], "to": [0.5, 2, 0.5]}}
    still = {"mover": {"name": "Still", "at": [6, 0, 0], "path": [[0, 0, 0], [0, 0, 1]], "of": [box]}}
    moving = {"mover": {"name": "Moving", "at": [0, 0, -4], "path": [[0, 0, 0], [0, 0, 11]], "of": [box]}}
    builder.add("group", at=(0, 0, 0), of=[still, moving])
    texts = [str(finding) + finding.cure for finding in builder.check()]
    assert any('mover "Moving"' in text for text in texts), texts
    assert not any('mover "Still"' in text for text in texts), texts


def test_what_a_level_lacks_is_said_at_the_constructor() -> None:
    with pytest.raises(LevelError) as caught:
        LevelBuilder().build()  # empty
    findings = caught.value.findings
    assert {finding.line for finding in findings} == {line_of("empty")}
    assert {finding.message for finding in findings} == {"`pieces` is missing", "the level has no spawn"}
    assert [finding.severity for finding in LevelBuilder().check()] == ["fatal", "fatal"]


def test_a_builder_goes_on_after_a_build() -> None:
    builder = make()
    first = builder.build()
    values = [0.0, 0.0, 0.0]
    builder.add("box", {"from": values}, to=(1, 1, 1))
    values[0] = 0.5  # values are copied
    builder.set(spawn={"at": (2, 0, 2)})
    second = builder.build()
    assert len(second.triangles) > len(first.triangles)
    assert (first.spawns[0].feet, second.spawns[0].feet) == ((0, 0, 6), (2, 0, 2))
    assert second.triangles[2:, :, 0].min() == 0.0


def test_pieces_given_as_a_list() -> None:
    builder = LevelBuilder(spawn={"at": [0, 0, 0]}, pieces=[{"floor": {"from": [-1, -1], "to": [1, 1]}}, {"bux": {}}])
    assert [finding.where for finding in builder.check()] == ["pieces[1].pieces"]


def test_relative_paths_begin_at_the_base(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]\n")
    builder = make(base=tmp_path)
    builder.add("include", file=Path("part.yaml"), at=(0, 0, 0))
    level = builder.build()
    assert level.findings == ()
    assert level.path == tmp_path / "<built>"
    assert [path.name for path in level.files] == ["<built>", "part.yaml"]


DOOR = RoomDoor(wall="south")
ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
REFUSED = [  # a call, and words of its error
    (lambda: Stairs(at=(0, 0, 0)), "stairs: steps is missing: a whole number. Number of risers"),
    (lambda: Box(to=(1, 1, 1)), "box: from_ is missing: a point"),
    (lambda: Stairs(at=(0, 0, 0), to=(0, 1, 2), steps=3), "stairs: steps and to are not written together"),
    (lambda: Stairs(at=(0, 0, 0), steps=2.5), "stairs: steps: `2.5` is not a whole number"),
    (lambda: Stairs(at=(0, 0), steps=2), r"stairs: at: expected a point \[x, y, z\], found 2 values"),
    (lambda: Stairs(at=(0, 0, 0), steps=2, rise=-1), "stairs: rise: -1 m is below the minimum, 0.01 m"),
    (lambda: Stairs(at=(0, 0, 0), stpes=2), r"there is no field stpes; did you mean `steps`\?"),
    (lambda: RoomDoor(wall="nort"), "door: wall: `nort` is not one of"),
    (lambda: Box(from_=None, to=(1, 1, 1)), "box: from must be text, a number, a list"),
    (
        lambda: Room(from_=(0, 0, 0), to=(4, 3, 4), doors=[RoomWindow(wall="south", width=1.2)]),
        r"room: doors\[0\]: expected RoomDoor\(...\), not RoomWindow\(wall='south', width=1.2\)",
    ),
    (lambda: Group(at=(0, 0, 0), of=[DOOR]), r"group: of\[0\]: expected a piece, not RoomDoor\(wall='south'\)"),
    (
        lambda: make().add("room", {"from": (0, 0, 0)}, to=(4, 3, 4), doors=[RoomWindow(wall="south")]),
        r"room: doors\[0\]: expected RoomDoor\(...\), not RoomWindow",
    ),
    (lambda: make().add(DOOR), r"expected a piece, such as Stairs\(.*\), or its kind, not RoomDoor"),
    (lambda: make().add(Stairs), r"expected a piece, such as Stairs\(.*\), or its kind, not <class"),
    (lambda: make().add(Stairs.begin(DOOR.place, "stairs")), "<stairs in line 0> was read from a file"),
    (lambda: make().add(Box(from_=(0, 0, 0), to=(1, 1, 1)), surface="wood"), "box: give its fields to the piece"),
    (lambda: make().add("box", {"from": (0, 0, 0)}, from_=(1, 1, 1)), "the field from is given twice"),
    (lambda: make().add(3), "or its kind, not 3"),
    (lambda: make().add("box", [1]), "expected a dictionary of fields, not"),
    (lambda: LevelBuilder(base=3), "base must be the path"),
    (lambda: LevelBuilder(pieces=["floor"]), r"pieces: expected a list of \{kind: \{field: value\}\}"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_wrong_calls_are_refused_in_words(call: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "box: to must be text, a number, a list or a dictionary, not None; leave the field out"),
        (b"bytes", "box: to must be text"),
        ({1, 2}, "use a list"),
        (iter([1]), "use a list"),
        (1j, "box: to must be text"),
        ((0, object()), r"box: to\[1\] must be text"),
        ({"a": None}, "box: to.a must be text"),
        ({3: 4}, "the name of a field must be text, not 3"),
        ("\ud800", "surrogate pair"),
        (ENDLESS, "lists inside each other"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isascii() else "",
)
def test_wrong_values_are_refused_at_once_and_leave_the_level_as_it_was(value: Any, words: str) -> None:
    builder = make()
    with pytest.raises(ValueError, match=words):
        builder.add("box", from_=(0, 0, 0), to=value)
    assert len(builder) == 1
    assert builder.check() == []


@pytest.mark.parametrize(
    "text",
    ["a: b", "# no comment", "- x", "[a]", "yes", "1e3", " x ", "é\U0001f600\n", "\\n", "'", '"', "&a", "%", "~"],
)
def test_every_text_is_kept(text: str) -> None:
    assert make(name=text).build().name == text


def test_numbers_are_kept_to_the_last_bit() -> None:
    random = np.random.default_rng(3)
    points = random.normal(size=(40, 3)) * 10.0 ** random.integers(-6, 4, (40, 3))
    builder = make(spawns=[{"at": point, "name": f"s{k}"} for k, point in enumerate(points)])
    spawns = [spawn.feet for spawn in builder.build().spawns[1:]]
    assert np.array(spawns).tobytes() == points.tobytes()


@pytest.mark.full
def test_every_field_of_the_schema_is_accepted() -> None:
    """No list of pieces or fields stands in the builder: unknown names are the reader's to refuse."""
    for kind, piece in PIECES.items():
        builder = make()
        builder.add(kind, dict.fromkeys(piece.fields, "?"))
        messages = " ".join(finding.message for finding in builder.check())
        assert "there is no field" not in messages, kind
        assert "there is no piece" not in messages, kind
    assert any(isinstance(field, Pieces) for field in LevelFields.fields.values())


def test_a_call_without_a_source_file() -> None:
    scope: dict[str, Any] = {"LevelBuilder": LevelBuilder}
    exec("found = LevelBuilder(spwan=1).check()", scope)
    assert str(scope["found"][0]).startswith("<string>:1:1: ")
