"""Take all pictures of README, pages and lists of levels anew: `python -m tools.docs.pictures`.

It takes about an hour with a software renderer. Each tool also runs alone, as CONTRIBUTING says.
"""

from __future__ import annotations

import subprocess
import sys

TOOLS = (
    "tools.assets.level_thumbnails", "tools.docs.pictures.demo",
    "tools.docs.pictures.level_pictures", "tools.docs.pictures.lab", "tools.docs.pictures.examples",
    "tools.docs.pictures.queries", "tools.docs.pictures.rewind", "tools.docs.pictures.editor",
    "tools.docs.pictures.movie",
)  # fmt: skip


def main() -> int:
    failed = [tool for tool in TOOLS if subprocess.run([sys.executable, "-m", tool], check=False).returncode]
    for tool in failed:
        print(f"failed: {tool}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
