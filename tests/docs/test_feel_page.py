"""docs/feel.md agrees with the measurement."""

from __future__ import annotations

import pytest

from tools.docs import feel_page


@pytest.mark.full
def test_the_page_is_what_is_measured():
    text = feel_page.PAGE.read_text(encoding="utf-8")
    assert feel_page.filled(text, feel_page.parts()) == text, "run `python -m tools.docs.feel_page`"
