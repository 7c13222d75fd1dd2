from knowledge_team.scripted.question import read_question
from knowledge_team.scripted.searching import MOST_SEARCHES, Search, next_query
from knowledge_team.search_text import NO_RESULTS

PARTS = read_question("What is Ada Pier's job?")


def empty(query: str) -> Search:
    return Search(query=query, result=NO_RESULTS)


def found(query: str) -> Search:
    return Search(query=query, result="entity | Ada Pier | person | score 1.00")


def broken(query: str) -> Search:
    return Search(query=query, result="locked", failed=True)


def test_the_first_query_has_the_name_and_what_is_asked() -> None:
    assert next_query(PARTS, []) == "Ada Pier job"


def test_no_search_follows_one_that_found_something() -> None:
    assert next_query(PARTS, [found("Ada Pier job")]) is None


def test_after_an_empty_search_the_name_is_looked_for_alone() -> None:
    done = [empty("Ada Pier job")]
    assert next_query(PARTS, done) == "Ada Pier"
    assert next_query(PARTS, [*done, empty("Ada Pier")]) is None


def test_a_failed_search_is_made_again_once() -> None:
    done = [broken("Ada Pier job")]
    assert next_query(PARTS, done) == "Ada Pier job"
    assert next_query(PARTS, done * 2) is None


def test_parts_about_one_subject_share_a_query() -> None:
    parts = read_question("What is Ada Pier's job and where does she live?")
    assert next_query(parts, []) == "Ada Pier job live"


def test_a_question_without_names_is_looked_for_by_its_words() -> None:
    parts = read_question("Who works as a tide pilot?")
    assert next_query(parts, []) == "profession tide pilot"


def test_searches_have_an_end() -> None:
    assert next_query(PARTS, [found("other")] * MOST_SEARCHES) is None
