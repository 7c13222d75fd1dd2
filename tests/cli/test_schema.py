import json
from pathlib import Path

from audition.reports.results_json import results_schema
from tests.cli.doors import Door


def test_the_schema_of_the_default_application_is_printed(audition: Door, desk: Path) -> None:
    done = audition("schema", cwd=desk)
    assert done.code == 0
    assert json.loads(done.out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_schema_is_written_to_a_file(audition: Door, desk: Path) -> None:
    done = audition("schema", "--output", "new/schema.json", cwd=desk)
    printed = audition("schema", "--application", "desk", cwd=desk)
    assert (done.code, done.out) == (0, "")
    assert (desk / "new" / "schema.json").read_text("utf-8") == printed.out


def test_an_unknown_application_or_an_impossible_file_ends_with_2(
    audition: Door, desk: Path
) -> None:
    done = audition("schema", "--application", "dsk", cwd=desk)
    assert (done.code, "did you mean 'desk'?" in done.err) == (2, True)
    done = audition("schema", "--output", "pyproject.toml/schema.json", cwd=desk)
    assert (done.code, done.err.startswith("audition: ")) == (2, True)


def test_the_schema_of_results_is_printed_wherever_it_is_asked_for(
    audition: Door, tmp_path: Path
) -> None:
    done = audition("schema", "--results", cwd=tmp_path)
    assert (done.code, json.loads(done.out)) == (0, results_schema())


def test_the_schema_of_policies_is_printed_without_an_application(
    audition: Door, tmp_path: Path
) -> None:
    done = audition("schema", "--policy", cwd=tmp_path)
    assert (done.code, "must_pass" in json.loads(done.out)["properties"]) == (0, True)
