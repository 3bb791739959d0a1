"""The command `tableside table jackpots`, which shows the jackpots of the running table, or of its
journal."""

from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile


def jackpots_command(config: ConfigFile, as_json: AsJson = False) -> None:
    """Show the jackpots of a table with their books, parameters, claims and last hits.

    The command asks the running table. If no table answers, it reads the journal.

    Example: tableside table jackpots --config table.toml
    """
    from controller.commands.handlers.jackpots import handle

    handle(config, as_json)
