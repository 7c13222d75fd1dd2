import errno
import os
from pathlib import Path

import pytest

from audition.files import naming, read_bounded, without_address


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(ValueError, match="is 5 bytes long; at most 4 are read"):
        read_bounded(path, 4)


def test_what_is_no_file_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, told in (
        (tmp_path / "pipe", "is a pipe, a socket or a device, no regular file"),
        (Path("/dev/zero"), "is a pipe, a socket or a device, no regular file"),
        (tmp_path, "is a folder, no regular file"),
        (Path("a\0b"), "embedded null byte"),
    ):
        with pytest.raises(ValueError, match=told):
            read_bounded(path, 10)


def test_a_file_that_says_no_size_is_read_all_the_same() -> None:
    path = Path("/proc/self/status")
    if path.exists():
        assert read_bounded(path, 100_000).startswith(b"Name:")
        with pytest.raises(ValueError, match="at most 10 are read"):
            read_bounded(path, 10)


@pytest.mark.parametrize("name", ["none", "x" * 5000])
def test_a_file_that_cannot_be_there_is_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"No such file|too long"):
        read_bounded(tmp_path / name, 10)


def test_an_error_of_writing_gets_the_name_of_the_file() -> None:
    with pytest.raises(OSError, match=r"No space left on device: 'a\.json'") as error:  # noqa: SIM117  # one error, one name
        with naming(Path("a.json")):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, "a.json")
    with pytest.raises(FileNotFoundError, match="none"), naming(Path("a.json")):
        Path("/none").read_bytes()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("postgres://u:geheim@host/desk", "postgres://…"),
        (Path("https://u:geheim@host"), "https://…"),
        ("C:/sessions/a.jsonl", "C:/sessions/a.jsonl"),
        (Path("sessions/a.jsonl"), "sessions/a.jsonl"),
    ],
)
def test_an_address_is_told_by_its_scheme(path: str | Path, told: str) -> None:
    assert without_address(path) == told
