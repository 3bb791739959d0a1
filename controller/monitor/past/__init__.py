"""Rounds that are past and the audit log: pages and API, answered by a process of its own."""
