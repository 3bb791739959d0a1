"""Finished English sentences in another language."""

import re

import pytest

from controller.currency import named_currency, using
from controller.languages import LANGUAGES, speaking, translate
from controller.round.prompts import text
from tests.controller.round.test_prompts import PROMPTS


def spanish(english: str) -> str:
    with speaking(LANGUAGES["es"]):
        return translate(english)


@pytest.mark.parametrize(
    ("english", "translated"),
    [
        ("Grant", "Conceder"),
        ("ten of spades", "diez de picas"),
        (
            "Claim 3, seat 2: a supervisor must verify it",
            "Reclamo 3, puesto 2: un supervisor debe verificarlo",
        ),
        (
            "Card 12 left the shoe, but no card was due",
            "La carta 12 salió del sabot, pero no tocaba ninguna carta",
        ),
        ("Undo granted by Grant: Seen on camera", "Deshacer: concedida por Grant: Visto en cámara"),
        ("The shoe's cover is open", "La tapa del dispositivo sabot está abierta"),
        ("Paying. A card is stuck in the shoe", "Pagando. Hay una carta atascada en el dispositivo sabot"),
        (
            "The clock was set 90 s back: look whether it is right",
            "El reloj se cambió 90 s atrás: mire si es correcto",
        ),
        ("Too many failures: locked for 5 minutes", "Demasiados fallos: bloqueado durante 5 minutos"),
        (
            "Events 3 to 5 of the shoe are lost: compare the table with the page",
            "Se perdieron los eventos 3 a 5 del dispositivo sabot: compare la mesa con la página",
        ),
        (
            "hit for seat 3, but it is seat 2's turn",
            "pedir carta para el puesto 3, pero es el turno del puesto 2",
        ),
        ("above = 'x': not allowed; allowed: 1 to 500", "above = 'x': no permitido; permitido: de 1 a 500"),
        ("3 of 1,208, under 0.001 expected", "3 de 1,208, se esperaban menos de 0.001"),
        (
            "17: 12 counted, 10.4 expected, band 5 to 17",
            "17: 12 contados, se esperaban 10.4, banda de 5 a 17",
        ),
        (
            "'x' is not a period; allowed: a gaming day, as \"2026-11-19\", or the begin of a shift, "
            'as "2026-11-19 14:00"',
            "'x' no es un período; se admite: una jornada, como \"2026-11-19\", o el inicio de un turno, "
            'como "2026-11-19 14:00"',
        ),
        (
            "no shift begins at '2026-11-19T15:00'; allowed: 06:00, 14:00",
            "ningún turno empieza en '2026-11-19T15:00'; se admite: 06:00, 14:00",
        ),
        ("correct, round 4", "corregir, ronda 4"),
        (
            "bj-1, journal 01ab, row 5: row 5 has another hash than the one that is stored",
            "bj-1, diario 01ab, fila 5: la fila 5 tiene otro hash que la guardada",
        ),
        ("bj-1: Needs you. The table says nothing", "bj-1: Lo necesita. La mesa no dice nada"),
        ("sign in first", "inicie sesión primero"),
        ("seat 4", "puesto 4"),
        ("seat 4: double, $15", "puesto 4: doblar, $15"),
        ("seat 4, hand 2: 8d = 8, doubled, $50 on it", "puesto 4, mano 2: 8d = 8, doblada, $50 apostados"),
        ("seat 3: main taken away", "puesto 3: main retirada"),
        ("Sign in first", "Inicie sesión primero"),
    ],
)
def test_a_sentence_is_translated_with_what_stands_in_it(english: str, translated: str) -> None:
    assert spanish(english) == translated


@pytest.mark.parametrize("english", ["", "1,500", "Ana", "what no entry of the catalogue says", "9h 8c: 17"])
def test_a_text_without_an_entry_stays_as_it_is(english: str) -> None:
    assert spanish(english) == english


def test_a_text_that_a_person_wrote_is_not_searched_at_length() -> None:
    english = "Seat 1, " * 200
    assert spanish(english) == english


def test_english_is_not_changed() -> None:
    assert translate("Grant") == "Grant"


@pytest.mark.parametrize(
    ("english", "translated"),
    [
        ("Place your bets: 3 wagers. Seat 2 banks", "Hagan sus apuestas: 3 apuestas. Banca: Puesto 2"),
        (
            "No natural. Seat 3 hand 2 has soft 17: hit, stand or double",
            "Sin blackjack. Puesto 3, mano 2 tiene 17 blando: pedir carta, plantarse o doblar",
        ),
        (
            "Insurance: seats 1-3. Even money: seat 5. Close when done",
            "Seguro: puestos 1-3. Pago 1 a 1: puesto 5. Cierre cuando termine",
        ),
        (
            "Jackpot 1,500, seat 3: confirm claim 4. Pay seat 2, then seats 3-5",
            "Jackpot 1,500, puesto 3: confirme el reclamo 4. Pague al puesto 2, luego puestos 3-5",
        ),
    ],
)
def test_a_prompt_is_written_again_in_the_language(english: str, translated: str) -> None:
    assert spanish(english) == translated


ENGLISH_WORDS = {
    "the",
    "seat",
    "has",
    "close",
    "draw",
    "card",
    "cards",
    "pay",
    "then",
    "open",
    "done",
    "round",
    "deal",
}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_no_prompt_keeps_an_english_word(prompt: str) -> None:
    words = set(re.findall(r"[^\W\d]+", spanish(prompt).lower()))
    assert words & ENGLISH_WORDS == set()


@pytest.mark.parametrize(
    ("code", "stored", "shown"),
    [
        (
            "USD",
            "Jackpot 10006.00, seat 1: confirm claim 1. Pay seat 1",
            "Jackpot $10,006, seat 1: confirm claim 1. Pay seat 1",
        ),
        (
            "JPY",
            "Jackpot 10006, seat 1: confirm claim 1. Pay seat 1, then seats 2-4",
            "Jackpot ¥10,006, seat 1: confirm claim 1. Pay seat 1, then seats 2-4",
        ),
        (
            "KWD",
            "Jackpot 1006.250, seat 1: confirm claim 1. Deal 3 cards",
            "Jackpot KWD\u00a01,006.250, seat 1: confirm claim 1. Deal 3 cards",
        ),
        ("USD", "Jackpot PENDING, seat 1: confirm claim 1. ", "Jackpot PENDING, seat 1: confirm claim 1. "),
        (
            "USD",
            "Seat 1: main of 5.00 is under the minimum of 1000.00",
            "Seat 1: main of $5 is under the minimum of $1,000",
        ),
        (
            "JPY",
            "a meter of 100 is not possible; allowed: 500 to 9000",
            "a meter of ¥100 is not possible; allowed: ¥500 to ¥9,000",
        ),
        (
            "JPY",
            "a double for 500 is not a multiple of the chip, 100",
            "a double for ¥500 is not a multiple of the chip, ¥100",
        ),
        (
            "USD",
            "Seat 3 gets back 25.50: 25.00 from main, 0.50 from buster",
            "Seat 3 gets back $25.50: $25 from main, $0.50 from buster",
        ),
        ("JPY", "Claim 4 of seat 2, 1500, is void with it", "Claim 4 of seat 2, ¥1,500, is void with it"),
        ("USD", "In all 1250.00 and chips of unknown worth", "In all $1,250 and chips of unknown worth"),
        (
            "USD",
            "the jackpot has gone from 900.00 to 1000.04 since",
            "the jackpot has gone from $900 to $1,000.04 since",
        ),
        (
            "JPY",
            "Chips are not as they were before the test. Seat 2, main: 1500 before, nothing now",
            "Chips are not as they were before the test. Seat 2, main: ¥1,500 before, nothing now",
        ),
        (
            "JPY",
            "Seat 1 gets back 600: 100 from blazing-7s, 500 from main",
            "Seat 1 gets back ¥600: ¥100 from blazing-7s, ¥500 from main",
        ),
        ("JPY", "win 3:2, net 1500: natural", "win 3:2, net ¥1,500: natural"),
        ("USD", "lose, net -12.50: dealer's 20 beats 16", "lose, net −$12.50: dealer's 20 beats 16"),
        (
            "JPY",
            "The jackpot of blazing-7s: 9000 becomes 10000",
            "The jackpot of blazing-7s: ¥9,000 becomes ¥10,000",
        ),
        (
            "JPY",
            "Jackpot: seat 1, three suited 7s: 10% of the jackpot: 2000 locked, claim 1",
            "Jackpot: seat 1, three suited 7s: 10% of the jackpot: ¥2,000 locked, claim 1",
        ),
        (
            "JPY",
            "A. Smith and Zoë Lind: jackpot blazing-7s: 10007 to 10000, correction: cards were dropped",
            "A. Smith and Zoë Lind: jackpot blazing-7s: ¥10,007 to ¥10,000, correction: cards were dropped",
        ),
        ("USD", "2 of 37, 0.76 expected", "2 of 37, 0.76 expected"),
        ("JPY", "seats = 9: not allowed; allowed: 1 to 7", "seats = 9: not allowed; allowed: 1 to 7"),
        ("JPY", "Seat 2 has 14: hit, stand or double", "Seat 2 has 14: hit, stand or double"),
        ("JPY", "Card 12 left the shoe, but no card was due", "Card 12 left the shoe, but no card was due"),
        ("", "Jackpot 10006.00, seat 1: confirm claim 1.", "Jackpot 10006.00, seat 1: confirm claim 1."),
    ],
)
def test_amounts_in_a_sentence_are_written_in_the_currency_in_use(code: str, stored: str, shown: str) -> None:
    with using(named_currency(code)):
        assert translate(stored) == shown


def test_amounts_in_a_translated_sentence_have_their_symbol() -> None:
    with using(named_currency("USD")):
        assert spanish("Claim 4 of seat 2, 1500.00, is void with it") == (
            "El reclamo 4 del puesto 2, $1,500, se anula también"
        )


@pytest.mark.parametrize("prompt", [text(prompt) for prompt in PROMPTS.values()])
def test_prompts_without_amounts_stay_as_they_are(prompt: str) -> None:
    with using(named_currency("JPY")):
        assert translate(prompt) == prompt
