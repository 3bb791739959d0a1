"""The language of a request."""

import pytest

from controller.languages import LANGUAGES, language_in_use, preferred_language, speaking
from controller.languages.pseudo import pseudo_text


@pytest.mark.parametrize(
    ("chosen", "accepted", "code"),
    [
        ("", "", "en"),
        ("es", "en", "es"),
        ("", "es-MX,es;q=0.9,en;q=0.8", "es"),
        ("", "en-US,es;q=0.5", "en"),
        ("", "fr,de;q=0.9,es;q=0.4", "es"),
        ("", "fr", "en"),
        ("", "es;q=0", "en"),
        ("", "es;q=much, *", "en"),
        ("xx", "es", "es"),
        ("en-XA", "es", "en-XA"),
        ("", "en-XA", "en"),
        ("", "ar-XB", "en"),
    ],
)
def test_a_choice_comes_before_what_the_browser_asks_for(chosen: str, accepted: str, code: str) -> None:
    assert preferred_language(chosen, accepted).code == code


def test_a_language_is_in_use_while_its_context_lasts() -> None:
    with speaking(LANGUAGES["es"]):
        inside = language_in_use().code
    assert (inside, language_in_use().code) == ("es", "en")


def test_pseudo_text_keeps_places_and_is_a_third_longer() -> None:
    assert pseudo_text("Claim {number}: <b>%(amount)s</b>") == "[Çlåîm {number}: <b>%(amount)s</b>~~]"
