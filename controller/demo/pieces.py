"""What the table in a terminal is made of, for rich. Nothing in a text can move the cursor."""

from collections.abc import Mapping

from rich.text import Text

from controller.monitor.wording import RED, rank_text, signed
from controller.table.view import HIDDEN, HandView

SUITS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def inline(hand: HandView) -> Text:
    """A hand in a row: its cards, then what it is."""
    return Text(" ").join([*map(card, hand.cards), value(hand)])


def value(hand: HandView) -> Text:
    """Its total, and what became of it."""
    total = "" if hand.total is None else f"{hand.total} "
    return line((total, "bold"), (hand.label, "italic"))


def card(face: str) -> Text:
    """One card as it is printed, or its back."""
    if face == HIDDEN:
        return Text("▒▒▒", "white on dark_red")
    style = "bold red on bright_white" if face[1] in RED else "bold black on bright_white"
    return Text(f"{rank_text(face):>2}{SUITS[face[1]]}", style)


def gain(cents: int | None) -> Text:
    """A result with its sign."""
    colour = "dim" if not cents else "green" if cents > 0 else "red"
    return Text(signed(cents), f"bold {colour}")


def line(*parts: tuple[str, str]) -> Text:
    """Texts with their styles, side by side."""
    printable = ((_printable(text), style) for text, style in parts)
    return Text.assemble(*printable)


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else "·" for sign in text)
