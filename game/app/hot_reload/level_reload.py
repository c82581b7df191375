"""Hot reload of levels: a saved level replaces the one that is played; a level with errors only shows its findings.

A thread watches the files, another process loads the new level, the renderer loads it in small steps, and then world
and picture are swapped within one frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ...render import Card
from ...sim.replay.level_migration import MigrationOutcome, MigrationResult, migrate_world
from ..launch.level_lookup import UNREADABLE_PICTURE, level_files
from ..settings.mode_names import LEAVING
from .file_watcher import FileSignature, FileWatcher, ShaderReloader, file_signatures, have_changed, level_digest
from .level_loading import (
    CHANGE_REQUEST,
    FINAL_LIGHT_REQUEST,
    LEVELS,
    TRAVEL_REQUEST,
    WARM_REQUEST,
    Answer,
    WorkFailure,
    WorkRequest,
    WorkResult,
    answer_request,
    file_finding,
    prepare_next,
)

if TYPE_CHECKING:
    from ...level import Exit, Finding, Level
    from ...render import SceneData, ShaderDiagnostic
    from ..game import Game

READ_TIMEOUT = 30.0  # s after which a load is abandoned if the file has changed again
CARD_SECONDS = 4.0
MAX_FINDINGS = 4  # cards at once; more would cover the view
MIN_REPORTED_PUSH = 0.05  # m; shorter pushes are not reported
MAX_MESSAGE_LENGTH = 220  # characters
PICTURE_CARD_SECONDS = 12.0
WORKER_ENDED_TEXT = "the process that reads levels has ended; save the level again to retry"


class ReloadRenderer(Protocol):
    """Renderer of the level, as reloading uses it. software: the CPU renders."""

    software: bool

    @property
    def unreadable_pictures(self) -> tuple[Path, ...]: ...

    def load_step(self, scene_data: SceneData) -> bool: ...

    def show_level(self, level: Level, scene_data: SceneData | None, now: float) -> None: ...

    def replace_light(self, scene_data: SceneData) -> None: ...

    def delay_bake(self, now: float) -> None: ...

    def reload_pictures(self, changed: Sequence[tuple[Path, tuple[int, int]]]) -> None: ...

    def shader_folder(self) -> Path | None: ...

    def reload_shaders(self) -> tuple[ShaderDiagnostic, ...]: ...


class LevelReloader:
    """Reloads a level when its files change. Call `update` once a frame, and `check_now` after saving a file."""

    def __init__(
        self,
        game: Game,
        light_cache: Path | None = None,
        print_line: Callable[[str], None] = lambda text: None,
        file_watcher: FileWatcher | None = None,
        shader_reloader: ShaderReloader | None = None,
    ) -> None:
        """print_line: prints a line on the terminal."""
        self.game = game
        self._light_cache = light_cache
        self._print_line = print_line
        self.level_renderer: ReloadRenderer | None = None  # of the window; None: nothing is drawn
        self.reload_count = 0  # number of reloads
        self.findings: tuple[Finding, ...] = ()  # why the present files cannot be loaded
        self.dropped_findings: tuple[Finding, ...] = ()  # pieces that the present level was loaded without
        self._unreadable_pictures: dict[Path, float] = {}  # until when the card of each is shown (clock, s)
        self._shader_findings: tuple[Finding, ...] = ()
        self._card_text: tuple[str, str, float] = ("", "", 0.0)
        self._file_watcher = file_watcher or FileWatcher()
        self._shader_reloader = shader_reloader or ShaderReloader()
        self._level: Level | None = None
        self._quality = ""
        files = level_files(game.level)
        self._known_signatures: dict[Path, FileSignature] = file_signatures(files)  # of the files in the last answer
        self._digest = level_digest(game.level)  # of the files of the present level
        self._initial_level: Level | None = game.level  # until it is watched
        self._fetched: WorkResult | None = None  # the level behind an exit
        self._loaded_data: SceneData | None = None  # of that level, once the renderer has loaded it
        self._receive_exit_level: Callable[[Level | None, Sequence[Finding]], None] | None = None
        self._requests: dict[str, Future[Answer]] = {}  # the latest one of each kind, until its answer is there
        self._change: Future[Answer] | None = None  # the request for the present level whose answer is awaited
        self._requested_at = 0.0
        self._check_now = False
        self._seen_signatures: dict[Path, FileSignature] = {}  # for changes of pictures
        self._pending: WorkResult | None = None
        self._now = 0.0

    # Interface

    def check_now(self) -> None:
        """Check the files now: one of them has just been written."""
        self._check_now = True
        self._file_watcher.check_now()
        self._shader_reloader.check_now()

    def request_final_light(self, with_bake_input: bool) -> None:
        """Request the present level with its final light for `replace_light`. with_bake_input: see `WorkRequest`."""
        if self._level is not None:
            self._request(FINAL_LIGHT_REQUEST, with_bake_input=with_bake_input)

    @property
    def is_idle(self) -> bool:
        """Whether the present level is that of the files, and no request is pending."""
        changed = have_changed(self._known_signatures, self._file_watcher.current_signatures)
        return not (self._requests or self._pending or self._check_now or changed) and self._level is self.game.level

    @property
    def is_waiting(self) -> bool:
        """Whether a changed level is being loaded."""
        return self._change is not None

    def stop(self) -> None:
        """Stop the threads and the process."""
        self._file_watcher.stop()
        self._shader_reloader.stop()
        self._drop_requests()

    def update(self, now: float) -> None:
        """Advance loading; at most one level is swapped. now: clock of the frame (s)."""
        self._now = now
        game = self.game
        if game.session is None:
            return
        if game.mode != LEAVING and (game.level is not self._level or game.screen.quality != self._quality):
            self._watch_level(game.level)
        if game.mode == LEAVING:
            data = None if self._fetched is None else self._fetched.scene_data
            self._loaded_data = data if data is not None and self._load_step(data) else None
            return
        self._reload_pictures()
        self._report_pictures()
        if self._pending is not None:
            self._swap_level(self._pending)
        elif self._files_changed():
            if self._change is not None:
                self._drop_requests()
            self._change = self._request(CHANGE_REQUEST)
            self._requested_at = now
            self._check_now = False
            if self.level_renderer is not None:
                self.level_renderer.delay_bake(now)
        self._update_shaders()

    def _request(self, kind: str, path: Path | None = None, **fields: Any) -> Future[Answer]:
        """Ask the process that loads levels, and let it prepare for the next request."""
        quality = "" if self.level_renderer is None else self.game.screen.quality
        request = WorkRequest(kind, path or self.game.level.path, quality, self._light_cache, **fields)
        jobs = self.game.jobs
        future = jobs.process(LEVELS, answer_request, request, done=lambda future: self._receive(request, future))
        jobs.process(LEVELS, prepare_next)
        self._requests[kind] = future
        return future

    def _drop_requests(self) -> None:
        self.game.jobs.stop(LEVELS)
        self._requests.clear()
        self._change = None

    def _receive(self, request: WorkRequest, future: Future[Answer]) -> None:
        is_latest = self._requests.get(request.kind) is future
        if is_latest:
            del self._requests[request.kind]
        try:
            answer = future.result()
        except Exception:  # such as an end of the process
            finding = file_finding(request.path, WORKER_ENDED_TEXT)
            answer = WorkFailure((finding,), file_signatures([request.path]))
        if future is self._change:
            self._change = None
            self._on_change_ready(answer)
        elif request.kind == FINAL_LIGHT_REQUEST and is_latest and isinstance(answer, WorkResult):
            self._on_light_ready(answer)
        elif request.kind == TRAVEL_REQUEST and is_latest and self.game.mode == LEAVING:
            receive = self._receive_exit_level
            self._receive_exit_level = None  # it holds the transition, and so its world
            assert receive is not None
            if isinstance(answer, WorkResult):
                self._fetched = answer
                receive(answer.level, ())
            else:
                receive(None, answer.findings)

    # Changed files

    def _watch_level(self, level: Level) -> None:
        files = level_files(level)
        fetched = self._fetched
        arrived = fetched is not None and fetched.level is level
        if fetched is not None and arrived:
            self._known_signatures = fetched.signatures
            self._digest = fetched.digest
        elif level is not self._level and level is not self._initial_level:
            self._known_signatures = file_signatures(files)
            self._digest = level_digest(level)
        if level is not self._level:
            self.findings = self.dropped_findings = ()
        known = arrived and self._quality == self.game.screen.quality
        self._level = level
        self._quality = self.game.screen.quality
        self._pending = None
        self._fetched = self._loaded_data = None
        self._initial_level = None
        self._file_watcher.update(files)
        self._file_watcher.start()
        if not known:
            self._change = self._request(WARM_REQUEST)
            self._requested_at = self._now

    # Exits

    @property
    def is_worker_started(self) -> bool:
        """Whether the worker process is started."""
        return self._level is not None

    def request_exit_level(self, level_exit: Exit, receive: Callable[[Level | None, Sequence[Finding]], None]) -> None:
        """Load the level behind an exit and pass it to `receive`, or None and the findings that prevent it. What the
        process still does for the level that is left is dropped."""
        if self._requests:
            self._drop_requests()
        self._receive_exit_level = receive
        with_bake_input = self.level_renderer is not None and not self.level_renderer.software
        self._request(TRAVEL_REQUEST, level_exit.path, spawn=level_exit.spawn or "", with_bake_input=with_bake_input)

    def fetched(self, level: Level) -> SceneData | None:
        """Scene data of a level that was loaded for an exit; None for another level."""
        fetched = self._fetched
        return fetched.scene_data if fetched is not None and fetched.level is level else None

    def is_picture_loaded(self, level: Level) -> bool:
        """Whether the renderer has loaded what it can load ahead of the level behind an exit."""
        data = self.fetched(level)
        return data is None or data is self._loaded_data

    def _load_step(self, scene_data: SceneData) -> bool:
        """Let the renderer do one step of loading a level; True once nothing is left."""
        return self.level_renderer is None or self.level_renderer.load_step(scene_data)

    def _files_changed(self) -> bool:
        changed = self._check_now or have_changed(self._known_signatures, self._file_watcher.current_signatures)
        return changed and (self._change is None or self._now - self._requested_at > READ_TIMEOUT)

    def _reload_pictures(self) -> None:
        """Show changed pictures at once: their textures do not wait for the level that uses them."""
        signatures = self._file_watcher.current_signatures
        seen = self._seen_signatures
        if signatures is seen:
            return
        self._seen_signatures = signatures
        known = {**self._known_signatures, **seen}
        changed = [
            (path, signature[:2])
            for path, signature in signatures.items()
            if signature is not None and known.get(path, signature) != signature
        ]
        if changed and self.level_renderer is not None:
            self.level_renderer.reload_pictures(changed)

    def _report_pictures(self) -> None:
        """Show the pictures that cannot be read, each once."""
        unreadable = () if self.level_renderer is None else self.level_renderer.unreadable_pictures
        if unreadable == tuple(self._unreadable_pictures):
            return
        known = self._unreadable_pictures
        until = self._now + PICTURE_CARD_SECONDS
        for path in unreadable:
            if path not in known:
                self._print_line(": ".join((str(path), *UNREADABLE_PICTURE)))
        self._unreadable_pictures = {path: known.get(path, until) for path in unreadable}

    def _on_change_ready(self, answer: WorkResult | WorkFailure) -> None:
        assert self._level is not None
        self._file_watcher.update((*level_files(self._level), *answer.signatures))
        if isinstance(answer, WorkFailure):
            self._known_signatures = {**self._known_signatures, **answer.signatures}
            kinds = ("fatal", "dropped")  # dropped pieces often explain why nothing is left
            worst = [finding for kind in kinds for finding in answer.findings if finding.severity == kind]
            self._on_broken_level(tuple(worst) or answer.findings)
        elif answer.digest == self._digest:
            self._known_signatures = {**self._known_signatures, **answer.signatures}
            if self.findings:
                self.show_message("Error fixed", "No change")
            self.findings = ()
        else:
            self._pending = answer

    def _on_broken_level(self, findings: tuple[Finding, ...]) -> None:
        """The files cannot be loaded: keep the present level and show the findings."""
        if findings != self.findings:
            self._print_line(
                "Not reloaded, the level before stays:\n" + "\n".join(finding.render() for finding in findings)
            )
        self.findings = findings
        self._card_text = ("", "", 0.0)

    def _swap_level(self, result: WorkResult) -> None:
        """Swap world and picture once the renderer has loaded the level."""
        if result.scene_data is not None and not self._load_step(result.scene_data):
            return
        self._pending = None
        self._known_signatures = {**self._known_signatures, **result.signatures}
        level = result.level
        session = self.game.session
        assert level is not None
        assert session is not None
        try:
            migration = migrate_world(session.world, level)
        except ValueError as error:
            self._on_broken_level((file_finding(level.path, str(error)),))
            return
        self._level = level
        self._digest = result.digest
        self.findings = ()
        self.dropped_findings = tuple(finding for finding in level.findings if finding.severity == "dropped")
        self._file_watcher.update(level_files(level))
        if self.level_renderer is not None:
            self.level_renderer.show_level(level, result.scene_data, self._now)
        self.game.replace_level(migration)
        self.reload_count += 1
        detail = describe_relocation(migration)
        self.show_message(f"Level reloaded, {seconds_since_saved(result.signatures, result.seconds):.2f} s", detail)
        self._print_line(f"{level.path.name}: {self._card_text[0]}{f' ({detail})' if detail else ''}")
        for finding in self.dropped_findings:
            self._print_line(finding.render())

    def _on_light_ready(self, answer: WorkResult) -> None:
        if self.level_renderer is not None and answer.scene_data is not None and answer.digest == self._digest:
            self.level_renderer.replace_light(answer.scene_data)

    def _update_shaders(self) -> None:
        folder = None if self.level_renderer is None else self.level_renderer.shader_folder()
        if self.level_renderer is None or folder is None:
            return
        began = time.perf_counter()
        problems = self._shader_reloader.update(folder, self._now, self.level_renderer.reload_shaders)
        if problems is not None:
            self._shader_findings = tuple(
                file_finding(folder / problem.file, problem.message, problem.line) for problem in problems
            )
            for problem in problems:
                self._print_line(f"shaders/{problem}")
            if not problems:
                self.show_message(f"Shaders reloaded, {time.perf_counter() - began:.2f} s")

    # Messages

    def show_message(self, text: str, detail: str = "", seconds: float = CARD_SECONDS) -> None:
        """Show a card at the side for some seconds."""
        self._card_text = (text, detail, self._now + seconds)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards at the side of the picture: the findings, and the last message while its time lasts."""
        text, detail, until = self._card_text
        cards: tuple[Card, ...] = (Card(text, detail),) if text and self._now < until else ()
        cards += finding_cards(self.findings, "Level not reloaded")
        if not self.findings:
            cards += finding_cards(self.dropped_findings, "Some pieces are left out")
        damaged = [path for path, until in self._unreadable_pictures.items() if self._now < until]
        message, cure = UNREADABLE_PICTURE
        cards += finding_cards([file_finding(path, message, cure=cure) for path in damaged], "Pictures not shown")
        return cards + finding_cards(self._shader_findings, "Shaders not reloaded")


def seconds_since_saved(signatures: dict[Path, FileSignature], processor_seconds: float) -> float:
    """Seconds since the last of these files was written; `processor_seconds` where the clocks disagree."""
    written = max((signature[0] for signature in signatures.values() if signature is not None), default=0)
    seconds = time.time() - written * 1e-9
    return seconds if processor_seconds <= seconds < 60.0 else processor_seconds


def describe_relocation(result: MigrationResult) -> str:
    """A sentence about a walker that was moved; empty where it stayed."""
    if result.outcome == MigrationOutcome.PUSHED and result.distance > MIN_REPORTED_PUSH:
        return f"you were in the way and were moved {result.distance:.1f} m"
    if result.outcome == MigrationOutcome.SAFE:
        return "no room where you stood: back to your last safe position"
    if result.outcome == MigrationOutcome.SPAWN:
        return "no room where you stood: back to the start"
    return ""


def finding_cards(findings: Sequence[Finding], title: str) -> tuple[Card, ...]:
    """Cards for the findings of files; the first one has the title and their number."""
    if not findings:
        return ()
    count = len(findings)
    cards = [Card(f"{title}: {count} finding{'s' if count > 1 else ''}")]
    for finding in findings[:MAX_FINDINGS]:
        name = Path(finding.file).name
        place = f"{name}:{finding.line}" + (f":{finding.column}" if finding.column else "") if finding.line else name
        prefix = f"{finding.where}: " if finding.where else ""
        cards.append(
            Card(place, (prefix + finding.message)[:MAX_MESSAGE_LENGTH], note=finding.cure[:MAX_MESSAGE_LENGTH])
        )
    if count > MAX_FINDINGS:
        cards.append(Card("", note=f"and {count - MAX_FINDINGS} more"))
    return tuple(cards)
