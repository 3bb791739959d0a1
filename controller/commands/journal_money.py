"""The currency in which a command writes the amounts of a journal."""

from pathlib import Path

from controller.currency import use
from controller.past.recorded_currency import recorded_currency


def use_currency_of(journal: Path) -> None:
    """Amounts are written in the currency of the journal until the command ends."""
    use(recorded_currency(journal))
