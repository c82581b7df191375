"""Damaged level files for fuzzing the reader: text edits, random bytes, extreme values and YAML bombs."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import io
import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

from game.drawing.canvas import encode_png
from game.level.build.pieces import PIECES
from game.level.format.level_file import MedalFields, PlayerFields, PlayFields
from game.level.format.piece_kind import INTENDED_KINDS
from game.level.format.surfaces import SurfaceFields
from tests.support.hostile_input.fuzzed_values import RECORDS, level_text, random_fields, random_piece
from tests.support.model_files import Glb, mutated


def companion_files(rng: random.Random) -> list[tuple[str, bytes]]:
    """Valid companion files of each kind."""
    obj = (
        "".join(f"v {k % 4} {k // 4 % 2} {k // 8}\n" for k in range(16))
        + "usemtl wood\nf 1 2 6 5\nf 2 3 7 6\nf 9 10 14 13\n"
    )
    brush = "".join(f"( {a} ) ( {b} ) ( {c} ) wall 0 0 0 1 1\n" for a, b, c in (
        ("0 0 0", "0 1 0", "0 0 1"), ("64 0 0", "64 0 1", "64 1 0"), ("0 0 0", "0 0 1", "1 0 0"), ("0 64 0", "1 64 0", "0 64 1"),
        ("0 0 0", "1 0 0", "0 1 0"), ("0 0 64", "0 1 64", "1 0 64"),
    ))  # fmt: skip
    size = rng.randint(2, 30), rng.randint(2, 30)
    grey = Image.frombytes("L", size, rng.randbytes(size[0] * size[1]))
    return [
        ("part.yaml", level_text([f"  - {random_piece(rng, rng.choice(RECORDS), 1)}"]).encode()),
        ("part.obj", obj.encode()),
        ("part.map", f'{{\n"classname" "worldspawn"\n{{\n{brush}}}\n}}\n{{\n"classname" "info_player_start"\n"origin" "0 0 9"\n}}\n'.encode()),
        ("part.glb", _glb()),
        ("part.gltf", rng.choice((b"{}", b'{"asset": {"version": "2.0"}, "meshes": []}', b'{"asset": 1}'))),
        ("part.png", encode_png(grey)),
        *_pictures(rng, grey),
    ]  # fmt: skip


def _pictures(rng: random.Random, grey: Image.Image) -> list[tuple[str, bytes]]:
    """Pictures of each format and mode, cut short, damaged and 40 000 pixels wide."""
    images = []
    for kind in ("JPEG", "WEBP"):
        file = io.BytesIO()
        grey.convert(rng.choice(("L", "RGB", "CMYK" if kind == "JPEG" else "RGBA"))).save(file, kind)
        images.append(file.getvalue())
    png = encode_png(grey.convert(rng.choice(("RGBA", "P", "LA", "1"))))
    wide = bytearray(png)
    wide[16:20] = (40_000).to_bytes(4, "big")
    wide[29:33] = zlib.crc32(wide[12:29]).to_bytes(4, "big")
    damaged = bytearray(rng.choice((png, *images)))
    for _ in range(rng.randint(1, 8)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    cut = png[: rng.randrange(len(png))]
    return [("part.jpg", images[0]), ("part.webp", images[1]), ("cut.png", rng.choice((cut, bytes(damaged)))),
            ("wide.png", bytes(wide))]  # fmt: skip


def _glb() -> bytes:
    """A GLB file with one triangle."""
    glb = Glb()
    glb.node(mesh=glb.mesh(glb.primitive([[0, 0, 0], [2, 0, 0], [0, 2, 0]], indices=None)))
    return glb.glb()


ROOT = Path(__file__).resolve().parents[3]
MAX_SEED_LENGTH = 4_000  # characters: of a longer level, 30 lines are taken
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

NUMBERS = (
    "0", "-0", "1", "-1", "1e-9", "1e5", "-1e5", "1e308", "-1e309", "99999999999", "9" * 400, ".5", "5.", "1e", "0x1F", "1_000",
    ".nan", "-.inf", "1/3", "2*0.18", "1/0", "(" * 40, "9**9**9", "sqrt(-1)", "0**-1", "-" * 50 + "1", "2^2", "sin(1e300)",
    "1+" * 99 + "1", "1+" * 120 + "1", '"min(1, 2)"', '"noise(1e9, 1e9)"', "pi", "mod(5", "tan(90)", "1 m", "1,5", "10%",
)  # fmt: skip
DAMAGED = (b"\xff\xff\xff\x7f", b"999999999", b"-1", b"1e308", b"nan", b"\n", b"[", b"}", b"/")
WORDS = (
    "null", "~", "true", "no", "[]", "{}", "[[", "]]", "}", "{", ":", "- ", "&a", "*a", "&a [*a]", "!!python/name:os", "!x", "|", ">",
    "'", '"', "#", "\t", "\r\n", "\ufeff", "\x00", "\x1b[2J", "日本", "?", ",", "%", "@", "\x85", "\u2028", "---", "...", "<<: *a",
    "\ud800", "😀" * 30, "a" * 5000, "north", "nroth", "#ff0000", '"#ff0000"', "include", "define", "place", "what", "scale",
    *PIECES, "count", "at", "from", "to", "corners", "surface", "of", "facing", "tile", "steps", "file", "formula", "image",
    "heights", "../../../etc/passwd.yaml", "/dev/zero.yaml", "level.yaml", "part.yaml", "part.png", "part.obj", "part.glb",
)  # fmt: skip

# A pattern, and what an author writes in its place.
WRITING_MISTAKES = (
    (": ", ":"), ('"', ""), ('"(.*?)"', "\u201c\\1\u201d"), ("'", '"'), ("\n", "\n// here\n"), ("\n", " // here\n"), ("# ", "/* "),
    ("}", "}}"), ("]", "]]"), ("[{]", "{{"), ("}", ""), ("]", ""), ("- ", ""), ("\n      ", "\n    "), ("\n    ", "\n      "),
    ("o", "\u043e"), ("a", "\u03b1"), ("0", "O"), (r"\n([a-z])", r"\n \1"), ("pieces", "Pieces"), ("spawn", "Spawn"), ("surfaces", "Surfaces"),
    ("define", "Define"), (r"\[([^,\[\]{}]+), ([^,\[\]{}]+), ([^,\[\]{}]+)\]", r"{x: \1, y: \2, z: \3}"), ("stairs", "stair"),
    (r"([0-9]+)\.([0-9]+)", r"\1\2"), ("holes", "hole"), ("spawn:", "spawns: [{at: [1, 0, 1]}]\nspawn:"), ("at: ", "at: -1000000, was: "),
)  # fmt: skip


@dataclass(slots=True)
class FuzzCase:
    """A level file, a description of the damage, and its companion files by path."""

    description: str
    text: bytes
    files: dict[str, bytes] = field(default_factory=dict)


def seed_files() -> list[Path]:
    """The undamaged files: the shipped levels, the broken examples and the level of the tests."""
    found = [*(ROOT / "levels").rglob("*.yaml"), *(ROOT / "tests" / "level").rglob("*.yaml")]
    return sorted(path for path in found if path.is_file() and path.stat().st_size < 200_000)


class LevelFuzzer:
    """Generator of cases: the same seed and number give the same case. light: without cases that are slow to read."""

    def __init__(self, seed: int, light: bool = False) -> None:
        self.seed, self.light = seed, light
        self.seed_files = [(path, path.read_bytes().decode("utf-8", "replace")) for path in seed_files()]
        broken = ROOT / "tests" / "level" / "corpus" / "files" / "parts"
        self.companions = {
            path.name: path.read_bytes()
            for path in (sorted(broken.iterdir()) if broken.is_dir() else [])
            if path.suffix in (".obj", ".glb", ".gltf", ".map", ".png") and path.stat().st_size < 100_000
        }
        self.generators: tuple[tuple[Callable[[random.Random], FuzzCase], int], ...] = (
            (self._bytes, 8), (self._tokens, 12), (self._writing, 8), (self._structure, 16), (self._pieces, 12), (self._expression_bomb, 1),
            (self._include_cycle, 1), (self._alias_bomb, 1), (self._prefab_bomb, 1), (self._array_bomb, 1), (self._deep, 1),
            (self._wide, 1), (self._companions, 5),
        )  # fmt: skip

    def case(self, number: int) -> FuzzCase:
        rng = random.Random(f"{self.seed} {number}")
        generators, weights = zip(*self.generators, strict=True)
        case = rng.choices(generators, weights)[0](rng)
        case.description = f"case {number} of seed {self.seed}: {case.description}"
        return case

    def _seed(self, rng: random.Random) -> tuple[Path, str]:
        path, text = rng.choice(self.seed_files)
        if len(text) > MAX_SEED_LENGTH and rng.random() < 0.98:
            rows = text.split("\n")
            begin = next((k for k, row in enumerate(rows) if row.startswith("pieces:")), 0) + 1
            first = rng.randrange(begin, max(begin + 1, len(rows) - 20))
            while first < len(rows) and not rows[first].startswith("  - "):
                first += 1
            text = "\n".join([*rows[:begin], *rows[first : first + 30]])
        return path, text

    def _case(self, description: str, text: str | bytes, rng: random.Random) -> FuzzCase:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        files = dict(companion_files(rng)) if rng.random() < 0.3 or b"part" in data or b".png" in data else {}
        for name, content in self.companions.items():
            if name.encode() in data:
                files[f"parts/{name}"] = content
        return FuzzCase(description, data, files)

    # Damage in transfer, and typing mistakes

    def _bytes(self, rng: random.Random) -> FuzzCase:
        path, text = self._seed(rng)
        data = mutated(rng, text.encode("utf-8", "replace"), DAMAGED)
        return self._case(f"bytes of {path.name}", data, rng)

    def _tokens(self, rng: random.Random) -> FuzzCase:
        path, text = self._seed(rng)
        tokens = re.split(r"([\s,:{}\[\]]+)", text)
        for _ in range(rng.choice((1, 1, 2, 4, 12))):
            at = rng.randrange(len(tokens))
            match rng.randrange(6):
                case 0 | 1:
                    tokens[at] = rng.choice(NUMBERS)
                case 2:
                    tokens[at] = rng.choice(WORDS)
                case 3:
                    del tokens[at : at + rng.choice((1, 2, 6))]
                    tokens = tokens or [""]
                case 4:
                    tokens[at:at] = [rng.choice((*WORDS, *NUMBERS)), " "]
                case _:
                    other = rng.randrange(len(tokens))
                    tokens[at], tokens[other] = tokens[other], tokens[at]
        return self._case(f"words of {path.name}", "".join(tokens), rng)

    def _writing(self, rng: random.Random) -> FuzzCase:
        path, text = self._seed(rng)
        for pattern, written in rng.choices(WRITING_MISTAKES, k=rng.choice((1, 1, 2, 5))):
            places = list(re.finditer(pattern, text))
            for match in rng.sample(places, min(len(places), rng.choice((1, 1, 3, 30)))):
                if text[match.start() : match.end()] == match[0]:  # an earlier one may have moved it
                    text = text[: match.start()] + match.expand(written) + text[match.end() :]
        return self._case(f"writing of {path.name}", text, rng)

    def _structure(self, rng: random.Random) -> FuzzCase:
        path, text = self._seed(rng)
        try:
            root = yaml.load(text, LOADER)
        except (yaml.YAMLError, RecursionError, ValueError):
            return self._tokens(rng)
        for _ in range(rng.choice((1, 2, 3, 8))):
            root = _mutate_tree(root, rng)
        dumped = yaml.dump(root, Dumper=DUMPER, default_flow_style=rng.choice((True, False, None)), width=rng.choice((80, 10_000)),
                           allow_unicode=True, sort_keys=False)  # fmt: skip
        return self._case(f"structure of {path.name}", re.sub(r"'(-?[0-9.]+)'", r"\1", dumped), rng)

    # Pieces with values of the right type, at and beyond the limits

    def _pieces(self, rng: random.Random) -> FuzzCase:
        rows = [f"  - {random_piece(rng, rng.choice(RECORDS), 0)}" for _ in range(rng.randint(1, 8))]
        define = ", ".join(f"p{k}: [{random_piece(rng, rng.choice(RECORDS), 1)}]" for k in range(rng.randint(0, 4)))
        more = f"surfaces: {{stone: {random_fields(rng, SurfaceFields)}}}\ndefine: {{{define}}}\n"
        heads = {"player": PlayerFields, "medals": MedalFields, "play": PlayFields}
        more += "".join(f"{n}: {random_fields(rng, record)}\n" for n, record in heads.items() if rng.random() < 0.4)
        text = level_text(rows, more)
        return self._case("pieces by the schema", text, rng)

    # Exponential growth and cycles

    def _expression_bomb(self, rng: random.Random) -> FuzzCase:
        parts = ("1+", "2*", "(", "-", "sqrt(", "min(1,", "9**", "1e308*", "noise(3,", "1/", "+", ")", "2", "pi")
        sums = [
            "".join(rng.choice(parts) for _ in range(rng.choice((3, 30, 90)))) + rng.choice(("1", "1" + ")" * 60, ""))
            for _ in range(50)
        ]
        sums.append("(" * rng.randint(1, 180) + "1" + ")" * 33)
        sums.append("**".join("9" * rng.randint(2, 50)))
        rows = [
            f'  - pillar: {{at: ["{rng.choice(sums)}", 0, "{rng.choice(sums)}"]}}'
            for _ in range(rng.choice((5, 50 if self.light else 3000)))
        ]
        formula = rng.choice(
            ("x*z", "1/x", "sqrt(z)", "noise(1e9*x, z)", "x**z", "9**9**x", "mod(x,0)", rng.choice(sums))
        )
        rows.append(
            f'  - terrain: {{from: [0, 0], to: [{rng.choice((9, 99999))}, 9], cell: {rng.choice((0.05, 1))}, formula: "{formula}"}}'
        )
        return self._case("expressions", level_text(rows), rng)

    def _include_cycle(self, rng: random.Random) -> FuzzCase:
        count = rng.choice((1, 2, 3, 3, 6) if self.light else (1, 2, 3, 3, 6, 12, 80))
        files = {}
        for k in range(count):
            to = [rng.choice(("level", *(f"c{j}" for j in range(count)))) for _ in range(rng.randint(1, 3))]
            rows = [
                f"  - include: {{file: {name}.yaml, at: [1, 0, 0], scale: {rng.choice((1, 0.1, 10))}}}" for name in to
            ]
            files[f"c{k}.yaml"] = level_text([*rows, "  - box: {from: [0, 0, 0], to: [1, 1, 1]}"]).encode()
        rows = [
            f"  - include: {{file: {name}}}"
            for name in rng.choices([*files, "level.yaml", "none.yaml"], k=rng.randint(1, 30))
        ]
        return FuzzCase("files that include each other", level_text(rows).encode(), files)

    def _alias_bomb(self, rng: random.Random) -> FuzzCase:
        each, deep = rng.choice((2, 10, 100)), rng.choice((3, 12, 40, 80))
        first = rng.choice(("[0, 0, 0]", "x", "{box: {from: [0, 0, 0], to: [1, 1, 1]}}"))
        rows = [f"a0: &a0 {first}"] + [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * each)}]" for k in range(1, deep)]
        last = rng.choice((f"pieces: *a{deep - 1}", f"pieces: [group: {{of: *a{deep - 1}}}]", "pieces: [*a0, *a0]"))
        return self._case("aliases of aliases", "format: 1\n" + "\n".join([*rows, last]), rng)

    def _prefab_bomb(self, rng: random.Random) -> FuzzCase:
        each, deep = (
            rng.choice((1, 2, 3, 4) if self.light else (1, 2, 10, 60)),
            rng.choice((3, 5, 70) if self.light else (3, 20, 70, 400)),
        )
        first = random_piece(rng, rng.choice(RECORDS), 1)
        rows = [f"  p0: [{first}]"]
        for k in range(1, deep):
            prefab = f"p{k - 1 if rng.random() < 0.97 else rng.randrange(deep)}"
            intended = f", intended: [{rng.choice(INTENDED_KINDS)}]" if rng.random() < 0.2 else ""
            scale = rng.choice(("", "", ", scale: 0.5", ", scale: [1, 2, 1]", ", facing: 40"))
            places = (f"place: {{what: {prefab}, at: [{j}, 0, {k % 3}]{intended}{scale}}}" for j in range(each))
            rows.append(f"  p{k}: [{', '.join(places)}]")
        return self._case(
            "prefabs of prefabs",
            level_text([f"  - place: {{what: p{deep - 1}}}"], "define:\n" + "\n".join(rows) + "\n"),
            rng,
        )

    def _array_bomb(self, rng: random.Random) -> FuzzCase:
        inner = random_piece(rng, rng.choice(RECORDS), 1)
        for _ in range(rng.randint(1, 10)):
            count, turn = (
                rng.choice((2, 3, 1_000_000) if self.light else (2, 30, 1000, 200_000, 1_000_000)),
                rng.choice((0, 0, 7, 90)),
            )
            inner = f"array: {{count: {count}, step: [{rng.choice((0, 1e-3, 1.5, 1e5))}, 0, 0], turn: {turn}, of: [{inner}]}}"
        return self._case("arrays of arrays", level_text([f"  - {inner}"]), rng)

    def _deep(self, rng: random.Random) -> FuzzCase:
        deep = rng.choice((20, 63, 64, 65, 1000, 100_000))
        text = rng.choice((
            "[" * deep, "{a: " * deep, "- " * deep, "? " * deep, "pieces: " + "[group: {of: " * min(deep, 3000),
            "pieces: [" + "group: {of: [" * (min(deep, 64) // 3) + "box: {from: [0, 0, 0], to: [1, 1, 1]}" + "]}" * (min(deep, 64) // 3) + "]",
            "".join(" " * k + "a:\n" for k in range(min(deep, 1500))),
        ))  # fmt: skip
        return self._case("nested", "format: 1\nspawn: {at: [0, 0, 0]}\n" + text, rng)

    def _wide(self, rng: random.Random) -> FuzzCase:
        count = rng.choice((30, 300) if self.light else (300, 1000, 3000, 30_000))
        row = rng.choice((
            "  - quad: {corners: [[0, 0, 0], [1, 0, 0], [1, 0, -1], [0, 0, -1]]}\n", "  - bix: {}\n", "  - box: {from: [0, 0, 0]}\n",
            "  - light: {at: [0, 0, 0]}\n", "  - sign: {text: x, at: [0, 1, 0]}\n", "  - box: {from: [0, 0, 0], to: [a, b, c]}\n",
            "  - 1\n", "  - box: {from: [0, 0, 0], to: [1, 1, 1], surface: s}\n", "  - include: {file: no.yaml}\n",
            "  - stairs: {at: [0, 0, 0], steps: 1000}\n", "  - triangle: {corners: [[0, 0, 0], [1, 0, 0], [2*0.5, 0, -1]]}\n",
        ))  # fmt: skip
        tail = rng.choice(
            ("", "surfaces: {" + ", ".join(f"s{k}: {{}}" for k in range(rng.choice((200, 300, 20_000)))) + "}\n")
        )
        return self._case(f"{count} of one", "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n" + row * count + tail, rng)

    # Companion files

    def _companions(self, rng: random.Random) -> FuzzCase:
        text = level_text([
            "  - include: {file: part.yaml, at: [3, 0, 0]}", "  - terrain: {from: [20, 20], to: [40, 40], image: part.png, height: [0, 4]}",
            f"  - model: {{file: part.{rng.choice(('obj', 'glb', 'gltf', 'map'))}, at: [-9, 0, 0]}}",
            f"  - model: {{file: parts/{rng.choice(list(self.companions) or ['none.obj'])}, at: [-9, 9, 0]}}",
        ])  # fmt: skip
        files = dict(companion_files(rng)) | {f"parts/{name}": data for name, data in self.companions.items()}
        for name in list(files):
            if rng.random() < 0.5:
                files[name] = mutated(rng, files[name], DAMAGED)
        return FuzzCase("companion files", text.encode(), files)


def _mutate_tree(root: Any, rng: random.Random) -> Any:
    """One node replaced, removed, duplicated, moved or wrapped."""
    nodes: list[tuple[Any, Any]] = []

    def visit(node: Any) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in items:
            nodes.append((node, key))
            visit(value)

    visit(root)
    if not nodes:
        return rng.choice((root, [root], {"pieces": root}))
    (holder, key), (other, there) = rng.choice(nodes), rng.choice(nodes)
    match rng.randrange(9):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice(NUMBERS)
        case 2:
            holder[key] = rng.choice(
                ("", [], {}, None, "words", [1, 2, 3], [[0, 0], [1, 1]], {"at": [0, 0, 0]}, "true")
            )
        case 3:
            holder[key], other[there] = _deep_copy(other[there]), _deep_copy(holder[key])
        case 4:
            holder[key] = [_deep_copy(holder[key])] * rng.choice((1, 2, 300))
        case 5:
            holder[key] = {rng.choice(WORDS).encode("utf-8", "replace").decode(): _deep_copy(holder[key])}
        case 6 if isinstance(holder, list):
            holder[key:key] = [_deep_copy(holder[key])] * rng.choice((1, 5))
        case 7 if isinstance(holder, dict):
            holder[rng.choice(("at", "of", "to", "surface", "scale", "file", *PIECES))] = holder.pop(key)
        case _:
            piece = rng.choice(RECORDS)
            holder[key] = yaml.load(f"[{random_piece(rng, piece, 1)}]", LOADER)
    return root


def _deep_copy(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _deep_copy(value) for key, value in node.items()}
    return [_deep_copy(value) for value in node] if isinstance(node, list) else node
