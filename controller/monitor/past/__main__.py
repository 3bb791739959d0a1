"""The worker process of a table's pages."""

from controller.monitor.past.messages import REPORT, WorkerQuestion, WorkerReply
from controller.monitor.past.worker_process import answer_standard_input


def main() -> None:
    answer_standard_input(_answer)


def _answer(question: WorkerQuestion) -> WorkerReply:
    """Imports only what this question needs: half of the time for a page is spent on imports."""
    if question.what == REPORT:
        from controller.past.reports.making import answer_order
        from controller.past.reports.wire import decode_order

        return WorkerReply(200, "application/json", answer_order(decode_order(question.fields)).encode())
    from controller.monitor.past.answers import answer

    return answer(question)


if __name__ == "__main__":
    main()
