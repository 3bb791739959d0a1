"""The tables of rows and of device messages are complete."""

from typing import get_args

from controller.table import state_machine
from controller.table.record.events import Input
from controller.table.record.kinds import BY_NAME, BY_RECORD, INPUTS, KINDS
from controller.table.record.message_kinds import BY_MESSAGE
from controller.table.record.notes import Note
from drivers.messages import EventBody


def test_every_record_has_one_kind() -> None:
    assert BY_RECORD.keys() == {*get_args(Input), *get_args(Note)}
    assert len(BY_NAME) == len(BY_RECORD) == len(KINDS)


def test_every_input_is_applied() -> None:
    assert state_machine.APPLIERS.keys() == set(INPUTS.values()) == {*get_args(Input)}


def test_every_message_of_a_device_has_one_kind() -> None:
    assert BY_MESSAGE.keys() == {*get_args(EventBody)}


def test_a_kind_with_a_code_or_a_heading_has_a_sentence() -> None:
    for kind in KINDS:
        assert kind.text.__name__ != "_nothing" or not (kind.code or kind.heading), kind.name
