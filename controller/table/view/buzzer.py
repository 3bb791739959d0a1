"""How long the console buzzes after a batch."""

from collections.abc import Mapping

from controller.table.batch import Batch
from controller.table.record.events import LampTest
from controller.table.record.notes import Alert, Refusal, Suspended, alert_text
from controller.table.state.alarms import Alarms

ALARM_MS = 1500
TICK_MS = 150
BUZZES: Mapping[type, int] = {Alert: ALARM_MS, Suspended: ALARM_MS, Refusal: TICK_MS, LampTest: ALARM_MS}


def buzz_ms(batch: Batch, alarms: Alarms) -> int:
    """In milliseconds; 0: not at all. A condition that has ended in the same batch makes no sound."""
    loud = [note for note in batch.notes if not alarms.has_ended(alert_text(note))]
    return max((BUZZES.get(type(note), 0) for note in (*batch.inputs, *loud)), default=0)
