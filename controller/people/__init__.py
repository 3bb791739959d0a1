"""`tableside users`: accounts, from the command line of the table's computer."""
