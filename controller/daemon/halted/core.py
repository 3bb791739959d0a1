"""What the table socket of a halted table serves: why the table is halted, health and metrics."""

from controller.daemon.halted.page import HaltedTable
from controller.socket.core import Core
from controller.socket.results import HaltedView, Head
from controller.telemetry.host import HostStatus
from controller.telemetry.prometheus.exposition import exposition
from controller.telemetry.prometheus.family import Family, gauge, labelled


def halted_core(halted: HaltedTable) -> Core:
    cause = halted.cause
    view = HaltedView(cause.title, cause.why, cause.means, cause.steps, halted.since, halted.again)
    return Core(
        halted.version,
        halted.table,
        halted.game,
        None,
        None,
        str,
        lambda: None,
        lambda: HostStatus(halted.version, halted.since),
        lambda: Head(0, ""),
        lambda: exposition(halted_metrics(halted)),
        lambda _about, _why: None,
        view,
    )


def halted_metrics(halted: HaltedTable) -> tuple[Family, ...]:
    labels, build = ("version", "game"), (halted.version, halted.game)
    return (
        gauge("tableside_halted", "1 while the table is halted", 1),
        gauge("tableside_suspended", "1 while play is suspended", 1),
        labelled("gauge", "tableside_build_info", "The running version", labels, [(build, 1)]),
    )
