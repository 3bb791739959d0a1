"""What `tableside game odds` does, and the tables that it shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, log10
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.commands.chosen_game import game_argument
from controller.commands.exit_codes import failed, usage
from controller.games.game import Game
from controller.odds.as_json import odds_json, sweep_json
from controller.odds.bet import Bet, BetOutcome, Choice
from controller.odds.dealer import DealerOdds, Shares
from controller.odds.exact import NoOdds, bets, dealer
from controller.odds.plot.charts import dealer_chart, sweep_chart, value_label
from controller.odds.sweep import SweepError, SweepPoint, bet_names, sweep

UP_CARD = "up_card"
HANDS = {True: "one card", False: "more cards"}


def odds_tables(game: Game, bets: Sequence[Bet], dealer: DealerOdds) -> Iterator[Table]:
    """A table for each bet, with one for its best play if there is one; then the tables of the dealer's
    totals and busts."""
    for name in bet_names(bets):
        entries = [bet for bet in bets if bet.bet == name]
        yield _one_entry(entries[0]) if len(entries) == 1 else _entries(entries)
        if entries[0].best_play:
            yield _best_play(entries[0].best_play)
    yield _totals(game, "before the peek", {_label(one.given): one.before_peek for one in dealer.totals})
    after = {_label(one.given): one.after_peek for one in dealer.totals if one.after_peek is not None}
    if after:
        yield _totals(game, "after the peek, no natural", after)
    yield _busts(dealer.busts)


def sweep_table(game: Game, option: str, bet: str, swept: Sequence[SweepPoint]) -> Table:
    """House edges by value of the option and by condition. The longer of the two lists becomes the rows."""
    givens = list(dict.fromkeys(_condition(one.given) for point in swept for one in point.bets))
    values = [value_label(point.value) for point in swept]
    cells = [[_edge(point, given) for given in givens] for point in swept]
    if len(values) < len(givens):
        values, givens, cells = givens, values, list(map(list, zip(*cells, strict=True)))
    table = _table(f"{game.title}: house edge of {bet} by {option}", option, *givens)
    for value, row in zip(values, cells, strict=True):
        table.add_row(value, *row)
    return table


def percent(share: Fraction, least: int = 4) -> str:
    """The share as a percentage with at least `least` decimals, and with more for a rare event, so that it
    has three significant digits."""
    value = float(share * 100)
    digits = max(least, 2 - floor(log10(abs(value)))) if value else least
    return f"{value:.{digits}f}%"


def _edge(point: SweepPoint, given: str) -> str:
    return next(
        (percent(bet.house_edge) for bet in point.bets if _condition(bet.given) == given), "not offered"
    )


def _one_entry(bet: Bet) -> Table:
    table = _table(f"{bet.bet}, {_condition(bet.given)}", "event", "pays", "probability")
    for outcome in bet.outcomes:
        table.add_row(outcome.event, outcome.pays or "", percent(outcome.probability))
    table.caption = f"house edge {percent(bet.house_edge)}{_jackpot(bet)}"
    return table


def _jackpot(bet: Bet) -> str:
    if bet.meter is None:
        return ""
    even = "never" if bet.break_even_meter is None else f"at {float(bet.break_even_meter):,.2f}"
    return f"\njackpot {float(bet.meter):,.2f} stakes\neven {even}"


def _entries(bets: Sequence[Bet]) -> Table:
    events = list(dict.fromkeys(outcome.event for bet in bets for outcome in bet.outcomes))
    table = _table(bets[0].bet, "up-card", *events, "house edge")
    for bet in bets:
        cells = (_event(bet.outcomes, event) for event in events)
        table.add_row(_label(bet.given), *cells, percent(bet.house_edge))
    return table


def _event(outcomes: Sequence[BetOutcome], event: str) -> str:
    """The total probability of the event, and its pay if it has a single outcome that pays."""
    found = [outcome for outcome in outcomes if outcome.event == event]
    share = percent(sum((outcome.probability for outcome in found), Fraction(0)))
    return f"{share} ({found[0].pays})" if len(found) == 1 and found[0].pays else share


def _best_play(choices: Sequence[Choice]) -> Table:
    keys: dict[int, dict[bool, set[str]]] = {}
    for choice in choices:
        keys.setdefault(choice.total, {}).setdefault(len(choice.cards) == 1, set()).add(choice.key)
    table = _table("best play", "total", *HANDS.values())
    for total, by_hand in sorted(keys.items()):
        table.add_row(str(total), *(" or ".join(sorted(by_hand.get(single, ()))) for single in HANDS))
    return table


def _totals(game: Game, when: str, found: Mapping[str, Shares]) -> Table:
    names = list(dict.fromkeys(name for shares in found.values() for name in shares))
    table = _table(f"{game.title}: the dealer's final total, {when}", "up-card", *names)
    for given, shares in found.items():
        table.add_row(given, *(percent(shares[name], 2) if name in shares else "" for name in names))
    return table


def _busts(busts: Mapping[int, Fraction]) -> Table:
    table = _table("dealer busts", "cards", "probability")
    for cards, share in busts.items():
        table.add_row(str(cards), percent(share))
    return table


def _table(title: str, first: str, *more: str) -> Table:
    table = Table(first, title=title)
    for heading in more:
        table.add_column(heading, justify="right")
    return table


def _label(given: Mapping[str, str]) -> str:
    return given.get(UP_CARD, "not shown")


def _condition(given: Mapping[str, str]) -> str:
    return f"against {given[UP_CARD]}" if given else "before the deal"


SUFFIX = ".svg"


def handle(
    game: str,
    *,
    options: str,
    meter: int | None,
    sweep_by: str | None,
    bet: str | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    opened = game_argument(game, options)
    _check(opened, meter, sweep_by, bet, plot)
    try:
        if sweep_by is None:
            _odds(opened, meter, plot, as_json=as_json)
        else:
            _sweep(opened, sweep_by, bet or _first(opened), meter, plot, as_json=as_json)
    except NoOdds as error:
        raise failed(f"no exact odds: {error}") from None


def _first(game: Game) -> str:
    """The name of the first bet. Raises NoOdds."""
    if found := bets(game):
        return found[0].bet
    raise NoOdds(f"{game.name} has no bet with exact odds")


def _check(game: Game, meter: int | None, sweep_by: str | None, bet: str | None, plot: Path | None) -> None:
    if meter is not None and not game.meters:
        raise usage(f"--meter {meter} is not allowed; allowed: none, {game.name} has no jackpot")
    if bet is not None and sweep_by is None:
        raise usage(f"--bet {bet} is not allowed alone; allowed: with --sweep, whose values it compares")
    if plot is not None and plot.suffix.lower() != SUFFIX:
        raise usage(f"--plot {plot} is not allowed; allowed: a file whose name ends with {SUFFIX}")


def _odds(game: Game, meter: int | None, plot: Path | None, *, as_json: bool) -> None:
    found, hand = bets(game, meter), dealer(game)
    if plot is not None:
        _write(plot, dealer_chart(game, hand))
    if as_json:
        print_json(odds_json(game, found, hand))
    else:
        _show(odds_tables(game, found, hand))


def _sweep(game: Game, option: str, bet: str, meter: int | None, plot: Path | None, *, as_json: bool) -> None:
    swept = _points(game, option, bet, meter)
    if plot is not None:
        _write(plot, sweep_chart(game, option, bet, swept))
    if as_json:
        print_json(sweep_json(game, option, bet, swept))
    else:
        _show([sweep_table(game, option, bet, swept)])


def _points(game: Game, option: str, bet: str, meter: int | None) -> tuple[SweepPoint, ...]:
    try:
        return sweep(game, option, bet, meter)
    except SweepError as error:
        raise usage(str(error)) from None


def _show(tables: Iterable[Table]) -> None:
    console = Console(markup=False, highlight=False)
    for table in tables:
        console.print(table)


def _write(path: Path, drawing: str) -> None:
    try:
        path.write_text(drawing, "utf-8")
    except OSError as error:
        typer.echo(f"tableside: --plot {path} cannot be written: {error.strerror}", err=True)
        raise typer.Exit(1) from None
