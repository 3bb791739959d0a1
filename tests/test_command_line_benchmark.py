"""The `make bench` rig that times the help of the command line does what it says."""

from benchmarks import command_line
from controller.commands.app import COMMANDS


def test_each_help_is_timed() -> None:
    measured = command_line.measure(1, ["game"], COMMANDS[:2])
    assert min(measured.overview, measured.group, measured.command) > 0
    assert measured.slowest in {command.name for command in COMMANDS[:2]}
