"""A table that plays, without the command line: what reads that keeps megabytes for as long as it plays."""

from pathlib import Path

from controller import service
from controller.config import ConfigError, read
from controller.faults import FAILED, USAGE, passes, say
from controller.halted.serve import HaltedError
from controller.journal.errors import JournalError
from controller.monitor import logs
from controller.selftest.check import CorruptError
from controller.selftest.manifest import ManifestError


def play(config: Path) -> int:
    """Run the table of this configuration until SIGTERM or SIGINT; returns the status to end with. What was
    wrong is said."""
    with logs.logging_beside():
        return _play(config)


def _play(config: Path) -> int:
    try:
        service.run(read(config))
    except ConfigError as error:
        say(*error.faults)
        return FAILED if passes(error) else USAGE  # systemd starts no table again that ends with USAGE
    except CorruptError as error:
        say("own files are not those that were installed", *error.findings)
        return FAILED
    except (HaltedError, ManifestError, JournalError, OSError) as error:
        say(str(error))
        return FAILED
    return 0
