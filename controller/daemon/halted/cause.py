"""Why a table is halted, and what the people at the table do about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.jackpot import Unbalanced
from controller.journal.errors import (
    ForeignCurrency,
    ForeignKey,
    JournalDamaged,
    JournalError,
    JournalLost,
    JournalUnconfirmed,
    SealUnusable,
)
from controller.process.traces import fault_location

_HANDS = (
    "Settle the round on the felt by hand, with what lies there and what the page last showed. "
    "Take no new wagers."
)
_FREEZE = (
    "Copy the jackpot amounts below, with the numbers of their rows, and have a second person sign for them."
)
_NOTHING = "Change, delete and repair nothing: the files are evidence."
_CALL = "Call the technician on duty and read out the sentence in the red box."


@dataclass(frozen=True, slots=True)
class HaltCause:
    """`why` is the text of the error, `means` explains its consequences, `steps` are the instructions in
    order."""

    title: str
    why: str
    means: str
    steps: tuple[str, ...]


def cause_at_start(error: JournalError) -> HaltCause:
    """The cause if the journal cannot be opened or replayed."""
    if isinstance(error.__cause__, Unbalanced):
        return _books(error)
    if cause := AT_START.get(type(error)):
        return cause(error)
    if not isinstance(error, JournalDamaged):
        return HaltCause(
            "The journal cannot be used",
            str(error),
            "It is not there, not this table's, of a newer version, or its folder or disk cannot be written. "
            "The table has not contacted any device.",
            (
                "If a round is on the felt, settle it by hand. Take no new wagers.",
                "Mount the disk, give the folder to the service's user, or install the version it names.",
                "Start the service again. If it halts again, call the technician on duty.",
            ),
        )
    return HaltCause(
        "The journal cannot be trusted",
        str(error),
        "The record of this table is not as it was written, or cannot be read. The table has not contacted "
        "any device: nobody could say which cards are out, which wagers stand and what a jackpot holds.",
        (
            _NOTHING,
            _HANDS,
            _FREEZE,
            "Stop the service. Move the journal and all that lies beside it to a safe place.",
            "Start again with the mirror or the last good copy of the journal; without either, with none.",
            _CALL,
        ),
    )


def cause_in_play(error: BaseException) -> HaltCause:
    """The cause if a part of the playing table has failed."""
    if isinstance(error, Unbalanced):
        return _books(error)
    if isinstance(error, JournalLost):
        return _lost(error)
    if isinstance(error, JournalError):
        return HaltCause(
            "The journal cannot be written",
            str(error),
            "Play stopped at once, and the table disconnected from every device. What was not on disk was "
            "neither shown nor acknowledged: the devices keep it and send it again.",
            (
                "Leave cards and chips where they lie.",
                "Make room on the disk, or have it replaced: the red box says what failed.",
                "Start the service again. The round goes on where it was; the devices send what is missing.",
                "If it halts again: settle the round by hand, and call the technician on duty.",
            ),
        )
    return HaltCause(
        "The software failed",
        f"A fault of the software: {fault_location(error)}",
        "Play stopped at once, and the table disconnected from every device. What is on disk is whole, and "
        "nothing else was acknowledged.",
        (
            "Leave cards and chips where they lie.",
            "Start the service again, once. The round goes on where it was.",
            "If it halts again: settle the round by hand, change nothing, and call the technician on duty.",
            "Keep the log and the journal: the round can be played again from them, up to the fault.",
        ),
    )


def _lost(error: JournalLost) -> HaltCause:
    if error.saved:
        steps = (
            f"Stop the service. Move {error.saved.name} and {error.saved.name}-*, as far as they still "
            "exist, to a safe place.",
            f"Move everything in {error.saved.parent} to where the journal was, and start the service. The "
            "round goes on where it was.",
        )
    else:
        steps = (
            "Do not stop the service until the technician says so: it may have the only copy open.",
            "Start again with the mirror or the last good copy of the journal.",
        )
    return HaltCause(
        "The journal was taken away",
        str(error),
        "A file of the journal was deleted, moved, replaced or cut while the table played. Play stopped at "
        "once, and the table disconnected from every device. The devices keep what was not on disk and send "
        "it again.",
        (
            "Leave cards and chips where they lie.",
            "If the table has a mirror, start the service again: it repairs the journal. Otherwise:",
            *steps,
            _CALL,
        ),
    )


def _foreign_key(error: JournalError) -> HaltCause:
    return HaltCause(
        "The journal's key is another one",
        str(error),
        "This table would sign its journal with a key that is not its own: the key was lost, exchanged or "
        "restored from an older backup. The table has not contacted any device.",
        (
            _NOTHING,
            _HANDS,
            "Put the key back from the backup, and start the service again.",
            "If the key is lost: tableside device provision journal --replace writes the new public key. The "
            "next start asks two supervisors to confirm the journal.",
            _CALL,
        ),
    )


def _sealed(error: JournalError) -> HaltCause:
    return HaltCause(
        "The seal key of the cards cannot be used",
        str(error),
        "The journal holds cards that lie face down only in sealed form. Without its own seal key, the table "
        "could neither read such a card nor seal the next one. The table has not contacted any device.",
        (
            "Leave cards and chips where they lie.",
            "Put the seal key back from where the house keeps it, and start the service again. The round "
            "goes on where it was.",
            "If the key is lost: settle the round by hand and stop the service. Move the journal and all "
            "that is named after it to a safe place, and make a new key with tableside device provision "
            "journal. Then start without a journal.",
            _FREEZE,
            _CALL,
        ),
    )


def _foreign_currency(error: JournalError) -> HaltCause:
    return HaltCause(
        "The journal is in another currency",
        str(error),
        "Every amount of the journal, the jackpots included, would be taken for as much of another currency. "
        "The table has not contacted any device.",
        (
            "If a round is on the felt, settle it by hand. Take no new wagers.",
            "Put the currency of the journal back into the configuration, and start the service again.",
            "If the table is to change its currency: pay or carry over the jackpot amounts below, with a "
            "second person. Move the journal and all that is named after it to a safe place. Then start "
            "without a journal.",
        ),
    )


def _unconfirmed(error: JournalError) -> HaltCause:
    return HaltCause(
        "Two supervisors must confirm the journal",
        str(error),
        "The rows of the journal follow from each other, but they may not be all that this table wrote: "
        "rows may be missing, or another key signed them. The table has not contacted any device.",
        (
            _NOTHING,
            _HANDS,
            _FREEZE,
            "Two supervisors compare these amounts and the last rounds of the journal with the last slips "
            "and reports.",
            "If they agree: tableside journal confirm asks both for their passwords. Then start the service "
            "again.",
            "If they do not agree: stop the service, move the journal and all that is named after it to a "
            "safe place, and start with the mirror or the last good copy.",
            _CALL,
        ),
    )


def _books(error: BaseException) -> HaltCause:
    return HaltCause(
        "The jackpots' books do not add up",
        str(error),
        "What went into a jackpot is not what is in it and what was paid. Nobody may play for it.",
        (
            _NOTHING,
            _HANDS,
            _FREEZE,
            "Do not reset a jackpot: two persons correct it when the fault is found.",
            _CALL,
        ),
    )


AT_START: Mapping[type[JournalError], Callable[[JournalError], HaltCause]] = {
    ForeignCurrency: _foreign_currency,
    ForeignKey: _foreign_key,
    JournalUnconfirmed: _unconfirmed,
    SealUnusable: _sealed,
}
"""The causes of errors that have one of their own."""
