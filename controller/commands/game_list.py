"""The command `tableside game list`."""

from controller.commands.arguments import AsJson


def list_command(as_json: AsJson = False) -> None:
    """List all games, those of installed plug-ins too, and the side bets of plug-ins.

    Example: tableside game list
    """
    from controller.commands.handlers.game_list import handle

    handle(as_json)
