"""Past rounds, the audit log, events, slips and reports: pages and API, answered by worker processes."""
