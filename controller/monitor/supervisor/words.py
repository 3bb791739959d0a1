"""What a supervisor may decide, in words: what it does, and reasons that are often the right ones."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """Of one choice: its button, its form's title, what it does, what does it, and reasons that are often
    the right ones. `{card}` is the number of the card that waits, `{round}` that of the round in play."""

    label: str
    title: str
    sentences: tuple[str, ...]
    button: str
    reasons: tuple[str, ...]
    grave: bool = False
    previewed: bool = True
    """The consequences are shown before the decision is taken."""
    at_once: bool = False
    """The consequences are shown when the form opens: no field changes them."""


CHOICE_WORDS: Mapping[str, ChoiceWords] = {
    "card": ChoiceWords(
        "It takes its place",
        "Card {card} takes its place",
        ("Card {card} takes the place where the next card is due.",),
        "Put it there",
        ("Seen on the table", "Drawn for this hand"),
    ),
    "assign": ChoiceWords(
        "For a hand",
        "Card {card} is for a hand",
        (
            "Card {card} goes to the hand that you name. Due there, it is put at once.",
            "For a hand that had its turn, the round is told anew: name the card, see first what changes.",
        ),
        "Give it to this hand",
        ("Drawn too late for this hand", "Seen on camera"),
    ),
    "reread": ChoiceWords(
        "Read it again",
        "Card {card} through the shoe once more",
        ("The shoe lets exactly one card out. It is the same card, and is counted once.",),
        "Read it again",
        ("It was not read", "The dealer has it in hand"),
        at_once=True,
    ),
    "burn": ChoiceWords(
        "Burn it",
        "Burn card {card}",
        ("Card {card} does not play: it is counted as out of the shoe and lies with the burned ones.",),
        "Burn it",
        ("Pulled by mistake", "Exposed before it was due"),
        at_once=True,
    ),
    "resume": ChoiceWords(
        "Play on",
        "Play on",
        (
            "You have compared the table with the page, and it is right.",
            "A reason that ends by itself stays until its cause is gone.",
            "A device that is held off is tried at once.",
        ),
        "Play on",
        ("Compared with the page", "Repaired and tried"),
        at_once=True,
    ),
    "reload": ChoiceWords(
        "Fresh shoe",
        "Ask for a fresh shoe",
        ("The cards of this shoe serve no further round. A round in play goes to its end first.",),
        "Ask for a fresh shoe",
        ("Cards are marked", "The pack is in doubt"),
        at_once=True,
    ),
    "correct": ChoiceWords(
        "Misread card",
        "A card was misread",
        ("Pick the card that was read wrong, then the card that it is. You see first what that changes.",),
        "Put it right",
        ("Seen on the table", "Seen on camera"),
    ),
    "undo": ChoiceWords(
        "Take back a key",
        "Take back the last key",
        ("The dealer's last key was never pressed: the round is told anew without it.",),
        "Take it back",
        ("Pressed by mistake", "Pressed for the wrong seat"),
    ),
    "void": ChoiceWords(
        "Void the round",
        "Void round {round}",
        (
            "Every wager of the round is given back. The round says for ever that it was void.",
            "If it moved a jackpot, another person has to agree: it then becomes a request.",
        ),
        "Void the round",
        ("Cards were exposed", "The deal went wrong"),
        grave=True,
    ),
    "entry": ChoiceWords(
        "Record an entry",
        "Somebody opens a device",
        ("Nothing happens at the table. Who, when and why are kept, with the number of their licence.",),
        "Keep it",
        (),
        previewed=False,
    ),
}  # fmt: skip
