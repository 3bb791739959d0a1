"""What may be seen of a table, and where: the live page, its JSON, metrics."""
