from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.view import EvidenceView
from audition.events import MessageSent
from audition.output import CaseOutput
from audition.testing import answer, message, output, question

OUT = output(
    question("Who is Mara?"),
    message("@Manager", "@Knowledge", "Who is Mara?"),
    message("@Knowledge", "@Manager", "Unknown. I recommend @WebIngest."),
    answer("I do not know."),
)


def examine(
    *terms: str, sender: str | None = None, recipient: str | None = None, out: CaseOutput = OUT
) -> Finding:
    evaluator = MessageContainsTerms(terms, sender=sender, recipient=recipient)
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def test_a_term_is_looked_for_between_two_members() -> None:
    found = examine("@WebIngest", sender="@Knowledge", recipient="@Manager")
    assert found == Finding(True, '1 message(s) from @Knowledge to @Manager contain "@WebIngest"')


def test_a_term_that_was_dropped_on_the_way_is_missed_there() -> None:
    found = examine("@WebIngest", sender="@Manager", recipient="@Human")
    assert (found.ok, found.layer, found.cause) == (False, None, "omitted")
    assert found.reason.startswith("1 message(s) from @Manager to @Human lack")


def test_without_such_a_message_the_route_is_to_blame() -> None:
    found = examine("x", sender="@Knowledge", recipient="@Human")
    assert (found.layer, found.cause) == (Layer.ROUTE, "no message")
    assert found.reason == 'no message from @Knowledge to @Human; looked for "x"'


def test_without_sender_and_recipient_all_messages_count_together() -> None:
    assert examine("@WebIngest", "do not know").ok


def test_the_runtimes_own_messages_do_not_count() -> None:
    out = output(MessageSent(agent="@K", recipient="@M", content="secret", internal=True))
    assert not examine("secret", out=out).ok
