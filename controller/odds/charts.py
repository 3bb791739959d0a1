"""Strategy charts as text: written, read and checked against what the rules of a game allow.

A file has the game, then each chart under the name of its part. Lines that begin with # are notes.

    game no-bust-21st-century
    two cards
            2 3 4 5 6 7 8 9 T A
    H8-     H H H H H H H H H H
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from controller.games.game import Game
from controller.games.strategy import ANY_COLUMN, HIGHEST, KEYS, Chart, Place, row_labels
from controller.odds.kernel.player_hands import PlayerHands
from controller.odds.playthrough import Player
from controller.odds.simulate import JACKPOT

LETTERS = " ".join(KEYS)
NOTE = "# A strategy chart of Tableside: docs/strategies.md says how to read it"


class BadChart(ValueError):
    """What is wrong with a chart, each fault a sentence that names the cell or the line."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, order=True)
class ChartCell:
    """One letter of a game's charts."""

    part: str
    row: str
    column: str

    def __str__(self) -> str:
        """ "two cards, H12 against 7"."""
        against = "" if self.column == ANY_COLUMN else f" against {self.column}"
        return f"{self.part}, {self.row}{against}"


def chart_text(chart: Chart) -> str:
    """A line for each row; neighbours that are alike share one: H8-, S13-14, H18+."""
    rows = (
        (label[0], int(label[1:]), " ".join(row[column] for column in chart.columns))
        for label, row in chart.rows.items()
    )
    lines = [f"{'':<8}{' '.join(chart.columns)}"]
    for (kind, letters), alike in groupby(rows, key=lambda row: (row[0], row[2])):
        totals = [total for _, total, _ in alike]
        lines.append(f"{kind + _named(totals[0], totals[-1]):<8}{letters}")
    return "\n".join(lines)


def charts_text(game: Game) -> str:
    """The file with all charts of a game."""
    parts = (f"{part}\n{chart_text(chart)}" for part, chart in game.charts.items())
    return "\n\n".join((f"{NOTE}\ngame {game.name}", *parts)) + "\n"


def read_charts(game: Game, text: str) -> dict[str, Chart]:
    """The charts of a file, by part. Raises BadChart with every fault."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != f"game {game.name}":
        begins = repr(lines[0][1]) if lines else "nothing"
        raise BadChart(f"the file begins with {begins:.60}; allowed: 'game {game.name}'")
    found, faults = _parts(game, lines[1:])
    if not faults:
        faults = list(_faults(game, found))
    if faults:
        raise BadChart(*faults)
    return found


def cells_of(game: Game) -> dict[tuple[ChartCell, ...], set[frozenset[str]]]:
    """The cells that a hand consults in turn, and what such hands may choose, for every hand of the game."""
    hands = PlayerHands(Player(game, dict.fromkeys(game.meters, JACKPOT)))
    found: dict[tuple[ChartCell, ...], set[frozenset[str]]] = {}
    for _, place, choices in hands.charted():
        found.setdefault(cells_at(place), set()).add(choices)
    return found


def cells_at(place: Place) -> tuple[ChartCell, ...]:
    return tuple(ChartCell(place.part, row, place.column) for row in place.rows)


def _named(first: int, last: int) -> str:
    if first == 0:
        return f"{last}-"
    if last == HIGHEST:
        return f"{first}+"
    return str(first) if first == last else f"{first}-{last}"


def _parts(game: Game, lines: list[tuple[int, str]]) -> tuple[dict[str, Chart], list[str]]:
    found: dict[str, Chart] = {}
    faults: list[str] = []
    part = ""
    for number, line in lines:
        if line in game.charts:
            part = line
            found[part] = Chart("", game.charts[part].columns)
        elif not part:
            faults.append(
                f"line {number}: {line!r:.40} is not a part of the chart; allowed: {', '.join(game.charts)}"
            )
        elif line.split() != [*found[part].columns]:
            try:
                found[part] = _with_row(found[part], line)
            except BadChart as bad:
                faults.append(f"line {number}: {bad}")
    return found, faults


def _with_row(chart: Chart, line: str) -> Chart:
    """The chart with the row of one more line; raises BadChart."""
    label, *letters = line.split()
    try:
        labels = row_labels(label)
    except ValueError:
        labels = ()
    if not labels or label[0] not in "HSP":
        raise BadChart(
            f"{label!r:.20} is not a row; allowed: H, S or P and totals, as H12, H8-, H13-14, H18+"
        )
    if len(letters) != len(chart.columns):
        columns = " ".join(chart.columns)
        raise BadChart(f"{label} has {len(letters)} letters; allowed: {len(chart.columns)}, for {columns}")
    for column, letter in zip(chart.columns, letters, strict=True):
        if letter not in KEYS:
            raise BadChart(f"{label} against {column}: {letter!r:.20} is not an action; allowed: {LETTERS}")
    if twice := [row for row in labels if row in chart.rows]:
        raise BadChart(f"{twice[0]} has a row already; allowed: one row for each total")
    return chart.with_rows(labels, letters)


def _faults(game: Game, charts: Mapping[str, Chart]) -> Iterator[str]:
    """Cells that are missing, or whose letters stand for nothing that a hand may choose."""
    for cells, possible in cells_of(game).items():
        missing = [cell for cell in cells if not _letter(charts, cell)]
        yield from (f"{cell}: no letter; allowed: {LETTERS}" for cell in missing)
        letters = [_letter(charts, cell) for cell in cells]
        keys = {key for letter in letters for key in KEYS.get(letter, ())}
        for choices in possible if not missing else ():
            if keys.isdisjoint(choices):
                only = ", ".join(sorted(choices))
                yield f"{cells[0]}: {letters[0]} is {' or '.join(KEYS[letters[0]])}; allowed here: {only}"


def _letter(charts: Mapping[str, Chart], cell: ChartCell) -> str:
    """Empty if there is none."""
    return charts[cell.part].rows.get(cell.row, {}).get(cell.column, "") if cell.part in charts else ""
