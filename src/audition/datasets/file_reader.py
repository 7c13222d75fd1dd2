"""A dataset file in two passes: everything that is wrong with it, at once."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError

from audition.datasets.authoring import Authoring
from audition.datasets.checks import (
    PlacedEvaluator,
    WrittenEvaluator,
    impossible_turn,
    only_negative,
    same_names,
    terms_in_question,
    written_evaluators,
)
from audition.datasets.entries import Entry, EvaluatorBuilder, entry_union
from audition.datasets.formats import TASKS, ContractChoice, DatasetFile, file_type
from audition.datasets.other_formats import advice
from audition.datasets.problems import UNKNOWN_FIELD, accepted, in_order, problems_of
from audition.datasets.reading import SourceFile, Written, as_list, as_object
from audition.datasets.recordings import unreadable_sessions
from audition.datasets.references import (
    is_file_in,
    missing_self_tests,
    unknown_fixtures,
    unknown_in_evaluator,
    unknown_in_turns,
    unknown_places,
    unknown_stages,
    unknown_target,
    unknown_tool,
    unknown_vocabularies,
)
from audition.datasets.session_files import Given, missing_sessions
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.matching.terms import Term

_MOST_MADE = 4_096
"""Evaluators that are made once for all cases in which they are written alike."""


_LOOKED_UP: Written = {}


class FileReader:
    """Reads a file in two passes, so that everything wrong is told at once.

    The first asks the models; the second looks up every name, and builds every evaluator that
    reads by itself, whatever is wrong elsewhere.

    Args:
        source: What the file holds; its cases are taken out as they are read.
        authoring: What the application adds.
        task: The format of the file.
        session: Judged in every case of a session file, or the source of all its sessions; then the
            file need not name any that is there.

    Attributes:
        problems: What is wrong so far.
        warnings: What is doubtful so far.
        contract: The evaluators of every case.
        evaluators: Those of each case besides, with their places, in the order of the file.
        authoring: What the application adds.

    """

    def __init__(
        self, source: SourceFile, authoring: Authoring, *, task: str, session: Given | None = None
    ) -> None:
        self.problems: list[Problem] = list(source.problems)
        self.warnings: list[Problem] = []
        self.contract: tuple[CaseEvaluator, ...] = ()
        self.evaluators: list[tuple[PlacedEvaluator, ...]] = []
        self.authoring = authoring
        self._data = source.data
        self._folder = source.path.parent
        self._session = session
        self._task = task
        self._entry_type = entry_union(authoring)
        self._made: dict[str, CaseEvaluator] = {}

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
            found = [self._among_formats(problem) for problem in every]
            told = {problem.pointer for problem in self.problems}
            self.problems += (problem for problem in found if problem.pointer not in told)
        self.contract = self._contract()
        self._look_up()
        self._read_cases()
        return file

    def _among_formats(self, problem: Problem) -> Problem:
        """Return a problem, of what the other formats have too: a model knows but its own."""
        if problem.pointer == "/task":
            return replace(problem, wanted=accepted(_text(self._data.get("task")), TASKS))
        if not problem.found.startswith(UNKNOWN_FIELD):
            return problem
        wanted = advice(self._task, problem.pointer)
        return problem if wanted is None else replace(problem, wanted=wanted)

    def _look_up(self) -> None:
        """Look up the names that the file as a whole holds."""
        if self._task != "session":
            self.problems += unknown_fixtures(self._data)
        else:
            if self._session is None:
                self.problems += missing_sessions(self._data, is_file_in(self._folder))
            if self._session is None or isinstance(self._session, Path):
                given = self._session
                self.problems += unreadable_sessions(self._data, self._folder, given=given)
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
            wanted = accepted(name, contracts, otherwise=self._without_contracts())
            self.problems.append(Problem(pointer=pointer, found=found, wanted=wanted))
            return ()
        evaluators = tuple(contracts.get(name or self._task, ()))
        if not isinstance(choice, ContractChoice):
            return evaluators
        return self._without(evaluators, choice)

    def _without_contracts(self) -> str:
        """Return what to do about a contract where none is declared."""
        if self._task == "session" and self._data.get("application") is None:
            return "name the `application` that declares it, or remove it"
        return "remove it: the application declares no `contracts`"

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
        del objects
        for position, entry in enumerate(self._entries()):
            self._look_up_in_case(f"/cases/{position}", entry)
            written = list(written_evaluators(position, entry))
            for one in written:
                self._look_up_in(one, entry, vocabularies)
            placed = list(self._build(written, builder, adapter))
            self._doubt(position, entry, placed)
            self.evaluators.append(self._named(placed))

    def _entries(self) -> Iterator[Written]:
        """Yield the cases, each for the last time: of many, all of them are much memory."""
        entries = as_list(self._data.get("cases"))
        for position, entry in enumerate(entries):
            entries[position] = None
            yield as_object(entry)

    def _look_up_in_case(self, at: str, entry: Written) -> None:
        authoring = self.authoring
        self.problems += unknown_target(f"{at}/target", entry.get("target"), authoring=authoring)
        self.problems += unknown_stages(at, entry, authoring=authoring)
        if self._task == "conversation":
            self.problems += unknown_in_turns(at, entry, authoring=authoring)
            self.problems += unknown_places(at, entry)

    def _look_up_in(
        self, one: WrittenEvaluator, entry: Written, vocabularies: Collection[str]
    ) -> None:
        """Look up the names in an evaluator, also in one that does not read by itself."""
        self.problems += unknown_in_evaluator(one.pointer, one.written, authoring=self.authoring)
        self.problems += unknown_vocabularies(one.pointer, one.written, vocabularies=vocabularies)
        if self._task != "session":
            turns = 1 if self._task == "retrieval" else len(as_list(entry.get("turns")))
            self.problems += impossible_turn(one, turns=turns)

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
        written: Sequence[WrittenEvaluator],
        builder: EvaluatorBuilder,
        adapter: TypeAdapter[Entry],
    ) -> Iterator[PlacedEvaluator]:
        for one in written:
            placed = _placed(one)
            text = json.dumps(placed)
            evaluator = self._made.get(text)
            if evaluator is None:
                try:
                    read = adapter.validate_json(text, strict=True)
                except ValidationError:
                    continue  # the model says it
                evaluator, problems = builder.build(read, placed, at=one.pointer)
                self.problems += problems
            if evaluator is not None:
                if len(self._made) < _MOST_MADE:
                    self._made[text] = evaluator
                yield PlacedEvaluator(pointer=one.pointer, written=placed, evaluator=evaluator)

    def _doubt(self, position: int, entry: Written, placed: Sequence[PlacedEvaluator]) -> None:
        messages = _messages(entry)
        for one in placed:
            turn = one.evaluator.scope.turn
            asked = messages if turn is None else messages[turn : turn + 1]
            self.warnings += terms_in_question(one, asked)
        every = [*(one.evaluator for one in placed), *self.contract]
        self.warnings += only_negative(position, every)

    def _named(self, placed: Sequence[PlacedEvaluator]) -> tuple[PlacedEvaluator, ...]:
        """Return the evaluators of a case under names that are unique with the contract's."""
        taken = {evaluator.get_default_evaluation_name() for evaluator in self.contract}
        named: list[PlacedEvaluator] = []
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
            renamed = one.evaluator if unique == name else replace(one.evaluator, id=unique)
            # What was written is looked up by now, and of many cases it is much memory.
            named.append(replace(one, evaluator=renamed, written=_LOOKED_UP))
        return tuple(named)


def _placed(one: WrittenEvaluator) -> dict[str, JsonValue]:
    """Return an evaluator as it would stand in the case: one of a turn looks at that turn."""
    scope = one.written.get("scope", {})
    if one.turn is None or not isinstance(scope, dict):
        return dict(one.written)
    return {**one.written, "scope": {**scope, "turn": one.turn}}


def _messages(entry: Written) -> list[str]:
    """Return what the human says in a case, turn by turn."""
    turns = [as_object(turn) for turn in as_list(entry.get("turns"))] or [entry]
    said = [turn.get("message") for turn in turns]
    return [_text(message) for message in said]


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
