"""The dataset files that are shipped are valid, and the schema is that of the models."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from audition.application import load_dataset
from audition.datasets.schema import dataset_schema
from evals.knowledge.application import application

DATASETS = Path(__file__).parents[3] / "datasets"
FILES = [path for path in sorted(DATASETS.iterdir()) if path.name != "schema.json"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shipped_dataset_loads(path: Path) -> None:
    assert load_dataset(path).dataset.cases


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shipped_dataset_keeps_to_the_schema(path: Path) -> None:
    schema = json.loads((DATASETS / "schema.json").read_text())
    data = yaml.safe_load(path.read_text())  # JSON is YAML too
    validator: Any = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(data)


def test_the_schema_is_that_of_the_models() -> None:
    written = json.loads((DATASETS / "schema.json").read_text())
    assert written == dataset_schema(application.authoring), "run `make schema`"


def test_evidence_and_answer_are_asserted_apart() -> None:
    cases = load_dataset(DATASETS / "retrieval.json").dataset.cases
    types = [{type(evaluator).__name__ for evaluator in case.evaluators} for case in cases]
    both = [{"ToolEvidenceContainsTerms", "HumanResponseContainsTerms"} <= kinds for kinds in types]
    assert sum(both) >= 12
