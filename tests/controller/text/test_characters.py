"""Characters that cannot be seen, and names that are the same or look the same."""

import unicodedata

import pytest

from controller.access.lookalikes import LOOKALIKES, skeleton
from controller.text.characters import REFUSED_CATEGORIES, character_fault, is_part, same_name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("seen\u202eno", "U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"),
        ("two\nlines", "U+000A is a control character"),
        ("\x1b[31mred", "U+001B is a control character"),
        ("Ann\u200bLee", "U+200B (ZERO WIDTH SPACE) is a format character"),
        ("a\u2028b", "U+2028 (LINE SEPARATOR) is a line separator"),
        ("a\u2029b", "U+2029 (PARAGRAPH SEPARATOR) is a paragraph separator"),
        ("Zoë Ångström, 赵, Ölçer: 5 €", ""),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, why: str) -> None:
    assert character_fault(text) == why


def test_every_character_of_these_categories_is_refused() -> None:
    for sign in map(chr, range(0x110000)):
        assert bool(character_fault(sign)) == (unicodedata.category(sign) in REFUSED_CATEGORIES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Lee", " ann  LEE "),
        ("Ann Lee", "\uff21\uff2e\uff2e \uff2c\uff25\uff25"),
        ("Strauß", "STRAUSS"),
        ("Zo\u00eb", "zoe\u0308"),
        ("Müller \ufb01", "MÜLLER FI"),
    ],
)
def test_names_of_one_person_are_the_same(one: str, other: str) -> None:
    assert same_name(one, other)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("zoe\u0308", "Zo\u00eb Ray"),
        ("\uff21\uff2e\uff2e", "ann lee"),
        ("STRASSE", "Anna von der Straße"),
        ("ann  lee", "Ann Lee"),
        ("", "Ann"),
    ],
)
def test_a_part_of_a_name_is_found_in_any_spelling(part: str, text: str) -> None:
    assert is_part(part, text)
    assert not is_part(f"{part}x", text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Lee", "Ann\u3164 Lee"),
        ("Ann Lee", "Ann\ufe0f Lee"),
        ("Ann Lee", "\u2800Ann Lee"),
        ("Ann Lee", "An\u034fn Lee"),
        ("Ann Lee", "\u0410nn Lee"),
        ("Ann Lee", "Ann L\u0435e"),
        ("Ann Lee", "\u0391nn Lee"),
        ("Ian", "lan"),
        ("Bob 1", "Bob l"),
        ("Sam O", "Sam 0"),
        ("Mia Kim", "Mia Kirn"),
        ("PETER", "\u0420\u0415\u0422\u0415R"),
    ],
)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert not same_name(one, other)
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann Lee", "Anna Lee"), ("Zoë", "Zoe"), ("Иван", "Ivan"), ("Sue", "Sam")]
)
def test_names_that_people_tell_apart_do_not_look_alike(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_each_letter_looks_like_one_latin_letter() -> None:
    signs = "".join(LOOKALIKES.values())
    assert len(signs) == len({*signs})
    assert not any(sign.isascii() for sign in signs)
