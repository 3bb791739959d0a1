"""The command `tableside game diagram`."""

from controller.commands.arguments import AsJson, GameName


def diagram_command(game: GameName, as_json: AsJson = False) -> None:
    """Print the state machine of a round, as a Mermaid diagram.

    Example: tableside game diagram easy-jack
    """
    from controller.commands.handlers.diagram import handle

    handle(game, as_json)
