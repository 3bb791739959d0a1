"""Reports over all tables, out of what the floor has derived; and the full report of one table."""
