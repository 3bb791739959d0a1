"""Which failure to mend first: which check presupposes which."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from drivers.conformance.outcome import CheckOutcome

PRESUPPOSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("handshake.*", ("frames.silent", "handshake.hello")),
    ("*", ("handshake.session",)),
    ("sealing.*", ("sealing.first",)),
    ("always.sealed", ("sealing.first", "sealing.counters")),
    ("link.*", ("frames.crc", "link.acknowledgement")),
    ("always.repeats", ("link.retransmission", "link.nak-heeded")),
    ("always.promises", ("link.credit-zero", "handshake.proof-repeated")),
    ("messages.*", ("link.acknowledgement", "link.order")),
    ("events.*", ("link.acknowledgement", "link.order", "events.resume-first")),
    ("commands.*", ("link.order", "commands.arm")),
    ("heartbeat.*", ("heartbeat.period",)),
    ("always.counts", ("events.commit",)),
    ("shoe.*", ("commands.arm", "events.resume-first", "shoe.permit")),
    ("shuffler.*", ("commands.arm", "commands.action-once")),
    ("sensors.*", ("commands.arm", "events.resume-first")),
    ("display.*", ("commands.arm",)),
    ("console.*", ("commands.arm", "events.resume-first")),
    ("update.*", ("link.order", "commands.arm")),
    ("features.*", ("commands.arm",)),
)
"""Names or patterns of checks, and the checks that they presuppose."""
EARLIEST = ("frames.silent", "handshake.hello", "handshake.session")
"""These three run first, and presuppose only the ones before them."""


def presupposed(check: str) -> Iterator[str]:
    """The checks whose rules must hold before this one says anything of its own."""
    if check in EARLIEST:
        yield from EARLIEST[: EARLIEST.index(check)]
        return
    for pattern, needed in PRESUPPOSES:
        if fnmatchcase(check, pattern):
            yield from (name for name in needed if name != check)


def first_to_mend(failed: Sequence[CheckOutcome]) -> str:
    """A line for the end of the report; empty if nothing failed."""
    names = {outcome.check for outcome in failed}
    roots = [outcome for outcome in failed if not names.intersection(presupposed(outcome.check))]
    if not failed:
        return ""
    first = (roots or failed)[0]
    more = len(_consequences(first.check, names))
    text = f"first to mend: {first.check} (section {first.section})"
    if not more:
        return text
    return f"{text}; {more} more failure{'s' * (more > 1)} probably follow{'s' * (more == 1)} from it"


def _consequences(cause: str, names: set[str]) -> set[str]:
    """The failures that presuppose it, directly or through other failures."""
    found: set[str] = {cause}
    while more := {name for name in names - found if found.intersection(presupposed(name))}:
        found |= more
    return found - {cause}
