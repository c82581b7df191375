"""Documents of `--json`: one JSON object with the name and the version of its schema.

The version of a schema grows when a field is removed, renamed or changes its meaning. A new field does not change it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import __version__

SCHEMAS = Path(__file__).parent / "schemas"


def load_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of a kind of document. It holds the version."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    return schema


def format_document(kind: str, fields: Mapping[str, object]) -> str:
    """Text of a document: its fields after `schema`, `schema_version` and `program`. Ends with a line break.

    kind: the name of a file in SCHEMAS. ValueError for a number that is not finite: JSON has none.
    """
    document = {
        "schema": f"walker/{kind}",
        "schema_version": load_schema(kind)["properties"]["schema_version"]["const"],
        "program": f"ellipsoid-walker {__version__}",
        **fields,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
