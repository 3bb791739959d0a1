"""The strategy charts that a command plays by."""

from pathlib import Path

from controller.commands.exit_codes import usage
from controller.games.game import Game
from controller.odds.charts import BadChart, read_charts


def chart_argument(game: Game, path: Path | None) -> None:
    """Lets players play by the charts of a file, if there is one. Raises typer.Exit after printing what is
    wrong."""
    if path is None:
        return
    try:
        game.charts = read_charts(game, path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise usage(f"{path} cannot be read: {error}") from None
    except BadChart as bad:
        raise usage(*(f"{path}: {fault}" for fault in bad.faults)) from None
