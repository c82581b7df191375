"""Draw the example level with pictures, and without: `python -m tools.docs.pictures.level_pictures`."""

from __future__ import annotations

import re
import sys

from PIL import Image

from game.level import load
from game.render import Renderer, Scene, offscreen_context
from tools.docs.pictures.demo import Stand, take
from tools.docs.pictures.shared import DOCS, ROOT, asked_for, finest, keep

LEVEL = ROOT / "examples" / "pictures" / "pictures.yaml"
STAND = Stand(0.0, 0.0, 8.0, 0.0, 0.0)
SIZE = (800, 450)
MAX_BYTES = 250_000
# The look of the same surfaces with the textures that are built in.
BUILT_IN = {
    "brick": '{colour: "#b0765a", texture: brick}',
    "planks": '{colour: "#8c6640", texture: planks}',
    "belt": '{colour: "#3a3b3e", texture: belt, flow: [0, -1.2]}',
    "fence": "{texture: metal}",
    "pixels": "{texture: plain}",
    "lamp": '{colour: "#ffe2b0"}',
}


def without_pictures(text: str) -> str:
    """The level's text with built-in textures and without decals."""
    for name, fields in BUILT_IN.items():
        text, count = re.subn(rf"(?m)^  {name}:.*\n(?:    .*\n)*", f"  {name}: {fields}\n", text)
        assert count == 1, name
    return re.sub(r"(?m)^  - decal: .*\n", "", text)


def main() -> int:
    options = asked_for("the example with pictures", ("pictures",), DOCS / "levels")
    text = LEVEL.read_text(encoding="utf-8")
    context, sheet = offscreen_context(), Image.new("RGB", (SIZE[0], 2 * SIZE[1]))
    for number, version in enumerate((without_pictures(text), text)):
        level = load(text=version, base=LEVEL)
        renderer = Renderer(context, Scene.from_level(level), finest(options.quality))
        renderer.load_pictures()
        sheet.paste(take(level, renderer, STAND, SIZE), (0, number * SIZE[1]))
        renderer.release()
    keep(sheet, options.folder / "pictures.jpg", MAX_BYTES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
