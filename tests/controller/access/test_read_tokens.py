"""Tokens with which other systems read the API: when they count, and what the journal says of them."""

from pathlib import Path

import pytest

from controller.access.errors import AccessError, TokenRefused
from controller.access.read_tokens import DAY
from tests.fixtures.access_desk import FROM, Clock, bytes_on_disk, open_desk


def texts(desk: object) -> list[str]:
    """What the records for the journal say."""
    return [record.text for _, record in desk.pending_records()]  # type: ignore[attr-defined]


def test_a_token_counts_until_it_expires(tmp_path: Path) -> None:
    clock = Clock()
    with open_desk(tmp_path, clock) as desk:
        token = desk.tokens.make(" player  rating ", 2, "root")
        assert desk.check_token(token, FROM).name == "player rating"
        clock.now += 2 * DAY - 1
        assert desk.check_token(token, FROM).until == clock.now + 1
        clock.now += 1
        with pytest.raises(TokenRefused, match="the token player rating has expired"):
            desk.check_token(token, FROM)
        assert texts(desk) == [
            "root made the token player rating, which reads the API for 2 days",
            "API: the token player rating has expired",
        ]


def test_a_revoked_token_says_so_and_its_name_is_not_given_again(tmp_path: Path) -> None:
    with open_desk(tmp_path, Clock()) as desk:
        token = desk.tokens.make("rating", 1, "root")
        desk.tokens.revoke("RATING", "Ann")
        desk.tokens.revoke("rating", "Bob")
        with pytest.raises(TokenRefused, match="the token rating was revoked"):
            desk.check_token(token, FROM)
        with pytest.raises(AccessError, match="'rating' exists already"):
            desk.tokens.make("rating", 1, "root")
        assert texts(desk)[1:] == ["Ann revoked the token rating", "API: the token rating was revoked"]


def test_a_token_is_nowhere_on_disk(tmp_path: Path) -> None:
    with open_desk(tmp_path, Clock()) as desk:
        token = desk.tokens.make("rating", 1, "root")
        desk.check_token(token, FROM)
        assert token.removeprefix("tsr_").encode() not in bytes_on_disk(tmp_path)


def test_the_last_use_of_a_token_is_known_to_the_hour(tmp_path: Path) -> None:
    clock = Clock()
    with open_desk(tmp_path, clock) as desk:
        token = desk.tokens.make("rating", 1, "root")
        assert [one.used for one in desk.tokens.list_all()] == [None]
        for later, used in ((0, clock.now), (3599, clock.now), (3600, clock.now + 3600)):
            now, clock.now = clock.now, clock.now + later
            desk.check_token(token, FROM)
            assert [one.used for one in desk.tokens.list_all()] == [used]
            clock.now = now


@pytest.mark.parametrize(
    ("name", "days", "fault"),
    [
        ("", 1, "1 to 40 characters"),
        ("x" * 41, 1, "1 to 40 characters"),
        ("x", 0, "1 to 3650"),
        ("\u202ex", 1, "x"),
    ],
)
def test_a_token_with_a_bad_name_or_end_is_not_made(tmp_path: Path, name: str, days: int, fault: str) -> None:
    with open_desk(tmp_path, Clock()) as desk, pytest.raises(AccessError, match=fault):
        desk.tokens.make(name, days, "root")


def test_an_unknown_token_is_refused_and_its_name_is_not_guessed(tmp_path: Path) -> None:
    with open_desk(tmp_path, Clock()) as desk:
        with pytest.raises(TokenRefused, match="not known"):
            desk.check_token("tsr_nothing", FROM)
        with pytest.raises(AccessError, match="token 'x' is not there; there are: none"):
            desk.tokens.revoke("x", "root")
