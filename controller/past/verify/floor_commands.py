"""Commands of the floor in a journal: the row has the signature, and does what was signed."""

import json
from dataclasses import fields

from controller.property.commands import Command
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.wire import MalformedMessage
from controller.table.record.codec import from_json
from controller.table.record.events import FloorCommand


def command_fault(body: str) -> str:
    """What is wrong with a command in a row; empty if its key signed what the row says."""
    row: FloorCommand = from_json(FloorCommand, json.loads(body))
    message = SignedMessage(row.subject, row.payload, row.key, row.signature)
    try:
        command = Command.read(message.verify({row.key}))
    except UnsignedError as wrong:
        return str(wrong)
    except MalformedMessage as wrong:
        return f"what was signed is not a command: {wrong}"
    if not row.subject.endswith(f".{command.table}.{command.command}"):
        return f"a command {command.command} to {command.table} was signed for {row.subject}"
    signed = FloorCommand.of(command, message)
    differing = [each.name for each in fields(row) if getattr(row, each.name) != getattr(signed, each.name)]
    return f"it differs from what was signed: {', '.join(differing)}" if differing else ""
