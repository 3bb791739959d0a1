from controller.odds.plot.svg import Titles, headed, line, rectangle, text
from tests.controller.odds.plot.parsed import shapes, words


def test_words_are_escaped_and_the_file_is_well_formed() -> None:
    drawn = headed(100, Titles("A & B", "less < more"), [text(1, 2, "<3>"), line(0, 0, 1, 1)])
    assert [one.words.strip() for one in shapes(drawn) if one.name == "title"] == ["A & B: less < more"]
    assert words(drawn) == ["A & B", "less < more", "<3>"]


def test_numbers_are_short_and_the_same_each_time() -> None:
    assert (
        rectangle(1, 2.04, 1 / 3, 7.25, "#fff") == '<rect x="1" y="2" width="0.3" height="7.2" fill="#fff"/>'
    )
