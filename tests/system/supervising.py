"""How a supervisor and a hand at the shoe settle unexpected cards."""

from subprocess import CompletedProcess

from tests.fixtures.process_table import ProcessTable
from tests.system.command import tableside_here


def decided(house: ProcessTable, choice: str, *more: str) -> None:
    """A supervisor's choice that is followed."""
    done = supervise(house, choice, *more)
    assert (done.returncode, done.stderr) == (0, "")


def declined(house: ProcessTable, choice: str, why: str, *more: str) -> None:
    """A supervisor's choice that cannot be followed."""
    done = supervise(house, choice, *more)
    assert (done.returncode, done.stderr) == (1, f"tableside: {why}\n")


def supervise(house: ProcessTable, choice: str, *more: str) -> CompletedProcess[str]:
    """`tableside supervise`, in Ann's name, about the round on the page."""
    words = (
        "--round",
        str(house.view().round),
        "--config",
        str(house.stage.config),
        "--who",
        "Ann",
        "--why",
        "the camera shows it",
    )
    return tableside_here("supervise", choice, *words, *more)


def draw(house: ProcessTable, *, force: bool = False) -> int:
    """A hand draws a card, which is due unless it is forced; returns its count."""
    shoe = house.hands["shoe"]
    if not force:
        house.until_permitted()
    before = shoe.last("card")
    shoe.ask("pull", force=force)
    house.until(lambda _: shoe.last("card") != before)
    return int(shoe.last("card")["count"])
