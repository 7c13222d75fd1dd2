import pytest

from knowledge_team.errors import FetchFailedError
from knowledge_team.web_addresses import is_public, source_key, web_address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://eval.invalid", "https://eval.invalid/"),
        ("HTTPS://Eval.Invalid:443/About?Q=1#top", "https://eval.invalid/About?Q=1"),
        ("http://eval.invalid:8080/a/", "http://eval.invalid:8080/a/"),
        ("http://eval.invalid:80/", "http://eval.invalid/"),
        ("http://[2001:DB8::1]:81/a", "http://[2001:db8::1]:81/a"),
    ],
)
def test_an_address_has_one_spelling(url: str, expected: str) -> None:
    assert web_address(url) == expected


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://eval.invalid/", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("eval.invalid/about", "only http and https"),
        ("", "only http and https"),
        ("https:///about", "names no host"),
        ("https://eval.invalid/a b", "blanks or control"),
        ("https://eval.invalid\\@evil.invalid/", "blanks or control"),
        ("https://eval.invalid/\r\nHost: x", "blanks or control"),
        ("https://eval.invalid:port/", "no address"),
        ("https://eval.invalid:99999/", "no address"),
        ("https://[::1/", "no address"),
    ],
)
def test_what_is_no_address_of_the_web_is_refused(url: str, reason: str) -> None:
    with pytest.raises(FetchFailedError, match=reason):
        web_address(url)


def test_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(FetchFailedError, match="a user name or password") as refused:
        web_address("https://mira:secret@eval.invalid/about")
    assert (refused.value.url, "secret" in str(refused.value)) == (
        "https://eval.invalid/about",
        False,
    )


def test_a_slash_at_the_end_makes_no_other_page() -> None:
    assert source_key("https://eval.invalid/about/") == source_key("https://EVAL.invalid/about#x")
    assert source_key("https://eval.invalid/") == "https://eval.invalid"
    assert source_key("https://eval.invalid/?a=1") != source_key("https://eval.invalid/?a=2")


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_addresses_of_the_open_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.1"),
        *("100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fc00::1", "fe80::1", "fe80::1%eth0", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1"),
        *("64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:a00:1::1"),
    ],
)
def test_all_others_are_not(address: str) -> None:
    assert not is_public(address)
