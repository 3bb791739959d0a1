"""The command `tableside supervise`."""

from typing import Annotated

import typer

from controller.supervisor import ConfigFile, Second, Who, Why, tell


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("supervise")(supervise_command)


def supervise_command(
    choice: Annotated[str, typer.Argument(metavar="CHOICE", help="resume, burn, card, void or reload.")],
    config: ConfigFile,
    who: Who,
    why: Why,
    card: Annotated[
        str | None, typer.Option(metavar="CARD", help="With card: which card it is, as Ts or 9h.")
    ] = None,
    second: Second = None,
) -> None:
    """Decide about a suspended round of a running table.

    resume: all is in order again, play on.
    burn: the card in question is a burn.
    card: the card in question goes where the next card is due.
    void: the round is void, every wager pushes.
    reload: the shoe's cards serve no further round, a fresh shoe is wanted.
    """
    tell(config, {"choice": choice, "who": who, "why": why, "card": card, "second": second})
