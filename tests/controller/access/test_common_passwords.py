"""Passwords that many people have are refused."""

from pathlib import Path

import pytest

from controller.access import secrets
from controller.access.desk import AccessDesk
from controller.access.errors import AccessError
from controller.access.secrets import COMMON_PASSWORDS, check_password
from tests.fixtures.access_desk import FROM, PASSWORD


def words() -> list[str]:
    return COMMON_PASSWORDS.read_text(encoding="ascii").splitlines()


def test_the_list_holds_thousands_of_words_in_order_and_stays_small() -> None:
    assert len(words()) > 5000
    assert words() == sorted(set(words()))
    assert all(word == word.casefold() and word[0].isalpha() and word[-1].isalpha() for word in words())
    assert COMMON_PASSWORDS.stat().st_size < 64_000


@pytest.mark.parametrize(
    "password",
    [
        "Dragon1234567",
        "!!Password2026",
        "P@ssw0rd2026!",
        "iloveyou 12345",
        "passwordpassword",
        "MonkeyMonkey#7",
        "(qwertyuiop)12",
        "\uff50\uff41\uff53\uff53word20267",
        "1q2w3e4r5t6y",
        "Baccarat-2026-",
        "1234567890-2026",
    ],
)
def test_a_common_word_with_marks_around_it_is_no_password(password: str) -> None:
    with pytest.raises(AccessError, match="allowed: more than a common word and numbers"):
        check_password(password, "Ann")


@pytest.mark.parametrize(
    "password", [PASSWORD, "dragon eats nine cards", "monkeydragon rain", "7#9$4%2&8/1=", "Größe vor Länge"]
)
def test_more_than_a_common_word_is_a_password(password: str) -> None:
    check_password(password, "Ann")


@pytest.mark.parametrize("name", ["Ann Lee", "ANN LEE", "Ａｎｎ Ｌｅｅ"])
@pytest.mark.parametrize("password", ["i am ann lee, see?", "x annlee x 2026", "ＡＮＮ ＬＥＥ is here!"])
def test_the_name_in_another_spelling_is_no_part_of_a_password(name: str, password: str) -> None:
    with pytest.raises(AccessError, match="allowed: one without the name in it"):
        check_password(password, name)


async def test_the_list_is_read_only_when_a_password_is_set(
    desk: AccessDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "COMMON_PASSWORDS", tmp_path / "nowhere")
    await desk.sign_in("password", "Ann", PASSWORD, FROM)
    desk.accounts.set_secret("Dee", "pin", "9173", "root")
    with pytest.raises(FileNotFoundError):
        desk.accounts.set_secret("Ann", "password", "seven of diamonds!", "root")
