"""What counts as a text in a module."""

import io

import pytest

from controller.languages.extraction import extract_texts, extract_words


def texts(source: str) -> list[object]:
    return [text for _, _, text, _ in extract_texts(io.BytesIO(source.encode()), (), (), {})]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('x = f"Claim {claim.number} of seat {seat}"', "Claim {number} of seat {seat}"),
        ('x = f"it has {amount_text(claim.amount)} left"', "it has {amount} left"),
        ('x = f"all {text(books.wagered)} of it"', "all {amount_wagered} of it"),
        ('x = f"all {money(claim.cents)} of it"', "all {amount} of it"),
        ('x = f"all {self.money.text(rows.wagered)} of it"', "all {amount_wagered} of it"),
        ('x = f"all {_chips_amount(won)} of it"', "all {amount_won} of it"),
        ('x = f"all {text(1)} to {text(cents)} of it"', "all {amount} to {amount2} of it"),
        ('x = f"the row {kind.text(record)} is read"', "the row {record} is read"),
        ('x = f"{old} becomes {self.old}"', "{old} becomes {old2}"),
        ('x = f"{names[0]} is {a + b}"', "{names} is {value}"),
        ('x = "put card {} through once"', "put card {value} through once"),
        ('x = {"calm": "All well"}', "All well"),
        ('x = ("The first "\n "and the second")', "The first and the second"),
        ('x = Key("Hit")', "Hit"),
        ('x = ngettext("{n} card", "{n} cards", n)', ("{n} card", "{n} cards")),
    ],
)
def test_a_text_for_people_is_found(source: str, found: object) -> None:
    assert texts(source) == [found]


@pytest.mark.parametrize(
    "source",
    [
        '"""The docstring of a module."""',
        'def f() -> "Claim | None":\n    pass',
        'log.info("the table starts")',
        'app.get("/", description="What the page shows")',
        'x = "SELECT row FROM journal"',
        'x = "betting"',
        'x = f"{who}: {why}"',
        'x = re.compile(r"(?:soft )?hand")',
        'x: Literal["held off", "catching up"] = 1',
        'raise AssertionError("the game has no odds")',
        'x = cast("Books", y)',
    ],
)
def test_what_nobody_reads_on_a_page_is_left_out(source: str) -> None:
    assert texts(source) == []


def test_words_are_the_elements_of_a_tuple() -> None:
    found = extract_words(io.BytesIO(b'WORDS = ("win", "lose")'), (), (), {})
    assert [text for _, _, text, _ in found] == ["win", "lose"]


def test_a_pattern_may_name_the_functions_and_constants_that_count() -> None:
    source = b"""
ALLOWED = "a gaming day"
OTHER = "another constant"


class Calendar:
    def named(self):
        raise UnknownPeriod(f"{text} is not a period; allowed: {ALLOWED}")

    def instant(self):
        raise UnknownPeriod(f"{text} is not a time")
"""
    found = [text for _, _, text, _ in extract_texts(io.BytesIO(source), (), (), {"only": "ALLOWED named"})]
    assert found == ["a gaming day", "{text} is not a period; allowed: {ALLOWED}"]


def test_a_pattern_may_name_the_argument_of_a_class_that_counts() -> None:
    source = b'KINDS = {"a fork": Kind("when it is over", "Look at the table")}'
    found = [text for _, _, text, _ in extract_texts(io.BytesIO(source), (), (), {"argument": "Kind 1"})]
    assert found == ["Look at the table"]
