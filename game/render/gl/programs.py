"""GLSL programs from files: includes, defines, live rebuilding with the last good one kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import game

from ...core.errors import WalkerError

GLSL_VERSION = "#version 330 core"  # the newest that also runs on macOS (OpenGL 4.1)
INCLUDE_PATTERN = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
# Mesa and most others say "0:12(3): ..." or "ERROR: 0:12: ..."; NVIDIA says "0(12) : ...".
LOG_LOCATION_PATTERN = re.compile(r"(?<![\w.])0(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:\s*(.*)")
MAX_INCLUDE_DEPTH = 8


def default_folder() -> Path:
    """The folder of GLSL files that belongs to this checkout or installation."""
    return game.shipped("shaders")


@dataclass(frozen=True, slots=True)
class ShaderDiagnostic:
    """Why a program could not be built: one line of one file, in the compiler's words."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class ShaderError(WalkerError):
    """A program that cannot be built and has no last good version. `.problems` says why."""

    def __init__(self, problems: Iterable[ShaderDiagnostic]) -> None:
        self.diagnostics = tuple(problems)
        super().__init__("\n".join(map(str, self.diagnostics)))


@dataclass(frozen=True, slots=True)
class ShaderSource:
    """One stage with its includes in place; line n of `text` was written at `places[n - 1]`.

    The places are kept here since drivers disagree on what `#line` may say (Mesa forgets the file).
    """

    text: str
    origins: tuple[tuple[str, int], ...]


def read_source(folder: Path, name: str, defines: tuple[tuple[str, str], ...] = ()) -> ShaderSource:
    """Read one stage and put its `#include "file"` lines in place, each file once.

    Paths are relative to `folder`. Raises ShaderError for a file that is missing or includes too deeply.
    """
    seen: set[str] = set()
    lines = [GLSL_VERSION, *(f"#define {key} {value}" for key, value in defines)]
    places = [(name, 0)] * len(lines)

    def add(name: str, asked_by: str, asked_line: int, depth: int) -> None:
        if name in seen:
            return
        if depth > MAX_INCLUDE_DEPTH:
            raise ShaderError([ShaderDiagnostic(asked_by, asked_line, f"includes nest too deeply at {name}")])
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ShaderError([ShaderDiagnostic(asked_by, asked_line, f"cannot read {name}: {error}")]) from None
        seen.add(name)
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE_PATTERN.match(line)
            if match is None:
                lines.append(line)
                places.append((name, number))
            else:
                add(match[1], name, number, depth + 1)

    add(name, name, 0, 0)
    return ShaderSource("\n".join(lines) + "\n", tuple(places))


def parse_compiler_log(log: str, source: ShaderSource) -> list[ShaderDiagnostic]:
    """The compiler's log as places in our files; the whole log on line 0 where none can be read."""
    found: list[ShaderDiagnostic] = []
    for line in log.splitlines():
        match = LOG_LOCATION_PATTERN.search(line)
        if match is not None and 0 < (at := int(match[1] or match[2])) <= len(source.origins):
            found.append(ShaderDiagnostic(*source.origins[at - 1], match[3].strip()))
    return found or [ShaderDiagnostic(source.origins[-1][0], 0, " ".join(log.split()))]


@dataclass(frozen=True, slots=True)
class ProgramKey:
    """What a program is made of: two files and the `#define`s in front of both."""

    vertex: str
    fragment: str
    defines: tuple[tuple[str, str], ...] = ()


class ShaderCache:
    """All programs of a renderer. `get` builds on first use; `rebuild` reads every file again.

    A program whose new text fails keeps its last good version; the reasons are in `.problems`.
    """

    def __init__(self, ctx: Any, folder: Path | None = None) -> None:
        self.ctx = ctx
        self.folder = folder or default_folder()
        self.diagnostics: tuple[ShaderDiagnostic, ...] = ()
        self._programs: dict[ProgramKey, Any] = {}
        self._sources: dict[ProgramKey, tuple[str, str]] = {}

    def get(self, vertex: str, fragment: str, **defines: object) -> Any:
        """The program of two files. Raises ShaderError when it has never been built and cannot be."""
        recipe = ProgramKey(vertex, fragment, tuple((key, str(value)) for key, value in sorted(defines.items())))
        if recipe not in self._programs:
            self._programs[recipe], self._sources[recipe] = self._build(recipe)
        return self._programs[recipe]

    def rebuild(self) -> tuple[ProgramKey, ...]:
        """Read all files again; returns the recipes that got a new program. See `.problems` for the others.

        All or nothing: with one problem anywhere every program stays as it was, so that no picture is
        made of halves that do not belong together.
        """
        fresh: dict[ProgramKey, tuple[Any, tuple[str, str]]] = {}
        problems: list[ShaderDiagnostic] = []
        for recipe, old in self._sources.items():
            try:
                if self._read_stages(recipe) != old:
                    fresh[recipe] = self._build(recipe)
            except ShaderError as error:
                problems += error.diagnostics
        self.diagnostics = tuple(dict.fromkeys(problems))
        if problems:
            for program, _ in fresh.values():
                program.release()
            return ()
        for recipe, (program, texts) in fresh.items():
            self._programs[recipe].release()
            self._programs[recipe], self._sources[recipe] = program, texts
        return tuple(fresh)

    def files(self) -> tuple[Path, ...]:
        """Every GLSL file in the folder, for a watcher."""
        return tuple(sorted(self.folder.rglob("*.glsl")))

    def release(self) -> None:
        for program in self._programs.values():
            program.release()
        self._programs.clear()
        self._sources.clear()

    def _read_stages(self, recipe: ProgramKey) -> tuple[str, str]:
        return (
            read_source(self.folder, recipe.vertex, recipe.defines).text,
            read_source(self.folder, recipe.fragment, recipe.defines).text,
        )

    def _build(self, recipe: ProgramKey) -> tuple[Any, tuple[str, str]]:
        vertex = read_source(self.folder, recipe.vertex, recipe.defines)
        fragment = read_source(self.folder, recipe.fragment, recipe.defines)
        try:
            program = self.ctx.program(vertex_shader=vertex.text, fragment_shader=fragment.text)
        except Exception as error:  # moderngl raises its own Error, which carries only the log
            log = str(error)
            raise ShaderError(parse_compiler_log(log, fragment if "fragment_shader" in log else vertex)) from None
        if "Frame" in program:
            program["Frame"].binding = FRAME_BINDING
        return program, (vertex.text, fragment.text)


FRAME_BINDING = 1  # the camera's uniform block; never 0, which is pyglet's own WindowBlock


def set_uniforms(program: Any, **values: object) -> None:
    """Set the uniforms that the compiler has kept; one that it optimised away is no error."""
    for name, value in values.items():
        member = program.get(name, None)
        if member is not None:
            member.value = value
