from evals.knowledge.served_pages import PLANS, ServedPages

ADDRESS = "http://127.0.0.1:8000"


def test_a_page_that_is_not_there_is_missing() -> None:
    assert ServedPages()(ADDRESS, "/heron").status == 404


def test_a_page_is_reached_by_way_of_redirects() -> None:
    pages, path, statuses = ServedPages(), "/lamps", list[int]()
    while (answer := pages(ADDRESS, path)).location is not None:
        statuses.append(answer.status)
        path = answer.location
    assert (statuses, "Sunniva Brekke" in answer.text) == ([301, 302], True)


def test_each_reader_of_the_notice_has_a_plan_that_changes_by_its_own_reading() -> None:
    pages = ServedPages()
    notices = [pages(ADDRESS, "/curlew").text for _ in range(2)]
    first, second = (notice.partition(ADDRESS)[2].rstrip(".") for notice in notices)
    assert first != second
    told = [pages(ADDRESS, path).text for path in (first, second, first, second, first)]
    assert told == [PLANS[0], PLANS[0], PLANS[1], PLANS[1], PLANS[1]]
