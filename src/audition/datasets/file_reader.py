"""A dataset file in two passes: everything that is wrong with it, at once."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from audition.datasets.authoring import Authoring
from audition.datasets.checks import (
    PlacedEvaluator,
    impossible_turn,
    only_negative,
    same_names,
    terms_in_question,
    unknown_names,
)
from audition.datasets.entries import Entry, EvaluatorBuilder, entry_union
from audition.datasets.formats import ContractChoice, DatasetFile, file_type
from audition.datasets.problems import accepted, problems_of
from audition.datasets.reading import SourceFile
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.matching.terms import Term


class FileReader:
    """Reads a file in two passes, so that everything wrong is told at once.

    The first asks the models; the second builds every evaluator that reads by itself, whatever
    is wrong elsewhere.

    Args:
        source: What the file holds.
        authoring: What the application adds.
        task: The format of the file.

    Attributes:
        problems: What is wrong so far.
        warnings: What is doubtful so far.
        contract: The evaluators of every case.
        evaluators: Those of each case besides, in the order of the file.
        authoring: What the application adds.

    """

    def __init__(self, source: SourceFile, authoring: Authoring, task: str) -> None:
        self.problems: list[Problem] = list(source.problems)
        self.warnings: list[Problem] = []
        self.contract: tuple[CaseEvaluator, ...] = ()
        self.evaluators: list[tuple[CaseEvaluator, ...]] = []
        self.authoring = authoring
        self._data = source.data
        self._task = task
        self._entry_type = entry_union(authoring)

    def in_order(self) -> list[Problem]:
        """Return the problems, each place and text once, in the order of the file's places."""
        return sorted(dict.fromkeys(self.problems), key=lambda problem: _sort_key(problem.pointer))

    def read(self) -> DatasetFile | None:
        """Return the file, None where the models refuse it."""
        model = file_type(self._task, self.authoring.fixture_type, self._entry_type)
        file: DatasetFile | None = None
        try:
            file = model.model_validate_json(json.dumps(self._data), strict=True)
        except ValidationError as error:
            self.problems += problems_of(error, self._data, schema=model.model_json_schema())
        self.contract = self._contract()
        self._read_cases()
        return file

    def _contract(self) -> tuple[CaseEvaluator, ...]:
        """Return the evaluators of every case; what is wrong with the choice is a problem."""
        written = self._data.get("contract")
        try:
            choice = TypeAdapter(ContractChoice | str | None).validate_python(written)
        except ValidationError:
            return ()  # the model says it
        name = choice.name if isinstance(choice, ContractChoice) else choice
        contracts = self.authoring.contracts
        if name is not None and name not in contracts:
            pointer = "/contract/name" if isinstance(choice, ContractChoice) else "/contract"
            found = f"unknown contract {name!r}"
            self.problems.append(
                Problem(pointer=pointer, found=found, wanted=accepted(name, contracts))
            )
            return ()
        evaluators = tuple(contracts.get(name or self._task, ()))
        if not isinstance(choice, ContractChoice):
            return evaluators
        return self._without(evaluators, choice)

    def _without(
        self, evaluators: tuple[CaseEvaluator, ...], choice: ContractChoice
    ) -> tuple[CaseEvaluator, ...]:
        names = {evaluator.get_default_evaluation_name() for evaluator in evaluators}
        for position, left_out in enumerate(choice.without):
            if left_out.id not in names:
                self.problems.append(
                    Problem(
                        pointer=f"/contract/without/{position}/id",
                        found=f"the contract has no assertion {left_out.id!r}",
                        wanted=accepted(left_out.id, names),
                    )
                )
        gone = {left_out.id for left_out in choice.without}
        return tuple(
            evaluator
            for evaluator in evaluators
            if evaluator.get_default_evaluation_name() not in gone
        )

    def _read_cases(self) -> None:
        cases = self._data.get("cases")
        entries = cast("list[JsonValue]", cases if isinstance(cases, list) else [])
        objects = [entry if isinstance(entry, dict) else {} for entry in entries]
        names = [str(entry.get("name", f"\0{position}")) for position, entry in enumerate(objects)]
        self.problems += same_names(names)
        builder = EvaluatorBuilder(self.authoring, self._vocabularies())
        adapter: TypeAdapter[Entry] = TypeAdapter(self._entry_type)
        for position, entry in enumerate(objects):
            placed = list(self._build(position, entry, builder, adapter))
            self._check(position, entry, placed)
            self.evaluators.append(self._named(placed))

    def _vocabularies(self) -> dict[str, tuple[Term, ...]]:
        """Return the vocabularies that read by themselves."""
        written = self._data.get("vocabularies")
        adapter: TypeAdapter[tuple[Term, ...]] = TypeAdapter(tuple[Term, ...])
        found: dict[str, tuple[Term, ...]] = {}
        for name, terms in written.items() if isinstance(written, dict) else ():
            try:
                found[name] = adapter.validate_python(terms)
            except ValidationError:
                found[name] = ("unreadable",)  # the model says it; a second error would not help
        return found

    def _build(
        self,
        position: int,
        entry: dict[str, JsonValue],
        builder: EvaluatorBuilder,
        adapter: TypeAdapter[Entry],
    ) -> Iterator[PlacedEvaluator]:
        written = entry.get("evaluators")
        for index, item in enumerate(written if isinstance(written, list) else ()):
            pointer = f"/cases/{position}/evaluators/{index}"
            try:
                read = adapter.validate_json(json.dumps(item), strict=True)
            except ValidationError:
                continue  # the model says it
            evaluator, problems = builder.build(read, item, at=pointer)
            self.problems += problems
            if evaluator is not None:
                yield PlacedEvaluator(pointer=pointer, evaluator=evaluator)

    def _check(
        self, position: int, entry: dict[str, JsonValue], placed: Sequence[PlacedEvaluator]
    ) -> None:
        message = entry.get("message")
        messages = [message] if isinstance(message, str) else []
        for one in placed:
            self.problems += unknown_names(one, self.authoring)
            self.warnings += terms_in_question(one, messages)
            if self._task != "session":
                self.problems += impossible_turn(one, 1)
        every = [*(one.evaluator for one in placed), *self.contract]
        self.warnings += only_negative(position, every)

    def _named(self, placed: Sequence[PlacedEvaluator]) -> tuple[CaseEvaluator, ...]:
        """Return the evaluators of a case under names that are unique with the contract's."""
        taken = {evaluator.get_default_evaluation_name() for evaluator in self.contract}
        named: list[CaseEvaluator] = []
        for one in placed:
            name = one.evaluator.get_default_evaluation_name()
            if one.evaluator.id is not None and name in taken:
                found = f"the id {name!r} is taken in this case"
                wanted = "give each evaluator an id of its own"
                self.problems.append(
                    Problem(pointer=f"{one.pointer}/id", found=found, wanted=wanted)
                )
            unique, number = name, 2
            while unique in taken:
                unique, number = f"{name}#{number}", number + 1
            taken.add(unique)
            named.append(one.evaluator if unique == name else replace(one.evaluator, id=unique))
        return tuple(named)


def _sort_key(pointer: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in pointer.split("/")]
