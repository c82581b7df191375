"""The line of progress: rewritten on a terminal, one line after another elsewhere."""

from __future__ import annotations

import contextlib
import io

from game.app.launch.progress_line import MAX_LINE_WIDTH, ProgressLine, describe_progress, describe_seconds


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_and_a_log_has_each():
    for stream, expected in ((Terminal(), "\r\x1b[2Ka\r\x1b[2K" + "b" * MAX_LINE_WIDTH + "\r\x1b[2K"),
                             (io.StringIO(), "a\n" + "b" * 200 + "\n")):  # fmt: skip
        with contextlib.redirect_stderr(stream):
            line = ProgressLine()
            line.show("a")
            line.show("b" * 200)
            line.clear()
        assert stream.getvalue() == expected


def test_progress_tells_what_is_left_once_that_can_be_told():
    assert describe_progress("x", 0.01, 5.0) == "x: 1 %"
    assert describe_progress("x", 0.25, 10.0) == "x: 25 %, about 30 s left"
    assert describe_progress("x", 1.0, 10.0) == "x: 100 %"
    assert [describe_seconds(seconds) for seconds in (1.0, 62.0, 100.0, 200.0)] == ["5 s", "60 s", "2 min", "3 min"]
