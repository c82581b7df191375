"""Level loading in a child process: loads a level, cooks its mesh and prepares its scene data beside the game.

A thread would share the interpreter's lock with the frames, and the work takes as long as several of them.
"""

from __future__ import annotations

import gc
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.jobs import Worker
from ...level.format.findings import newly_dropped
from ..launch.level_lookup import level_files
from .file_watcher import FileSignature, file_signatures, have_changed, level_digest

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...render import SceneData

LEVELS = Worker("levels", niceness=5)  # when both need one processor, the frames get three quarters of it
SETTLE_SECONDS = 0.15  # s without a change before a file with errors is reported: it may be half written
DISPLAY_SECONDS = 0.15  # s of rest after a level, so that the game has the processor while it shows it
MAX_READS = 40  # attempts to read a file that keeps changing

WARM_REQUEST = "warm"
CHANGE_REQUEST = "change"
FINAL_LIGHT_REQUEST = "settle"
TRAVEL_REQUEST = "travel"


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """What is wanted. `kind`: "warm" loads a level ahead; "change" loads its changed files, with light that is quick to
    compute; "settle" lights the last level fully; "travel" loads another level. An empty `quality` asks for no scene
    data."""

    kind: str
    path: Path
    quality: str
    light_cache: Path | None = None
    spawn: str = ""
    with_bake_input: bool = False  # include the input of the light bake


@dataclass(frozen=True, slots=True)
class WorkResult:
    """A loaded level and its scene data. `level` is None for a "settle" request. `digest`: hash of the contents of its
    files; `signatures`: of these files when they were read; `seconds`: processor time of the work."""

    level: Level | None
    scene_data: SceneData | None
    digest: str
    signatures: dict[Path, FileSignature]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkFailure:
    """The findings that prevent a level from being loaded."""

    findings: tuple[Finding, ...]
    signatures: dict[Path, FileSignature]


Answer = WorkResult | WorkFailure


def file_finding(path: Path, message: str, line: int = 0, cure: str = "") -> Finding:
    """A fatal finding about a file, or about a line of it."""
    from ...level import Finding

    return Finding("fatal", path.name, line, 1 if line else 0, "", message, cure)


def answer_request(request: WorkRequest) -> Answer:
    """The answer to a request, by the loader of this process."""
    gc.disable()  # `prepare_next` collects: within a request a collection takes a seventh of the time
    return _LOADER.answer(request)


def prepare_next() -> None:
    """Compute ahead what the next request may need, and collect garbage."""
    time.sleep(DISPLAY_SECONDS)
    for builder in _LOADER.scene_builders.values():
        builder.precompute()
    gc.collect()


@dataclass
class LevelLoader:
    """What is kept between requests: the last level and the scene builder of its quality."""

    files: tuple[Path, ...] = ()
    level: Level | None = None
    digest: str = ""
    scene_builders: dict[tuple[Path, str], Any] = field(default_factory=dict)

    def answer(self, request: WorkRequest) -> Answer:
        """Answer one request; every exception becomes a finding."""
        began = time.process_time()
        try:
            level = self._loaded_level(request)
            if request.kind == FINAL_LIGHT_REQUEST and request.quality and level is not None:
                scene_data = self._build_scene_data(request, level)
                return WorkResult(None, scene_data, self.digest, {}, time.process_time() - began)
            return self._load_level(request, began)
        except MemoryError:
            reason = "not enough memory"
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        findings = (file_finding(request.path, reason),)
        return WorkFailure(findings, file_signatures([request.path, *self.files]))

    def _loaded_level(self, request: WorkRequest) -> Level | None:
        """The last level if the request is about the same file."""
        return self.level if self.level is not None and self.level.path == request.path else None

    def _load_level(self, request: WorkRequest, began: float) -> Answer:
        """Load the level until its files stay the same for the duration of a load."""
        from ...level import LevelError, load
        from ...sim import World

        previous = self._loaded_level(request)
        files: tuple[Path, ...] = (request.path,) if previous is None else self.files
        for attempt in range(MAX_READS):
            before = file_signatures(files)
            is_last_attempt = attempt == MAX_READS - 1
            try:
                level = load(request.path)
                files = level_files(level)
                digest = level_digest(level)
                _ = level.mesh
                World(level, spawn=request.spawn or None)
                findings = self._findings_for_lost_pieces(request, level)
                scene_data = None if findings else self._build_scene_data(request, level)
            except LevelError as error:
                files = tuple(dict.fromkeys((request.path, *error.files)))
                findings = error.findings or (file_finding(request.path, "it cannot be read"),)
                if request.kind == CHANGE_REQUEST and not os.path.lexists(request.path):
                    cure = "put it back or save it again"
                    findings = (file_finding(request.path, "the file of this level was removed", cure=cure),)
            except ValueError as error:
                findings = (file_finding(request.path, str(error), level.spawns[0].place.line),)
            if not findings:
                after = file_signatures(files)
                if is_last_attempt or not have_changed(before, after):
                    self.level = level
                    self.digest = digest
                    self.files = files
                    return WorkResult(level, scene_data, digest, after, time.process_time() - began)
                continue
            time.sleep(SETTLE_SECONDS)
            after = file_signatures(files)
            if is_last_attempt or not have_changed(before, after):
                return WorkFailure(findings, after)
        raise AssertionError("the last attempt answers")

    def _findings_for_lost_pieces(self, request: WorkRequest, level: Level) -> tuple[Finding, ...]:
        """Findings of pieces that the version before had and this one drops. Such a level is not taken over: a player
        could fall through a piece that was mistyped, or whose file is being written."""
        previous = self._loaded_level(request)
        if request.kind != CHANGE_REQUEST or previous is None:
            return ()
        return newly_dropped(previous.findings, level.findings)

    def _build_scene_data(self, request: WorkRequest, level: Level) -> SceneData | None:
        if not request.quality:
            return None
        builder = self._scene_builder(request)
        if request.kind == CHANGE_REQUEST:
            return builder.build_fast(_scene_of_level(level))  # type: ignore[no-any-return]
        return builder.build_final(_scene_of_level(level), request.with_bake_input)  # type: ignore[no-any-return]

    def _scene_builder(self, request: WorkRequest) -> Any:
        """The scene builder of this level and quality; those of others are dropped."""
        from ...render.scene.lightmap import LightmapCache
        from ...render.scene.scene_data import SceneBuilder

        key = (request.path, request.quality)
        if key not in self.scene_builders:
            cache = None if request.light_cache is None else LightmapCache(request.light_cache)
            self.scene_builders = {key: SceneBuilder(request.quality, cache)}
        return self.scene_builders[key]


def _scene_of_level(level: Level) -> Any:
    from ...render import Scene

    return Scene.from_level(level)


_LOADER = LevelLoader()
