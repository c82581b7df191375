"""Fonts of the game: characters, kerning, accents, order, boxes, and the search among the fonts of a system."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from game.core import notices
from game.text import font_stack, graphemes, shipped_fonts, system_fonts
from game.text.font_tables import FontTableError, read_font_tables
from game.text.system_fonts import SystemFonts
from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[2]
SIZE = 40
BLOCKS = {
    "Latin-1": range(0x20, 0x100),
    "Latin Extended-A": range(0x100, 0x180),
    "Greek": range(0x370, 0x400),
    "Cyrillic": range(0x400, 0x500),
    "extended Latin of Vietnamese": range(0x1EA0, 0x1F00),
    "Hebrew letters": range(0x5D0, 0x5EB),
    "punctuation": range(0x2010, 0x2028),
    "currency": range(0x20A0, 0x20C0),
    "fractions": range(0x2150, 0x215F),
    "arrows": range(0x2190, 0x2200),
    "mathematics": range(0x2200, 0x2300),
}


def printable(codes: range) -> list[str]:
    drawn = [chr(code) for code in codes if unicodedata.category(chr(code))[0] not in "CZ"]
    return [char for char in drawn if char not in "₶₷₻"]  # coins that no longer exist


def bitmap(unit: str, size: int = SIZE) -> bytes:
    pixels, left, top = font_stack.unit_bitmap(unit, size)
    return b"%d %d %d " % (left, top, pixels.shape[1]) + pixels.tobytes()


@pytest.mark.full
@pytest.mark.parametrize("codes", BLOCKS.values(), ids=BLOCKS)
def test_every_character_of_a_block_is_drawn_as_itself(codes: range) -> None:
    box = bitmap("\U000f0000")
    for char in printable(codes):
        assert shipped_fonts.shipped_font_of(char), f"U+{ord(char):04X}"
        drawn, _, _ = font_stack.unit_bitmap(char, SIZE)
        assert drawn.any(), f"U+{ord(char):04X}"
        assert bitmap(char) != box, f"U+{ord(char):04X}"


def test_the_texts_of_the_game_and_of_its_levels_have_glyphs() -> None:
    files = [*ROOT.glob("levels/**/*.yaml"), *ROOT.glob("game/app/**/*.py"), *ROOT.glob("game/render/**/*.py")]
    assert len(files) > 100
    used = {char for file in files for char in file.read_text(encoding="utf-8") if char.isprintable()}
    assert shipped_fonts.characters_without_font("".join(sorted(used))) == ""


def test_letters_with_marks_and_special_letters_differ_from_plain_ones() -> None:
    for special, plain in zip("üß€łœ½Ёέ", "uselo1Еε", strict=True):
        assert bitmap(special) != bitmap(plain), special
        assert bitmap(special) != bitmap("?")


def test_a_character_without_font_is_a_box_and_no_error() -> None:
    pixels, _, top = font_stack.unit_bitmap("出", SIZE)
    middle = pixels[pixels.shape[0] // 2]
    assert -top == len(pixels) == round(font_stack.CAPITAL_HEIGHT * SIZE)
    assert middle[0] == middle[-1] == 255
    assert not middle[4:-4].any()
    assert font_stack.line_width("出出", SIZE) == pytest.approx(2 * 0.9 * SIZE)
    for text in ("\ud800", "\x00\x07", "\U0010ffff", "\u0301", "\u200d", "\ufe0f", "हिन्दी", "\u0e33", "\u202e", "👩‍💻"):
        font_stack.line_width(text, 17)
        for unit in graphemes.drawn_units(text):
            font_stack.unit_bitmap(unit, 17)


def test_pairs_are_kerned() -> None:
    for first, second in ("AV", "To", "Ta", "ΓΑ", "ГА", "T.", "Tö"):
        apart = font_stack.unit_advance(first, SIZE) + font_stack.unit_advance(second, SIZE)
        assert font_stack.line_width(first + second, SIZE) < apart - 0.4, first + second
    assert font_stack.line_width("HH", SIZE) == 2 * font_stack.unit_advance("H", SIZE)
    assert font_stack.line_width("Ö", SIZE) == font_stack.line_width("O\u0308", SIZE)


def test_digits_have_one_width() -> None:
    """A timer stands still while it runs."""
    for size in (12, 17, 40):
        assert len({font_stack.unit_advance(digit, size) for digit in "0123456789"}) == 1


def test_an_accent_stands_over_the_middle_of_its_letter() -> None:
    plain, left, top = font_stack.unit_bitmap("x", SIZE)
    accented, wide_left, high_top = font_stack.unit_bitmap("x\u0302", SIZE)
    assert high_top < top
    above = np.flatnonzero(accented[: top - high_top].any(axis=0)) + wide_left
    inked = np.flatnonzero(plain.any(axis=0)) + left
    assert above.mean() == pytest.approx(inked.mean(), abs=1.0)
    taller, _, tall_top = font_stack.unit_bitmap("k\u0302", SIZE)
    assert tall_top < font_stack.unit_bitmap("k", SIZE)[2]
    assert len(taller) > len(accented)
    assert font_stack.line_width("x\u0302", SIZE) == font_stack.line_width("x", SIZE)


def test_text_is_split_into_drawn_units() -> None:
    assert graphemes.drawn_units("e\u0301a\u200b\u00adb\ufe0f") == ("é", "a", "b")
    assert graphemes.drawn_units("x\u0302y") == ("x\u0302", "y")
    assert graphemes.split_clusters("ae\u0301\u0323b") == ("a", "e\u0301\u0323", "b")
    assert "".join(graphemes.drawn_units("שלום (12) abc")) == "abc (12) םולש"
    assert "".join(graphemes.drawn_units("to שלום 12 go")) == "to 12 םולש go"
    for number in ("10:30", "3.5", "1,000", "50%", "$5", "1/2"):
        assert "".join(graphemes.drawn_units(f"שלום {number}")) == f"{number} םולש"
    assert graphemes.drawn_units("مرحبا", joins=True) == ("مرحبا",)
    assert graphemes.drawn_units("مرحبا", joins=False) == tuple(reversed("مرحبا"))


def test_a_typed_text_is_composed_and_cut_between_letters() -> None:
    assert graphemes.clean_text("Gro\u0308ße\u00a0½\r\n\x1b[2J\u202e", 40) == "Größe ½[2J"
    assert graphemes.clean_text("ab" + "x\u0302" * 3, 5) == "abx\u0302"


def test_widths_do_not_depend_on_the_shaping_engine() -> None:
    """Pillow has Raqm on some systems only."""
    path = shipped_fonts.shipped_font_path(shipped_fonts.TEXT_FONT)
    assert font_stack.load_face(path, 17).layout_engine == 0


def test_a_line_is_drawn_on_a_picture() -> None:
    image = Image.new("RGB", (200, 60))
    font_stack.draw_line(ImageDraw.Draw(image), (100, 30), "Größe", 24, (255, 255, 255), "mm")
    columns = np.flatnonzero(np.asarray(image).any(axis=(0, 2)))
    width = font_stack.line_width("Größe", 24)
    assert columns[0] == pytest.approx(100 - width / 2, abs=3)
    assert columns[-1] == pytest.approx(100 + width / 2, abs=3)


# Fonts of the system


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only font folder of a system: damaged fonts, and one with few characters."""
    if sys.platform in ("win32", "darwin"):
        pytest.skip("the folders of this system's fonts are fixed")
    for name, place in {"XDG_DATA_HOME": "own", "XDG_DATA_DIRS": "missing", "HOME": "home"}.items():
        monkeypatch.setenv(name, str(tmp_path / place))
    monkeypatch.setenv(system_fonts.SWITCH, "")
    tmp_path = tmp_path / "own" / "fonts"
    tmp_path.mkdir(parents=True)
    (tmp_path / "NotoSans-Regular.ttf").write_bytes(b"")
    (tmp_path / "arial.ttf").write_bytes(b"no font at all" * 40)
    data = Path(shipped_fonts.shipped_font_path("symbols.ttf")).read_bytes()
    (tmp_path / "dejavusans.ttf").write_bytes(data[:3000])
    (tmp_path / "sub").mkdir()
    shutil.copy(shipped_fonts.shipped_font_path("symbols.ttf"), tmp_path / "sub" / "unknown.ttf")
    return tmp_path


def test_the_search_passes_over_damaged_fonts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(notices, "show", shown.append)
    fonts = SystemFonts(lambda path, char: True)
    found = fonts.find("☃")
    assert found is not None
    assert found.path.endswith("unknown.ttf")
    assert fonts.find("出") is None
    assert fonts.find("口") is None
    assert fonts.find("س") is None
    assert len(shown) == 2
    assert "U+51FA" in shown[0]
    assert "U+0633" in shown[1]
    unusable = SystemFonts(lambda path, char: False)
    assert unusable.find("☃") is None


def test_a_search_in_the_background_does_not_wait(folder: Path) -> None:
    fonts = SystemFonts(lambda path, char: True)
    assert not fonts.is_known("☃")
    wait_until(lambda: fonts.revision == 1)
    assert fonts.is_known("☃")
    assert fonts.find("☃") is not None


def test_the_switch_turns_the_fonts_of_the_system_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fonts = SystemFonts(lambda path, char: True)
    monkeypatch.setenv(system_fonts.SWITCH, "shipped")
    assert fonts.find("☃") is None
    assert fonts.is_known("☃")
    monkeypatch.setenv(system_fonts.SWITCH, "")
    assert fonts.find("☃") is not None


def test_damaged_font_files_are_refused(tmp_path: Path) -> None:
    """Seeded: bytes of a font are cut or changed. Nothing but FontTableError is raised, and no lookup fails."""
    data = bytearray(Path(shipped_fonts.shipped_font_path("Inter.ttf")).read_bytes())
    generator = np.random.default_rng(20)
    path = tmp_path / "font.ttf"
    refused = 0
    for number in range(60):
        changed = bytearray(data[: generator.integers(1, len(data))] if number % 3 == 0 else data)
        place = int(generator.integers(0, min(len(changed), 400)))
        changed[place : place + 8] = generator.bytes(8)[: len(changed) - place]
        path.write_bytes(changed)
        try:
            tables = read_font_tables(path)
        except FontTableError:
            refused += 1
            continue
        for char in "A出\U0001f642\uffff":
            tables.has(char)
            tables.pair_kerning("A", char)
    assert refused >= 10


def test_the_fonts_are_small_and_have_their_licences() -> None:
    fonts = ROOT / "assets" / "fonts"
    assert sum(file.stat().st_size for file in fonts.iterdir()) < 1_000_000
    for name in shipped_fonts.SHIPPED_FONTS:
        licence = (fonts / f"{Path(name).stem}-LICENSE.txt").read_text(encoding="utf-8")
        assert "Copyright" in licence
