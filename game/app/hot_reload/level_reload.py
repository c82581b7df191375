"""A level that is saved while it is played changes under one's feet; one that is broken is told about, and stays.

The files are watched beside the frames, another process makes the new level ready, the renderer takes it up in small
steps, and then world and picture change over within one frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...render import Card
from ...sim.replay.level_migration import SPAWN, Taken, take_over
from .change_summary import findings_cards, told
from .file_watcher import Mark, Watch, differ, marks
from .level_worker import CHANGE, SETTLE, TRAVEL, WARM, Failed, Made, Workshop, digest_of, files_of, sentence
from .shader_reload import Reshading

if TYPE_CHECKING:
    from ...level import Exit, Finding, Level
    from ...render import Prepared
    from ..display.level_renderer import Drawing
    from ..game import Game

LOOK_UP = 1 / 500  # s between one look and the next whether what is awaited has come
STUCK = 30.0  # s after which a reading is given up when the file has changed again
SAID_SECONDS = 4.0
STEEP = 0.6  # m: the eye is eased over less


class Reloading:
    """Keeps a game's level like its files. `frame` once a frame; `poke` after one has saved oneself."""

    def __init__(
        self,
        game: Game,
        workshop: Workshop | None = None,
        light_cache: Path | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`tell` takes a line for the terminal from which one plays."""
        self.game, self._light_cache, self._tell = game, light_cache, tell
        self.drawing: Drawing | None = None  # the window's; without one nothing is drawn
        self.count = 0  # levels taken over
        self.findings: tuple[Finding, ...] = ()  # why the files as they are now are no level
        self.left_out: tuple[Finding, ...] = ()  # what the level that is played goes without
        self._shader_findings: tuple[Finding, ...] = ()
        self._said: tuple[str, str, float] = ("", "", 0.0)
        self._workshop = workshop or Workshop()
        self._watch = Watch()
        self._shaders = Reshading()
        self._level: Level | None = None
        self._quality = ""
        files = files_of(game.level)
        self._known: dict[Path, Mark] = marks(files)  # of what has been answered last
        self._digest = digest_of(files)  # of the files as they are played
        self._first = game.level
        self._fetching = 0
        self._fetched: Made | None = None  # where an exit leads to
        self._asked = 0.0
        self._order = 0  # the number of the change that is awaited
        self._settling = 0
        self._poked = False
        self._coming: Made | None = None
        self._now = 0.0

    # What others call

    def poke(self) -> None:
        """A file of the level has just been written: do not wait for the next look at it."""
        self._poked = True
        self._watch.poke()
        self._shaders.poke()

    def settle(self, walk: bool) -> None:
        """Ask for the level that is shown with all the light that can be had; it goes to `drawing.relight`."""
        if self._level is not None:
            self._settling = self._ask(SETTLE, walk=walk)

    @property
    def idle(self) -> bool:
        """Whether what is played is what was last seen of the files."""
        seen = differ(self._known, self._watch.seen)
        return not (self._workshop.busy or self._coming or self._poked or seen) and self._level is self.game.level

    @property
    def awaits(self) -> bool:
        """Whether the level is being read, and somebody waits for it."""
        return bool(self._order)

    def rest(self, seconds: float, rest: Callable[[float], None]) -> None:
        """Let `rest` wait so long, and no longer than until a level that is awaited has come."""
        end = time.perf_counter() + seconds
        while self.awaits and not self._workshop.come and time.perf_counter() + LOOK_UP < end:
            rest(LOOK_UP)
        if not (self.awaits and self._workshop.come):
            rest(max(end - time.perf_counter(), 0.0))

    def stop(self) -> None:
        """End the threads and the process."""
        self._watch.stop()
        self._shaders.stop()
        self._workshop.stop()

    def frame(self, now: float) -> None:
        """Go on; at most one level changes. `now`: the frame's clock."""
        self._now = now
        game = self.game
        if game.session is None:
            return
        if game.travel.journey is None and (game.level is not self._level or game.quality != self._quality):
            self._follow(game.level)
        for answer in self._workshop.answers():
            self._receive(answer)
        if game.travel.journey is not None:
            if self.drawing is not None and self._fetched is not None and self._fetched.prepared is not None:
                self.drawing.stage(self._fetched.prepared)
            return
        if self._coming is not None:
            self._take(self._coming)
        elif self._changed():
            if self._order:
                self._workshop.restart()
            self._order, self._asked, self._poked = self._ask(CHANGE), now, False
            if self.drawing is not None:
                self.drawing.hush(now)
        self._look_at_shaders()

    def _receive(self, answer: Made | Failed) -> None:
        number = answer.order.number
        if number == self._order:
            self._order = 0
            self._answered(answer)
        elif number == self._settling:
            self._settling = 0
            if isinstance(answer, Made):
                self._lit(answer)
        elif number == self._fetching and self.game.travel.journey is not None:
            self._fetching = 0
            if isinstance(answer, Made):
                self._fetched = answer
                self.game.travel.journey.receive(answer.level)
            else:
                self.game.travel.journey.receive(None, answer.findings)

    # From file to level

    def _follow(self, level: Level) -> None:
        """Another level is played: watch its files."""
        files, fetched = files_of(level), self._fetched
        arrived = fetched is not None and fetched.level is level
        if fetched is not None and arrived:
            self._known, self._digest = fetched.marks, fetched.digest
        elif level is not self._level and level is not self._first:
            self._known, self._digest = marks(files), digest_of(files)
        if level is not self._level:
            self.findings = self.left_out = ()
        known = arrived and self._quality == self.game.quality
        self._level, self._quality, self._coming, self._fetched = level, self.game.quality, None, None
        self._watch.follow(files)
        self._watch.start()
        if not known:
            self._order, self._asked = self._ask(WARM), self._now

    # Through an exit

    @property
    def ready(self) -> bool:
        """Whether the process is there and has nothing to do."""
        return self._level is not None and not self._workshop.busy

    def fetch(self, way: Exit) -> None:
        """Get the level behind an exit; the game's journey receives it."""
        walk = self.drawing is not None and not self.drawing.software
        self._fetching = self._ask(TRAVEL, way.path, spawn=way.spawn or "", walk=walk)

    def fetched(self, level: Level) -> Prepared | None:
        """The picture of a level that was fetched, once."""
        made = self._fetched
        return made.prepared if made is not None and made.level is level else None

    def _ask(self, kind: str, path: Path | None = None, **more: Any) -> int:
        quality = "" if self.drawing is None else self.game.quality
        return self._workshop.ask(kind, path or self.game.level.path, quality, light_cache=self._light_cache, **more)

    def _changed(self) -> bool:
        fresh = self._poked or differ(self._known, self._watch.seen)
        return fresh and (not self._order or self._now - self._asked > STUCK)

    def _answered(self, answer: Made | Failed) -> None:
        assert self._level is not None
        self._watch.follow((*files_of(self._level), *answer.marks))
        if isinstance(answer, Failed):
            self._known = {**self._known, **answer.marks}
            kinds = ("fatal", "dropped")  # what was dropped often says why nothing is left
            worst = [bad for kind in kinds for bad in answer.findings if bad.severity == kind]
            self._broken(tuple(worst) or answer.findings)
        elif answer.digest == self._digest:
            self._known = {**self._known, **answer.marks}
            if self.findings:
                self.say("level mended", "as it was")
            self.findings = ()
        else:
            self._coming = answer

    def _broken(self, findings: tuple[Finding, ...]) -> None:
        """The files are no level now."""
        if findings != self.findings:
            self._tell("Kept as it was:\n" + "\n".join(finding.render() for finding in findings))
        self.findings, self._said = findings, ("", "", 0.0)

    def _take(self, made: Made) -> None:
        """Change over, as soon as the picture can."""
        if self.drawing is not None and made.prepared is not None and not self.drawing.stage(made.prepared):
            return
        self._coming = None
        self._known = {**self._known, **made.marks}
        level, session = made.level, self.game.session
        assert level is not None
        assert session is not None
        try:
            taken = take_over(session.world, level)
        except ValueError as error:
            self._broken((sentence(level.path, str(error)),))
            return
        self._level, self._digest, self.findings = level, made.digest, ()
        self.left_out = tuple(finding for finding in level.findings if finding.severity == "dropped")
        self._watch.follow(files_of(level))
        if self.drawing is not None:
            self.drawing.show(level, made.prepared, self._now)
        enter(self.game, taken)
        self.count += 1
        what = told(taken) or made.what
        self.say(f"level reloaded, {since(made.marks, made.seconds):.2f} s", what)
        self._tell(f"{level.path.name}: {self._said[0]}{f' ({what})' if what else ''}")
        for finding in self.left_out:
            self._tell(finding.render())

    def _lit(self, answer: Made) -> None:
        if self.drawing is not None and answer.prepared is not None and answer.digest == self._digest:
            self.drawing.relight(answer.prepared)

    def _look_at_shaders(self) -> None:
        folder = None if self.drawing is None else self.drawing.shaders()
        if self.drawing is None or folder is None:
            return
        began = time.perf_counter()
        problems = self._shaders.frame(folder, self._now, self.drawing.rebuild)
        if problems is not None:
            self._shader_findings = tuple(sentence(folder / bad.file, bad.message, bad.line) for bad in problems)
            for problem in problems:
                self._tell(f"shaders/{problem}")
            if not problems:
                self.say(f"shaders built again, {time.perf_counter() - began:.2f} s")

    # What is said

    def say(self, text: str, below: str = "", seconds: float = SAID_SECONDS) -> None:
        """Show a few words at the side for some seconds."""
        self._said = (text, below, self._now + seconds)

    @property
    def cards(self) -> tuple[Card, ...]:
        """What stands at the side of the picture: findings while there are some, else the last words for a while."""
        text, below, until = self._said
        cards: tuple[Card, ...] = (Card(text, below),) if text and self._now < until else ()
        cards += findings_cards(self.findings, "Kept as it was")
        if not self.findings:
            cards += findings_cards(self.left_out, "Parts are left out")
        return cards + findings_cards(self._shader_findings, "Shaders not built")


def enter(game: Game, taken: Taken) -> None:
    """Let the game go on in another version of its level."""
    session, world = game.session, taken.world
    assert session is not None
    moved = world.walker_state != session.world.walker_state
    game.level, session.world = world.level, world
    game.eye.mesh = world.mesh
    if moved:
        session.jumped()
        if taken.metres > STEEP:
            game.eye.jump(session.pose())
    if taken.how == SPAWN:
        game.look.face(world.start.heading)
    if game.recording is not None:
        game.recording.moved(session)
    game.fading.follow(world.targets.flags, 0.0, jump=True)


def since(saved: dict[Path, Mark], least: float) -> float:
    """Seconds since the last of these files was written; `least` where a clock says something odd."""
    written = max((found[0] for found in saved.values() if found is not None), default=0)
    seconds = time.time() - written * 1e-9
    return seconds if least <= seconds < 60.0 else least
