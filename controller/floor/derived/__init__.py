"""What the floor derives from the rows of tables, so that questions need not read the rows."""
