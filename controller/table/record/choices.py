"""What a supervisor may decide: one row for each choice.

Everything that handles choices reads this table: the readers of the socket and of the API (`fields`), the
tokens of previews, requests and the check of names (the flags), the supervisor's page (the texts), the
command line (`summary`) and the audit log (`audit`). The row of the same name in people/decisions.py says
when the table allows the choice and what it does. A new choice is one row here and one row there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

ChoiceName = Literal[
    "burn",
    "card",
    "assign",
    "reread",
    "correct",
    "void",
    "undo",
    "resume",
    "reload",
    "relink",
    "entry",
]
CHOICE_NAMES: tuple[ChoiceName, ...] = get_args(ChoiceName)

OTHER_REASON = "other"
"""In `Choice.fits`: every kind of reason that no choice names."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `title` and `explanation` may contain `{card}`, the number of the waiting card, and
    `{round}`, the number of the round in play."""

    label: str
    """The button that opens the form."""
    title: str
    explanation: tuple[str, ...]
    submit: str
    """The button that sends the form."""
    summary: str
    """What the choice means, for the command line."""
    audit: str
    """What the person did, for the audit log; empty where another row of the journal says more."""
    fields: tuple[str, ...] = ("round", "token")
    """What the decision contains, besides author and reason."""
    reasons: tuple[str, ...] = ()
    """Reasons that are often the right ones."""
    fits: frozenset[str] = frozenset()
    """Kinds of causes (causes.CauseKind) for which play is suspended and which the choice can resolve."""
    grave: bool = False
    preview_on_open: bool = False
    """No field of the form changes the consequences."""
    only_recorded: bool = False
    """The choice changes nothing at the table: it has no preview, needs no token and is allowed at any time,
    in test mode too. A technician may take it."""
    shoe_only: bool = False
    """The choice depends neither on the cards that have been dealt nor on the round in play."""
    replays: bool = False
    """The choice replays the round with a change."""
    may_need_two: bool = False
    """The choice may move a jackpot; then a second person has to agree."""


CHOICES: Mapping[ChoiceName, Choice] = MappingProxyType(
    {
        "card": Choice(
            label="Place the card",
            title="Place card {card}",
            explanation=("Card {card} goes where the next card is due.",),
            submit="Place the card",
            summary="the card in question goes where the next card is due.",
            audit="put the card that waited where the next one was due",
            fields=("round", "card", "token"),
            reasons=("Seen on the table", "Drawn for this hand"),
            fits=frozenset({"card"}),
        ),
        "assign": Choice(
            label="Assign to a hand",
            title="Assign card {card} to a hand",
            explanation=(
                "Card {card} goes to the hand that you choose, at once if that hand is due.",
                "If that hand has already played, the table recalculates the round. Choose the card to see "
                "what changes.",
            ),
            submit="Assign the card",
            summary="the card in question goes to a hand.",
            audit="gave the card that waited to a hand",
            fields=("round", "seat", "hand", "card", "second", "token"),
            reasons=("Drawn too late for this hand", "Seen on camera"),
            fits=frozenset({"card"}),
            replays=True,
            may_need_two=True,
        ),
        "reread": Choice(
            label="Read it again",
            title="Read card {card} again",
            explanation=("The shoe releases exactly one card. It is the same card and counts once.",),
            submit="Read it again",
            summary="the card in question goes through the shoe once more.",
            audit="had the card read once more",
            reasons=("It was not read", "The dealer has it in hand"),
            fits=frozenset({"card"}),
            preview_on_open=True,
        ),
        "burn": Choice(
            label="Burn it",
            title="Burn card {card}",
            explanation=(
                "Card {card} does not play. It counts as out of the shoe and goes to the burned cards.",
            ),
            submit="Burn it",
            summary="the card in question is a burn.",
            audit="burned the card that waited",
            reasons=("Pulled by mistake", "Exposed before it was due"),
            fits=frozenset({"card"}),
            preview_on_open=True,
        ),
        "correct": Choice(
            label="Misread card",
            title="Correct a misread card",
            explanation=(
                "Choose the card that was misread, then the correct card. You see first what changes.",
            ),
            submit="Correct the card",
            summary="a card was read as another one.",
            audit="",
            fields=("round", "seat", "hand", "number", "old", "card", "second", "token"),
            reasons=("Seen on the table", "Seen on camera"),
            fits=frozenset({"ledger"}),
            replays=True,
            may_need_two=True,
        ),
        "undo": Choice(
            label="Undo a key",
            title="Undo the last key",
            explanation=("The table recalculates the round without the dealer's last key.",),
            submit="Undo the key",
            summary="take back the dealer's last key.",
            audit="",
            reasons=("Pressed by mistake", "Pressed for the wrong seat"),
            replays=True,
        ),
        "resume": Choice(
            label="Resume play",
            title="Resume play",
            explanation=(
                "You have compared the table with the page, and they agree.",
                "A reason that clears automatically stays until its cause has ended.",
                "The daemon tries a device that is held off again at once.",
            ),
            submit="Resume play",
            summary="everything is in order again, and play continues.",
            audit="let play go on",
            reasons=("Compared with the page", "Repaired and tested"),
            fits=frozenset({"ledger", "pack", "held", "loaded", OTHER_REASON}),
            preview_on_open=True,
        ),
        "reload": Choice(
            label="New shoe",
            title="Request a new shoe",
            explanation=("No further round uses the cards of this shoe. A round in play is finished first.",),
            submit="Request a new shoe",
            summary="no further round uses this shoe's cards: load a fresh shoe.",
            audit="asked for a fresh shoe",
            reasons=("Cards are marked", "The pack is in doubt"),
            fits=frozenset({"pack", "loaded"}),
            preview_on_open=True,
            shoe_only=True,
        ),
        "void": Choice(
            label="Void the round",
            title="Void round {round}",
            explanation=(
                "Every wager of the round is given back. The void is permanent and stays on record.",
                "If the round moved a jackpot, another person must agree. The void then becomes a request.",
            ),
            submit="Void the round",
            summary="the round is void, every wager pushes.",
            audit="voided the round",
            fields=("round", "second", "token"),
            reasons=("Cards were exposed", "The deal went wrong"),
            fits=frozenset({"card", "ledger", "loaded", OTHER_REASON}),
            grave=True,
            may_need_two=True,
        ),
        "relink": Choice(
            label="Link again",
            title="Accept amounts of the linked jackpot again",
            explanation=(
                "The linked progressive contradicted itself: two amounts or two histories do not agree.",
                "The table accepts its next amounts as they are. Another person must agree: this becomes a "
                "request.",
            ),
            submit="Link again",
            summary="a linked jackpot that contradicted itself may be played again.",
            audit="had the table accept amounts of the linked jackpot again",
            fields=("second", "token"),
            reasons=("Settled with the house", "The progressive was repaired"),
            preview_on_open=True,
            shoe_only=True,
            may_need_two=True,
        ),
        "entry": Choice(
            label="Log an access",
            title="Log an access to a device",
            explanation=(
                "Nothing changes at the table. The journal records who opened the device, when and why, and "
                "the number of their licence.",
            ),
            submit="Save",
            summary="somebody opens a device: the table only records it.",
            audit="opened a case",
            fields=("device", "licence"),
            only_recorded=True,
        ),
    }
)
"""In the order in which a page offers them."""
