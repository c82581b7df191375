"""Size of a checkout: `python -m tools.size [FOLDER]`. Counts the files that git tracks.

For each package: modules, lines, code lines (no blank, comment or docstring lines), statements, and public classes and
functions without a docstring. For each folder: text files, their lines and words.
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

GENERATED = ("docs/level_format.md", "docs/settings.md", "docs/json/", "docs/feel.md", "docs/lab.md")  # pages
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def count_module(text: str) -> Counter[str]:
    """Columns of one module."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {line for token in tokens if token.type not in LAYOUT for line in range(token.start[0], token.end[0] + 1)}
    count = Counter(modules=1, lines=text.count("\n"))
    for node in ast.walk(ast.parse(text)):
        count["statements"] += isinstance(node, ast.stmt)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                code.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
            elif not isinstance(node, ast.Module) and not node.name.startswith("_"):
                count["undocumented"] += 1
    count["code"] = len(code)
    return count


def print_table(title: str, rows: dict[str, Counter[str]], columns: list[str]) -> None:
    """A line for each row, in the order of their names."""
    for name, row in [(title, {column: column for column in columns}), *sorted(rows.items())]:
        print(f"{name:34}", *(f"{row[column]:>12}" for column in columns))


def main(root: Path) -> None:
    """Print both tables."""
    packages, folders = {}, {}
    for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=root, text=True).split("\0")[:-1]:
        data = (root / name).read_bytes()
        parents = [path.as_posix() for path in list(Path(name).parents)[::-1]]  # ".", "game", "game/app", ...
        if name.endswith(".py"):
            for package in parents[: 4 if name.startswith("game/app/") else 3]:
                packages.setdefault(package, Counter()).update(count_module(data.decode()))
        if b"\0" not in data:  # text
            by_hand = name.endswith(".md") and name.startswith(("docs/", "README", "CONTRIB"))
            for folder in parents[:2] + ["pages by hand"] * (by_hand and not name.startswith(GENERATED)):
                folders.setdefault(folder, Counter()).update(files=1, lines=data.count(b"\n"), words=len(data.split()))
    print_table("Python", packages, ["modules", "lines", "code", "statements", "undocumented"])
    print_table("\nText files", folders, ["files", "lines", "words"])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
