"""What is wrong with a table's computer, and what to do: `tableside doctor`."""

from controller.doctor.examination import examine
from controller.doctor.finding import Finding, Status

__all__ = ["Finding", "Status", "examine"]
