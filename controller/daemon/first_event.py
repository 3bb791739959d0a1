"""The event with which each run of a table begins."""

from importlib.metadata import version

from controller.config import Config
from controller.games import providers
from controller.table.record.events import Started


def started_event(config: Config) -> Started:
    serials = {name: section.serial for name, section in config.devices.configured().items()}
    table, jackpots = config.table, {spot: fed.progressive() for spot, fed in config.jackpot.items()}
    return Started(
        version("tableside"),
        table.game,
        table.seats,
        config.options,
        serials,
        table.bank,
        jackpots,
        table.name,
        claims=True,
        approvals=True,
        unplayed=True,
        linked=dict(config.progressive.levels),
        pay_from=table.pay_from,
        currency=table.money.code,
        plugins=providers(table.game, config.options),
    )
