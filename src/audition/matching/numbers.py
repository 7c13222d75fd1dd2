"""The numbers that stand in a text, however they are written. A guess is never silent.

What is read as one number:

- digits of any script, full-width and Arabic-Indic included; a decimal point, `.5` too;
- groups of three, all by the same sign: comma, apostrophe (straight or curly), underscore as in
  `1_234`, or a space that does not break (U+00A0, U+202F, U+2007, U+2009). A plain space and a
  comma with a space separate numbers. `3,145` is 3145; with `decimal_comma` it is 3.145, and
  points group. The Arabic signs (U+066B, U+066C) are read as point and comma;
- scientific notation: `1.2345675e6`, an exponent of up to three digits;
- a sign (`-`, `+`, U+2212, or an en dash that no space follows) after a space, a bracket or
  nothing, also before a currency sign: `-$5`. `45%` is 45; `(5)` is 5;
- a number with its unit: `12km`, `2nd`; both ends of a range: `2029-2031` is 2029 and 2031.

What has digits and is not read, though a nearest miss may show it: digits inside a word or a code
(`gate12`, `QX-118`, `0x1F`, `2x4`); versions, addresses, dates, times and fractions (`1.2.3`,
`10.0.0.1`, `2029-05-01`, `22:30`, `3/4`, `1½`, `10^6`); a magnitude (`4K`, `5M`, `3bn`); and
groups that do not add up: `1.234.567,50` without `decimal_comma`, `12,34`, `1,2,3`. Words are not
read: `1.2 million` is 1.2.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

_SPACES = r"\u00a0\u2007\u2009\u202f"
_JOINTS = rf"[.,:/'\u2019_{_SPACES}\u066b\u066c\uff0e\uff0c\u2010\u2011\u2013\u2212-]"
_JOINED = re.compile(
    # The bare number has nothing to decide, and saves two thirds of the time.
    rf"""(?P<bare>(?<![^\x20\t\n\r(])\d++(?=[.,;:!?)]?(?:[\x20\t\n\r]|\Z)))
    | \.?\d+(?:{_JOINTS}\d+)*(?:[eE][+\u2212-]?\d+)?""",
    re.VERBOSE,
)
_RANGE = re.compile("(?<!e)[\u2010\u2011\u2013-]")
_NUMBER = re.compile(
    r"""(?P<whole>[1-9]\d{0,2}(?P<group>[,'\x20_])\d{3}(?:(?P=group)\d{3})*|\d+)?
    (?P<fraction>\.\d+)?(?P<exponent>e[+-]?\d{1,3})?""",
    re.VERBOSE,
)
_UNIT = re.compile(r"\w{1,24}")  # in a script without spaces a word could be all the rest
_POWERS = "\u00b2\u00b3"
_MAGNITUDES = frozenset({"k", "K", "M", "B", "bn", "Bn", "mn", "mio", "Mio", "mrd", "Mrd"})
_CJK_MAGNITUDES = "\u5343\u4e07\u842c\u4ebf\u5104"
_SIGNS = {"+": "", "\uff0b": ""} | dict.fromkeys("-\u2212\u2013\uff0d\ufe63", "-")
_HYPHENS = "-\u2010\u2011"
# The curly apostrophe, the Arabic decimal and thousands signs, the full-width point, the minus.
_PLAIN = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " ") | {
    ord(odd): plain for odd, plain in zip("\u2019\u066b\u066c\uff0e\u2212E", "'.,.-e", strict=True)
}
_SWAPPED = {ord(","): ".", ord("."): ","}
_RUN = frozenset(
    ".,:/'\u2019_\u00a0\u2007\u2009\u202f\u066b\u066c\uff0e\uff0c\u2010\u2011\u2013\u2212-+eE"
)
"""What stands in a run of digits and joints besides digits."""
_ODD_DIGIT = re.compile(r"[^\x00-\x7f](?<=\d)")
_LONG = 20_000
"""Characters above which numbers are not all read to find one."""
_EXACT = Context(prec=4000, Emax=MAX_EMAX, Emin=MIN_EMIN)


class NumberInText(NamedTuple):
    """Digits that stand together in a text; a tuple, because a text may hold a million of them.

    Attributes:
        start: Where they begin, without a sign.
        end: Where they end.
        value: The number, None where to read one would be a guess.

    """

    start: int
    end: int
    value: Decimal | None


def read_numbers(text: str, *, decimal_comma: bool = False) -> Iterator[NumberInText]:
    """Yield what has digits in the text, in order, with its value where it has one."""
    for joined in _JOINED.finditer(text):
        yield from _read(text, joined, decimal_comma=decimal_comma)


def _read(
    text: str, joined: re.Match[str], *, decimal_comma: bool
) -> Iterator[NumberInText] | tuple[NumberInText]:
    """Return what stands in one run of digits and joints."""
    start, end = joined.span()
    if joined["bare"]:
        return (NumberInText(start, end, Decimal(joined["bare"])),)
    if text[start] == "." and _ends_a_sentence(text[start - 1 : start]):
        start += 1
    if _is_within_word(text, start) or _is_cut_short(text, end):
        return (NumberInText(start, end, None),)
    return _parts(text, start, end, decimal_comma=decimal_comma)


def find_number(
    text: str, number: float, *, tolerance: float = 0, decimal_comma: bool = False
) -> NumberInText | None:
    """Return the first number of the text that is at most `tolerance` away, None without one.

    The comparison is exact, by the decimal digits that `number` and `tolerance` are written with.
    """
    low, high = interval(number, tolerance)
    digits = shared_digits(low, high) if len(text) > _LONG else ""
    candidates = (
        _read_around(text, digits, is_exact=low == high, decimal_comma=decimal_comma)
        if digits
        else read_numbers(text, decimal_comma=decimal_comma)
    )
    for found in candidates:
        if found.value is not None and low <= found.value <= high:
            return found
    return None


def shared_digits(low: Decimal, high: Decimal) -> str:
    """Return the digits that every number between the two begins with, empty where there are none.

    They are those that are written however it is written: without zeros before them, and without
    those at their end, which may be an exponent.
    """
    near, far = sorted((abs(low), abs(high)))
    if low <= 0 <= high or near.adjusted() != far.adjusted():
        return ""
    pairs = zip(near.as_tuple().digits, far.as_tuple().digits, strict=False)
    shared = takewhile(lambda pair: pair[0] == pair[1], pairs)
    return "".join(str(digit) for digit, _ in shared).rstrip("0")


def _read_around(
    text: str, digits: str, *, is_exact: bool, decimal_comma: bool
) -> Iterator[NumberInText]:
    """Yield what `read_numbers` does, where these digits stand alone: a tenth of the time."""
    is_plain = text.isascii() or _ODD_DIGIT.search(text) is None
    pattern, place = _pattern_of(digits, is_exact=is_exact, is_plain=is_plain), 0
    while (likely := pattern.search(text, place)) is not None:
        start = likely.start()
        while start > place and (text[start - 1] in _RUN or text[start - 1].isdecimal()):
            start -= 1
        for joined in _JOINED.finditer(text, start):
            place = joined.end()
            yield from _read(text, joined, decimal_comma=decimal_comma)
            if place > likely.start():
                break


@lru_cache(maxsize=256)
def _pattern_of(digits: str, *, is_exact: bool, is_plain: bool) -> re.Pattern[str]:
    """Return the pattern of these digits, with what may join them; no other digit before them.

    The first digit is taken before what precedes it is looked at, so that the search skips to it.
    """
    first, *more = digits if is_plain else [_every_script(int(digit)) for digit in digits]
    others = "1-9" if is_plain else "".join(_every_script(digit)[1:-1] for digit in range(1, 10))
    rest = "".join(f"{_JOINTS}?{digit}" for digit in more)
    end = f"(?![{others}])" if is_exact else ""
    return re.compile(f"{first}(?<![{others}].){rest}{end}", re.DOTALL)


@cache
def _every_script(digit: int) -> str:
    """Return the class of the characters that are this digit in any script."""
    return f"[{''.join(char for char in _decimals() if unicodedata.decimal(char) == digit)}]"


@cache
def _decimals() -> str:
    """Return every digit of every script; a tenth of a second, for the first long text with any."""
    return "".join(filter(str.isdecimal, map(chr, range(sys.maxunicode + 1))))


def interval(number: float, tolerance: float) -> tuple[Decimal, Decimal]:
    """Return the least and the greatest number that is at most `tolerance` away."""
    exact, width = decimal_of(number), decimal_of(tolerance)
    return _EXACT.subtract(exact, width), _EXACT.add(exact, width)


def decimal_of(number: float) -> Decimal:
    """Return the number by the digits it is written with: 0.1 is one tenth."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def _parts(text: str, start: int, end: int, *, decimal_comma: bool) -> Iterator[NumberInText]:
    """Yield the numbers of one run of digits and joints: one, or the two ends of a range."""
    plain = _plain(text[start:end])
    if decimal_comma:
        plain = plain.translate(_SWAPPED)
    ends = _RANGE.split(plain)
    if len(ends) > 2:  # a date
        yield NumberInText(start, end, None)
        return
    sign = _sign(text, start)
    for written in ends:
        for piece in [written] if _NUMBER.fullmatch(written) else written.split(" "):
            end = start + len(piece)
            yield NumberInText(start, end, _value(sign, piece))
            start, sign = end + 1, ""


def _plain(digits: str) -> str:
    """Return the digits and joints in the spelling of ASCII, character for character."""
    if digits.isascii():
        return digits.replace("E", "e")
    if not any(map(str.isascii, digits)):
        digits = digits.replace("\uff0c", ",")  # full-width; beside ASCII digits it ends a clause
    digits = "".join(str(unicodedata.decimal(char, char)) for char in digits)
    return digits.translate(_PLAIN)


def _value(sign: str, written: str) -> Decimal | None:
    number = _NUMBER.fullmatch(written)
    if number is None:
        return None
    return Decimal(sign + written.replace(number["group"] or "_", ""))


def _is_within_word(text: str, start: int) -> bool:
    """Return whether what stands before the digits makes them part of a word or a formula."""
    before = text[start - 1 : start]
    if before and before in _HYPHENS:
        before = text[start - 2 : start - 1]
        return _is_cased(before)
    return before in {"_", "^"} or _is_cased(before) or _is_odd_digit(before)


def _is_cut_short(text: str, end: int) -> bool:
    """Return whether what follows the digits is more than a unit: code, magnitude or exponent."""
    word = _UNIT.match(text, end)
    if word is None:
        return text[end : end + 1] == "^"
    unit = word[0]
    if unit[0] in _CJK_MAGNITUDES or unit in _MAGNITUDES:
        return True
    if unit[0].isalpha() and not _is_cased(unit[0]):
        return False
    return not unit.rstrip(_POWERS).isalpha()


def _sign(text: str, start: int) -> str:
    """Return "-" where a minus before the digits, or before their currency, is no hyphen."""
    if start and unicodedata.category(text[start - 1]) == "Sc":
        start -= 1
    sign = _SIGNS.get(text[start - 1 : start], "")
    before = text[start - 2 : start - 1] if start > 1 else ""
    return "" if before.isalnum() or (before and before in ")]}%-") else sign


def _ends_a_sentence(before: str) -> bool:
    """Return whether a point after this is no decimal point: `No.5`, `end.5`, `...5`."""
    return before == "." or before.isalnum()


def _is_cased(char: str) -> bool:
    return char.isupper() or char.islower() or char.istitle()


def _is_odd_digit(char: str) -> bool:
    return char.isnumeric() and not char.isdecimal() and not char.isalpha()
