"""A conversation with a simulated Bee-Tek, and the spellings that are and are not believed."""

import pytest

from drivers.adapters.bee_tek.line import BeeTekLine
from drivers.adapters.decoder import SILENCE
from drivers.adapters.makes import ADAPTERS
from drivers.adapters.observations import CardSeen, Doubt, Observation, Remark, ShoeUp
from tests.drivers.adapters.bench import Bench

NOISE = Doubt("bytes came that are not a token")


def said(text: str) -> list[Observation]:
    line = BeeTekLine()
    news = [*line.feed(text.encode(), 0.0), *line.tick(SILENCE)]
    assert news[0] == ShoeUp()
    return news[1:]


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (" [Game]<Card:4S> ", [CardSeen("4s")]),
        (" [Game]<Card:AH> ", [CardSeen("Ah")]),
        (" [Game]<Card:TD> ", [CardSeen("Td")]),
        (" [Game]<Card:10C> ", [CardSeen("Tc")]),
        (" [Game]<Card:4S>  [Game]<Card:KD> ", [CardSeen("4s"), CardSeen("Kd")]),
        (" [Game]<Card:S4> ", [NOISE]),
        (" [Game]<Card:H3> ", [NOISE]),
        (" [Game]<Card:4s> ", [NOISE]),
        (" [Game]<Card:1S> ", [NOISE]),
        (" [Game]<Card:11S> ", [NOISE]),
        (" [Game]<Card: 4S> ", [NOISE]),
        ("[Game]<Card:4S> ", [NOISE]),
        (" [Game]<Card:4S>", [NOISE]),
        (" [Game]<Card:4S>.", [NOISE]),
        (" [Game]<Card:4S> \r\n", [CardSeen("4s")]),
        (" [Game]<Ca [Game]<Card:4S> ", [NOISE, CardSeen("4s")]),
        (" [Game]<Game> ", [CardSeen("")]),
        (" [GameAlarm]<Alarm:E3 Card Not Read> ", [CardSeen("")]),
        (" [Game]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> ", [CardSeen("")]),
        (" [GameAlarm]<Alarm:E3 Card Not Read>  [Game]<Game> ", [CardSeen("")]),
        (" [Game]<Game>  [Game]<Game> ", [CardSeen(""), CardSeen("")]),
        (
            " [Game]<Game>  [Game]<Card:4S>  [GameAlarm]<Alarm:E3 Card Not Read> ",
            [CardSeen(""), CardSeen("4s"), CardSeen("")],
        ),
        (" [GameAlarm]<Alarm:E7 Door Open> ", [Remark("alarm E7: Door Open"), Doubt("alarm E7 (Door Open)")]),
        ("<W0x01>", [Remark("warning 01, which no document explains")]),
        ("<W0x1>", [NOISE]),
    ],
)
def test_each_spelling_becomes_its_token(text: str, heard: list[Observation]) -> None:
    assert said(text) == heard


def test_all_cards_come_and_nothing_is_ever_told_to_the_shoe() -> None:
    bench = Bench("bee-tek")
    assert bench.run() == [ShoeUp()]
    for card in ("8s", "Th", "Ad"):
        bench.ask("pull")
        assert bench.run() == [CardSeen(card)]
    bench.ask("unreadable")
    bench.ask("pull")
    assert bench.run() == [CardSeen("")]
    assert bench.line.counters.bytes_out == 0


def test_a_card_that_the_line_swallows_is_never_missed() -> None:
    bench = Bench("bee-tek")
    bench.run()
    bench.ask("fault", drop=1.0)
    bench.ask("pull")
    assert bench.run(10) == []


def test_a_card_that_the_line_spoils_is_noise() -> None:
    bench = Bench("bee-tek")
    bench.run()
    bench.ask("say", raw=b" [Game]<Card:\xb4S> ".hex())
    assert bench.run(1) == [NOISE]


def test_each_token_is_described_in_words() -> None:
    known = ADAPTERS["bee-tek"]
    tokens = known.decoder().feed(
        b" [Game]<Card:10C>  [Game]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> <W0x1F>", 0.0
    )
    assert [known.describe(token) for token in tokens] == [
        "Tc drawn",
        "a card was drawn that cannot be read",
        "alarm E3: Card Not Read",
        "warning 1F",
    ]
