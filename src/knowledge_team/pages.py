"""What a page of the web is to the team: its address and its text. No network."""

import re
import unicodedata
import warnings
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256

from knowledge_team.errors import FetchFailedError

PLAIN_TYPE = "text/plain"
READABLE_TYPES = frozenset({PLAIN_TYPE, "text/html", "application/xhtml+xml"})
"""The media types of which a text is made."""

_BLANKS = re.compile(r"[^\S\n]+")
_EMPTY_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that was fetched.

    Attributes:
        url: The address under which it was asked for.
        text: What it says, normalised; empty where it says nothing.

    """

    url: str
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", normalised(self.text))

    @property
    def content_hash(self) -> str:
        """The SHA-256 of the text: the same for pages that say the same."""
        return sha256(self.text.encode()).hexdigest()


def normalised(text: str) -> str:
    """Return the text in composed Unicode, without blanks that nobody sees."""
    # A lone surrogate and a NUL are no text: neither can be hashed, or kept by SQLite.
    writable = text.encode(errors="replace").decode().replace("\0", "\ufffd")
    lines = unicodedata.normalize("NFC", writable).splitlines()
    joined = "\n".join(_BLANKS.sub(" ", line).strip() for line in lines)
    return _EMPTY_LINES.sub("\n\n", joined).strip()


def check_readable(url: str, media_type: str) -> None:
    """Refuse a page of which no text can be made.

    Args:
        url: Its address, for the error.
        media_type: What the server says that it is, empty where it does not.

    Raises:
        FetchFailedError: The media type is none of `READABLE_TYPES`.

    """
    if media_type not in READABLE_TYPES:
        found = media_type or "not said"
        raise FetchFailedError(url, f"its type is {found}, not HTML or plain text")


def page_text(media_type: str, body: bytes, *, charset: str | None = None) -> str:
    """Return the text of a page: of HTML what its author wrote, without menus and footers.

    Headings, lists and tables keep their marks of Markdown.

    Args:
        media_type: One of `READABLE_TYPES`.
        body: What the server sent, decompressed.
        charset: What the server says of its encoding, None where it does not.

    """
    if media_type == PLAIN_TYPE:
        return _decoded(body, charset)
    return html_text(_decoded(body, charset) if charset else body)


def html_text(html: str | bytes) -> str:
    """Return the title and the text of a page of HTML, empty where it has none."""
    # Late: it takes a tenth of a second to import, and most teams never fetch.
    with warnings.catch_warnings():
        # Of no use here: nothing is downloaded by it, least of all through a SOCKS proxy.
        warnings.filterwarnings("ignore", message="SOCKS support in urllib3")
        from trafilatura import bare_extraction  # noqa: PLC0415
        from trafilatura.settings import DEFAULT_CONFIG, Document  # noqa: PLC0415

    # Short pages are pages too. Below these sizes it would give up on its reading of what the
    # page is about, and return all text there is, menus first.
    config = deepcopy(DEFAULT_CONFIG)
    for size in ("MIN_EXTRACTED_SIZE", "MIN_OUTPUT_SIZE"):
        config.set("DEFAULT", size, "1")
    found = bare_extraction(
        html,
        output_format="python",
        include_comments=False,
        include_formatting=True,
        favor_recall=True,
        with_metadata=True,
        config=config,
    )
    if not isinstance(found, Document) or not found.text:
        return ""
    return _with_title(found.text.strip(), found.title)


def _with_title(text: str, title: str | None) -> str:
    if not title or title.strip() in text.partition("\n")[0]:
        return text
    return f"# {title.strip()}\n\n{text}"


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", errors="replace")
    except LookupError:  # the server named an encoding that nobody knows
        return body.decode("utf-8", errors="replace")
