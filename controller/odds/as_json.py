"""Odds as JSON: fractions as the nearest floats, shares and edges as parts of one."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from controller.games.game import Game
from controller.odds.bet import Bet, Choice
from controller.odds.dealer import DealerOdds, DealerTotals, Shares
from controller.odds.sweep import SweepPoint


def odds_json(game: Game, bets: Sequence[Bet], dealer: DealerOdds) -> dict[str, Any]:
    return {
        **_game(game),
        "bets": [bet_json(bet) for bet in bets],
        "dealer": {
            "totals": [_totals(totals) for totals in dealer.totals],
            "busts": {str(cards): float(share) for cards, share in dealer.busts.items()},
        },
    }


def sweep_json(game: Game, option: str, bet: str, swept: Sequence[SweepPoint]) -> dict[str, Any]:
    """One bet under each value of an option. A value that does not offer the bet has none."""
    values = [{"value": one.value, "bets": [bet_json(bet) for bet in one.bets]} for one in swept]
    return {**_game(game), "bet": bet, "sweep": option, "values": values}


def bet_json(bet: Bet) -> dict[str, Any]:
    return {
        "bet": bet.bet,
        "given": dict(bet.given),
        "house_edge": float(bet.house_edge),
        "outcomes": [
            {"event": outcome.event, "probability": float(outcome.probability), "pays": outcome.pays}
            for outcome in bet.outcomes
        ],
        **_meter(bet),
        **({"best_play": [_choice(choice) for choice in bet.best_play]} if bet.best_play else {}),
    }


def _game(game: Game) -> dict[str, Any]:
    return {"game": game.name, "options": game.options.model_dump(mode="json")}


def _meter(bet: Bet) -> dict[str, float | None]:
    if bet.meter is None:
        return {}
    even = bet.break_even_meter
    return {"meter": float(bet.meter), "break_even_meter": None if even is None else float(even)}


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "cards": choice.cards,
        "total": choice.total,
        "choice": choice.key,
        "gains": _floats(choice.gains),
    }


def _totals(totals: DealerTotals) -> dict[str, Any]:
    after: Shares | None = totals.after_peek
    return {
        "given": dict(totals.given),
        "before_peek": _floats(totals.before_peek),
        "after_peek": None if after is None else _floats(after),
    }


def _floats(shares: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(share) for name, share in shares.items()}
