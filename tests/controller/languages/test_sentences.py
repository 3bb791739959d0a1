"""Finished English sentences in another language."""

import re

import pytest

from controller.languages import LANGUAGES, speaking, translate
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
