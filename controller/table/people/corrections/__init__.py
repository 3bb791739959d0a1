"""Cards that were misread, or came late: the round is told anew, and its consequences are shown first."""
