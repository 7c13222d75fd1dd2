import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.errors import NewerFormat, RecordError
from audition.experiment.plan import (
    PLAN,
    UNKNOWN,
    PlanTotals,
    fingerprint,
    fingerprints,
    name_id,
    plan_head,
    planned_cases,
    read_plan,
    write_plan,
)
from tests.datasets.desk import recorded
from tests.experiments import dataset

SESSIONS = """\
version: 2
task: session
name: gates
session: talk.jsonl
cases:
  - name: lists all
    metadata:
      note: |
        Gate 1
        Gate 2
    evaluators:
      - {type: human_response_contains_terms, required_terms: ["Gate 1"]}
"""


def checkout(folder: Path, text: str, name: str = "gates.yaml") -> LoadedDataset:
    folder.mkdir()
    recorded(folder / "talk.jsonl", "s-1")
    path = folder / name
    path.write_bytes(text.encode())
    return build_dataset(read_source(path), Authoring())


def dataset_fingerprints(loaded: LoadedDataset) -> PlanTotals:
    return write_plan(loaded.path.parent, plan_head(loaded), planned_cases(loaded))


def test_a_checkout_with_other_line_ends_has_the_same_fingerprints(tmp_path: Path) -> None:
    unix = dataset_fingerprints(checkout(tmp_path / "unix", SESSIONS))
    windows = dataset_fingerprints(checkout(tmp_path / "windows", SESSIONS.replace("\n", "\r\n")))
    assert unix == windows


def test_json_and_yaml_of_one_content_have_the_same_fingerprints(tmp_path: Path) -> None:
    yaml = checkout(tmp_path / "yaml", SESSIONS)
    data = json.dumps(dict(read_source(yaml.path).data), indent=4)
    written = checkout(tmp_path / "json", data.replace("\n", "\r\n"), "gates.json")
    assert dataset_fingerprints(yaml) == dataset_fingerprints(written)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("Gate 2", "Gate 3", (True, False)),
        ('"Gate 1"', '"Gate 2"', (False, True)),
        ("lists all", "lists some", (True, True)),
    ],
)
def test_a_change_of_content_changes_its_fingerprint(
    tmp_path: Path, old: str, new: str, changed: tuple[bool, bool]
) -> None:
    before = dataset_fingerprints(checkout(tmp_path / "before", SESSIONS))
    after = dataset_fingerprints(checkout(tmp_path / "after", SESSIONS.replace(old, new)))
    differs = (before.inputs != after.inputs, before.evaluators != after.evaluators)
    assert differs == changed


@pytest.mark.parametrize(
    ("more", "is_same"),
    [
        ({"tags": ["slow"], "metadata": {"a": 1}}, True),
        ({"evaluators": [{"type": "completed"}]}, True),
        ({"message": "else?"}, False),
        ({"target": "@Other"}, False),
        ({"limits": {"timeout_seconds": 7}}, False),
    ],
)
def test_what_the_team_is_asked_has_a_fingerprint_of_its_own(
    tmp_path: Path, more: dict[str, Any], is_same: object
) -> None:
    (before,) = planned_cases(dataset(tmp_path, {"one": {}}))
    (after,) = planned_cases(dataset(tmp_path, {"one": more}))
    assert (before.asked == after.asked) is is_same


def test_a_fingerprint_does_not_depend_on_the_order_of_keys() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1})
    assert len(fingerprint("\ud800")) == 16


def test_a_source_has_a_fingerprint_without_its_password(tmp_path: Path) -> None:
    dsn = "source: {kind: postgres, dsn: 'postgres://ana:PASSWORD@db/d'}\nsession_id: s-1"
    prints = [
        dataset_fingerprints(
            checkout(tmp_path / name, SESSIONS.replace("session: talk.jsonl", text))
        )
        for name, text in (
            ("one", dsn),
            ("two", dsn.replace("PASSWORD", "other")),
            ("three", dsn.replace("s-1", "s-2")),
        )
    ]
    assert (prints[0] == prints[1], prints[0] == prints[2]) == (True, False)


def test_what_only_its_place_in_memory_tells_has_no_fingerprint() -> None:
    assert fingerprint({"a": object()}) == UNKNOWN


def test_a_plan_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    loaded = dataset(tmp_path, {"good": {"tags": ["old"], "must_pass": True}, "bad": {"repeat": 3}})
    write_plan(tmp_path, plan_head(loaded), planned_cases(loaded))
    head, cases = read_plan(tmp_path)
    assert head == plan_head(loaded)
    good, bad = cases
    assert [good, bad] == list(planned_cases(loaded))
    assert (good.case_id, good.tags, good.must_pass, good.repeats) == (
        name_id("good"), ("old",), True, 1,
    )  # fmt: skip
    (check,) = bad.checks.values()
    assert (bad.position, bad.repeats, check.name) == (1, 3, "says yes")
    assert fingerprints(tmp_path) == {one.case_id: one.fingerprint for one in (good, bad)}


def test_a_name_that_is_a_secret_is_told_without_it_and_has_an_id_of_its_own(
    tmp_path: Path,
) -> None:
    names = [f"sk-proj-{letter * 40}" for letter in "ab"]
    one, other = planned_cases(dataset(tmp_path, {name: {} for name in names}))
    assert one.case == other.case != names[0]
    assert one.case_id != other.case_id


@pytest.mark.parametrize("fields", [{"repeat": 2}, {"tags": ["new"]}])
def test_how_often_a_case_is_run_and_how_it_is_marked_is_no_other_case(
    tmp_path: Path, fields: Mapping[str, Any]
) -> None:
    (plain,) = planned_cases(dataset(tmp_path, {"a": {}}))
    (marked,) = planned_cases(dataset(tmp_path, {"a": dict(fields)}))
    assert plain.checks == marked.checks
    assert (plain.inputs == marked.inputs) is ("tags" not in fields)


def test_a_plan_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert fingerprints(tmp_path) is None
    with pytest.raises(RecordError, match=r"plan\.jsonl: No such file"):
        read_plan(tmp_path)
    path = tmp_path / PLAN
    path.write_text('{"format": "audition-plan", "version": 1}\n{"case": 1}\n', "utf-8")
    with pytest.raises(RecordError, match=r"plan\.jsonl:2: no case of a plan"):
        fingerprints(tmp_path)
    path.write_text('{"format": "audition-plan", "version": 2}\n', "utf-8")
    with pytest.raises(NewerFormat):
        read_plan(tmp_path)
