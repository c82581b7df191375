"""The line of progress: rewritten on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import contextlib
import io

import pytest

from game.app.launch import progress_line
from game.app.launch.progress_line import LOG_INTERVAL, MAX_LINE_WIDTH, TERMINAL_INTERVAL, ProgressLine


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "interval"), [(io.StringIO, LOG_INTERVAL), (Terminal, TERMINAL_INTERVAL)])
def test_a_line_is_due_after_an_interval(monkeypatch, stream, interval):
    now = [50.0]
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])
    with contextlib.redirect_stderr(stream()):
        assert not ProgressLine(waits=True).is_due()
        line = ProgressLine()
        assert line.is_due()
        line.show("1 of 9")
        assert not line.is_due()
        now[0] += interval
        assert line.is_due()


def test_a_terminal_has_one_line_and_a_log_has_each():
    for stream, expected in ((Terminal(), "\r\x1b[2Ka\r\x1b[2K" + "b" * MAX_LINE_WIDTH + "\r\x1b[2K"),
                             (io.StringIO(), "a\n" + "b" * 200 + "\n")):  # fmt: skip
        with contextlib.redirect_stderr(stream):
            line = ProgressLine()
            line.show("a")
            line.show("b" * 200)
            line.clear()
        assert stream.getvalue() == expected
