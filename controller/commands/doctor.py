"""The command `tableside doctor`."""

from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile


def doctor_command(config: ConfigFile, as_json: AsJson = False) -> None:
    """Examine a table and its computer: what is wrong, and what to do.

    Ports, keys, disks, clock, groups, services, certificate, configuration, and
    the daemon itself. It only reads, also while a round is in play. Without
    root it says what it could not see. Status 1: there is a fault.

    Example: tableside doctor --config table.toml
    """
    from controller.commands.handlers.doctor import handle

    handle(config, as_json)
