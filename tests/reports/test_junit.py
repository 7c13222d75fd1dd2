import xml.etree.ElementTree as ET
from collections import Counter
from xml.etree.ElementTree import Element

from hypothesis import given
from hypothesis import strategies as st

from audition.reports.junit import junit
from audition.reports.told_run import ToldRun
from tests.journals import line
from tests.told_runs import failed, six, told_run

ANY_TEXT = st.text(st.characters(exclude_categories=[])) | st.sampled_from(
    ["]]>", "\x00", "\ud800", "\ufffe", "<a b='\"'>&amp;", "a\r\nb\tc", "\x7f\x85\u2028", "&#0;"]
)


def parsed(told: ToldRun) -> Element:
    return ET.fromstring("".join(junit(told)).encode("ascii"))  # noqa: S314  # our own text


def cases(told: ToldRun) -> dict[str, Element]:
    return {one.attrib["name"]: one for one in parsed(told).iter("testcase")}


def test_failed_broken_and_not_evaluated_are_three_things() -> None:
    kinds = {
        name: [child.tag for child in one if child.tag != "properties"]
        for name, one in cases(six()).items()
    }
    assert kinds == {
        "broken": ["error"], "bad": ["failure"], "unmeasured": ["skipped"], "known": ["skipped"],
        "good": [], "never": ["skipped"],
    }  # fmt: skip


def test_the_counts_are_those_of_the_elements() -> None:
    root = parsed(six())
    found = Counter(one.tag for one in root.iter())
    for counted in (root, root[0]):
        assert {name: counted.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
            "tests": "6", "failures": "1", "errors": "1", "skipped": "3"
        }  # fmt: skip
    assert (found["testcase"], found["failure"], found["error"], found["skipped"]) == (6, 1, 1, 3)


def test_what_was_skipped_says_why() -> None:
    told = {name: one.find("skipped") for name, one in cases(six()).items()}
    messages = {name: one.get("message") for name, one in told.items() if one is not None}
    assert messages == {
        "unmeasured": "not evaluated; NOT EVALUATED grounded: measured nan",
        "known": "known failure; KNOWN until 2999-01-01: slow; "
        'FAIL says yes: the final answer lacks "yes"',
        "never": "not run",
    }


def test_a_failure_has_its_layer_and_its_reasons() -> None:
    failure = cases(six())["bad"].find("failure")
    assert failure is not None
    assert failure.attrib == {"message": "answer: omitted", "type": "answer"}
    assert failure.text == 'FAIL says yes: the final answer lacks "yes"'


def test_a_case_has_its_time_cost_tokens_and_tags() -> None:
    good, broken = cases(six())["good"], cases(six())["broken"]
    told = [(one.get("name"), one.get("value")) for one in good.iter("property")]
    assert told == [
        ("tag", "short"), ("tag", "both"), ("status", "passed"), ("cost_usd", "0.25"),
        ("input_tokens", "3"), ("output_tokens", "4"),
    ]  # fmt: skip
    assert (good.get("time"), broken.get("time"), good.get("classname")) == ("0.500", None, "small")


def test_repeats_and_cases_of_one_name_have_names_of_their_own() -> None:
    lines = [
        line("a", repeats=2),
        line("a", repeats=2, repeat=2),
        line("a [1/2]"),
        line(" a [1/2]"),
    ]
    assert list(cases(told_run(lines))) == ["a [1/2]", "a [2/2]", "a [1/2] (2)", "a [1/2] (3)"]


def test_what_fails_and_need_not_hold_is_told_of_a_case_that_passed() -> None:
    told = cases(told_run([line("a", assertions={"short": False}, failed=("short",))]))["a"]
    assert told.findtext("system-out") == "FAIL short: no reason"


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_is_valid_and_stands_where_it_belongs(case: str, reason: str, tag: str) -> None:
    told = told_run([failed(case, reason)], tags={case: (tag,)}, not_run=[case], name=reason)
    (_, one), (_, never) = cases(told).items()
    assert [child.tag for child in one] == ["properties", "failure"]
    assert [child.tag for child in never] == ["skipped"]


def test_any_two_names_are_told_apart_though_they_look_the_same() -> None:
    assert len(cases(told_run([line("a\ud800"), line("a\ud801"), line("a\ufffd")]))) == 3
