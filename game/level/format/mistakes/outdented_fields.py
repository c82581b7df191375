"""Fields that stand further left than the other fields of their piece, and so belong to another mapping."""

from __future__ import annotations

from ..schema import PIECE_RECORDS
from ..yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar


def outdented_field_cure(key: YamlNode, piece: YamlNode, last: YamlNode) -> str:
    """Cure of a field that belongs to a piece before it, or of a piece without a dash; '' for others.

    key: of the field. piece: mapping of a kind to its fields. last: key of the last field that stands too far left.
    """
    if not isinstance(key, YamlScalar) or not isinstance(piece, YamlMapping) or piece.first_name not in PIECE_RECORDS:
        return ""
    kind, fields = piece.pairs[0]
    if PIECE_RECORDS[piece.first_name].field(key.text) is None and key.text in PIECE_RECORDS:
        spaces = kind.place.column - 3
        return f"`{key.text}` lacks its dash: write `- {key.text}:` after {spaces} spaces, as in line {kind.place.line}"
    if PIECE_RECORDS[piece.first_name].field(key.text) is None or not isinstance(fields, YamlMapping):
        return ""
    owner = f"`{key.text}` belongs to the {piece.first_name} in line {kind.place.line}"
    if fields.place.line == kind.place.line:
        return f"{owner}: put it into its braces"
    spaces = fields.place.column - key.place.column
    rest = f", and all to line {last.place.line}," if last.place.line > key.place.line else ""
    return f"{owner}: indent it{rest} by {'two' if spaces == 2 else spaces} more spaces"


def outdented_piece_cure(key: YamlNode, before: YamlNode | None) -> tuple[str, tuple[str, ...]] | None:
    """Cure of a field after a list of pieces, whose last piece it belongs to, or the last one in that; None for others.

    before: the value of the field before. A piece in braces is no sign that a field after its list belongs to it.
    """
    while isinstance(before, YamlList) and before.items and isinstance(piece := before.items[-1], YamlMapping):
        cure = outdented_field_cure(key, piece, key)
        if cure.endswith("spaces"):
            return cure, ()
        fields = piece.pairs[0][1] if piece.pairs else None
        before = fields.pairs[-1][1] if isinstance(fields, YamlMapping) and fields.pairs else None
    return None
