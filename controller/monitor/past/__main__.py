"""The worker process of a table's pages."""

from controller.monitor.past.messages import REPORT, WorkerQuestion, WorkerReply
from controller.monitor.past.worker_process import answer_standard_input


def main() -> None:
    answer_standard_input(_answer)


def _answer(question: WorkerQuestion) -> WorkerReply:
    """Imports only what this question needs: half of the time for a page is spent on imports."""
    if question.what == REPORT:
        from controller.monitor.past.reports import answer_report

        return answer_report(question)
    from controller.monitor.past.answers import answer

    return answer(question)


if __name__ == "__main__":
    main()
