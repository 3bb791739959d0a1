"""The floor supervisor's page: the table at a glance, alerts, approvals, claims, and decisions."""
