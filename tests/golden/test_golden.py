"""Golden hashes: a walk has the stored bits, so an unintended change of the physics fails."""

from __future__ import annotations

import pytest

from game.sim.replay import fingerprint
from tools.verify import golden

KEPT = golden.kept().get(fingerprint.machine_name(), {})
AGAIN = "if the physics was meant to change: python -m tools.verify.golden"

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(
        not KEPT,
        reason=f"no golden hashes of {fingerprint.machine_name()} yet: python -m tools.verify.golden adds them",
    ),
]


def test_exactly_the_golden_walks_have_hashes():
    assert sorted(KEPT) == sorted(golden.names()), AGAIN


@pytest.mark.parametrize("name", sorted(KEPT.keys() & golden.names().keys()))
def test_golden_walks_have_their_stored_hashes(name):
    now = golden.names()[name]()
    assert now == KEPT[name], f"{name} goes otherwise than it did; {AGAIN}"


RECORDS = golden.kept_records().get(fingerprint.machine_name(), {})


@pytest.mark.parametrize("name", sorted(KEPT.keys() & golden.inputs().keys()))
def test_a_changed_hash_has_another_level_or_commands_or_rules(name):
    now = golden.Record(KEPT[name], *golden.inputs()[name](), fingerprint.RULES_VERSION)
    records = RECORDS[name]
    for at, record in enumerate([*records, now]):
        assert golden.same_rules_twice(name, records[:at], record) == ""
    assert records[-1] == now, AGAIN


OLD = golden.Record("a1", "level", "commands", 1)


@pytest.mark.parametrize(
    ("now", "refused"),
    [
        (OLD, False),
        (OLD._replace(hash="b2"), True),
        (OLD._replace(hash="b2", level="other"), False),
        (OLD._replace(hash="b2", commands="other"), False),
        (OLD._replace(hash="b2", rules=2), False),
    ],
)
def test_another_hash_under_the_same_rules_is_refused(now, refused, tmp_path, capsys):
    def write(record):
        return golden.write("here", {"walk": record.hash}, {"walk": record[1:3]}, 1, tmp_path, record.rules)

    def kept():
        return golden.kept(tmp_path), golden.kept_records(tmp_path)

    assert write(OLD) == 0
    before = kept()
    assert before == ({"here": {"walk": "a1"}}, {"here": {"walk": [OLD]}})
    assert write(now) == int(refused)
    if refused:
        assert "walk: b2 instead of a1 in the same level" in capsys.readouterr().out
        assert kept() == before
    else:
        assert kept() == ({"here": {"walk": now.hash}}, {"here": {"walk": [OLD] if now == OLD else [OLD, now]}})


def test_a_rules_change_hidden_by_another_level_is_refused():
    between = OLD._replace(level="other", hash="b2")
    assert golden.same_rules_twice("walk", [OLD, between], OLD) == ""
    assert golden.same_rules_twice("walk", [OLD, between], OLD._replace(hash="c3"))


def test_differences_name_each_changed_missing_and_new_walk():
    old, new = {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9", "d": "4"}
    assert golden.differences(old, new) == [
        "b: was 2, is 9",
        "c: there is no such walk any more",
        "d: new, 4",
    ]
