"""What the floor asks of a table, and what became of it."""
