"""What a tile and the panel about jackpots say."""

import pytest

from controller.currency import named_currency
from controller.floor.pages.rendering import render_tile
from controller.floor.pages.words import LEVEL_WORDS, face, level_faces, own_claims
from controller.floor.tables.jackpots import LinkedJackpot
from controller.floor.tables.tile import Tile, TileAlert
from controller.jackpot.linked.messages import AnnouncedClaim
from controller.property.status import StatusClaim, StatusLevel, StatusShift
from tests.controller.floor.tables.statuses import EPOCH, tile

OPEN = StatusLevel(n=1, hash="ab", version=1, state="open")
LOST = OPEN.model_copy(update={"state": "lost"})


def announced(table: str, cents: int) -> AnnouncedClaim:
    return AnnouncedClaim(
        claim=f"{table}/{EPOCH}/1/3/grand", table=table, seat=3, cents=cents, order=(1, 0), n=2, state="open"
    )


def with_claims(table: str, *cents: int) -> Tile:
    claims = (StatusClaim(claim=str(number), cents=each, state="open") for number, each in enumerate(cents))
    return tile(table, claims=tuple(claims))


def test_a_claim_that_the_progressive_announces_is_shown_once() -> None:
    tiles = with_claims("bj-1", 500, 500, 700), with_claims("bj-2", 500)
    jackpot = LinkedJackpot("grand", 1.0, claims=(announced("bj-1", 500),))
    left = [(table, claim.claim) for table, claim in own_claims(tiles, (jackpot,))]
    assert left == [("bj-1", "1"), ("bj-1", "2"), ("bj-2", "0")]


@pytest.mark.parametrize(("cents", "shown"), [(0, "0"), (-6850, "−68"), (-6851, "−69"), (1234599, "+12,346")])
def test_the_hold_on_a_tile_has_no_cents(cents: int, shown: str) -> None:
    html = render_tile(tile("bj-1", shift=StatusShift(wagered=1, hold=cents)))
    assert f"<dt>Hold</dt><dd>{shown}</dd>" in html


@pytest.mark.parametrize(("code", "least", "hold"), [("USD", "$25", "+$12"), ("JPY", "¥2,500", "+¥1,250")])
def test_a_tile_has_amounts_in_the_currency_of_its_table(code: str, least: str, hold: str) -> None:
    shift = StatusShift(wagered=5000, hold=1250)
    html = render_tile(tile("bj-1", money=named_currency(code), min_bet=2500, shift=shift))
    assert f"<dt>Min bet</dt><dd>{least}</dd>" in html
    assert f"<dt>Hold</dt><dd>{hold}</dd>" in html


def test_a_level_has_the_currency_of_its_tables_and_says_if_they_do_not_agree() -> None:
    dollars = [
        tile(name, money=named_currency("USD"), levels=(("grand", OPEN),)) for name in ("bj-1", "bj-2")
    ]
    (one,) = level_faces(dollars, ())
    assert (one.money.code, one.word) == ("USD", "not announced")
    (mixed,) = level_faces(
        [*dollars, tile("bj-3", money=named_currency("EUR"), levels=(("grand", OPEN),))], ()
    )
    assert (mixed.money.code, mixed.call) == ("", "now")
    assert mixed.word == "not announced, but its tables play in EUR, USD"


def test_a_level_that_names_its_currency_keeps_it_and_says_if_a_table_plays_in_another() -> None:
    jackpot = LinkedJackpot("grand", 1.0, state="open", currency="USD")
    (alone,) = level_faces((), (jackpot,))
    assert (alone.money.code, alone.call) == ("USD", LEVEL_WORDS["open"][1])
    euros = tile("bj-1", money=named_currency("EUR"), levels=(("grand", LOST),))
    (mixed,) = level_faces((euros,), (jackpot,))
    assert (mixed.money.code, mixed.call) == ("USD", "now")
    assert mixed.word.endswith(", but its tables play in EUR")


def test_a_tile_has_a_tag_only_for_a_level_that_is_not_open() -> None:
    assert "badges" not in render_tile(tile("bj-1", levels=(("grand", OPEN),)))
    both = render_tile(tile("bj-1", levels=(("grand", OPEN), ("major", LOST))))
    assert "major lost" in both
    assert "grand" not in both


def test_a_tile_says_that_the_cause_of_its_alert_is_over() -> None:
    alert = TileAlert("floor", "silent", "The table says nothing", "notice", 1.0, 1)
    over = TileAlert("floor", "silent", "The table says nothing", "notice", 1.0, 1, ended=True)
    assert face(tile("bj-1", alerts=(alert,))).reason == "The table says nothing"
    assert face(tile("bj-1", alerts=(over,))).reason == "Over: The table says nothing"
