"""An evaluator in a dataset file: the arguments of its class, and its `type`.

The models are made of the evaluator classes, so that there is one place where an argument is
defined. Two short ways of writing exist only in files: `response_index` for the turn of the scope,
and `…_ref`, which names a vocabulary in place of a list of terms.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Optional, Union, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, create_model
from pydantic.fields import FieldInfo

from audition.datasets.authoring import Authoring
from audition.datasets.problems import problems_of
from audition.errors import Problem
from audition.evaluators.builtin import by_type_name
from audition.evaluators.case_evaluator import CaseEvaluator, type_name
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.evaluators.terms import Terms
from audition.evaluators.view import Scope
from audition.matching.terms import Term

type Vocabularies = Mapping[str, tuple[Term, ...] | None]
"""Named lists of terms; None where one cannot be read."""

type _VocabularyName = Annotated[str, Field(min_length=1)]
type _TurnNumber = Annotated[int, Field(ge=0)]

_OF_ONE_ANSWER = (HumanResponseContainsTerms, HumanResponseContainsAnyTerm)


class Entry(BaseModel):
    """What every evaluator in a file has; the rest is made of its class."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _fields(evaluator_type: type[CaseEvaluator]) -> dict[str, FieldInfo]:
    # Every evaluator is a Pydantic dataclass, which no type says.
    return cast("Any", evaluator_type).__pydantic_fields__


def _is_terms(info: FieldInfo) -> bool:
    return cast("object", info.annotation) is Terms


def _entry_model(
    evaluator_type: type[CaseEvaluator], defaults: Mapping[str, JsonValue]
) -> type[Entry]:
    name = type_name(evaluator_type)
    made: dict[str, Any] = {"type": (Literal[name], ...)}
    for field_name, info in _fields(evaluator_type).items():
        made[field_name] = _field(info, defaults.get(field_name))
        if _is_terms(info):
            made[field_name] = (Optional[Terms], None)  # noqa: UP045  # a type alias takes no |
            made[f"{field_name}_ref"] = (_VocabularyName | None, None)
    if issubclass(evaluator_type, _OF_ONE_ANSWER):
        made["response_index"] = (_TurnNumber | None, None)
    title = f"{evaluator_type.__name__}Entry"
    return create_model(title, __base__=Entry, __doc__=evaluator_type.__doc__, **made)


def _field(info: FieldInfo, default: JsonValue) -> tuple[Any, Any]:
    annotation: Any = info.annotation
    for constraint in info.metadata:
        annotation = Annotated[annotation, constraint]
    if default is not None:
        return annotation, default
    if info.is_required():
        return annotation, ...
    return annotation, info.get_default(call_default_factory=True, validated_data={})


def entry_union(authoring: Authoring) -> Any:
    """Return the type of an evaluator in a file of this application: one model for each class."""
    models = [
        _entry_model(
            evaluator_type, authoring.evaluator_defaults.get(type_name(evaluator_type), {})
        )
        for evaluator_type in authoring.evaluator_types
    ]
    return Annotated[Union[tuple(models)], Field(discriminator="type")]  # noqa: UP007  # a tuple of types cannot be written with |


class EvaluatorBuilder:
    """Makes the evaluators of a file's entries.

    Args:
        authoring: What the application adds.
        vocabularies: The named lists of terms of the file.

    """

    def __init__(self, authoring: Authoring, vocabularies: Vocabularies) -> None:
        self._types = by_type_name(authoring.evaluator_types)
        self._vocabularies = vocabularies

    def build(
        self, entry: Entry, written: JsonValue, *, at: str
    ) -> tuple[CaseEvaluator | None, list[Problem]]:
        """Return the evaluator of an entry, or what is wrong with it.

        It is None without a problem where a vocabulary is not there or cannot be read: that is
        told where all names are looked up.

        Args:
            entry: The entry.
            written: How it stands in the file.
            at: JSON pointer of the entry.

        """
        name = cast("str", getattr(entry, "type"))  # noqa: B009  # made by create_model: no checker knows it
        arguments = {
            field: getattr(entry, field) for field in type(entry).model_fields if field != "type"
        }
        fields = [field.removesuffix("_ref") for field in arguments if field.endswith("_ref")]
        problems = [*self._resolve(arguments, at), *_place(arguments, at)]
        if problems or any(arguments[field] is None for field in fields):
            return None, problems
        try:
            return self._types[name](**arguments), []
        except ValidationError as error:
            return None, list(problems_of(error, written, at=at))

    def _resolve(self, arguments: dict[str, Any], at: str) -> Iterator[Problem]:
        """Put the terms of a vocabulary where one is named."""
        for ref in [name for name in arguments if name.endswith("_ref")]:
            named, field = arguments.pop(ref), ref.removesuffix("_ref")
            if (named is None) == (arguments[field] is None):
                found = "both are given" if named is not None else "neither is given"
                yield Problem(
                    pointer=at, found=found, wanted=f"give exactly one of {field} and {ref}"
                )
            elif named is not None:
                arguments[field] = self._vocabularies.get(named)


def _place(arguments: dict[str, Any], at: str) -> Iterator[Problem]:
    """Make the turn of the scope of a response index."""
    index = arguments.pop("response_index", None)
    if index is None:
        return
    scope = cast("Scope", arguments["scope"])
    if scope.turn not in {None, index}:
        found = f"response_index {index} and scope.turn {scope.turn}"
        yield Problem(pointer=f"{at}/response_index", found=found, wanted="give one of them")
    arguments["scope"] = scope.model_copy(update={"turn": index})
