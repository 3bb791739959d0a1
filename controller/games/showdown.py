"""A hand against the dealer's, in words that a player would accept."""

from controller.games.layout import Outcome, Settlement
from controller.games.lines import Wagered, lose, push, win
from controller.money import EVEN, Ratio

AGAINST: dict[str, tuple[Outcome, str]] = {
    # the dealer's hand as a standing hand sees it -> outcome, reason
    "natural": ("lose", "dealer has a natural"),
    "bust": ("win", "dealer busts with {dealer}"),
    "lower": ("win", "{player} beats dealer's {dealer}"),
    "equal": ("push", "both have {player}"),
    "higher": ("lose", "dealer's {dealer} beats {player}"),
}

NATURAL_AGAINST: dict[bool, tuple[Outcome, str]] = {
    # whether the dealer has one too -> outcome of a player's natural, reason
    False: ("win", "natural"),
    True: ("push", "both have a natural"),
}


def compare(player: int, dealer: int) -> str:
    """How the dealer's total stands to the player's, a key of AGAINST."""
    return "equal" if player == dealer else "lower" if dealer < player else "higher"


def against(what: Wagered, seen: str, player: int, dealer: int, chip: int) -> Settlement:
    """The line for a standing hand that sees the dealer's as `seen`, a key of AGAINST; a win pays 1:1."""
    outcome, reason = AGAINST[seen]
    return line(what, outcome, reason.format(player=player, dealer=dealer), chip)


def natural_line(what: Wagered, both: bool, pays: Ratio, chip: int) -> Settlement:
    """The line for a natural; `both`: the dealer has one too."""
    return line(what, *NATURAL_AGAINST[both], chip, pays)


def line(what: Wagered, outcome: Outcome, reason: str, chip: int, pays: Ratio = EVEN) -> Settlement:
    """The line of an outcome that a table names."""
    if outcome == "win":
        return win(what, pays, chip, reason)
    return push(what, reason) if outcome == "push" else lose(what, reason)
