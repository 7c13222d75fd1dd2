"""Which session is meant."""

import pytest

from audition.errors import RecordError
from audition.sources.source import SessionInfo, only_session, with_agent

INFOS = (
    SessionInfo(id="s-1", agent="desk", user="ana"),
    SessionInfo(id="s-1", agent="desk", user="bo"),
    SessionInfo(id="s-2", agent="Scout"),
)


APPS = tuple(SessionInfo(id="s-1", agent=name, user="ana") for name in ("harbour", "desk"))


def test_of_sessions_of_one_id_and_user_the_agent_says_which() -> None:
    assert only_session("db", APPS, "desk/s-1") is APPS[1]
    slash = SessionInfo(id="desk/s-1", agent="scout", user="ana")
    assert only_session("db", (*APPS, slash), "desk/s-1") is slash


def test_a_session_is_found_by_its_id() -> None:
    assert only_session("db", INFOS, "s-2") is INFOS[2]
    assert only_session("db", INFOS[:1], None) is INFOS[0]


@pytest.mark.parametrize(
    ("infos", "session", "told"),
    [
        (INFOS, "s-3", "db: no session 's-3' is there; there are: s-1, s-2"),
        ((), None, "db: no session is there; there are: none"),
        (INFOS[1:], None, "db: 2 sessions are there, and one is wanted: s-1, s-2"),
        (INFOS, "s-1", "db: 2 sessions are 's-1', of the users ana, bo; name the user"),
        (
            APPS,
            "s-1",
            "db: 2 sessions are 's-1', of one user; name the agent too: desk/s-1 or harbour/s-1",
        ),
    ],
)
def test_what_is_not_one_session_is_refused(
    infos: tuple[SessionInfo, ...], session: str | None, told: str
) -> None:
    with pytest.raises(RecordError) as error:
        only_session("db", infos, session)
    assert str(error.value) == told


def test_sessions_are_chosen_by_a_part_of_the_name_of_their_agent() -> None:
    assert with_agent(INFOS, "SCOU", 9) == [INFOS[2]]
    assert with_agent(INFOS, None, 2) == list(INFOS[:2])


@pytest.mark.parametrize("agent", ["weather-agent", "kagent/weather_agent", "KAGENT__NS__WEA"])
def test_an_agent_of_kagent_has_the_name_that_its_users_know(agent: str) -> None:
    info = SessionInfo(id="s-1", agent="kagent__NS__weather_agent")
    assert with_agent([info, *INFOS], agent, 9) == [info]
