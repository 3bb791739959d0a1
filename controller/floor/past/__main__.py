"""The worker process of the floor's pages about the past."""

from controller.floor.past.answers import answer
from controller.monitor.past.worker_process import answer_standard_input

if __name__ == "__main__":
    answer_standard_input(answer)
