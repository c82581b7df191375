"""Standard output of commands with `--json`: one document, and the usual text on standard error."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping


def add_json_option(parser: argparse.ArgumentParser) -> None:
    text = "print one JSON document, and nothing else, on standard output"
    parser.add_argument("--json", action="store_true", help=text)


def text_output(is_json: bool) -> contextlib.AbstractContextManager[object]:
    """A block in which `print` writes to standard error if standard output is for the document."""
    return contextlib.redirect_stdout(sys.stderr) if is_json else contextlib.nullcontext()


def print_document(kind: str, fields: Mapping[str, object]) -> None:
    from ...reports.json_documents import format_document

    sys.stdout.write(format_document(kind, fields))
