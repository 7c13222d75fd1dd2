"""The pages of datasets/production-tools.json, as a server answers with them."""

from collections import Counter
from itertools import count
from threading import Lock

from evals.knowledge.page_server import Answer

KESTREL = """<html><head><title>Kestrel Lines</title></head><body>
<nav>Home Timetable Contact</nav>
<main><h1>Kestrel Lines</h1>
<p>Kestrel Lines is a ferry operator for the outer islands.</p>
<p>It was founded by Ines Halvard, Tomas Aldous and Wren Okafor.</p></main>
<footer>Imprint</footer></body></html>"""

PETREL = "Petrel Survey is a sonar mapping company. It works at the mouths of rivers."

LANTERN = "Lantern Works is a maker of harbour lights. It was founded by Sunniva Brekke."

NOTICE = "Project Curlew is a dredging programme. Its plan is published at {plan}."

PLANS = (
    "Project Curlew coordinates sand barges.",
    "Project Curlew coordinates repair slots.",
)

FIXED = {
    "/kestrel": Answer(text=KESTREL, media_type="text/html"),
    "/petrel": Answer(text=PETREL),
    "/lamps": Answer(status=301, location="/lights"),
    "/lights": Answer(status=302, location="/lantern"),
    "/lantern": Answer(text=LANTERN),
}

MISSING = Answer(status=404, text="There is no such page.")


class ServedPages:
    """The site. The plan of Project Curlew changes after it was read for the first time.

    Cases and their repeats ask side by side, and what one of them reads must not change the page
    of another: the notice names another address of the plan each time that it is read.
    """

    def __init__(self) -> None:
        self._numbers = count(1)
        self._read: Counter[str] = Counter()
        self._reading = Lock()

    def __call__(self, address: str, path: str) -> Answer:
        """Return what is answered at a path, by a server with this address."""
        if path == "/curlew":
            return Answer(text=NOTICE.format(plan=f"{address}/curlew/{next(self._numbers)}"))
        if path.startswith("/curlew/"):
            return Answer(text=PLANS[min(self._earlier(path), len(PLANS) - 1)])
        return FIXED.get(path, MISSING)

    def _earlier(self, path: str) -> int:
        """Return how often the path was read before, and count this time."""
        with self._reading:
            self._read[path] += 1
            return self._read[path] - 1
