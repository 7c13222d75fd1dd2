"""What each recorded scenario of ADK shows, written from the raw events and not from the adapter.

Recorded with real ADK and a scripted model. `yielded` is what a run yields: without the messages of
the person, so without turns, without what the person answered and without what was taken back.
"""

from dataclasses import dataclass

from pydantic import JsonValue

OSLO: JsonValue = {"city": "Oslo"}
LONDON: JsonValue = {"city": "London"}
WEATHER = '{"city":"Oslo","temp_c":21}'
NEEDS_APPROVAL = '{"error":"This tool call requires confirmation, please approve or reject."}'
NO_TOOL = (
    '{"error":"Invoking `no_such_tool()` failed as no tool with that name is available. The tools '
    "you can call are: err_dict, get_weather. You could retry, but it is IMPORTANT that you only "
    'call a tool from that list."}'
)
NO_ARGUMENT = (
    '{"error":"Invoking `get_weather()` failed as the following mandatory input parameters are not '
    "present:\\ncity\\nYou could retry calling this tool, but it is IMPORTANT for you to provide "
    'all the mandatory parameters."}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """A tool invocation: the agent, the tool, what it was given, how it ended, what came back."""

    agent: str
    tool: str
    given: JsonValue
    outcome: str
    content: str | None
    superseded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What a session shows.

    Attributes:
        turns: What the person says, and how the turn ends.
        used: The invocations of the team's tools.
        plumbing: Those of the runtime's own tools, and how they ended.
        answers: What was said to the person.
        errors: What broke.
        dropped: The frames that contributed nothing, and why.
        yielded: The invocations that a run yields, None where they are the same.
        yielded_answers: The answers that it yields, None where they are the same.
        previews: Which frames of a run are previews.

    """

    turns: list[tuple[str, str]]
    used: list[Used]
    answers: list[tuple[str, str]]
    plumbing: tuple[tuple[str, str], ...] = ()
    errors: tuple[str, ...] = ()
    dropped: tuple[tuple[int, str], ...] = ()
    yielded: list[Used] | None = None
    yielded_answers: list[tuple[str, str]] | None = None
    previews: tuple[int, ...] = ()


def used(
    agent: str, tool: str, given: JsonValue, content: str | None, *, outcome: str = "ok",
    superseded: tuple[str, ...] = (),
) -> Used:  # fmt: skip
    return Used(
        agent=agent, tool=tool, given=given, outcome=outcome, content=content, superseded=superseded
    )


DELETED = used("conf_agent", "delete_repo", {"name": "x"}, '{"deleted":"x"}',
               superseded=(NEEDS_APPROVAL,))  # fmt: skip
APPROVED = Scenario(
    turns=[("delete x", "response")],
    used=[DELETED],
    plumbing=(("adk_request_confirmation", "ok"),),
    answers=[("conf_agent", "Deleted x.")],
)
SAVED = Scenario(
    turns=[("save", "response")],
    used=[used("state_agent", "set_state", {"k": "cart"}, '{"ok":true}')],
    answers=[("state_agent", "saved")],
)
PENDING = '{"status":"pending","ticket":"T-1"}'
BERGEN = used("rw_agent", "get_weather", {"city": "Bergen"}, '{"city":"Bergen","temp_c":21}')

SCENARIOS = {
    "1.28.1/confirm_approve": APPROVED,
    "1.28.1/state_delta": SAVED,
    # Before 2.0 nothing is stored of a tool that raises.
    "1.28.1/tool_raises": Scenario(
        turns=[("try", "runtime_stopped"), ("again", "response")],
        used=[used("raise_agent", "boom", {"q": "a"}, None, outcome="unanswered")],
        answers=[("raise_agent", "never")],
    ),
    "2.13.0/adk_prefixed_user_tool": Scenario(
        turns=[("go", "response")],
        used=[used("apu", "adk_search", {"q": "x"}, '{"hits":["x"]}')],
        answers=[("apu", "found")],
    ),
    # The run of the agent that is used as a tool is in no session.
    "2.13.0/agent_tool": Scenario(
        turns=[("ask helper", "response")],
        used=[used("boss", "helper", {"request": "what time"}, "noon")],
        answers=[("boss", "helper says noon")],
    ),
    "2.13.0/auth": Scenario(
        turns=[("go", "response")],
        used=[used("auth_agent", "need_auth", {"q": "x"}, '{"ok":"authed"}',
                   superseded=('{"pending":true}',))],
        plumbing=(("adk_request_credential", "ok"),),
        answers=[("auth_agent", "done")],
    ),
    "2.13.0/code_parts": Scenario(
        turns=[("2+2", "response")],
        used=[used("code_agent", "code_execution",
                   {"code": "print(2+2)", "language": "PYTHON"}, "4\n")],
        answers=[("code_agent", "I compute."), ("code_agent", "It is 4.")],
    ),
    "2.13.0/compaction": Scenario(
        turns=[("one", "response"), ("two", "response"), ("three", "response")],
        used=[used("comp_agent", "get_weather", OSLO, WEATHER)],
        answers=[("comp_agent", "21C"), ("comp_agent", "again 21C"), ("comp_agent", "third")],
        dropped=((6, "compaction"),),
    ),
    "2.13.0/confirm_approve": APPROVED,
    "2.13.0/error_code": Scenario(
        turns=[("bad", "error")], used=[], answers=[], errors=("safety_agent: SAFETY: blocked",)
    ),
    "2.13.0/long_running": Scenario(
        turns=[("refund 5", "response")],
        used=[used("lr_agent", "ask_approval", {"amount": 5},
                   '{"status":"approved","ticket":"T-1"}', superseded=(PENDING,))],
        answers=[("lr_agent", "Waiting for approval."), ("lr_agent", "Approved, thanks.")],
        yielded=[used("lr_agent", "ask_approval", {"amount": 5}, PENDING, outcome="pending")],
    ),
    "2.13.0/multi_turn": Scenario(
        turns=[("weather oslo", "response"), ("time oslo", "response"), ("bye", "response")],
        used=[used("mt", "get_weather", OSLO, WEATHER), used("mt", "get_time", OSLO, "12:00")],
        answers=[("mt", "21C"), ("mt", "12:00"), ("mt", "bye")],
    ),
    "2.13.0/parallel_calls": Scenario(
        turns=[("all", "response")],
        used=[
            used("par_agent", "get_weather", LONDON, '{"city":"London","temp_c":21}'),
            used("par_agent", "get_weather", {"city": "Paris"}, '{"city":"Paris","temp_c":21}'),
            used("par_agent", "get_time", {"city": "Rome"}, "12:00"),
        ],
        answers=[("par_agent", "done")],
    ),
    "2.13.0/repeats": Scenario(
        turns=[("go", "response")],
        used=[
            used("rep_agent", "get_weather", OSLO, WEATHER),
            used("rep_agent", "get_weather", OSLO, WEATHER),
            used("rep_agent", "get_weather", {"city": "oslo "}, '{"city":"oslo ","temp_c":21}'),
        ],
        answers=[("rep_agent", "  \nok")],
    ),
    "2.13.0/rewind": Scenario(
        turns=[("oslo", "response"), ("never mind", "response")],
        used=[used("rw_agent", "get_weather", OSLO, WEATHER)],
        answers=[("rw_agent", "21C"), ("rw_agent", "ok after rewind")],
        dropped=((4, "rewound"), (5, "rewound"), (6, "rewound"), (7, "rewound"), (8, "rewind")),
        yielded=[used("rw_agent", "get_weather", OSLO, WEATHER), BERGEN],
        yielded_answers=[
            ("rw_agent", "21C"), ("rw_agent", "Bergen 21C"), ("rw_agent", "ok after rewind"),
        ],
    ),
    "2.13.0/sequential": Scenario(
        turns=[("go", "response")],
        used=[used("s1", "get_time", {"city": "A"}, "12:00")],
        answers=[("s1", "s1 done"), ("s2", "s2 done")],
    ),
    "2.13.0/state_delta": SAVED,
    "2.13.0/streaming": Scenario(
        turns=[("weather", "response")],
        used=[used("stream_agent", "get_weather", OSLO, WEATHER)],
        answers=[("stream_agent", "Let me check."), ("stream_agent", "It is 21C.")],
        previews=(0, 1, 4, 5),
    ),
    "2.13.0/streaming_fc": Scenario(
        turns=[("go", "response")],
        used=[used("sfc_agent", "get_weather", OSLO, WEATHER)],
        answers=[("sfc_agent", "ok")],
        previews=(0,),
    ),
    "2.13.0/thoughts": Scenario(
        turns=[("weather", "response")],
        used=[used("think_agent", "get_weather", OSLO, WEATHER)],
        answers=[("think_agent", "Checking."), ("think_agent", "21C")],
    ),
    "2.13.0/tool_error": Scenario(
        turns=[("try", "response")],
        used=[
            used("err_agent", "err_dict", {"q": "a"},
                 '{"error":"quota exceeded","status":"error"}', outcome="tool_error"),
            used("err_agent", "no_such_tool", {"q": "a"}, NO_TOOL, outcome="tool_error"),
            used("err_agent", "get_weather", {}, NO_ARGUMENT, outcome="tool_error"),
        ],
        answers=[("err_agent", "could not")],
    ),
    "2.13.0/tool_raises": Scenario(
        turns=[("try", "error"), ("again", "response")],
        used=[used("raise_agent", "boom", {"q": "a"}, None, outcome="unanswered")],
        answers=[("raise_agent", "never")],
        errors=("raise_agent: RuntimeError: backend exploded",),
    ),
    "2.13.0/tools_basic": Scenario(
        turns=[("weather in London?", "response")],
        used=[
            used("weather_agent", "get_weather", LONDON, '{"city":"London","temp_c":21}'),
            used("weather_agent", "get_time", LONDON, "12:00"),
            used("weather_agent", "none_tool", {}, ""),
            used("weather_agent", "list_tool", {"n": 3}, "[1,2,3]"),
            used("weather_agent", "mcp_like", {"q": "z"}, "boom", outcome="tool_error"),
        ],
        answers=[("weather_agent", "Let me check."), ("weather_agent", "It is 21C.And noon.")],
    ),
    "2.13.0/transfer": Scenario(
        turns=[("billing please", "response"), ("more", "response")],
        used=[used("billing_agent", "get_time", {"city": "Rome"}, "12:00")],
        plumbing=(("transfer_to_agent", "ok"),),
        answers=[
            ("billing_agent", "Billing here, noon in Rome."), ("billing_agent", "Billing again."),
        ],
    ),
    "2.13.0/workflow_request_input": Scenario(
        turns=[("start", "response")],
        used=[],
        plumbing=(("adk_request_input", "ok"),),
        answers=[("wf", "hello Bob")],
    ),
}  # fmt: skip
