"""The reports that a worker process makes."""

from controller.monitor.past.messages import WorkerQuestion, WorkerReply
from controller.past.reports.making import answer_order
from controller.past.reports.sources import ReportMemory
from controller.past.reports.wire import decode_order

MEMORY = ReportMemory()
"""What this process remembers of the files that it has read."""


def answer_report(question: WorkerQuestion) -> WorkerReply:
    """A ReportAnswer to a ReportOrder."""
    answer = answer_order(decode_order(question.fields), MEMORY)
    return WorkerReply(200, "application/json", answer.encode())
