"""The help of commands names what the programs know."""

from controller.access.read_tokens import MOST_DAYS
from controller.commands import choices
from controller.commands.demo import ShoeKind
from controller.commands.export import What
from controller.commands.handlers.decode import READERS
from controller.past.export import seat_lines
from controller.past.export.sheets import SHEETS
from controller.past.recall.query import OUTCOMES
from drivers.adapters.makes import ADAPTERS
from drivers.protocol.codes import DeviceClass


def test_adapters_are_those_that_drivers_have() -> None:
    assert tuple(ADAPTERS) == choices.ADAPTERS
    assert [*READERS] == ["tsl", *choices.ADAPTERS]
    assert [*ShoeKind] == ["tsl", *choices.ADAPTERS]


def test_classes_of_devices_are_those_of_the_protocol() -> None:
    assert tuple(member.name.lower() for member in DeviceClass) == choices.DEVICE_CLASSES


def test_outcomes_are_those_of_a_search() -> None:
    assert choices.OUTCOMES == OUTCOMES


def test_limits_are_those_of_sessions_and_tokens() -> None:
    assert choices.ABSENT == seat_lines.ABSENT
    assert choices.MOST_TOKEN_DAYS == MOST_DAYS


def test_sheets_are_those_of_an_export() -> None:
    assert {*What} == {*SHEETS, "seats"}
