"""What happened at a table in a shift or a gaming day: counted, compared with the exact odds, and drawn."""
