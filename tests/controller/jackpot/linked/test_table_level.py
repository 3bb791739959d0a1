from dataclasses import replace

import pytest

from controller.jackpot.linked.messages import Amount, AnnouncedClaim
from controller.jackpot.linked.table_level import TableLevel
from tests.controller.jackpot.linked.desk import LEVEL, TABLE, claim_id

HASH = "a" * 64
OTHER = "b" * 64


def amount(n: int, version: int, **fields: object) -> Amount:
    given: dict[str, object] = {"hash": HASH, "cents": 100_000 + n, "state": "open"} | fields
    return Amount.model_validate({"level": LEVEL, "n": n, "version": version, **given})


def announced(seat: int, cents: int, state: str = "open") -> AnnouncedClaim:
    return AnnouncedClaim.model_validate(
        {
            "claim": claim_id(seat),
            "table": TABLE,
            "seat": seat,
            "cents": cents,
            "order": (9, 0),
            "n": 5,
            "state": state,
        }
    )


def opened() -> TableLevel:
    """Open since second 2."""
    level = TableLevel(TABLE, LEVEL)
    for second in range(3):
        level = level.hear(amount(5, second + 1), float(second)).level
    return level


class TestCurrency:
    def test_an_amount_in_another_currency_than_the_tables_closes_the_level_and_is_not_shown(self) -> None:
        level = replace(opened(), currency="EUR").hear(amount(6, 1, currency="USD"), 3.0).level
        assert (level.state(3.0), level.foreign, level.cents) == ("closed", "USD", 100_005)

    def test_amounts_in_the_currency_of_the_table_open_it_again(self) -> None:
        level = replace(opened(), currency="EUR").hear(amount(6, 1, currency="USD"), 3.0).level
        for version in (2, 3, 4):
            level = level.hear(amount(6, version, currency="EUR"), 2.0 + version).level
        assert (level.state(6.0), level.foreign) == ("open", "")

    @pytest.mark.parametrize(("own", "announced_in"), [("EUR", ""), ("", "USD"), ("", "")])
    def test_a_level_or_a_table_without_a_currency_plays(self, own: str, announced_in: str) -> None:
        level = replace(opened(), currency=own).hear(amount(6, 1, currency=announced_in), 3.0).level
        assert level.state(3.0) == "open"


class TestOpening:
    def test_three_amounts_in_a_row_open_a_level(self) -> None:
        level, states = TableLevel(TABLE, LEVEL), []
        for second in range(3):
            states.append(level.state(float(second)))
            level = level.hear(amount(5, second + 1), float(second)).level
        assert [*states, level.state(2.0)] == ["lost", "lost", "lost", "open"]
        assert level.cents == 100_005

    @pytest.mark.parametrize(("silence", "state"), [(4.9, "open"), (5.1, "lost")])
    def test_silence_closes_a_level(self, silence: float, state: str) -> None:
        assert opened().state(2.0 + silence) == state

    def test_a_lost_level_opens_after_three_amounts(self) -> None:
        level = opened()
        for version, second in ((4, 10.0), (5, 11.0)):
            level = level.hear(amount(5, version), second).level
            assert level.state(second) == "lost"
        assert level.hear(amount(5, 6), 12.0).level.state(12.0) == "open"

    @pytest.mark.parametrize(("n", "version"), [(4, 99), (5, 3), (5, 2)])
    def test_an_old_amount_is_ignored(self, n: int, version: int) -> None:
        level = opened()
        old = amount(n, version, hash=HASH if n == 5 else OTHER)
        assert level.hear(old, 6.0).level == level

    def test_old_amounts_do_not_keep_a_level_open(self) -> None:
        level = opened()
        for second in (3.0, 5.0, 6.9):
            level = level.hear(amount(5, 3), second).level
        assert level.state(7.0) == "lost"


class TestClosing:
    def test_two_hashes_of_one_entry_close_a_level_until_it_is_cleared(self) -> None:
        level = opened().hear(amount(5, 4, hash=OTHER), 3.0).level
        for version in range(5, 9):
            level = level.hear(amount(5, version), 3.0).level
        assert level.state(3.0) == "closed"
        assert level.conflict
        level = level.clear()
        assert level.state(3.0) == "lost"
        for version in range(1, 4):
            level = level.hear(amount(3, version, hash=OTHER), 4.0).level
        assert level.state(4.0) == "open"

    @pytest.mark.parametrize("n", [1, 5, 9])
    def test_an_inoperable_progressive_closes_a_level_whatever_its_number(self, n: int) -> None:
        level = opened().hear(amount(n, 1, state="inoperable", hash=HASH if n == 5 else OTHER), 3.0).level
        assert level.state(3.0) == "closed"
        states = []
        for version in range(4, 7):
            level = level.hear(amount(5, version), 4.0).level
            states.append(level.state(4.0))
        assert states == ["lost", "lost", "open"]

    @pytest.mark.parametrize("fields", [{"state": "closed"}, {"closed": (TABLE,)}])
    def test_a_closed_level_shows_no_new_amount(self, fields: dict[str, object]) -> None:
        level = opened().hear(amount(6, 1, **fields), 3.0).level
        assert (level.state(3.0), level.cents) == ("closed", 100_005)

    def test_another_closed_table_closes_nothing_here(self) -> None:
        assert opened().hear(amount(6, 1, closed=("t2",)), 3.0).level.state(3.0) == "open"

    def test_an_alarm_of_the_uplink_closes_a_level_while_it_lasts(self) -> None:
        level = opened().with_uplink_alarm("the floor has other rows")
        assert level.state(3.0) == "closed"
        assert level.with_uplink_alarm("").state(3.0) == "open"

    def test_an_amount_of_another_level_is_refused(self) -> None:
        with pytest.raises(ValueError, match="level = eights; allowed: sevens"):
            opened().hear(amount(6, 1, level="eights"), 3.0)


class TestClaims:
    def test_a_claim_is_pending_until_it_has_its_amount(self) -> None:
        level = opened().claim(claim_id(7))
        assert (level.state(3.0), level.undecided) == ("pending", (claim_id(7),))
        heard = level.hear(amount(6, 1, state="pending", claims=(announced(7, 5_000),)), 3.0)
        assert heard.won == (announced(7, 5_000),)
        assert (heard.level.state(3.0), heard.level.undecided) == ("pending", ())
        assert heard.level.hear(amount(6, 2), 3.5).level.state(3.5) == "open"

    def test_an_amount_is_news_once(self) -> None:
        level = opened().claim(claim_id(7))
        level = level.hear(amount(6, 1, claims=(announced(7, 5_000),)), 3.0).level
        assert level.hear(amount(6, 2, claims=(announced(7, 5_000),)), 3.0).won == ()

    def test_a_second_amount_of_a_claim_is_a_conflict(self) -> None:
        level = opened().claim(claim_id(7))
        level = level.hear(amount(6, 1, claims=(announced(7, 5_000),)), 3.0).level
        heard = level.hear(amount(7, 1, claims=(announced(7, 4_000),)), 3.0)
        assert (heard.won, heard.level.state(3.0)) == ((), "closed")
        assert heard.level.claims[claim_id(7)].cents == 5_000

    def test_claims_of_others_are_not_news(self) -> None:
        assert opened().hear(amount(6, 1, claims=(announced(7, 5_000),)), 3.0).won == ()

    def test_a_step_is_repeated_until_it_is_confirmed(self) -> None:
        level = opened().claim(claim_id(7))
        level = level.hear(amount(6, 1, claims=(announced(7, 5_000),)), 3.0).level
        level = level.end_claim(claim_id(7), "paid")
        assert [one.claim for one in level.unconfirmed] == [claim_id(7)]
        level = level.hear(amount(7, 1, claims=(announced(7, 5_000, "paid"),)), 3.0).level
        assert level.unconfirmed == ()
