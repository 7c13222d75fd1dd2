"""A dataset file in two passes: everything that is wrong with it, at once."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pydantic import JsonValue, TypeAdapter, ValidationError

from audition.datasets.authoring import Authoring
from audition.datasets.checks import (
    PlacedEvaluator,
    impossible_turn,
    only_negative,
    same_names,
    terms_in_question,
)
from audition.datasets.entries import Entry, EvaluatorBuilder, entry_union
from audition.datasets.formats import TASKS, ContractChoice, DatasetFile, file_type
from audition.datasets.problems import accepted, in_order, problems_of
from audition.datasets.reading import SourceFile, as_list, as_object
from audition.datasets.references import (
    is_file_in,
    missing_self_tests,
    missing_sessions,
    unknown_agent,
    unknown_fixtures,
    unknown_in_evaluator,
    unknown_tool,
    unknown_vocabularies,
)
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.matching.terms import Term


class FileReader:
    """Reads a file in two passes, so that everything wrong is told at once.

    The first asks the models; the second looks up every name, and builds every evaluator that
    reads by itself, whatever is wrong elsewhere.

    Args:
        source: What the file holds.
        authoring: What the application adds.
        task: The format of the file.
        has_session: The sessions are given, so that the file need not name any that is there.

    Attributes:
        problems: What is wrong so far.
        warnings: What is doubtful so far.
        contract: The evaluators of every case.
        evaluators: Those of each case besides, in the order of the file.
        authoring: What the application adds.

    """

    def __init__(
        self, source: SourceFile, authoring: Authoring, *, task: str, has_session: bool = False
    ) -> None:
        self.problems: list[Problem] = list(source.problems)
        self.warnings: list[Problem] = []
        self.contract: tuple[CaseEvaluator, ...] = ()
        self.evaluators: list[tuple[CaseEvaluator, ...]] = []
        self.authoring = authoring
        self._data = source.data
        self._folder = source.path.parent
        self._has_session = has_session
        self._task = task
        self._entry_type = entry_union(authoring)

    def in_order(self) -> list[Problem]:
        """Return the problems, each place and text once, in the order of the file's places."""
        return in_order(self.problems)

    def read(self) -> DatasetFile | None:
        """Return the file, None where the models refuse it."""
        model = file_type(
            self._task, fixture_type=self.authoring.fixture_type, entry_type=self._entry_type
        )
        file: DatasetFile | None = None
        try:
            file = model.model_validate_json(json.dumps(self._data), strict=True)
        except ValidationError as error:
            every = problems_of(error, self._data, schema=model.model_json_schema())
            found = [self._of_any_task(problem) for problem in every]
            told = {problem.pointer for problem in self.problems}
            self.problems += (problem for problem in found if problem.pointer not in told)
        self.contract = self._contract()
        self._look_up()
        self._read_cases()
        return file

    def _of_any_task(self, problem: Problem) -> Problem:
        """Return a problem; one of the task with every task there is: a model knows but its own."""
        if problem.pointer != "/task":
            return problem
        task = self._data.get("task")
        return replace(problem, wanted=accepted(task if isinstance(task, str) else "", TASKS))

    def _look_up(self) -> None:
        """Look up the names that the file as a whole holds."""
        if self._task == "retrieval":
            self.problems += unknown_fixtures(self._data)
        elif not self._has_session:
            self.problems += missing_sessions(self._data, is_file_in(self._folder))
        self.problems += missing_self_tests(self._data, is_file_in(self._folder))
        for position, rule in enumerate(as_list(self._data.get("tool_rules"))):
            name = as_object(rule).get("tool_name")
            pointer = f"/tool_rules/{position}/tool_name"
            self.problems += unknown_tool(pointer, name, authoring=self.authoring)

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
        objects = [as_object(entry) for entry in as_list(self._data.get("cases"))]
        names = [str(entry.get("name", f"\0{position}")) for position, entry in enumerate(objects)]
        self.problems += same_names(names)
        vocabularies = self._vocabularies()
        builder = EvaluatorBuilder(self.authoring, vocabularies)
        adapter: TypeAdapter[Entry] = TypeAdapter(self._entry_type)
        for position, entry in enumerate(objects):
            target, place = entry.get("target"), f"/cases/{position}/target"
            self.problems += unknown_agent(place, target, authoring=self.authoring)
            for pointer, written in _evaluators(position, entry):
                self._look_up_in(pointer, written, vocabularies)
            placed = list(self._build(position, entry, builder, adapter))
            self._doubt(position, entry, placed)
            self.evaluators.append(self._named(placed))

    def _look_up_in(
        self, pointer: str, written: dict[str, JsonValue], vocabularies: Collection[str]
    ) -> None:
        """Look up the names in an evaluator, also in one that does not read by itself."""
        self.problems += unknown_in_evaluator(pointer, written, authoring=self.authoring)
        self.problems += unknown_vocabularies(pointer, written, vocabularies=vocabularies)
        if self._task == "retrieval":
            self.problems += impossible_turn(pointer, written, turns=1)

    def _vocabularies(self) -> dict[str, tuple[Term, ...] | None]:
        """Return the vocabularies; None for one that does not read by itself."""
        adapter: TypeAdapter[tuple[Term, ...]] = TypeAdapter(tuple[Term, ...])
        found: dict[str, tuple[Term, ...] | None] = {}
        for name, terms in as_object(self._data.get("vocabularies")).items():
            try:
                found[name] = adapter.validate_python(terms)
            except ValidationError:
                found[name] = None  # the model says it; a second error would not help
        return found

    def _build(
        self,
        position: int,
        entry: dict[str, JsonValue],
        builder: EvaluatorBuilder,
        adapter: TypeAdapter[Entry],
    ) -> Iterator[PlacedEvaluator]:
        for pointer, written in _evaluators(position, entry):
            try:
                read = adapter.validate_json(json.dumps(written), strict=True)
            except ValidationError:
                continue  # the model says it
            evaluator, problems = builder.build(read, written, at=pointer)
            self.problems += problems
            if evaluator is not None:
                yield PlacedEvaluator(pointer=pointer, written=written, evaluator=evaluator)

    def _doubt(
        self, position: int, entry: dict[str, JsonValue], placed: Sequence[PlacedEvaluator]
    ) -> None:
        message = entry.get("message")
        messages = [message] if isinstance(message, str) else []
        for one in placed:
            self.warnings += terms_in_question(one, messages)
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


def _evaluators(
    position: int, entry: dict[str, JsonValue]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    for index, item in enumerate(as_list(entry.get("evaluators"))):
        if isinstance(item, dict):
            yield f"/cases/{position}/evaluators/{index}", item
